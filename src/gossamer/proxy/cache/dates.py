"""HTTP dates (RFC 9110 §5.6.7): the form of today, and the two of old. Pure.

A date in any other form is none at all: what expires at a moment that nobody can name has
expired. Letter case does not matter.
"""

import re
from datetime import UTC, datetime
from email.utils import formatdate
from typing import Final

_MONTHS: Final = (
    b"jan",
    b"feb",
    b"mar",
    b"apr",
    b"may",
    b"jun",
    b"jul",
    b"aug",
    b"sep",
    b"oct",
    b"nov",
    b"dec",
)
_DAY: Final = rb"(?:mon|tue|wed|thu|fri|sat|sun)"
_LONG_DAY: Final = rb"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_MONTH: Final = rb"(?P<month>" + b"|".join(_MONTHS) + rb")"
_TIME: Final = rb"(?P<hour>\d\d):(?P<minute>\d\d):(?P<second>\d\d)"
_FORMS: Final = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        _DAY + rb", (?P<day>\d\d) " + _MONTH + rb" (?P<year>\d{4}) " + _TIME + rb" GMT",
        _LONG_DAY + rb", (?P<day>\d\d)-" + _MONTH + rb"-(?P<year>\d\d) " + _TIME + rb" GMT",
        _DAY + b" " + _MONTH + rb" (?P<day>[ \d]\d) " + _TIME + rb" (?P<year>\d{4})",
    )
)
_FULL_YEAR: Final = 4
_FAR_YEARS: Final = 50  # a two-digit year that seems further ahead is of the past century
_LEAP_SECOND: Final = 60


def parsed(value: bytes, now: float) -> float | None:
    """Seconds since 1970; None where this is no HTTP date. Old years have two digits, hence `now`."""
    for form in _FORMS:
        if match := form.fullmatch(value):
            return _moment(match, datetime.fromtimestamp(now, UTC).year)
    return None


def _moment(match: re.Match[bytes], this_year: int) -> float | None:
    month = _MONTHS.index(match["month"].lower()) + 1
    year = _year(match["year"], this_year)
    # A leap second is the second before it, as clocks of computers have it.
    second = min(int(match["second"]), _LEAP_SECOND - 1) if match["second"] <= b"60" else -1
    try:
        moment = datetime(
            year,
            month,
            int(match["day"]),
            int(match["hour"]),
            int(match["minute"]),
            second,
            tzinfo=UTC,
        )
    except ValueError:
        return None
    return moment.timestamp()


def _year(digits: bytes, this_year: int) -> int:
    if len(digits) == _FULL_YEAR:
        return int(digits)
    year = this_year // 100 * 100 + int(digits)
    return year - 100 if year > this_year + _FAR_YEARS else year


def written(moment: float) -> bytes:
    """The moment in the form of today."""
    return formatdate(moment, usegmt=True).encode("ascii")
