"""Limits that all nodes of a crawl share: requests and bytes a second, and requests at once to an address.

    needs room ──▶ `wait` ──▶ a stretch of the rate, from the database ──▶ `enter`, within it ──▶ `leave`
                                                                  what came beyond it is paid with the next one
    every two seconds: `run` renews our part of the requests at once to any address

A stretch that is not used in time lapses. Nothing is sent where the database does not answer: longer, never more.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final, ParamSpec, Protocol, TypeVar

from gossamer.config import Config, Politeness
from gossamer.errors import GossamerError
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.limits import LimitStore, TakenStretch
from gossamer.frontier.thread import FrontierThread
from gossamer.politeness.ceiling import Ceiling
from gossamer.politeness.clock import NEVER
from gossamer.sending.hosts.leased import longest_request

REQUESTS: Final = "requests"
BYTES: Final = "bytes"
ADDRESS: Final = "address"
GRACE: Final = timedelta(milliseconds=250)  # that a busy event loop is late at a stretch's end
RENEW_SECONDS: Final = 2.0
LEAST_SHARE: Final = timedelta(seconds=30)  # that a part lasts; and for two requests at least
FIRST_ESTIMATE: Final = 32 * 1024  # bytes of an answer, before there was one
P = ParamSpec("P")
T = TypeVar("T")
NONE_TAKEN: Final = TakenStretch(0, NEVER, NEVER)


@dataclass(slots=True)
class RatePart:
    """Our stretch of one rate, and what is left of it. Pure: moments come in as arguments."""

    per_second: float
    is_bytes: bool
    stretch: TakenStretch = NONE_TAKEN
    left: int = 0
    beyond: int = 0  # bytes that came, and no stretch had paid for
    used: int = 0  # of the stretch
    estimate: int = FIRST_ESTIMATE  # bytes of an answer
    pace: Ceiling = field(init=False)

    def __post_init__(self) -> None:
        """Within a stretch requests are spaced by the rate itself."""
        self.pace = Ceiling(self.per_second)

    def has_room(self, now: datetime) -> bool:
        """Whether one more request may start now."""
        return self._lasts(now) and self.left > 0 and self.next_moment(now) <= now

    def is_spent(self, now: datetime) -> bool:
        """Whether there is nothing to wait for but another stretch."""
        is_waiting = not self.stretch.amount and now < self.stretch.begins
        return not is_waiting and (self.left <= 0 or not self._lasts(now))

    def next_moment(self, now: datetime) -> datetime:
        """When to look again, if not now."""
        moment = max(now, self.stretch.begins)
        return moment if self.is_bytes else max(moment, self.pace.next_moment(now))

    def wanted(self, waiting: int) -> int:
        """How much to ask for: for those who wait, and twice as much as was used of the last stretch."""
        return max(waiting * (self.estimate if self.is_bytes else 1), 2 * self.used)

    def take(self, stretch: TakenStretch) -> None:
        """Go by another stretch."""
        self.stretch, self.left, self.used = stretch, stretch.amount, 0

    def enter(self, now: datetime) -> None:
        """Count a request that starts, and as many bytes as it is likely to bring."""
        if self.is_bytes:
            self._pay(self.estimate)
        else:
            self._pay(1)
            self.pace = self.pace.spent(now)

    def leave(self, now: datetime, received: int) -> None:
        """Settle what a request was taken to bring and what it brought."""
        if not self.is_bytes:
            return
        if received > self.estimate:
            self._pay(received - self.estimate)
        else:
            back = self.estimate - received
            debt = min(back, self.beyond)
            self.beyond -= debt
            self.used = max(self.used - back, 0)
            if self._lasts(now):
                self.left += back - debt
        self.estimate = max((7 * self.estimate + received) // 8, 1)

    def _pay(self, amount: int) -> None:
        paid = min(amount, max(self.left, 0))
        self.left -= paid
        self.beyond += amount - paid
        self.used += amount

    def _lasts(self, now: datetime) -> bool:
        return now < self.stretch.ends + GRACE


class DatabaseThread(Protocol):
    """Runs calls that wait for the database, off the event loop."""

    async def at_once(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The result of a call."""


