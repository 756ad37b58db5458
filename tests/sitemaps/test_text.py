from hypothesis import given
from hypothesis import strategies as st

from gossamer.model import Problem, Url
from gossamer.sitemaps.intake import Intake
from gossamer.sitemaps.text import read_text
from gossamer.sitemaps.unpack import Cut
from gossamer.sitemaps.values import SitemapEntry, SitemapItem


def read(*texts: str | Problem, max_entries: int = 100) -> list[SitemapItem]:
    return list(read_text(texts, Intake(max_entries)))


A = SitemapEntry(Url("http://a.test/1"))
B = SitemapEntry(Url("http://a.test/2"))


def test_each_line_is_an_address_whatever_ends_it() -> None:
    for end in ("\n", "\r\n", "\r"):
        assert read(f"http://a.test/1{end}{end} http://a.test/2 {end}") == [A, B]
    assert read("\ufeffhttp://a.test/1\n\ufeffhttp://a.test/2") == [A, B]


def test_lines_that_are_no_address_are_one_problem_with_the_first_line() -> None:
    *entries, problem = read("http://a.test/1\r\n\r\n# pages\nwww.a.test\n/2\nhttp://a.test/2")
    assert entries == [A, B]
    assert isinstance(problem, Problem)
    assert problem.line == 3
    assert problem.message.startswith("3 of 5 entries")


def test_a_line_that_was_cut_does_not_count() -> None:
    cut = Cut("too large")
    assert read("http://a.test/1\nhttp://a.test/2", cut) == [A, cut]
    assert read("http://a.test/1\nhttp://a.test/2\n", cut) == [A, B, cut]


def test_the_limit_of_entries_is_exact() -> None:
    text = "http://a.test/1\nhttp://a.test/2\n"
    assert read(text, max_entries=2) == [A, B]
    assert read(text, max_entries=1) == [
        A,
        Problem("more than 1 entries; the rest is ignored", "sitemap"),
    ]


def test_a_line_of_megabytes_is_a_problem_and_the_next_one_counts() -> None:
    long_line = ["http://a.test/", *["x" * 65_536] * 80, "\nhttp://a.test/2\n"]
    entry, problem = read(*long_line)
    assert entry == B
    assert isinstance(problem, Problem)
    assert "longer than 8,192 characters" in problem.message


@given(st.lists(st.sampled_from(["http://a.test/", "1", "2", "\r", "\n", " ", "x"]), max_size=20))
def test_where_a_text_is_cut_does_not_matter(pieces: list[str]) -> None:
    assert read(*pieces) == read("".join(pieces))
