"""Who may send to which host next: the line of callers before one host (`HostLedger`), and all hosts' (`Ledger`).

A slot is a place in line. Its moment `at` is an estimate, since the gap counts from the end
of a response that nobody knows yet; the right to send is `Go`, given by `start` when the
slot's turn has come and the clock allows it. See docs/decisions/0007.

`HostLedger` is one frozen value: a store reads it, applies a call, and writes the result back
in one transaction. The line is fair among clients: it is served in rounds, one slot of each
client in a round. A newcomer waits for the rest of this round and its turn in the next, so at
most two slots of each other client go before its first. A client may be several programs, told apart
by a name (`named_client`): they take turns with the client's slots, and get no more of them.

`Ledger` does each call as one atomic step. It keeps everything in memory by default; give it another
mapping to keep it elsewhere.
"""

from collections import Counter
from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache, partial
from threading import Lock
from types import MappingProxyType
from typing import Final, NamedTuple

from gossamer.config import Politeness
from gossamer.politeness.clock import HostClock
from gossamer.politeness.delay import LONGEST, Delay, Pace, Parked, pace_for
from gossamer.politeness.evidence import HostEvidence
from gossamer.politeness.outcome import Outcome, Pause

MOST_WAITING = 100  # slots of one client; with a delay of 0 no estimate would ever refuse any
MOST_OF_ALL_NAMES = 400  # slots of one client, whatever it calls itself
NAME_MARK: Final = "\t"
ASK_AGAIN = timedelta(milliseconds=50)  # when something is overdue and nobody knows for how long
MOST_PACES: Final = 10_000  # of hosts, kept at hand


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
    rested_from: datetime  # the host rests from then, should the request not be sent


@dataclass(frozen=True, slots=True)
class Wait:
    """A refusal for now: ask again at `until`; `delay` says what for."""

    until: datetime
    delay: Delay


@dataclass(frozen=True, slots=True)
class BusyHost(Wait):
    """A wait for others who have the host, or are to have it before: `until` is a guess."""


@dataclass(frozen=True, slots=True)
class InUse(BusyHost):
    """A wait for a host that is being asked, which may last to `ends_by`."""

    ends_by: datetime


