"""How a request went, as far as the host's clock cares, and the pause that follows from it."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from gossamer.politeness.backoff import backoff
from gossamer.politeness.delay import LONGEST, Pace
from gossamer.politeness.retry_after import STATUSES as RETRY_AFTER_STATUSES
from gossamer.politeness.retry_after import retry_after


class Answered(NamedTuple):
    """The host answered, with whatever status; `asks_for` is what `retry_after()` read."""

    status: int
    asks_for: timedelta | None = None

    @property
    def failed(self) -> bool:
        """Whether the host is in trouble. A 404 is a good answer of a healthy host."""
        return self.status >= 500 or self.status == 429


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """The host gave no answer: no connection, a time-out, garbage."""

    cause: str

    @property
    def failed(self) -> bool:
        """Always: a host that does not answer is in trouble, or wants to be left alone."""
        return True


Outcome = Answered | NoAnswer


class Reported(NamedTuple):
    """How a request went, by the word of whoever sent it in our stead."""

    status: int | None = None  # None: there was no answer
    took: timedelta | None = None  # None: nobody knows
    retry_after: str | None = None  # the header
    sent: bool = True  # else the right to send was not used
    received: int = 0  # bytes
    broken_off: str | None = None  # why nobody waited for the answer, of which nothing is known

    def outcome(self, now: datetime) -> Outcome:
        """The same as the host's clock takes it."""
        if self.status is None:
            return NoAnswer("unknown")
        asked = self.retry_after
        return Answered(self.status, retry_after(asked, now) if asked else None)

    def lasted(self, longest: timedelta) -> timedelta:
        """How long the answer took: no longer than it can have, and as long where nobody knows."""
        return longest if self.took is None else min(max(self.took, timedelta(0)), longest)


@dataclass(frozen=True, slots=True)
class Pause:
    """A moment before which the host is left alone, announced by `Retry-After` or back-off."""

    until: datetime
    source: str


def pause_after(outcome: Outcome, failures: int, now: datetime, pace: Pace) -> Pause | None:
    """The pause that an outcome calls for, `failures` in a row counting this one."""
    if not outcome.failed:
        return None
    wait = backoff(failures, pace.backoff_first, pace.backoff_most)
    if isinstance(outcome, Answered) and outcome.status in RETRY_AFTER_STATUSES:
        asked = min(outcome.asks_for or timedelta(0), LONGEST)
        if asked > wait:
            return Pause(now + asked, f"Retry-After, status {outcome.status}")
    times = "a failure" if failures == 1 else f"{failures} failures in a row"
    return Pause(now + wait, f"back-off after {times}")
