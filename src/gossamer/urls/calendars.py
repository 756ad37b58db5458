"""Dates in URLs, by which calendars that never end are known.

Only what can hardly be anything else counts as a date, since a wrong guess costs
a real page: `/2099/` may be an article's number, `/forum/3021/4` page four of
a thread, `/net-zero-2050-10-steps` a headline. Works in time linear in the URL.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple
from urllib.parse import unquote


class Month(NamedTuple):
    """A month of a year; January where a URL does not say, or says it in two ways."""

    year: int
    month: int


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
