from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.urls.strategies import urls

from gossamer.config import Traps
from gossamer.model import Refusal, Url
from gossamer.urls.canonical import MAX_LENGTH
from gossamer.urls.traps import Month, dates_in, trapped

NOW = datetime(2026, 6, 15, tzinfo=UTC)
# Only the shape of the path or query can trap here, not its size.
WIDE = Traps(
    max_length=MAX_LENGTH,
    max_path_segments=MAX_LENGTH,
    max_query_parameters=MAX_LENGTH,
    max_same_parameter=MAX_LENGTH,
)


def rule_for(path: str, limits: Traps = Traps()) -> str | None:  # noqa: B008 (frozen)
    refusal = trapped(Url(f"https://site.test{path}"), NOW, limits)
    return refusal.rule if refusal else None


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/a/a/",
        "/a/a/a",
        "/a/b/a/b/a/b/",
        "/tiles/0/0/0/0/0/3.png",
        "/quad/0/1/0/2/0/1/0/3/0/1/0/2/0/1/0",
        "/web/2010/http://example.test/page",
        "/a//b//c",
        "/" + "very-long-slug-" * 100,
        "/?" + "&".join(f"facet%5B%5D={n}" for n in range(8)),
        "/?" + "&".join(f"p{n}={n}" for n in range(30)),
        "/" + "/".join(f"s{n}" for n in range(30)) + "/",
        "/1851/09/18/archives",
        "/?date=1851-09-18",
        "/2036/06/",
        "/2099/",
    ],
)
def test_real_pages_are_no_traps(path: str) -> None:
    assert rule_for(path) is None


@pytest.mark.parametrize(
    ("path", "rule"),
    [
        ("/" + "a" * 2000, "trap-length"),
        ("/" + "/".join(f"s{n}" for n in range(31)), "trap-depth"),
        ("/a/a/a/a", "trap-repeats"),
        ("/x/a/b/a/b/a/b/a/b/y", "trap-repeats"),
        ("/a/1/a/1/a/1/a/1", "trap-repeats"),
        ("/en/a/en/b/en/c/en/d/en/e/en/f/en/g", "trap-repeats"),
        ("/////x", "trap-repeats"),
        ("/?" + "&".join(f"p{n}=1" for n in range(31)), "trap-parameters"),
        ("/?" + "&" * 40, "trap-parameters"),
        ("/?" + "&".join(f"sort={n}" for n in range(9)), "trap-parameters"),
        ("/2036/07/", "trap-calendar"),
        ("/?month=2099-01", "trap-calendar"),
        ("/?year=3021&month=2", "trap-calendar"),
        ("/calendar/1599/12", "trap-calendar"),
    ],
)
def test_each_trap_is_told_by_its_own_rule(path: str, rule: str) -> None:
    assert rule_for(path) == rule


def test_a_refusal_says_what_looked_wrong() -> None:
    refusal = trapped(Url("https://site.test/x/a/b/a/b/a/b/a/b"), NOW, Traps())
    assert refusal == Refusal("trap-repeats", 'The path repeats "/a/b" over and over.')


@given(
    st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=5),
    st.integers(min_value=1, max_value=6),
)
def test_a_path_repeats_when_a_run_stands_too_often_in_a_row(run: list[str], limit: int) -> None:
    limits = Traps(max_repeats=limit)
    path = "/start/" + "/".join(run * (limit + 1)) + "/end"
    if len(run) * (limit + 1) + 2 <= limits.max_path_segments:
        assert rule_for(path, limits) == "trap-repeats"


@given(st.integers(min_value=0, max_value=900), st.integers(min_value=0, max_value=30))
def test_a_calendar_ends_that_many_years_ahead(months_ahead: int, years: int) -> None:
    year, month = divmod(NOW.year * 12 + NOW.month - 1 + months_ahead, 12)
    rule = rule_for(f"/calendar/{year}/{month + 1:02}", Traps(calendar_years=years))
    assert (rule == "trap-calendar") == (months_ahead > years * 12)


@given(urls)
def test_every_url_is_answered_with_a_printable_line(url: Url) -> None:
    refusal = trapped(url, NOW, WIDE)
    assert refusal is None or (refusal.why.isprintable() and len(refusal.why) < 200)