@dataclass(frozen=True, slots=True)
class InLine(BusyHost):
    """A wait for those who came before."""

    ahead: int  # so many


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
    """The line before one host: who waits, who was served, and the host's clock."""

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
        line = tidy._line_with(waiting)
        place = next(i for i, each in enumerate(line) if each.token == waiting.token)
        at = tidy._turn(place, now, pace)
        if at > expires_at or tidy._has_enough(client):
            return tidy, tidy._wait(max(at, now + ASK_AGAIN), pace, place)
        reserved = tidy._replace(line=line, next_token=self.next_token + 1)
        return reserved, Slot(self.host, waiting.token, at, expires_at)

    def _wait(self, until: datetime, pace: Pace, place: int) -> Wait:
        delay, in_flight = self.clock.delay(pace), self.clock.in_flight
        if len(in_flight) >= pace.per_host:
            return InUse(until, delay, min(request.ends_by for request in in_flight))
        return InLine(until, delay, place) if place else Wait(until, delay)

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
        rested_from = clock.rested_from if pace.per_host == 1 else now
        clock = clock.started(token, now, ends_by)
        started = HostLedger(self.host, clock, (), tidy.round + 1, token + 1)
        return started, Go(self.host, token, ends_by, rested_from), delay

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
            return tidy, tidy._wait(tidy._ask_again_at(place, now, pace), pace, place)
        started = tidy._replace(
            clock=tidy.clock.start(token, now, ends_by, pace),
            line=tidy.line[:place] + tidy.line[place + 1 :],
            round=max(tidy.round, tidy.line[place].round),
        )
        # Where several may be in flight, the space between two starts stands, whatever comes of one.
        rested_from = tidy.clock.rested_from if pace.per_host == 1 else now
        return started, Go(self.host, token, ends_by, rested_from)

    def finish(
        self, token: int, now: datetime, took: timedelta, outcome: Outcome, pace: Pace
    ) -> "HostLedger":
        """The ledger once a started request is over."""
        self._check(token)
        tidy = self._tidied(now)
        clock = tidy.clock.finish(token, now, took, outcome, pace)
        return HostLedger(self.host, clock, tidy.line, tidy.round, tidy.next_token)

    def give_back(
        self, token: int, now: datetime, ended_at: datetime | None = None
    ) -> "HostLedger":
        """The ledger without a slot, whose turn goes to the next in line.

        A slot already started counts as a request that is over now, or by `ended_at`.
        """
        self._check(token)
        tidy = self._tidied(now)
        if any(request.token == token for request in tidy.clock.in_flight):
            return tidy._replace(clock=tidy.clock.end(token, ended_at or now))
        return tidy._replace(line=tuple(w for w in tidy.line if w.token != token))

    def unused(self, go: Go, now: datetime) -> "HostLedger":
        """The ledger once a request was certainly not sent."""
        self._check(go.token)
        tidy = self._tidied(now)
        return tidy._replace(clock=tidy.clock.unused(go.token, go.rested_from))

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

    def _has_enough(self, client: str) -> bool:
        of_client = [waiting.client for waiting in self._of_client(client)]
        return len(of_client) >= MOST_OF_ALL_NAMES or of_client.count(client) >= MOST_WAITING

    def _of_client(self, client: str) -> list[Waiting]:
        """The slots of a client under all of its names."""
        whose = _without_name(client)
        return [waiting for waiting in self.line if _without_name(waiting.client) == whose]

    def _next_round(self, client: str) -> int:
        taken = (waiting.round for waiting in self._of_client(client))
        return max(self.round, max(taken, default=0)) + 1

    def _line_with(self, newcomer: Waiting) -> tuple[Waiting, ...]:
        line = [*self.line, newcomer]
        own = [*self._of_client(newcomer.client), newcomer]
        if any(waiting.client != newcomer.client for waiting in own):
            rounds = dict(zip(_turns(own), sorted(each.round for each in own), strict=True))
            line = [each._replace(round=rounds.get(each.token, each.round)) for each in line]
        return tuple(sorted(line, key=lambda waiting: waiting.rank))

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


def named_client(client: str, name: str | None) -> str:
    """A client that calls itself so, apart from its other programs."""
    return client if name is None else f"{client}{NAME_MARK}{name}"


def _without_name(client: str) -> str:
    return client.partition(NAME_MARK)[0]


def _turns(slots: list[Waiting]) -> list[int]:
    """The tokens of slots of one client, one of each name after the other, by arrival."""
    before: Counter[str] = Counter()
    turns = []
    for slot in sorted(slots, key=lambda slot: slot.token):
        turns.append((before[slot.client], slot.token))
        before[slot.client] += 1
    return [token for _, token in sorted(turns)]


