"""The present moment, from a clock that never jumps, and how moments are stored and written.

Somebody may set the machine's clock while we run. A step forward would end every wait at
once, so the time of day is read once, and from then on only the seconds that really pass
count.
"""

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Final

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_STARTED = datetime.now(UTC)
_TICKS = time.monotonic()


def now_utc() -> datetime:
    """The present moment."""
    return _STARTED + timedelta(seconds=time.monotonic() - _TICKS)


def to_microseconds(moment: datetime) -> int:
    """A moment as a whole number of microseconds since 1970, exactly: as it is stored."""
    return (moment - EPOCH) // _MICROSECOND


def from_microseconds(microseconds: int) -> datetime:
    """The moment that `to_microseconds` was given, in UTC."""
    return (EPOCH + microseconds * _MICROSECOND).astimezone(UTC)


def iso_moment(moment: datetime) -> str:
    """A moment as JSON answers have it: ISO 8601, to the millisecond."""
    return moment.isoformat(timespec="milliseconds")


def told_moment(moment: datetime) -> str:
    """A moment in UTC as people are told it, to the second."""
    return f"{moment:%Y-%m-%d %H:%M:%S} UTC"


def http_date(text: str) -> datetime | None:
    """The moment that an HTTP date or one of RFC 822 names, in UTC; None where it names none."""
    return read_moment(parsedate_to_datetime, text)


def read_moment(read: Callable[[str], datetime], text: str) -> datetime | None:
    """The moment in UTC that a reader of dates finds in a text; None where that is none.

    Without a zone it is UTC: so are all HTTP dates, and the asctime form names none.
    """
    try:
        moment = read(text)
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, TypeError, IndexError, OverflowError):  # what hostile dates raise
        return None
