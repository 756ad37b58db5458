"""How a request went, and how long its host is left alone because of it: back-off, Retry-After, rate limits, slow readings. Pure.

A pause counts from the end of the answer or of the reading. Downloads and readings are charged alike:
k × the time, k = `politeness.slowness`, which is 0 where the delay is set to 0. Evidence against the host
(`evidence.py`) doubles the pause, up to a cap. Pages that cannot be read at all within a worker's time and
memory, several in a row, are failures of the host, too, whatever its delay.
"""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import ClassVar, NamedTuple

from gossamer.model import Cause
from gossamer.moments import http_date
from gossamer.politeness.delay import LONGEST, Pace, bounded
from gossamer.politeness.evidence import (
    ASKS_FOR_REST,
    FORGIVEN,
    Bearing,
    HostEvidence,
    bearing_of_cause,
    bearing_of_status,
)

LONGEST_VALUE = 64  # characters; the longest of the three date formats has 33
# Servers do send "120.0"; the RFC knows whole seconds only.
_SECONDS = re.compile(r"([0-9]+)(?:\.[0-9]*)?")
MOST_DOUBLINGS = 60  # further ones would overflow; no cap is that far away


class Answered(NamedTuple):
    """The host answered, with whatever status; `asks_for` is what `retry_after()` read, `quota_wait` its namesake."""

    status: int
    asks_for: timedelta | None = None
    quota_wait: timedelta | None = None
    url: str | None = None  # None: another than any before
    is_whole: bool = True  # the body; else it broke off

    @property
    def bearing(self) -> Bearing:
        """What the answer says about the host."""
        return bearing_of_status(self.status, is_whole=self.is_whole)


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """The host gave no answer: no connection, a time-out, garbage."""

    cause: str
    url: str | None = None  # None: another than any before
    quota_wait: ClassVar[timedelta | None] = None

    @property
    def bearing(self) -> Bearing:
        """The bearing on the host of a request without an answer."""
        return bearing_of_cause(self.cause)


Outcome = Answered | NoAnswer


def retry_after(value: str, now: datetime) -> timedelta | None:
    """How long from `now` a `Retry-After` (RFC 9110 §10.2.3) asks us to wait; None where it makes no sense.

    Never negative and never more than `LONGEST`. A date in the past means no wait. The header counts on
    429 and 503 only: on a redirect, where the RFC allows it too, the wait concerns the target.
    """
    value = value.strip()
    if match := _SECONDS.fullmatch(value):
        return _bounded_seconds(match[1])
    if len(value) > LONGEST_VALUE:
        return None
    moment = http_date(value)
    return None if moment is None else min(max(moment - now, timedelta(0)), LONGEST)


class Reported(NamedTuple):
    """How a request went, by the word of whoever sent it in our stead."""

    status: int | None = None  # None: there was no answer
    took: timedelta | None = None  # None: nobody knows
    retry_after: str | None = None  # the header
    sent: bool = True  # else the right to send was not used
    received: int = 0  # bytes
    broken_off: str | None = None  # why nobody waited for the answer, of which nothing is known
    cause: str = Cause.OTHER  # of there being no answer, as far as it is known
    message: str = "There was no answer."
    quota_wait: timedelta | None = None  # until a used-up rate limit is restored
    is_whole: bool = True  # the body, as far as it is known; else it broke off

    def outcome(self, now: datetime, url: str | None = None) -> Outcome:
        """The outcome of a request for a URL, as the host's clock takes it."""
        if self.status is None:
            return NoAnswer(self.cause, url)
        asked = self.retry_after
        asks_for = retry_after(asked, now) if asked else None
        return Answered(self.status, asks_for, self.quota_wait, url, self.is_whole)

    def lasted(self, longest: timedelta) -> timedelta:
        """How long the answer took: no longer than it can have, and as long where nobody knows."""
        return longest if self.took is None else min(max(self.took, timedelta(0)), longest)


@dataclass(frozen=True, slots=True)
class Pause:
    """A moment before which the host is left alone, announced by `Retry-After`, `RateLimit` or back-off."""

    until: datetime
    source: str


def pause_after(
    outcome: Outcome, evidence: HostEvidence, now: datetime, pace: Pace
) -> Pause | None:
    """The pause that an outcome calls for, with the evidence against the host that counts it in."""
    quota = None
    if outcome.quota_wait is not None:
        quota = Pause(now + min(max(outcome.quota_wait, timedelta(0)), LONGEST), "RateLimit")
    if not (outcome.bearing.is_bad and evidence.failures):
        return quota
    wait = backoff(evidence.failures, pace.backoff_first, pace.backoff_most)
    if isinstance(outcome, Answered) and outcome.status in ASKS_FOR_REST:
        asked = min(outcome.asks_for or timedelta(0), LONGEST)
        if asked > wait:
            return Pause(now + asked, f"Retry-After, status {outcome.status}")
        if outcome.asks_for is not None:
            quota = None  # the draft: where both say when, Retry-After counts
    if quota is not None and quota.until > now + wait:
        return quota
    return Pause(now + wait, f"back-off after {evidence}")


def pause_after_reading(seconds: float, troubles: int, now: datetime, pace: Pace) -> Pause | None:
    """The pause that a reading calls for which ended now, the last of so many in a row that failed."""
    rest = bounded(pace.slowness * seconds, "")
    pause = Pause(now + rest.length, f"{pace.slowness:g} × last reading of {seconds:.3g} s")
    if troubles > FORGIVEN:
        wait = backoff(troubles - FORGIVEN, pace.backoff_first, pace.backoff_most)
        if wait > rest.length:
            why = f"back-off after {troubles} pages in a row that took too much to read"
            return Pause(now + wait, why)
    return pause if rest.length > timedelta(0) else None


def backoff(failures: int, first: timedelta, most: timedelta) -> timedelta:
    """The wait after so many failures in a row; nothing after a success."""
    if failures <= 0:
        return timedelta(0)
    doublings = min(failures - 1, MOST_DOUBLINGS)
    # Whole numbers, so that a large `first` cannot overflow before the cap applies.
    microseconds = (first // timedelta(microseconds=1)) << doublings
    return min(most, timedelta(microseconds=min(microseconds, most // timedelta(microseconds=1))))


def _bounded_seconds(digits: str) -> timedelta:
    digits = digits.lstrip("0")
    if len(digits) > 9:  # over thirty years; int() and timedelta refuse far longer ones
        return LONGEST
    return min(timedelta(seconds=int(digits or "0")), LONGEST)
