"""What a page asks of those who read it."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.politeness.directives import Directives, page_directives

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def directives(*headers: str, metas: tuple[tuple[str, str], ...] = ()) -> Directives:
    return page_directives(headers, metas, "Gossamer", NOW)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("", Directives()),
        ("all", Directives()),
        ("index, follow", Directives()),
        ("noindex", Directives(noindex=True)),
        ("NoIndex ,NOFOLLOW", Directives(noindex=True, nofollow=True)),
        ("none", Directives(noindex=True, nofollow=True)),
        ("noarchive", Directives(noarchive=True)),
        ("nocache", Directives(noarchive=True)),
        ("nosnippet;nofollow", Directives(nosnippet=True, nofollow=True)),
        ("noindex nofollow", Directives(noindex=True, nofollow=True)),
        ("index, noindex", Directives(noindex=True)),
        ("max-snippet:-1, max-image-preview: large, noindex", Directives(noindex=True)),
        ("noindexing, no-index, xnofollow", Directives()),
    ],
)
def test_words_are_understood_in_any_case_and_spacing(value: str, expected: Directives) -> None:
    assert directives(value) == expected
    assert directives(metas=(("ROBOTS", value),)) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("gossamer: noindex", Directives(noindex=True)),
        ("GOSSAMER : noindex, nofollow", Directives(noindex=True, nofollow=True)),
        ("googlebot: noindex, nofollow", Directives()),
        ("googlebot: noindex, gossamer: nofollow", Directives(nofollow=True)),
        ("noindex, googlebot: nofollow", Directives(noindex=True)),
        ("robots: noindex", Directives(noindex=True)),
        ("gossamer-news: noindex", Directives()),
        ("otherbot: unavailable_after: 2020-01-01", Directives()),
    ],
)
def test_what_follows_an_agents_name_is_for_that_agent(value: str, expected: Directives) -> None:
    assert directives(value) == expected


def test_the_most_restrictive_statement_wins_wherever_it_stands() -> None:
    metas = (
        ("robots", "index"),
        ("gossamer", "nofollow"),
        ("googlebot", "noarchive"),
        ("x", "none"),
    )
    assert directives("gossamer: all", "noindex", metas=metas) == Directives(
        noindex=True, nofollow=True
    )


@pytest.mark.parametrize(
    "date",
    [
        "Fri, 25 Jun 2010 15:00:00 GMT",
        "Friday, 25-Jun-10 15:00:00 GMT",
        "25 Jun 2010 15:00:00 GMT",
        "25 Jun 2010 08:00:00 PDT",
        "2010-06-25T15:00:00Z",
        "2010-06-25T17:00:00+02:00",
        "2010-06-25 15:00:00",
        "Jun 25, 2010 15:00:00",
    ],
)
def test_a_date_is_understood_with_its_commas_and_what_follows_it(date: str) -> None:
    found = directives(f"unavailable_after: {date}, nofollow")
    moment = datetime(2010, 6, 25, 15, tzinfo=UTC)
    assert found == Directives(noindex=True, nofollow=True, unavailable_after=moment)


def test_a_page_is_available_until_its_earliest_date() -> None:
    values = ("unavailable_after: 2026-01-03", "Unavailable_After: 2026-01-02")
    before = page_directives(values, (), "gossamer", NOW)
    assert before == Directives(unavailable_after=datetime(2026, 1, 2, tzinfo=UTC))
    assert page_directives(values, (), "gossamer", NOW + timedelta(days=1)).noindex
    elsewhere = NOW.astimezone(timezone(timedelta(hours=9)))
    assert not page_directives(values, (), "gossamer", elsewhere).noindex


@pytest.mark.parametrize(
    "date", ["", "soon", "99 Foo 2010", "0000-00-00", "Fri, ", "25 Jun 99999999999"]
)
def test_a_date_that_makes_no_sense_says_nothing(date: str) -> None:
    assert directives(f"unavailable_after: {date}") == Directives()


words = st.sampled_from(
    ["noindex", "none", "unavailable_after:", "gossamer:", "x:", ",", ";", " ", "1"]
)


@given(st.lists(st.one_of(words, st.text(max_size=12)), max_size=12).map("".join))
def test_no_text_raises(value: str) -> None:
    found = directives(value, metas=((value, value), ("robots", value)))
    assert found.unavailable_after is None or found.unavailable_after.tzinfo is UTC
