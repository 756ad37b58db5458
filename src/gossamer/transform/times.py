"""Dates, times and durations as XML Schema types, recognised by their form. Pure."""

import re
from calendar import monthrange
from functools import lru_cache
from typing import Final

from gossamer.transform.date_spellings import respell
from gossamer.transform.terms import XSD, Term, literal

_DAY: Final = r"(?P<year>\d{4,9})-(?P<month>0[1-9]|1[0-2])-(?P<day>0[1-9]|[12]\d|3[01])"
_YEAR: Final = r"(?:\d{4}|[1-9]\d{4,8})"  # `02011` is none
_CLOCK: Final = r"(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?"
_ZONE: Final = r"(?:Z|[+-](?:(?:0\d|1[0-3]):[0-5]\d|14:00))?"
_LOOKS: Final = tuple(
    (re.compile(pattern, re.ASCII), f"{XSD}{name}")
    for pattern, name in (
        (_DAY, "date"),
        (f"{_DAY}T{_CLOCK}{_ZONE}", "dateTime"),
        (f"{_CLOCK}{_ZONE}", "time"),
        (rf"{_YEAR}-(?:0[1-9]|1[0-2])", "gYearMonth"),
        (_YEAR, "gYear"),
        (
            r"-?P(?=[\dT])(?:\d+Y)?(?:\d+M)?(?:\d+D)?"
            r"(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)?",
            "duration",
        ),
    )
)
_LONGEST: Final = 64  # no date is longer, and hostile text is
_DIGITS: Final = re.compile(r"\d{5,9}", re.ASCII)


def time_type(text: str) -> str | None:
    """The XML Schema type of this text, or None."""
    return _type(text) if len(text) <= _LONGEST else None


@lru_cache(maxsize=1024)  # the dates of a page are few, and said over and over
def _type(text: str) -> str | None:
    for looks, datatype in _LOOKS:
        if match := looks.fullmatch(text):
            return datatype if _exists(match.groupdict()) else None
    return None


def time_literal(text: str) -> Term:
    """A time as a typed literal, after repair; otherwise a plain literal."""
    mended = _mend(text) if len(text) <= _LONGEST else text
    datatype = time_type(mended)
    # A number is no year of five digits because it could be.
    if datatype is None or _DIGITS.fullmatch(mended):
        return literal(text)
    return literal(mended, datatype=datatype)


@lru_cache(maxsize=1024)
def _mend(text: str) -> str:
    return respell(text) or text


def _exists(parts: dict[str, str | None]) -> bool:
    """Whether there is such a day: not February 30th, nor the year 0."""
    year, month, day = (parts.get(name) for name in ("year", "month", "day"))
    if year is None or month is None or day is None:
        return True
    if int(year) == 0 or (len(year) > 4 and year.startswith("0")):
        return False
    # The calendar repeats every 400 years; Python's ends at 9999.
    return int(day) <= monthrange(int(year) % 400 + 400, int(month))[1]
