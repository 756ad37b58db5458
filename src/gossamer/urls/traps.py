"""Sites that make up URLs without end, told by the shape of one URL.

Each check says why it refused. They work in time linear in the URL, and would
rather miss a trap than refuse a real page: what slips through is for the budgets.

Calendars that never end are known by their dates. Only what can hardly be anything else counts as a date:
`/2099/` may be an article's number, `/forum/3021/4` page four of a thread, `/net-zero-2050-10-steps` a
headline.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import lru_cache, partial
from typing import Final, NamedTuple
from urllib.parse import unquote

from gossamer.config import Traps
from gossamer.model import Refusal, Url
from gossamer.urls.parts import path_of
from gossamer.wording import quoted

_MONTH = r"(0[1-9]|1[0-2])"
_END = r"(?=[/.]|$)"
# `/2031/07/`, `/2031/07/14`, `/2031-07`, `/2031-07-14.html`, `/2031-W28`. Page ten to twelve
# of thread 2450 looks like a month too, so these count in two centuries only: a calendar is
# walked month by month, and stopped there it comes no further.
_PATH_DATE: Final = re.compile(
    rf"/(?=2[01]|2[0-9]{{3}}.0)(2[0-9]{{3}})(?:[/\-]{_MONTH}(?:-[0-3][0-9])?|-W[0-5][0-9]){_END}"
)
# Below a segment that speaks of time, any year and `/3021/2` will do.
_CALENDAR_DATE: Final = re.compile(
    r"/(?:agenda|calend[ae]r|calendario|calendrier|kalender|year|month|day|date)/"
    rf"(?:[a-z]+/)?([0-9]{{4}})[/\-](0?[1-9]|1[0-2])(?:-[0-3]?[0-9])?{_END}",
    re.IGNORECASE,
)
# `date=2099-01-31T10:00`, `month=2099/1`, `on=2099-01`; and `date=31.01.2099`, `month=01/2099`.
_DATE_VALUE: Final = re.compile(r"([0-9]{4})[\-/.](0?[1-9]|1[0-2])(?:[\-/.T ].*)?", re.DOTALL)
_TURNED_VALUE: Final = re.compile(r"(?:[0-9]{1,2}[\-/.])?[0-9]{1,2}[\-/.]([0-9]{4})")
_COMPACT_VALUE: Final = re.compile(rf"([12][0-9]{{3}}){_MONTH}(?:[0-3][0-9])?")
_LAST_WORD: Final = re.compile(r"([a-z]+)[^a-z]*")
_YEAR_NAMES: Final = frozenset({"year", "yr", "y", "yyyy", "jahr", "annee", "ano", "anno"})
_MONTH_NAMES: Final = frozenset({"month", "mon", "mo", "m", "mm", "monat", "mois", "mes", "mese"})
_DATE_NAMES: Final = frozenset({"date", "day", "week", "month", "datum", "fecha", "calendar"})
_FOR_EVER: Final = 9999  # `until=9999-12-31` means that something does not end
LONGEST_RUN: Final = 8  # segments; a relative link gone wrong repeats the few it is made of
KEPT: Final = 16_384  # answers, of 35 MB at the very most
# Newspapers date their pages back to the first of them, so the past is no trap until here.
EARLIEST_YEAR: Final = 1600
TrapTest = Callable[[Url], Refusal | None]
"""None if a URL looks like a page, else which trap it looks like."""


def trapped(url: Url, now: datetime, limits: Traps) -> Refusal | None:
    """None if the URL looks like a page, else which trap it looks like."""
    return trap_test(now, limits)(url)


def trap_test(now: datetime, limits: Traps) -> TrapTest:
    """A test for traps, to be used for many URLs at one time."""
    return _trap_test((now.year + limits.calendar_years, now.month), limits)


@lru_cache(maxsize=4)  # months and limits seldom change
def _trap_test(latest: tuple[int, int], limits: Traps) -> TrapTest:
    # The pages of a site share most of their links.
    looks_like = lru_cache(KEPT)(partial(_looks_like, latest=latest, limits=limits))

    def test(url: Url) -> Refusal | None:
        if len(url) > limits.max_length:  # nothing is kept that could be of any length
            return Refusal(
                "trap-length",
                f"The URL has {len(url)} bytes; more than {limits.max_length} are a trap.",
            )
        return looks_like(url)

    return test


def _looks_like(url: Url, *, latest: tuple[int, int], limits: Traps) -> Refusal | None:
    path, _, query = path_of(url).partition("?")
    segments = path.removesuffix("/").split("/")[1:]
    return (
        _too_deep(segments, limits)
        or _repeating(segments, limits)
        or _runaway(query, limits)
        or _far_date(path, query, latest)
    )


def _too_deep(segments: Sequence[str], limits: Traps) -> Refusal | None:
    if len(segments) <= limits.max_path_segments:
        return None
    return Refusal(
        "trap-depth",
        f"The path has {len(segments)} segments; more than {limits.max_path_segments} are a trap.",
    )


def _repeating(segments: Sequence[str], limits: Traps) -> Refusal | None:
    if len(segments) <= limits.max_repeats:
        return None
    run = _repeated_run(segments, limits.max_repeats) or _recurring(segments, limits.max_repeats)
    if not run:
        return None
    return Refusal("trap-repeats", f"The path repeats {quoted('/' + '/'.join(run))} over and over.")


def _repeated_run(segments: Sequence[str], most: int) -> Sequence[str]:
    """A run of segments that stands more than `most` times in a row."""
    for length in range(1, min(LONGEST_RUN, len(segments) // (most + 1)) + 1):
        same = 0
        for at in range(length, len(segments)):
            same = same + 1 if segments[at] == segments[at - length] else 0
            if same == length * most and _can_trap(run := segments[at - length + 1 : at + 1]):
                return run
    return ()


def _recurring(segments: Sequence[str], most: int) -> Sequence[str]:
    """A segment that comes back, with changing ones between, twice as often as it may in a row.

    Two relative links gone wrong make such paths: `/en/news/en/about/en/news/…`.
    """
    segment, times = Counter(segments).most_common(1)[0]
    return (segment,) if times > 2 * most and _can_trap((segment,)) else ()


def _can_trap(run: Sequence[str]) -> bool:
    """Numbers alone are how tiles and archives are filed: `/tiles/0/0/0/0/3.png`."""
    return not all(segment.isdigit() for segment in run)


def _runaway(query: str, limits: Traps) -> Refusal | None:
    if not query:
        return None
    count = query.count("&") + 1
    if count > limits.max_query_parameters:
        return Refusal(
            "trap-parameters",
            f"The query has {count} parameters; more than {limits.max_query_parameters} are a trap.",
        )
    if count <= limits.max_same_parameter:
        return None
    names = Counter(parameter.partition("=")[0] for parameter in query.split("&"))
    name, times = names.most_common(1)[0]
    if times <= limits.max_same_parameter:
        return None
    return Refusal(
        "trap-parameters",
        f"The query has {quoted(name)} {times} times; "
        f"more than {limits.max_same_parameter} are a trap.",
    )


def _far_date(path: str, query: str, latest: tuple[int, int]) -> Refusal | None:
    for date in dates_in(path, query):
        if date > latest or date.year < EARLIEST_YEAR:
            return Refusal(
                "trap-calendar",
                f"It is about the year {date.year}: a calendar without end.",
            )
    return None


class Month(NamedTuple):
    """A month of a year; January where a URL does not say, or says it in two ways."""

    year: int
    month: int


def dates_in(path: str, query: str) -> Iterator[Month]:
    """The dates that a URL's path and query speak of."""
    found = _CALENDAR_DATE.search(path) or _PATH_DATE.search(path)
    if found:
        yield Month(int(found[1]), int(found[2] or 1))
    yield from (month for month in _in_query(query) if month.year != _FOR_EVER)


