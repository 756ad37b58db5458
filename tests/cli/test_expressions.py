import json

from gossamer.data import DataFolder

from .conftest import Gossamer


def test_expressions_are_added_listed_and_removed(here: Gossamer, small_crawl: DataFolder) -> None:
    done = here("config", "add", "scope.exclude=/a{1,2}/", "scope.include=^http://a")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "scope.exclude: /a{1,2}/ is added\nscope.include: ^http://a is added\n"
    assert here("config", "added").stdout == "scope.exclude  /a{1,2}/\nscope.include  ^http://a\n"
    assert here("config", "remove", "scope.exclude=/a{1,2}/").returncode == 0
    listed = json.loads(here("config", "added", "--json").stdout)
    assert listed == [{"kind": "include", "expression": "^http://a"}]
    lines = (small_crawl.log_folder / "000001.jsonl").read_text().splitlines()
    assert [json.loads(line)["value"] for line in lines] == [
        "/a{1,2}/ added",
        "^http://a added",
        "/a{1,2}/ removed",
    ]


def test_an_added_expression_is_explained(here: Gossamer, small_crawl: DataFolder) -> None:
    here("config", "add", "scope.exclude=/odd")
    reach = ("--connect-to", "*.test=127.0.0.1:9")  # where nobody listens
    record = json.loads(here("explain", "http://a.test/odd", "--json", *reach).stdout)
    assert record["scope"]["refused"]["rule"] == "scope-exclude"


def test_what_cannot_be_done_is_said(here: Gossamer, small_crawl: DataFolder) -> None:
    here("config", "add", "scope.exclude=/odd")
    twice = here("config", "add", "scope.exclude=/odd")
    assert (twice.returncode, twice.stdout) == (1, "")
    assert "was added to scope.exclude before" in twice.stderr
    unknown = here("config", "remove", "scope.include=/odd")
    assert unknown.returncode == 1
    assert "was not added to scope.include" in unknown.stderr
    for given, words in [
        ("scope.exclude=(", "not an expression"),
        ("scope.exclude", "write KEY=EXPRESSION"),
        ("politeness.delay=3", "politeness.delay is no list of expressions"),
    ]:
        refused = here("config", "add", given)
        assert refused.returncode == 2
        assert words in refused.stderr


def test_without_a_crawl_there_is_nothing_to_add_to(here: Gossamer) -> None:
    done = here("config", "add", "scope.exclude=/odd")
    assert done.returncode == 1
    assert "There is no crawl" in done.stderr
