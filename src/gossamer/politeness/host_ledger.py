"""The line of callers before one host, and the clock they share.

A slot is a place in line. Its moment `at` is an estimate, since the gap counts from the end
of a response that nobody knows yet; the right to send is `Go`, given by `start` when the
slot's turn has come and the clock allows it. See docs/decisions/0007.

The state is one frozen value: a store reads it, applies a call, and writes the result back
in one transaction. The line is fair among clients: it is served in rounds, one slot of each
client in a round. A newcomer waits for the rest of this round and its turn in the next, so at
most two slots of each other client go before its first.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from gossamer.politeness.clock import HostClock
from gossamer.politeness.delay import Delay, Pace
from gossamer.politeness.outcome import Outcome

MOST_WAITING = 100  # slots of one client; with a delay of 0 no estimate would ever refuse any
ASK_AGAIN = timedelta(milliseconds=50)  # when something is overdue and nobody knows for how long


class Slot(NamedTuple):
    """A place in line: probably due `at`, gone when unused after `expires_at`."""

    host: str
    token: int
    at: datetime
    expires_at: datetime


class Go(NamedTuple):
    """The right to send one request to the host now; it must be over by `ends_by`."""

    host: str
    token: int
    ends_by: datetime


@dataclass(frozen=True, slots=True)
class Wait:
    """Not now: ask again at `until`; `delay` says what for."""

    until: datetime
    delay: Delay


@dataclass(frozen=True, slots=True)
class Held(Wait):
    """The same where the host is being asked: `until` is a guess, for it may last to `ends_by`."""

    ends_by: datetime


@dataclass(frozen=True, slots=True)
class Expired:
    """The slot is no more: unused for too long, given back, or started before."""

    token: int


class Waiting(NamedTuple):
    """One slot as the line keeps it."""

    round: int
    token: int
    client: str
    expires_at: datetime

    @property
    def rank(self) -> tuple[int, int]:
        """Rounds first, and by arrival within a round."""
        return self.round, self.token


class HostLedger(NamedTuple):
    """Who waits for one host, who was served, and the host's clock."""

    host: str
    clock: HostClock = HostClock()
    line: tuple[Waiting, ...] = ()  # by rank: the first goes next
    round: int = 0  # of the slot that started last
    next_token: int = 1

    def reserve(
        self, client: str, now: datetime, expires_at: datetime, pace: Pace
    ) -> tuple["HostLedger", Slot | Wait]:
        """A place in line, or a `Wait` where its turn would come after `expires_at`."""
        tidy = self._tidied(now)
        waiting = Waiting(tidy._next_round(client), self.next_token, client, expires_at)
        line = tuple(sorted((*tidy.line, waiting), key=lambda waiting: waiting.rank))
        at = tidy._turn(line.index(waiting), now, pace)
        if at > expires_at or tidy._waiting(client) >= MOST_WAITING:
            return tidy, tidy._wait(max(at, now + ASK_AGAIN), pace)
        reserved = tidy._replace(line=line, next_token=self.next_token + 1)
        return reserved, Slot(self.host, waiting.token, at, expires_at)

    def _wait(self, until: datetime, pace: Pace) -> Wait:
        delay, in_flight = self.clock.delay(pace), self.clock.in_flight
        if len(in_flight) < pace.per_host:
            return Wait(until, delay)
        return Held(until, delay, min(request.ends_by for request in in_flight))

    def go(
        self, now: datetime, ends_by: datetime, pace: Pace
    ) -> "tuple[HostLedger, Go, Delay] | None":
        """The right to send at once, where nobody waits and the clock allows it: most of the time.

        With the delay that was waited out.
        """
        tidy = self._tidied(now)
        clock, delay = tidy.clock, tidy.clock.delay(pace)
        is_ready = len(clock.in_flight) < pace.per_host and now >= clock.rested_from + delay.length
        if tidy.line or not is_ready:
            return None
        token = tidy.next_token
        clock = clock.started(token, now, ends_by)
        started = HostLedger(self.host, clock, (), tidy.round + 1, token + 1)
        return started, Go(self.host, token, ends_by), delay

    def start(
        self, token: int, now: datetime, ends_by: datetime, pace: Pace
    ) -> tuple["HostLedger", Go | Wait | Expired]:
        """The right to send now, if it is the slot's turn; each slot gives it once."""
        tidy = self._tidied(now)
        place = next((i for i, waiting in enumerate(tidy.line) if waiting.token == token), None)
        if place is None:
            return tidy, Expired(token)
        free = pace.per_host - len(tidy.clock.in_flight)
        if place >= free or not tidy.clock.allows(now, pace):
            return tidy, tidy._wait(tidy._ask_again_at(place, now, pace), pace)
        started = tidy._replace(
            clock=tidy.clock.start(token, now, ends_by, pace),
            line=tidy.line[:place] + tidy.line[place + 1 :],
            round=max(tidy.round, tidy.line[place].round),
        )
        return started, Go(self.host, token, ends_by)

    def finish(
        self, token: int, now: datetime, took: timedelta, outcome: Outcome, pace: Pace
    ) -> "HostLedger":
        """The ledger once a started request is over."""
        self._check(token)
        tidy = self._tidied(now)
        clock = tidy.clock.finish(token, now, took, outcome, pace)
        return HostLedger(self.host, clock, tidy.line, tidy.round, tidy.next_token)

    def give_back(self, token: int, now: datetime) -> "HostLedger":
        """The ledger without a slot, whose turn goes to the next in line.

        A slot already started counts as a request that is over now.
        """
        self._check(token)
        tidy = self._tidied(now)
        if any(request.token == token for request in tidy.clock.in_flight):
            return tidy._replace(clock=tidy.clock.end(token, now))
        return tidy._replace(line=tuple(w for w in tidy.line if w.token != token))

    def next_turn(self, now: datetime, pace: Pace) -> tuple[int, datetime] | None:
        """Which slot goes next, and probably when: whom a shell should wake, and its timer."""
        tidy = self._tidied(now)
        return (tidy.line[0].token, tidy._turn(0, now, pace)) if tidy.line else None

    def after_restart(self, now: datetime, *, sender_is_dead: bool = False) -> "HostLedger":
        """A stored ledger taken up again; those who waited in line are gone."""
        clock = self.clock.after_restart(now, sender_is_dead=sender_is_dead)
        return self._replace(clock=clock, line=())

    def _tidied(self, now: datetime) -> "HostLedger":
        clock = self.clock
        for request in clock.in_flight:
            if request.ends_by <= now:
                clock = clock.lapse(now)
                break
        if clock is self.clock and not self.line:  # as nearly always
            return self
        line = tuple([waiting for waiting in self.line if waiting.expires_at >= now])
        return self._replace(clock=clock, line=line)

    def _waiting(self, client: str) -> int:
        return sum(waiting.client == client for waiting in self.line)

    def _next_round(self, client: str) -> int:
        taken = (waiting.round for waiting in self.line if waiting.client == client)
        return max(self.round, max(taken, default=0)) + 1

    def _turn(self, place: int, now: datetime, pace: Pace) -> datetime:
        # Each slot ahead takes one more answer (they overlap if several may be in flight)
        # and the rest after it. Pauses are over once the first has started.
        answer = self.clock.took if pace.per_host == 1 else timedelta(0)
        rest = self.clock.without_pause.delay(pace).length
        return self.clock.next_start(now, pace) + place * (answer + rest)

    def _ask_again_at(self, place: int, now: datetime, pace: Pace) -> datetime:
        turn = self._turn(place, now, pace)
        return turn if turn > now else now + ASK_AGAIN

    def _check(self, token: int) -> None:
        if not 0 < token < self.next_token:
            raise ValueError(f"slot {token} of {self.host} was never reserved")
