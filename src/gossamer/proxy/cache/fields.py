"""Header fields as the cache reads them, dates in them, and a memory for what short values mean. Pure.

An HTTP date (RFC 9110 §5.6.7) has the form of today or one of the two of old; in any other form it is none
at all, and what expires at a moment that nobody can name has expired. Letter case does not matter.

Programs and sites say the same short things again and again. Long values are not remembered: they would
fill the memory, and somebody may send another one each time.
"""

import re
from collections.abc import Callable, Collection, Iterator
from datetime import UTC, datetime
from email.utils import formatdate
from functools import lru_cache, wraps
from typing import Final, TypeVar

from gossamer.http.wire.fields import Field, Fields

HOP_BY_HOP: Final = frozenset(
    (
        b"connection",
        b"keep-alive",
        b"proxy-authenticate",
        b"proxy-authentication-info",
        b"proxy-authorization",
        b"proxy-connection",
        b"te",
        b"trailer",
        b"transfer-encoding",
        b"upgrade",
    )
)
"""What no cache keeps (RFC 9111 §3.1, RFC 9110 §7.6.1), whatever `Connection` says."""
SHORT: Final = 1024  # bytes
T = TypeVar("T")
# A name that `Connection` lists is dropped, but none without which a response says something else:
# a hostile `Connection: cache-control` would have private pages kept.
_END_TO_END: Final = frozenset((b"cache-control", b"vary", b"content-encoding", b"content-length"))
_LINE: Final = re.compile(rb"(?<![^\n])([^:\r\n]++): ?([^\r\n]*+)\r\n")
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


def values(fields: Fields, name: bytes) -> list[bytes]:
    """The values of a field, line by line; the name in lower case."""
    return [value for key, value in fields if key.lower() == name]


def first(fields: Fields, name: bytes) -> bytes | None:
    """The value of a field's first line."""
    for key, value in fields:
        if key.lower() == name:
            return value
    return None


def combined(fields: Fields, name: bytes) -> bytes | None:
    """All lines of a field as one list; None where there is none."""
    found = values(fields, name)
    return b", ".join(found) if found else None


def members(fields: Fields, name: bytes) -> Iterator[bytes]:
    """The members of a list field that holds plain names, in lower case."""
    for value in values(fields, name):
        for member in value.lower().split(b","):
            if stripped := member.strip():
                yield stripped


def without(fields: Fields, names: Collection[bytes]) -> Fields:
    """The fields whose lower-case name is not among these."""
    return tuple(field for field in fields if field[0].lower() not in names)


def end_to_end(fields: Fields) -> Fields:
    """The fields that go beyond the next hop: without what `Connection` lists, too."""
    listed = set(members(fields, b"connection")) - _END_TO_END
    return without(fields, HOP_BY_HOP | listed)


def block_of(fields: Fields) -> bytes:
    """Fields as header lines, each with its CRLF."""
    return b"".join(map(_line, fields))


def fields_of(block: bytes) -> Fields:
    """The fields in header lines that we wrote."""
    return tuple(_LINE.findall(block))


def read_date(value: bytes, now: float) -> float | None:
    """Seconds since 1970; None where this is no HTTP date. Old years have two digits, hence `now`."""
    for form in _FORMS:
        if match := form.fullmatch(value):
            return _date_moment(match, datetime.fromtimestamp(now, UTC).year)
    return None


def date_text(moment: float) -> bytes:
    """The moment in the form of today."""
    return formatdate(moment, usegmt=True).encode("ascii")


def remembering(most: int) -> Callable[[Callable[[bytes], T]], Callable[[bytes], T]]:
    """Have a function remember what it said of so many short values."""

    def decorated(function: Callable[[bytes], T]) -> Callable[[bytes], T]:
        remembered = lru_cache(most)(function)

        @wraps(function)
        def asked(value: bytes) -> T:
            return remembered(value) if len(value) <= SHORT else function(value)

        return asked

    return decorated


def _line(field: Field) -> bytes:
    return b"%b: %b\r\n" % field


def _date_moment(match: re.Match[bytes], this_year: int) -> float | None:
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