class CommonLimits:
    """The limits that this node shares with the others, if they count the whole crawl."""

    def __init__(
        self,
        store: LimitStore,
        thread: DatabaseThread,
        politeness: Politeness,
        now: Callable[[], datetime],
        longest: timedelta,
    ) -> None:
        self._store = store
        self._thread = thread
        self._now = now
        self._longest = longest
        self.most_in_flight: Callable[[], int] = lambda: 0
        self.changed: Callable[[], object] = lambda: None
        self._share: tuple[int, datetime] = (0, NEVER)
        self._waiting = 0
        self._asking: asyncio.Task[None] | None = None
        self.rates: dict[str, RatePart] = {}
        self.configure(politeness)

    @property
    def counts(self) -> bool:
        """Whether limits count all nodes."""
        return self._politeness.limits_count == "crawl"

    def configure(self, politeness: Politeness) -> None:
        """Take up other limits."""
        self._politeness = politeness
        limits = {REQUESTS: politeness.requests_per_second, BYTES: politeness.bytes_per_second}
        for name, limit in limits.items():
            known = self.rates.get(name)
            if limit is None or not self.counts:
                self.rates.pop(name, None)
            elif known is None or known.per_second != limit:
                self.rates[name] = RatePart(limit, is_bytes=name == BYTES)

    def has_room(self, now: datetime) -> bool:
        """Whether the rates let one more request start now."""
        return not self.rates or all(rate.has_room(now) for rate in self.rates.values())

    def next_moment(self, now: datetime) -> datetime:
        """When that may be so, as far as it is known."""
        return max((rate.next_moment(now) for rate in self.rates.values()), default=now)

    def address_share(self, now: datetime) -> int:
        """How many requests at once we may have at any address; none where our part may lapse under one."""
        share, until = self._share
        return share if until - now >= self._longest else 0

    def enter(self, now: datetime) -> None:
        """Count a request that starts."""
        for rate in self.rates.values():
            rate.enter(now)

    def leave(self, now: datetime, received: int) -> None:
        """Count a request that is over, and bytes that came."""
        for rate in self.rates.values():
            rate.leave(now, received)

    async def wait(self) -> None:
        """Wait for what may make room: another stretch, or the moment at which ours goes on."""
        self._waiting += 1
        try:
            if any(rate.is_spent(self._now()) for rate in self.rates.values()):
                if self._asking is None or self._asking.done():  # one asks for all
                    self._asking = asyncio.create_task(self._ask_for_all())
                    self._asking.add_done_callback(_note_error)
                await asyncio.shield(self._asking)
            now = self._now()
            if not self.has_room(now):
                await asyncio.sleep(max((self.next_moment(now) - now).total_seconds(), 0.001))
        finally:
            self._waiting -= 1

    async def run(self) -> None:
        """Renew our part of the requests at once to an address, until cancelled; then give all parts back."""
        try:
            while True:
                if self.counts:
                    with suppress(GossamerError):  # then it lapses, and nothing is sent
                        await self._renew()
                        await self._pay_debts()
                await asyncio.sleep(RENEW_SECONDS)
        finally:
            if not self.most_in_flight():
                with suppress(GossamerError):
                    await self._thread.at_once(self._store.leave)

    async def _renew(self) -> None:
        limit, lasting = self._politeness.per_address, max(LEAST_SHARE, 2 * self._longest)
        in_use = self.most_in_flight()
        # What starts meanwhile is within the smaller of both parts.
        share, until = self._share
        self._share = min(share, in_use), until
        try:
            renew = self._store.renew_share
            share, until = await self._thread.at_once(renew, ADDRESS, limit, in_use, lasting)
        finally:
            self._share = share, until
            self.changed()

    async def _pay_debts(self) -> None:
        """Pay for bytes that came late, though nothing more may be asked for: the others wait for that."""
        for name, rate in [*self.rates.items()]:
            if rate.beyond:
                await self._take(name, rate, 0)

    async def _ask_for_all(self) -> None:
        for name, rate in [*self.rates.items()]:
            if rate.is_spent(self._now()):
                rate.take(await self._take(name, rate, rate.wanted(self._waiting)))

    async def _take(self, name: str, rate: RatePart, wanted: int) -> TakenStretch:
        beyond, rate.beyond = rate.beyond, 0
        try:
            take = self._store.take
            return await self._thread.at_once(take, name, rate.per_second, wanted, beyond)
        except GossamerError:
            rate.beyond += beyond
            raise


def _note_error(done: "asyncio.Task[None]") -> None:
    """Take note of an error that nobody may be waiting for any more."""
    if not done.cancelled():
        done.exception()


def limits_among_nodes(
    frontier: SqlFrontier,
    thread: FrontierThread,
    config: Config,
    now: Callable[[], datetime],
) -> CommonLimits | None:
    """The limits that a frontier's nodes share; None where there are no other nodes."""
    if not frontier.is_shared:
        return None
    store = LimitStore(frontier.store, frontier.node)
    return CommonLimits(store, thread, config.politeness, now, longest_request(config.fetch))


@asynccontextmanager
async def run_beside(common: CommonLimits | None) -> AsyncIterator[None]:
    """Have limits renewed for as long as this lasts."""
    if common is None:
        yield
        return
    running = asyncio.create_task(common.run())
    try:
        yield
    finally:
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running
