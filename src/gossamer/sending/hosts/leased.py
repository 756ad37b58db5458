"""The hosts that this node may send to now, by lease or by reservation.

While a host is held, its clock and its robots records live here, in memory; the frontier gets
them back when the host is released, and with each batch that is settled.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Final
from weakref import WeakValueDictionary

from gossamer.config import Config, Fetch
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import Assignment, Lease
from gossamer.frontier.thread import FrontierThread
from gossamer.model import Url
from gossamer.politeness.clock import HostClock
from gossamer.politeness.delay import Delay
from gossamer.politeness.ledger import HostLedger, Wait
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


def lease_length(config: Config) -> timedelta:
    """How long a lease lasts: for the longest request, and until it is renewed in good time."""
    return max(config.frontier.lease, 2 * longest_request(config.fetch))


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
    frontier_thread: FrontierThread
    now: Callable[[], datetime]
    longest_request: timedelta
    ledgers: dict[str, HostLedger] = field(default_factory=dict)
    held: dict[str, Held] = field(default_factory=dict)
    claims: Counter[int] = field(default_factory=Counter)  # pages that are not settled, by token
    _robots: dict[str, dict[str, RobotsRecord]] = field(default_factory=dict)  # by host, origin
    _releasing: set[asyncio.Task[None]] = field(default_factory=set)
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
        record = await self.frontier_thread.do(self.frontier.robots.keep, record, most_bytes)
        self._robots.setdefault(host_of(Url(record.origin + "/")), {})[record.origin] = record
        return record

    async def expire(self, host: str | None, now: datetime) -> int:
        """Have robots.txt of a host, or of all, asked for before its next use; how many that are."""
        for each in [*self._robots] if host is None else [host] if host in self._robots else []:
            self._robots[each] = {
                origin: replace(record, ask_at=min(record.ask_at, now))
                for origin, record in self._robots[each].items()
            }
        return await self.frontier_thread.do(self.frontier.robots.expire_stored, host, now)

    async def count_elsewhere(self, site: str, most: int) -> bool:
        """Count a request that a site causes at another; False if there are so many today."""
        return await self.frontier_thread.do(self.frontier.asking.take, site, 1, most)

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

    async def acquire(self, host: str, patience: timedelta) -> "LeasedHost | Wait":
        """Make a host ours for a request, reserving it where we have no lease of it."""
        held = self._open_to_us(host) or await self._reserve(host, self.now() + patience)
        if isinstance(held, Wait):
            return held
        used = LeasedHost(self, held, asyncio.current_task())
        try:
            wait = await self.confirm(used)
        except BaseException:
            await used.release()
            raise
        if wait is not None:
            await used.release()
        return wait or used

    def acquire_at_once(self, host: str, now: datetime) -> None:
        """The crawl has to be asked, each time."""

    async def confirm(self, used: "LeasedHost") -> Wait | None:
        """Make sure that a request ends before our right to send does."""
        if not self._lasts(used.held):
            await self.renew()
            if not self._lasts(used.held):
                return Wait(used.held.until, Delay(0.0, "the host is no longer ours"))
        return None

    async def flush(self) -> None:
        """Return when the hosts that were let go of are given back, with their clocks."""
        await asyncio.gather(*self._releasing, return_exceptions=True)

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

    async def release(self, held: Held) -> None:
        """Give a host back that was reserved, when nobody asks it any more."""
        present = self.held.get(held.lease.host)  # by a later lease, perhaps
        if present is not None and not present.leased and not present.users:
            await self._release(present)

    def release_later(self, releasing: Coroutine[Any, Any, None]) -> None:
        """Let go of a host for somebody who does not wait for it."""
        task = asyncio.ensure_future(releasing)
        self._releasing.add(task)
        task.add_done_callback(self._released)

    def _released(self, task: asyncio.Task[None]) -> None:
        self._releasing.discard(task)
        if not task.cancelled():
            task.exception()  # of which nobody hears: the host is free when its lease ends

    async def _release(self, held: Held | None, unused: Iterable[Assignment] = ()) -> None:
        clocks = {}
        if held is not None and self.held.get(held.lease.host) is held:
            del self.held[held.lease.host]
            clocks[held.lease.token] = self.ledgers.pop(held.lease.host).clock
            self._robots.pop(held.lease.host, None)
        await self.frontier_thread.do(self.frontier.release, clocks, tuple(unused))

    async def renew(self) -> None:
        """Hold on to all that we have, and hear who else wants it."""
        by_token = {held.lease.token: held for held in self.held.values()}
        tokens = sorted({*by_token, *self.claims})
        renewed = await self.frontier_thread.at_once(self.frontier.renew, tokens)
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
                answer = await self.frontier_thread.do(self.frontier.reserve, host)
                if isinstance(answer, Lease):
                    self.take(answer, leased=False)
                elif answer.until > until:
                    return answer
                else:
                    wait = min(max(answer.until - self.now(), ASK_AGAIN), ASK_AT_LEAST)
                    await asyncio.sleep(wait.total_seconds())
        return held


class LeasedHost:
    """A host of a lease or a reservation, while a request is made."""

    __slots__ = ("_holdings", "_user", "held")

    def __init__(self, holdings: Holdings, held: Held, user: asyncio.Task[Any] | None) -> None:
        self._holdings = holdings
        self._user = user
        self.held = held
        held.users.append(user)

    @property
    def is_wanted(self) -> bool:
        """Whether another node waits for the host."""
        return self.held.wanted

    async def release(self) -> None:
        """Let go of the host; it goes back to the frontier when nobody else asks it."""
        self.held.users.remove(self._user)
        await self._holdings.release(self.held)

    def let_go(self) -> None:
        """Let go of the host, and wait for nothing."""
        self.held.users.remove(self._user)
        self._holdings.release_later(self._holdings.release(self.held))
