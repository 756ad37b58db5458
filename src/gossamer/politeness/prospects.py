"""Estimates of when a waiting request can start at the earliest: who waits in vain is told at once. Pure.

A download holds its host. `Download` watches how fast its body comes, and says how much longer it takes:
`TimeLeft.least` is a bound that holds unless the server becomes much faster than in its best second so far, and
`TimeLeft.likely` the usual guess. `vain_turns` finds those in a host's line whose patience ends sooner than
that, or sooner than the rests of those before them. Whoever may still have a turn waits: most programs do better with
a late answer than with a 429.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, NamedTuple, Self

from gossamer.politeness.clock import HostClock
from gossamer.politeness.delay import LONGEST, Pace, longest
from gossamer.politeness.ledger import BusyHost, HostLedger

LOOK_SECONDS: Final = 1.0  # a stretch over which speed is measured; bursts are shorter
LEAST_LOOKS: Final = 2  # before anything is said
# So many times as fast as its best stretch a server may become: twice at first, and less after a while.
FASTER_AT_LAST: Final = 1.25
FASTER_AT_FIRST: Final = 2.0  # over the number of looks, added to that
FADING: Final = 0.8  # of the best stretch, with each look: a first burst is soon forgotten


class TimeLeft(NamedTuple):
    """How much longer a request lasts that is under way."""

    least: timedelta
    likely: timedelta
    received: int  # bytes of the body
    total: int


@dataclass(frozen=True, slots=True)
class Download:
    """How far the body of an answer has come; times are seconds since the request was sent."""

    total: int  # bytes
    began: float  # the head was here
    received: int = 0  # bytes, at the last look
    looked: float = 0.0
    looks: int = 0
    fastest: float = 0.0  # bytes a second

    @classmethod
    def begin(cls, total: int, now: float) -> Self:
        """A download of which the head is here."""
        return cls(total, now, looked=now)

    def is_due(self, now: float) -> bool:
        """Whether it is time for the next look."""
        return now - self.looked >= LOOK_SECONDS

    def look(self, received: int, now: float) -> "Download":
        """The download once so many bytes of its body are here."""
        speed = (received - self.received) / (now - self.looked)
        fastest = max(speed, FADING * self.fastest)
        return Download(self.total, self.began, received, now, self.looks + 1, fastest)

    @property
    def left(self) -> TimeLeft | None:
        """How much longer it takes since the last look; None where that is too early to say."""
        if self.looks < LEAST_LOOKS or self.received <= 0:
            return None
        missing = self.total - self.received
        usual = self.received / (self.looked - self.began)
        faster = FASTER_AT_LAST + FASTER_AT_FIRST / self.looks
        return TimeLeft(
            _seconds(missing / (faster * max(self.fastest, usual))),
            _seconds(missing / usual),
            self.received,
            self.total,
        )


@dataclass(frozen=True, slots=True)
class Downloading(BusyHost):
    """A wait for a download that outlasts our patience."""

    left: TimeLeft


def vain_turns(
    ledger: HostLedger, now: datetime, pace: Pace, earliest_end: datetime
) -> Mapping[int, datetime]:
    """The slots whose turn comes too late, whatever happens, and when it would come at the earliest.

    `earliest_end` is that of the request that holds the host. Those before in line may still leave it
    on their own; nobody counts on that.
    """
    rest = longest(pace.configured, ledger.clock.crawl_delay).length
    turn = _first_turn(ledger.clock, now, pace, rest, earliest_end)
    vain = {}
    for waiting in ledger.line:
        if waiting.expires_at < turn:
            vain[waiting.token] = turn  # and it delays nobody
        else:
            turn += rest
    return vain


def _first_turn(
    clock: HostClock, now: datetime, pace: Pace, rest: timedelta, earliest_end: datetime
) -> datetime:
    if len(clock.in_flight) < pace.per_host:
        return max(now, clock.ready_at(pace))
    # How long the host rests for a slow answer is known when that is here.
    turn = max(now, earliest_end) + rest
    return turn if clock.pause is None else max(turn, clock.pause.until)


def _seconds(seconds: float) -> timedelta:
    return timedelta(seconds=min(seconds, LONGEST.total_seconds()))