class Ledger:
    """Hands out the next moment of each host, to one caller at a time."""

    def __init__(
        self,
        politeness: Politeness,
        hosts: MutableMapping[str, HostLedger] | None = None,
        others: Mapping[str, HostLedger] = MappingProxyType({}),
    ) -> None:
        """`others` are hosts that are not among `hosts`, as they were last written down."""
        self.configure(politeness)
        self._hosts: MutableMapping[str, HostLedger] = {} if hosts is None else hosts
        self._others = others
        self._step = Lock()

    def configure(self, politeness: Politeness) -> None:
        """Take up a changed configuration; it holds at once, for all that wait too."""
        self._politeness = politeness
        self._pace = lru_cache(MOST_PACES)(partial(pace_for, politeness=politeness))

    def reserve(
        self, host: str, now: datetime, *, client: str = "", expires_at: datetime | None = None
    ) -> Slot | Wait:
        """A place in the host's line, or a `Wait` where its turn would come after `expires_at`.

        Without `expires_at` the caller waits as long as the configured patience.
        """
        last = now + self._politeness.patience if expires_at is None else expires_at
        with self._step:
            ledger, answer = self._of(host).reserve(client, now, last, self._pace(host))
            self._hosts[host] = ledger
        return answer

    def go(self, host: str, now: datetime, ends_by: datetime) -> tuple[Go, Delay] | None:
        """The right to send now, where nobody waits for it; else a place in line is to be reserved."""
        with self._step:
            ledger = self._hosts.get(host) or self._of(host)
            answer = ledger.go(now, ends_by, self._pace(host))
            if answer is None:
                return None
            self._hosts[host], go, delay = answer
        return go, delay

    def start(self, slot: Slot, now: datetime, ends_by: datetime) -> Go | Wait | Expired:
        """The right to send now, or how long to wait; `ends_by` is the request's time limit."""
        with self._step:
            ledger, answer = self._of(slot.host).start(
                slot.token, now, ends_by, self._pace(slot.host)
            )
            self._hosts[slot.host] = ledger
        return answer

    def finish(self, slot: Slot | Go, now: datetime, took: timedelta, outcome: Outcome) -> None:
        """Record that a request is over, and how it went."""
        with self._step:
            ledger = self._hosts.get(slot.host) or self._of(slot.host)
            self._hosts[slot.host] = ledger.finish(
                slot.token, now, took, outcome, self._pace(slot.host)
            )

    def give_back(self, slot: Slot | Go, now: datetime, ended_at: datetime | None = None) -> None:
        """Leave the line, or end a started request of which only its latest possible end is known."""
        with self._step:
            ledger = self._of(slot.host).give_back(slot.token, now, ended_at)
            self._hosts[slot.host] = ledger

    def unused(self, go: Go, now: datetime) -> None:
        """End a started request that was certainly not sent: the host owes no rest to it."""
        with self._step:
            self._hosts[go.host] = self._of(go.host).unused(go, now)

    def learn(self, host: str, crawl_delay: Delay | None) -> None:
        """Record what the host's robots.txt says about delays."""
        with self._step:
            ledger = self._of(host)
            if ledger.clock.crawl_delay != crawl_delay:
                clock = ledger.clock.with_crawl_delay(crawl_delay)
                self._hosts[host] = ledger._replace(clock=clock)

    def pause(self, host: str, pause: Pause) -> bool:
        """Leave a host alone until then, at least; False where its clock is not here."""
        with self._step:
            ledger = self._hosts.get(host)
            if ledger is None:
                return False
            self._hosts[host] = ledger._replace(clock=ledger.clock.with_pause(pause))
        return True

    def pace(self, host: str) -> Pace:
        """What the configuration says about a host."""
        return self._pace(host)

    def delay(self, host: str) -> Delay:
        """The delay in force for a host, with its source."""
        return self._of(host).clock.delay(self._pace(host))

    def evidence(self, host: str) -> HostEvidence:
        """What speaks against a host, in a row."""
        return self._of(host).clock.evidence

    def parked(self, host: str, now: datetime) -> Parked | None:
        """Whether a host asks for more patience than we have."""
        ledger = self._hosts.get(host) or self._of(host)
        return ledger.clock.parked(now, self._pace(host))

    def rested_from(self, host: str) -> datetime:
        """The end of the last request to a host, or the start of one in flight."""
        return self._of(host).clock.rested_from

    def wait(self, host: str, now: datetime) -> Wait | None:
        """What a newcomer would wait for, if anything; nothing is reserved."""
        pace = self._pace(host)
        with self._step:
            ledger, answer = self._of(host).reserve("", now, now + LONGEST, pace)
        if isinstance(answer, Wait):
            return answer
        # A slot that is due is still no right to send: somebody may be at it.
        _, started = ledger.start(answer.token, now, now, pace)
        return started if isinstance(started, Wait) else None

    def next_turn(self, host: str, now: datetime) -> tuple[int, datetime] | None:
        """Which slot of a host goes next, and probably when."""
        return self._of(host).next_turn(now, self._pace(host))

    def line(self, host: str) -> HostLedger:
        """Who waits for a host, and its clock."""
        return self._of(host)

    def _of(self, host: str) -> HostLedger:
        return self._hosts.get(host) or self._others.get(host) or HostLedger(host)