def _in_query(query: str) -> Iterator[Month]:
    year = month = 0
    for parameter in query.split("&") if query else ():
        name, _, value = parameter.partition("=")
        if not value[:1].isdigit():
            continue
        word = _last_word(name)
        if word in _YEAR_NAMES and len(value) == 4 and value.isdecimal():
            year = int(value)
        elif word in _MONTH_NAMES and len(value) <= 2 and value.isdecimal():
            month = int(value)
        else:
            yield from _in_value(word, value)
    # A year alone may bound a search, as in `to_year=2100`; with a month it names a page.
    if year and 1 <= month <= 12:
        yield Month(year, month)


def _in_value(word: str, value: str) -> Iterator[Month]:
    value = unquote(value[:64])  # no date is longer
    if found := _DATE_VALUE.fullmatch(value):
        yield Month(int(found[1]), int(found[2]))
    elif word not in _DATE_NAMES:
        return
    elif found := _COMPACT_VALUE.fullmatch(value):
        yield Month(int(found[1]), int(found[2]))
    elif found := _TURNED_VALUE.fullmatch(value):
        yield Month(int(found[1]), 1)


def _last_word(name: str) -> str:
    """What a parameter is about: `year` in `cal[year]`, `cal_year` and `year`."""
    words = _LAST_WORD.findall(unquote(name[-64:]).lower())
    return words[-1] if words else ""
