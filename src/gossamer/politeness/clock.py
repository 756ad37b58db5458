"""When one host may next be asked, why not sooner, and what is in flight.

The clock keeps facts and the configuration comes in as a `Pace`, so that changed delays
hold at once. Promises, each with a property test:

* A request starts no sooner than the delay in force after the end of the last response.
* No more than `per_host` requests are in flight. With more than one, the delay also lies
  between any two starts: parallel requests overlap slow answers, they do not come in
  bursts (with a delay of 0 nothing is spaced, which is what people want of their own hosts).
* A crash, a lapsed or a late report make a wait longer, never shorter.
"""

from datetime import datetime, timedelta
from typing import NamedTuple

from gossamer.errors import GossamerError
from gossamer.moments import EPOCH, from_microseconds, to_microseconds
from gossamer.politeness.delay import LONGEST, Delay, Pace, Parked, bounded, longest
from gossamer.politeness.evidence import NO_EVIDENCE, Bearing, HostEvidence
from gossamer.politeness.outcome import Outcome, Pause, pause_after
from gossamer.wording import told_seconds

NEVER = EPOCH  # a host not asked yet has rested since long ago
NO_TIME = timedelta(0)
_MICROSECOND = timedelta(microseconds=1)


class TooSoonError(GossamerError):
    """A request was about to start that the clock forbids: whoever sends must ask first."""


class InFlight(NamedTuple):
    """A request that has started; whatever happens, it is over at `ends_by`."""

    token: int
    started_at: datetime
    ends_by: datetime


class HostClock(NamedTuple):  # which changes several times with every page
    """What is known about the timing of one host."""

    rested_from: datetime = NEVER  # the end of the last response, or the last start if later
    took: timedelta = NO_TIME  # the last download
    evidence: HostEvidence = NO_EVIDENCE  # that the host is in trouble
    crawl_delay: Delay | None = None
    pause: Pause | None = None
    in_flight: tuple[InFlight, ...] = ()

    def delay(self, pace: Pace) -> Delay:
        """The delay in force, with its source."""
        if self.crawl_delay is None and self.pause is None and not pace.slowness:
            return pace.configured
        return longest(pace.configured, self.crawl_delay, self._rest(pace), self._pause_left())

    def ready_at(self, pace: Pace) -> datetime:
        """When the host may next be asked, as far as resting goes."""
        return self.rested_from + self.delay(pace).length

    def allows(self, now: datetime, pace: Pace) -> bool:
        """Whether a request may start now."""
        return len(self.in_flight) < pace.per_host and now >= self.ready_at(pace)

    def next_start(self, now: datetime, pace: Pace) -> datetime:
        """When the next request can start: known if a connection is free, else a fair guess.

        The guess takes the request in flight to last as long as the one before.
        """
        if len(self.in_flight) < pace.per_host:
            return max(now, self.ready_at(pace))
        end = min(request.started_at for request in self.in_flight) + self.took
        return max(max(now, end) + self.delay(pace).length, self.ready_at(pace))

    def parked(self, now: datetime, pace: Pace) -> Parked | None:
        """Whether the host asks for more patience than the user has.

        A long delay that the user configured is the user's own wish and parks nothing.
        """
        delay = self.delay(pace)
        if delay is pace.configured or delay.length <= pace.patience:  # as nearly always
            return None
        ready_at = self.rested_from + delay.length
        if now >= ready_at or delay == pace.configured:
            return None
        patience = told_seconds(pace.patience.total_seconds())
        return Parked(ready_at, f"asks for {delay}, longer than our patience of {patience}")

    @property
    def without_pause(self) -> "HostClock":
        """The clock as it is once a pause is over."""
        return self if self.pause is None else self._replace(pause=None)

    def with_pause(self, pause: Pause) -> "HostClock":
        """The clock once a pause was announced; one that lasts longer stands."""
        return self._replace(pause=self._later_pause(pause))

    def with_crawl_delay(self, crawl_delay: Delay | None) -> "HostClock":
        """The clock once the host's robots.txt is known, or known anew."""
        return self._replace(crawl_delay=crawl_delay)

    def start(self, token: int, now: datetime, ends_by: datetime, pace: Pace) -> "HostClock":
        """The clock once a request is on its way; the sender vouches that it is over at `ends_by`."""
        if not self.allows(now, pace):
            raise TooSoonError(
                f"a request may start at {self.next_start(now, pace)} ({self.delay(pace)}), not at {now}"
            )
        return self.started(token, now, ends_by)

    def started(self, token: int, now: datetime, ends_by: datetime) -> "HostClock":
        """The clock after a request has started, for a caller that has just seen that it may."""
        in_flight = (*self.in_flight, InFlight(token, now, max(now, ends_by)))
        return HostClock(now, self.took, self.evidence, self.crawl_delay, self.pause, in_flight)

    def finish(
        self, token: int, now: datetime, took: timedelta, outcome: Outcome, pace: Pace
    ) -> "HostClock":
        """The clock once a request is over.

        The report of a request that lapsed before is still heard, but only where it makes
        the wait longer: it says nothing good about how the host is now.
        """
        remaining = self._without(token)
        known = len(remaining) < len(self.in_flight)
        took = min(max(took, NO_TIME if known else self.took), LONGEST)
        bearing, evidence, pause = outcome.bearing, self.evidence, self.pause
        if known or bearing is not Bearing.WELL:
            evidence = evidence.after(bearing, outcome.url)
        if bearing.is_bad or outcome.quota_wait is not None:
            pause = self._later_pause(pause_after(outcome, evidence, now, pace))
        rested_from = max(self.rested_from, now)
        return HostClock(rested_from, took, evidence, self.crawl_delay, pause, remaining)

    def end(self, token: int, now: datetime) -> "HostClock":
        """The clock once a request is over of which nothing is known but that.

        How long an answer would have taken nobody knows: all the time it had, to be on the
        safe side.
        """
        remaining = self._without(token)
        had = (now - request.started_at for request in self.in_flight if request.token == token)
        took = max(self.took, min(max(had, default=NO_TIME), LONGEST))
        rested_from = max(self.rested_from, now)
        return self._replace(in_flight=remaining, rested_from=rested_from, took=took)

    def unused(self, token: int, rested_from: datetime) -> "HostClock":
        """The clock once a request was certainly not sent: as it was before its start.

        `rested_from` is what was so then. Where the request lapsed before, it counts as sent.
        """
        remaining = self._without(token)
        if len(remaining) == len(self.in_flight):
            return self
        started_at = max(each.started_at for each in self.in_flight if each.token == token)
        since = rested_from if self.rested_from == started_at else self.rested_from
        return self._replace(in_flight=remaining, rested_from=since)

    def lapse(self, now: datetime) -> "HostClock":
        """The clock without requests whose time is up and that nobody reported on."""
        clock = self
        for request in self.in_flight:
            if request.ends_by <= now:
                clock = clock.end(request.token, request.ends_by)
        return clock

    def after_restart(self, now: datetime, *, sender_is_dead: bool = False) -> "HostClock":
        """A stored clock taken up again: what was in flight ends at its deadline.

        Where the sender is proven dead (its lock is free), its requests ended with it, and
        so by now at the latest.
        """
        clock = self
        for request in self.in_flight:
            end = min(request.ends_by, now) if sender_is_dead else request.ends_by
            clock = clock.end(request.token, max(end, request.started_at))
        return clock

    def _without(self, token: int) -> tuple[InFlight, ...]:
        if len(self.in_flight) == 1 and self.in_flight[0].token == token:  # as nearly always
            return ()
        return tuple([request for request in self.in_flight if request.token != token])

    def _rest(self, pace: Pace) -> Delay | None:
        # A slow answer is a host asking for room: rest as long as it worked.
        if not pace.slowness:
            return None
        took = self.took.total_seconds()
        return bounded(
            pace.slowness * took, f"{pace.slowness:g} × last download of {told_seconds(took)}"
        )

    def _pause_left(self) -> Delay | None:
        if self.pause is None:
            return None
        left = (self.pause.until - self.rested_from).total_seconds()
        return bounded(left, self.pause.source, is_pause=True)

    def _later_pause(self, pause: Pause | None) -> Pause | None:
        # With parallel requests, a good answer may come in after the bad one that announced
        # the pause: the pause stands until it is over.
        candidates = [known for known in (self.pause, pause) if known is not None]
        return max(candidates, key=lambda pause: pause.until, default=None)


