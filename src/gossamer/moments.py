"""The present moment, from a clock that never jumps, and how moments are written.

Somebody may set the machine's clock while we run. A step forward would end every wait at
once, so the time of day is read once, and from then on only the seconds that really pass
count.
"""

import time
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

_STARTED = datetime.now(UTC)
_TICKS = time.monotonic()


def now_utc() -> datetime:
    """The present moment."""
    return _STARTED + timedelta(seconds=time.monotonic() - _TICKS)


def iso_moment(moment: datetime) -> str:
    """A moment as JSON answers have it: ISO 8601, to the millisecond."""
    return moment.isoformat(timespec="milliseconds")


def http_date(text: str) -> datetime | None:
    """The moment that an HTTP date names, in UTC; None where it names none."""
    try:
        moment = parsedate_to_datetime(text)
        # The asctime form names no zone; all HTTP dates are in UTC.
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
