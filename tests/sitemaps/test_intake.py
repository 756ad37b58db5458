from gossamer.model import Problem, Url
from gossamer.sitemaps.intake import MAX_TEXT_LENGTH, Intake


def test_addresses_become_canonical_urls() -> None:
    intake = Intake(10)
    assert intake.url(" HTTP://A.test:80/b#c\n", None) == "http://a.test/b"
    assert intake.url("/b", Url("http://a.test/x/s.xml")) == "http://a.test/b"
    assert list(intake.problems()) == []


def test_refused_addresses_are_one_problem_with_a_count() -> None:
    intake = Intake(10)
    for line, address in enumerate(["http://a.test/", "", "mailto:a@b.test", "x y"], start=1):
        intake.url(address, None, line)
    [problem] = intake.problems()
    assert problem.message.startswith("3 of 4 entries have no usable address; the first: ")
    assert problem.line == 2


def test_an_endless_address_is_refused() -> None:
    intake = Intake(10)
    room = MAX_TEXT_LENGTH - len("http://a.test/")
    assert intake.url("http://a.test/" + "a" * room, None) is not None
    assert intake.url("http://a.test/" + "a" * (room + 1), None) is None


def test_it_is_full_when_one_more_than_the_limit_comes() -> None:
    intake = Intake(2)
    taken = [(intake.url(f"http://a.test/{n}", None), intake.full) for n in range(3)]
    assert taken == [("http://a.test/0", False), ("http://a.test/1", False), (None, True)]
    assert list(intake.problems()) == [
        Problem("more than 2 entries; the rest is ignored", "sitemap")
    ]