class ClockRow(NamedTuple):
    """One row; moments are microseconds since 1970 in UTC, lengths are microseconds."""

    rested_from: int
    took: int
    failures: int
    crawl_delay: int | None
    crawl_delay_source: str | None
    pause_until: int | None
    pause_source: str | None
    in_flight: str | None  # "token started_at ends_by", further requests after a comma
    doubts: str | None  # marks of URLs, with spaces between them


def to_row(clock: HostClock) -> ClockRow:
    """The clock as columns."""
    crawl_delay, pause = clock.crawl_delay, clock.pause
    return ClockRow(
        rested_from=to_microseconds(clock.rested_from),
        took=clock.took // _MICROSECOND,
        failures=clock.evidence.failures,
        crawl_delay=crawl_delay.length // _MICROSECOND if crawl_delay else None,
        crawl_delay_source=crawl_delay.source if crawl_delay else None,
        pause_until=to_microseconds(pause.until) if pause else None,
        pause_source=pause.source if pause else None,
        in_flight=",".join(map(_flight_text, clock.in_flight)) or None,
        doubts=" ".join(map(str, clock.evidence.doubts)) or None,
    )


def from_row(row: ClockRow) -> HostClock:
    """The clock that `to_row` was given; see `HostClock.after_restart` before using it."""
    crawl_delay = pause = None
    if row.crawl_delay is not None:
        seconds = (row.crawl_delay * _MICROSECOND).total_seconds()
        crawl_delay = Delay(seconds, row.crawl_delay_source or "")
    if row.pause_until is not None:
        pause = Pause(from_microseconds(row.pause_until), row.pause_source or "")
    return HostClock(
        rested_from=from_microseconds(row.rested_from),
        took=row.took * _MICROSECOND,
        evidence=HostEvidence(row.failures, tuple(map(int, (row.doubts or "").split()))),
        crawl_delay=crawl_delay,
        pause=pause,
        in_flight=tuple(map(_flight, row.in_flight.split(",") if row.in_flight else ())),
    )


def _flight_text(request: InFlight) -> str:
    started_at, ends_by = to_microseconds(request.started_at), to_microseconds(request.ends_by)
    return f"{request.token} {started_at} {ends_by}"


def _flight(text: str) -> InFlight:
    token, started_at, ends_by = map(int, text.split())
    return InFlight(token, from_microseconds(started_at), from_microseconds(ends_by))
