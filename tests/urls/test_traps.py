from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.urls.strategies import urls

from gossamer.config import Traps
from gossamer.model import Refusal, Url
from gossamer.urls.canonical import MAX_LENGTH
from gossamer.urls.traps import trapped

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
