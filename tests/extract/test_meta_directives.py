from datetime import UTC, datetime

from gossamer.extract.meta_directives import MAX_CONTENT, MAX_USAGE, html_directives
from gossamer.politeness.directives import Directives, page_directives
from gossamer.transform.document import Document

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def pairs(markup: str) -> list[tuple[str, str]]:
    return list(html_directives(Document("http://a.test/", markup.encode())))


def test_wishes_come_with_the_name_they_are_addressed_to() -> None:
    markup = """<meta name=robots content='NoIndex, follow'><meta name=GossamerBot content=none>
        <body><meta name=otherbot content='unavailable_after: 2020-01-01'>"""
    assert pairs(markup) == [
        ("robots", "NoIndex, follow"),
        ("GossamerBot", "none"),
        ("otherbot", "unavailable_after: 2020-01-01"),
    ]


def test_other_meta_elements_stay_behind() -> None:
    assert pairs("<meta name=description content=Tea><meta name=robots content=index>") == []
    assert pairs("<meta name=robots><meta content=noindex><meta property=robots content=x>") == []


def test_politeness_reads_them() -> None:
    said = pairs("<meta name=Robots content=nofollow><meta name=otherbot content=noindex>")
    assert page_directives([], said, "gossamer", NOW) == Directives(nofollow=True)


def test_a_wish_is_no_book() -> None:
    ((_, content),) = pairs(f"<meta name=robots content='noindex{' x' * 100_000}'>")
    assert len(content) == MAX_CONTENT


def test_what_is_said_about_the_use_of_a_page_comes_with_them() -> None:
    markup = """<meta name=TDM-Reservation content=1><meta name=tdm-policy content=/policy>
        <meta name=Content-Usage content='train-ai=n'><meta name=tdm-reservation>
        <meta name=tdm-other content=1>"""
    assert pairs(markup) == [
        ("TDM-Reservation", "1"),
        ("tdm-policy", "/policy"),
        ("Content-Usage", "train-ai=n"),
        ("tdm-reservation", ""),
    ]


def test_of_a_flood_of_them_the_first_are_read() -> None:
    flood = "<meta name=tdm-policy content=x>" * 1_000
    assert len(pairs(flood + "<meta name=robots content=noindex>")) == MAX_USAGE + 1
