import pytest

from gossamer.model import Problem, Url
from gossamer.sitemaps.intake import Intake
from gossamer.sitemaps.unpack import Cut
from gossamer.sitemaps.values import SitemapItem
from gossamer.sitemaps.xml import read_xml

OPEN = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'


def entry(name: object) -> str:
    return f"<url><loc>http://a.test/{name}</loc></url>\n"


def read(*texts: str | Problem, max_entries: int = 50_000) -> list[SitemapItem]:
    return list(read_xml(texts, Url("http://a.test/s.xml"), Intake(max_entries)))


def names(items: list[SitemapItem]) -> list[str]:
    found = [item.url for item in items if not isinstance(item, Problem)]
    return [url.removeprefix("http://a.test/") for url in found]


def problems(items: list[SitemapItem]) -> list[Problem]:
    return [item for item in items if isinstance(item, Problem)]


@pytest.mark.parametrize(
    "broken",
    [
        "<url><loc>http://a.test/x</url>\n",
        "<url><loc>http://a.test/x</loc>\n",
        "<url><loc a='1' a='2'>http://a.test/x</loc></url>",
        "<url><image:loc>http://a.test/x</image:loc></url>",
        "<!-- a -- b -->",
        "<?xml version='1.0'?>",
        "<url><loc>http://a.test/&#0;x</loc></url>",
        "<url><loc>http://a.test/\0x</loc></url>",
        "\ufffe",
        "]]>",
    ],
)
def test_entries_on_both_sides_of_a_break_count_and_the_break_has_its_line(broken: str) -> None:
    items = read(OPEN + entry(1) + broken + entry(2) + entry(3) + "</urlset>")
    assert [name for name in names(items) if name in "123"] == ["1", "2", "3"]
    assert problems(items)[0].message.startswith("broken XML: ")
    assert problems(items)[0].line in (3, 4, 5, 6)


@pytest.mark.parametrize("broken", ["</url></url>", "</urlset>", "<![CDATA[", "<a b=c>", "<\0/>"])
def test_where_the_parser_cannot_go_on_the_entries_before_count(broken: str) -> None:
    items = read(OPEN + entry(1) + entry(2) + broken + entry(3) + "</urlset>")
    assert names(items)[:2] == ["1", "2"]
    assert len(problems(items)) == 1


def test_a_document_that_ends_early_is_a_problem_but_not_where_we_cut_it() -> None:
    truncated = OPEN + entry(1) + "<url><loc>http://a.test/2"
    cut = Cut("too large")
    assert names(read(truncated)) == ["1"]
    assert [problem.line for problem in problems(read(truncated))] == [3]
    assert problems(read(truncated, cut)) == [cut]


def test_reading_stops_once_it_is_full() -> None:
    def texts() -> list[str | Problem]:
        return [OPEN, *(entry(number) for number in range(10)), "</urlset>"]

    assert len(names(read(*texts(), max_entries=10))) == 10
    assert problems(read(*texts(), max_entries=10)) == []
    items = read(*texts(), max_entries=9)
    assert names(items) == [str(number) for number in range(9)]
    assert problems(items) == [Problem("more than 9 entries; the rest is ignored", "sitemap")]


def test_a_hundred_thousand_levels_are_only_a_number() -> None:
    deep = OPEN + entry(1) + "<a>" * 100_000 + entry(2) + "</a>" * 100_000 + entry(3) + "</urlset>"
    assert names(read(deep)) == ["1", "2", "3"]


def test_the_message_of_the_parser_is_kept_short() -> None:
    items = read(OPEN + f"<{'x' * 5000}:y/>")
    assert len(problems(items)[0].message) <= 220
