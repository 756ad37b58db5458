"""All hosts' lines and clocks in one place: crawl, proxy and REST ask here before they send.

Each call is one atomic step. The default keeps everything in memory; give it another
mapping to keep it elsewhere. A store with transactions of its own (the frontiers) applies
the same `HostLedger` calls to its rows.
"""

from collections.abc import Mapping, MutableMapping
from datetime import datetime, timedelta
from functools import lru_cache, partial
from threading import Lock
from types import MappingProxyType
from typing import Final

from gossamer.config import Politeness
from gossamer.politeness.delay import LONGEST, Delay, Pace, Parked, pace_for
from gossamer.politeness.host_ledger import Expired, Go, HostLedger, Slot, Wait
from gossamer.politeness.outcome import Outcome, Pause

MOST_PACES: Final = 10_000  # of hosts, kept at hand


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

    def give_back(self, slot: Slot | Go, now: datetime) -> None:
        """Leave the line, or end a started request of which nothing is known."""
        with self._step:
            self._hosts[slot.host] = self._of(slot.host).give_back(slot.token, now)

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

    def parked(self, host: str, now: datetime) -> Parked | None:
        """Whether a host asks for more patience than we have."""
        return self._of(host).clock.parked(now, self._pace(host))

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

    def _of(self, host: str) -> HostLedger:
        return self._hosts.get(host) or self._others.get(host) or HostLedger(host)
