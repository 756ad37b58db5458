"""The hosts that this node may send to now, by lease or by reservation.

While a host is held, its clock and its robots records live here, in memory; the frontier gets
them back when the host is released, and with each batch that is settled.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final
from weakref import WeakValueDictionary

from gossamer.config import Fetch
from gossamer.crawling.clerk import Clerk
from gossamer.frontier.frontier import LEASE, SqlFrontier
from gossamer.frontier.protocol import Assignment, Lease
from gossamer.model import Url
from gossamer.politeness.clock import HostClock
from gossamer.politeness.delay import Delay
from gossamer.politeness.host_ledger import HostLedger, Wait
from gossamer.politeness.robots.record import RobotsRecord
from gossamer.urls import host_of

ASK_AGAIN: Final = timedelta(milliseconds=200)
ASK_AT_LEAST: Final = timedelta(seconds=5)  # so that a delay which was made shorter is noticed
# Those who ask out of turn share a host for so long; where more keep coming, the crawl or another
# node has it first, and would never have it otherwise.
SHARED: Final = timedelta(seconds=5)


def longest_request(fetch: Fetch) -> timedelta:
    """How long a request may take, from the look-up of a name to the end of the answer."""
    return fetch.total_timeout + fetch.connect_timeout


def lease_length(fetch: Fetch) -> timedelta:
    """How long a lease lasts: for the longest request, and until it is renewed in good time."""
    return max(LEASE, 2 * longest_request(fetch))


@dataclass(slots=True)
class Held:
    """A host in our hands."""

    lease: Lease
    until: datetime
    since: datetime
    users: list[asyncio.Task[Any] | None] = field(default_factory=list)  # who ask it, or wait to
    leased: bool = True  # for the crawl; else reserved for a request out of turn
    wanted: bool = False  # by another node
    written: HostClock | None = None  # the clock as the frontier has it


@dataclass(slots=True)
class Holdings:
    """All hosts in our hands; also where their ledgers and robots records are looked up."""

    frontier: SqlFrontier
    clerk: Clerk
    now: Callable[[], datetime]
    longest_request: timedelta
    ledgers: dict[str, HostLedger] = field(default_factory=dict)
    held: dict[str, Held] = field(default_factory=dict)
    claims: Counter[int] = field(default_factory=Counter)  # pages that are not settled, by token
    _robots: dict[str, dict[str, RobotsRecord]] = field(default_factory=dict)  # by host, origin
    # By host; each is gone when nobody has it or waits for it.
    _reserving: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary)

    # ---- robots records, as `PoliteClient` asks for them

    def of(self, origin: str) -> RobotsRecord | None:
        """What is known of an origin, however old."""
        return self._robots.get(host_of(Url(origin + "/")), {}).get(origin)

    def of_host(self, host: str) -> list[RobotsRecord]:
        """What is known of all origins of a host."""
        return [record for _, record in sorted(self._robots.get(host, {}).items())]

    async def put(self, record: RobotsRecord, most_bytes: int) -> RobotsRecord:
        """Put a record in the place of the one before; the record as it is kept."""
        record = await self.clerk.do(self.frontier.robots.keep, record, most_bytes)
        self._robots.setdefault(host_of(Url(record.origin + "/")), {})[record.origin] = record
        return record

    async def count_elsewhere(self, site: str, most: int) -> bool:
        """Count a request that a site causes at another; False if there are so many today."""
        return await self.clerk.do(self.frontier.asking.take, site, 1, most)

    # ---- hosts

    def take(self, lease: Lease, *, leased: bool = True) -> Held:
        """Begin to hold a host.

        We may hold it already, by a lease that has lapsed: the frontier was away for too long, or
        this machine was asleep. Who asks the host by that one still is to be waited for.
        """
        held = Held(lease, lease.until, self.now(), leased=leased, written=lease.clock)
        ledger = HostLedger(lease.host, lease.clock)
        if (lapsed := self.held.get(lease.host)) is not None:
            held.users = lapsed.users
            # No slot of theirs is taken for one of ours.
            ledger = ledger._replace(next_token=self.ledgers[lease.host].next_token)
        self.held[lease.host] = held
        self.ledgers[lease.host] = ledger
        self._robots[lease.host] = {record.origin: record for record in lease.robots}
        return held

    @asynccontextmanager
    async def holding(self, host: str, patience: timedelta) -> AsyncIterator[Wait | None]:
        """Hold a host while a request is made, reserving it where we do not hold it yet."""
        held = self._open_to_us(host) or await self._reserve(host, self.now() + patience)
        if isinstance(held, Wait):
            yield held
            return
        user = asyncio.current_task()
        held.users.append(user)
        try:
            yield await self._long_enough(held)
        finally:
            held.users.remove(user)
            present = self.held.get(host)  # by a later lease, perhaps
            if present is not None and not present.leased and not present.users:
                await self._release(present)

    async def end(self, lease: Lease, unused: Iterable[Assignment]) -> None:
        """Give a leased host back, and its pages that were not asked for.

        Where a request out of turn is being made there, the host follows when that is over. What
        is held by another lease by now, since this one has lapsed, stays held.
        """
        held = self.held.get(lease.host)
        if held is not None and held.lease.token != lease.token:
            held = None
        if held is not None:
            held.leased = False
            if held.users:
                held = None
        await self._release(held, unused)

    async def _release(self, held: Held | None, unused: Iterable[Assignment] = ()) -> None:
        clocks = {}
        if held is not None and self.held.get(held.lease.host) is held:
            del self.held[held.lease.host]
            clocks[held.lease.token] = self.ledgers.pop(held.lease.host).clock
            self._robots.pop(held.lease.host, None)
        await self.clerk.do(self.frontier.release, clocks, tuple(unused))

    async def renew(self) -> None:
        """Hold on to all that we have, and hear who else wants it."""
        by_token = {held.lease.token: held for held in self.held.values()}
        tokens = sorted({*by_token, *self.claims})
        renewed = await self.clerk.at_once(self.frontier.renew, tokens)
        for token, held in by_token.items():
            if token in renewed:
                held.until, held.wanted = renewed[token].until, renewed[token].wanted

    def news(self) -> dict[int, HostClock]:
        """The clocks that say more than the frontier knows, by token."""
        changed = {}
        for host, held in self.held.items():
            clock = self.ledgers[host].clock
            if clock != held.written:
                held.written = changed[held.lease.token] = clock
        return changed

    async def _long_enough(self, held: Held) -> Wait | None:
        """Make sure that a request ends before our right to send does."""
        if not self._lasts(held):
            await self.renew()
            if not self._lasts(held):
                return Wait(held.until, Delay(0.0, "the host is no longer ours"))
        return None

    def _lasts(self, held: Held) -> bool:
        return held.until - self.now() >= self.longest_request

    def _open_to_us(self, host: str) -> Held | None:
        """A host in our hands that we may ask too; who does already may go on."""
        held = self.held.get(host)
        if held is None or held.leased or asyncio.current_task() in held.users:
            return held
        return held if self.now() - held.since < SHARED else None

    async def _reserve(self, host: str, until: datetime) -> Held | Wait:
        async with self._reserving.setdefault(host, asyncio.Lock()):
            while (held := self._open_to_us(host)) is None:
                answer = await self.clerk.do(self.frontier.reserve, host)
                if isinstance(answer, Lease):
                    self.take(answer, leased=False)
                elif answer.until > until:
                    return answer
                else:
                    wait = min(max(answer.until - self.now(), ASK_AGAIN), ASK_AT_LEAST)
                    await asyncio.sleep(wait.total_seconds())
        return held
