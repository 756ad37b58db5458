"""The delay between two requests to one host: how long it is configured to be, and who asked for it.

The delay in force is `clock.HostClock.delay`; the wait for it is in `sending/line.py`. A `Pace` is what the user's configuration says about one host; it is made anew from the
configuration whenever it is needed, so a change while running holds at once. What the
host itself asks for (`Crawl-delay`, slow answers, `Retry-After`) is in its `HostClock`.
"""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from gossamer.config import Politeness
from gossamer.urls.host_patterns import fits_any
from gossamer.wording import told_seconds

DEFAULT_DELAY = Politeness().delay
LONGEST = timedelta(days=365)  # whatever a host asks for, after a year we look again


@dataclass(frozen=True, slots=True)
class Delay:
    """A time to leave between two requests, and where it comes from, in words."""

    seconds: float
    source: str
    # Whether the host failed, or asked for it: it is no use to come before.
    is_pause: bool = field(default=False, compare=False)

    @property
    def length(self) -> timedelta:
        """The delay as a timedelta."""
        return timedelta(seconds=self.seconds)

    def __str__(self) -> str:
        return f"{told_seconds(self.seconds)} ({self.source})"


@dataclass(frozen=True, slots=True)
class Parked:
    """A host that asks for more patience than the user has: left alone until then, and reported."""

    until: datetime
    why: str


@dataclass(frozen=True, slots=True)
class Pace:
    """What the configuration says about one host."""

    configured: Delay
    slowness: float  # times the last download; 0 where the delay is configured as 0
    per_host: int
    patience: timedelta
    backoff_first: timedelta
    backoff_most: timedelta


def pace_for(host: str, politeness: Politeness) -> Pace:
    """The configuration's word on one host."""
    configured = configured_delay(host, politeness)
    return Pace(
        configured=configured,
        slowness=politeness.slowness if configured.seconds else 0.0,
        per_host=politeness.per_host,
        patience=politeness.patience,
        backoff_first=politeness.backoff_first,
        backoff_most=min(politeness.backoff_most, LONGEST),
    )


def configured_delay(host: str, politeness: Politeness) -> Delay:
    """The delay of the most exact pattern that fits the host, or the default.

    A pattern replaces the default, even with less: users may hurry on their own hosts.
    """
    fitting = [
        pattern for pattern in politeness.delays if fits_any((pattern.lower(),), host.lower())
    ]
    if not fitting:
        source = "default" if politeness.delay == DEFAULT_DELAY else "configured"
        return bounded(politeness.delay.total_seconds(), source)
    pattern = max(fitting, key=lambda pattern: ("*" not in pattern, len(pattern)))
    return bounded(politeness.delays[pattern].total_seconds(), f"configured for {pattern}")


def bounded(seconds: float, source: str, *, is_pause: bool = False) -> Delay:
    """A delay between nothing and `LONGEST`, in whole microseconds as all our times are."""
    at_least_0 = seconds if seconds > 0 else 0.0  # not max(): it would let NaN through
    length = timedelta(seconds=min(at_least_0, LONGEST.total_seconds()))
    return Delay(length.total_seconds(), source, is_pause)


def longest(first: Delay, *others: Delay | None) -> Delay:
    """The longest of some delays; among equals the first, which names the source."""
    for other in others:
        if other is not None and other.seconds > first.seconds:
            first = other
    return first
