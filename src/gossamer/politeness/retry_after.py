"""`Retry-After` (RFC 9110 §10.2.3): seconds or a date, from servers that may send anything.

The header counts on 429 and 503 only. On a redirect the RFC allows it too, but there the
wait concerns the target, which may live on another host.
"""

import re
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from gossamer.politeness.delay import LONGEST

STATUSES = frozenset({429, 503})

LONGEST_VALUE = 64  # characters; the longest of the three date formats has 33
# Servers do send "120.0"; the RFC knows whole seconds only.
_SECONDS = re.compile(r"([0-9]+)(?:\.[0-9]*)?")


def retry_after(value: str, now: datetime) -> timedelta | None:
    """How long from `now` the header asks us to wait; None where it says nothing we understand.

    Never negative and never more than `LONGEST`. A date in the past means no wait.
    """
    value = value.strip()
    if match := _SECONDS.fullmatch(value):
        return _bounded_seconds(match[1])
    if len(value) > LONGEST_VALUE:
        return None
    moment = _http_date(value)
    return None if moment is None else min(max(moment - now, timedelta(0)), LONGEST)


def _bounded_seconds(digits: str) -> timedelta:
    digits = digits.lstrip("0")
    if len(digits) > 9:  # over thirty years; int() and timedelta refuse far longer ones
        return LONGEST
    return min(timedelta(seconds=int(digits or "0")), LONGEST)


def _http_date(value: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(value)
        # The asctime form names no zone; all HTTP dates are in UTC.
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