@pytest.mark.parametrize(
    "piece",
    ["/a", "/", "/2099", "/calendar", "/agenda/a", "/calendar/a/2099", "/?date=2&", "&", "a", "%"],
)
def test_the_longest_url_is_answered_whatever_it_repeats(piece: str) -> None:
    # Quadratic work over 64 KiB would run into the time limit of the test.
    url = Url("https://site.test/" + piece * ((MAX_LENGTH - 20) // len(piece)))
    for limits in (WIDE, Traps(max_length=MAX_LENGTH, max_repeats=MAX_LENGTH)):
        for _ in range(20):
            trapped(url, NOW, limits)
    assert trapped(url, NOW, Traps()) is not None


def test_what_is_kept_of_a_url_holds_for_its_month_and_limits_alone() -> None:
    url = Url("https://site.test/calendar/2037/01")
    later = NOW.replace(year=2027)
    assert [trapped(url, at, Traps()) is None for at in (NOW, later, NOW)] == [False, True, False]
    assert trapped(url, NOW, Traps(calendar_years=20)) is None


def dates(path_and_query: str) -> list[Month]:
    path, _, query = path_and_query.partition("?")
    return list(dates_in(path, query))


@pytest.mark.parametrize(
    ("path", "date"),
    [
        ("/2031/07/", (2031, 7)),
        ("/blog/2031/12/14/title", (2031, 12)),
        ("/2031-07", (2031, 7)),
        ("/events/2031-07-14.html", (2031, 7)),
        ("/2031-W28/", (2031, 1)),
        ("/2999/01/", (2999, 1)),
        ("/calendar/3021/2", (3021, 2)),
        ("/Kalender/monat/2099/11/3", (2099, 11)),
        ("/calendar/0300-12", (300, 12)),
        ("/day/2099-1-31", (2099, 1)),
    ],
)
def test_a_date_in_a_path_is_seen(path: str, date: tuple[int, int]) -> None:
    assert dates(path) == [date]


@pytest.mark.parametrize(
    ("query", "date"),
    [
        ("/?month=2099-01", (2099, 1)),
        ("/?year=3021&month=2", (3021, 2)),
        ("/?x=y&mo=12&yr=2099", (2099, 12)),
        ("/?cal%5Byear%5D=2099&cal%5Bmonth%5D=3", (2099, 3)),
        ("/?cal_year=2099&cal_month=03", (2099, 3)),
        ("/?tribe-bar-date=2099-01-31", (2099, 1)),
        ("/?at=2099-01-31T10%3A00", (2099, 1)),
        ("/?date=2099%2F1%2F5", (2099, 1)),
        ("/?date=31.12.2099", (2099, 1)),
        ("/?month=12/2099", (2099, 1)),
        ("/?date=20990131", (2099, 1)),
        ("/?month=209912", (2099, 12)),
    ],
)
def test_a_date_in_a_query_is_seen(query: str, date: tuple[int, int]) -> None:
    assert dates(query) == [date]


@pytest.mark.parametrize(
    "real",
    [
        "/2099/",
        "/article/2099",
        "/calendar/2099",
        "/forum/3021/4",
        "/thread/2450/11",
        "/topic/1234/12",
        "/net-zero-2050-10-steps",
        "/product/2099-12345",
        "/2099/13/",
        "/20990131",
        "/2099/01x/",
        "/x2099/01/",
        "/?id=20990131",
        "/?to_year=2100",
        "/?year=2099&month=13",
        "/?month=12",
        "/?until=9999-12-31",
        "/?phone=2099-123",
        "/?q=year+2099-01",
        "/?page=2099",
        "/?price=2099.99",
        "/?",
        "/?&&==&=2099&%zz=2099",
    ],
)
def test_what_may_be_something_else_is_no_date(real: str) -> None:
    assert dates(real) == []


@given(st.text(alphabet="/-.?&=%0129aWTdatemonthyear[]", max_size=60))
def test_any_path_and_query_can_be_read(text: str) -> None:
    for date in dates("/" + text):
        assert 0 <= date.year <= 9999
        assert 1 <= date.month <= 12
