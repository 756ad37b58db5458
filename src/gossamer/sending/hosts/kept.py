"""Hosts that stay in our hands for a while after a request, for the next one.

To take a host and to give it back is a write each. A program that asks a host once a second, or a
hundred times, pays for them once; the clock of a host in our hands lives in memory meanwhile, and
what the host asked for is written down as it is heard.
"""

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from gossamer.errors import StorageAwayError
from gossamer.frontier.protocol import Lease
from gossamer.politeness.delay import Delay
from gossamer.politeness.ledger import BusyHost, HostLedger, Wait
from gossamer.sending.hosts.leased import ASK_AGAIN, ASK_AT_LEAST, Held, Holdings

LINGER: Final = timedelta(seconds=10)  # that a host stays with us when nobody wants it
LOOK_SECONDS: Final = 1.0
RENEW_EVERY: Final = 5  # looks
WANTED: Final = Delay(0.0, "another node has it first")


@dataclass(eq=False, slots=True)
class Kept:
    """A host in our hands, and how many use it."""

    held: Held
    since: datetime  # when somebody was last seen to use it
    users: int = 0

    @property
    def is_wanted(self) -> bool:
        """Whether another node wants it: whoever comes now waits until it has been there."""
        return self.held.wanted

    async def release(self) -> None:
        """A request is over."""
        self.users -= 1

    def let_go(self) -> None:
        """A request is over."""
        self.users -= 1


class Keeper:
    """Holds hosts for those who send. Use it as `async with Keeper(holdings)`."""

    def __init__(self, holdings: Holdings, linger: timedelta = LINGER) -> None:
        self._holdings = holdings
        self._linger = linger
        self._kept: dict[str, Kept] = {}
        self._taking: dict[str, asyncio.Task[Kept | Wait]] = {}
        self._looking: asyncio.Task[None] | None = None

    async def __aenter__(self) -> "Keeper":
        self._looking = asyncio.create_task(self._look_on())
        return self

    async def __aexit__(self, *_: object) -> None:
        """Give all hosts back."""
        assert self._looking is not None
        self._looking.cancel()
        await asyncio.wait([self._looking, *self._taking.values()])
        for host in [*self._kept]:
            await self._give_back(host)

    async def acquire(self, host: str, patience: timedelta) -> Kept | Wait:
        """Make sure that a host is ours to send to, or say how long to wait."""
        now = self._holdings.now()
        if (at_hand := self.acquire_at_once(host, now)) is not None:
            return at_hand
        until = now + patience
        while True:
            kept = await self._taken(host, until)
            if isinstance(kept, Wait):
                return kept
            kept.users += 1
            kept.since = self._holdings.now()
            try:
                lost = await self.confirm(kept)
            except BaseException:
                kept.let_go()
                raise
            if lost is None:
                return kept
            kept.let_go()
            if not kept.users and self._kept.get(host) is kept:
                await self._give_back(host)

    def acquire_at_once(self, host: str, now: datetime) -> Kept | None:
        """A host that is ours already, and for long enough."""
        kept = self._kept.get(host)
        if kept is None or kept.held.wanted or not self._lasts(kept, now):
            return None
        kept.users += 1
        kept.since = now
        return kept

    async def confirm(self, kept: Kept) -> Wait | None:
        """Make sure that a host is ours for as long as a request may take."""
        if not self._lasts(kept, self._holdings.now()):
            await self._holdings.renew()
            if not self._lasts(kept, now := self._holdings.now()):
                # It was lost, and somebody else may have it. Whoever asks it still does so to the end.
                kept.held.wanted = True
                return BusyHost(now + ASK_AT_LEAST, WANTED)
        return None

    async def flush(self) -> None:
        """Nothing has to be written down: hosts stay ours for a while after each request."""

    def at_hand(self, host: str) -> HostLedger | None:
        """The clock of a host in our hands, which is newer than what is stored."""
        return self._holdings.ledgers.get(host) if host in self._kept else None

    async def _taken(self, host: str, until: datetime) -> Kept | Wait:
        while True:
            kept = self._kept.get(host)
            if kept is None:
                # In a task of its own: a host that is taken for somebody who left is still ours.
                taking = self._taking.get(host) or self._take(host)
                answer = await asyncio.shield(taking)
                if isinstance(answer, Kept) or answer.until > until:
                    return answer
                left = answer.until - self._holdings.now()
            elif not kept.is_wanted:
                return kept
            elif (now := self._holdings.now()) >= until:
                # When its users are done nobody knows, nor how long the other node stays.
                return BusyHost(now + ASK_AT_LEAST, WANTED)
            else:
                left = ASK_AGAIN
            await asyncio.sleep(min(max(left, ASK_AGAIN), ASK_AT_LEAST).total_seconds())

    def _take(self, host: str) -> "asyncio.Task[Kept | Wait]":
        task = self._taking[host] = asyncio.create_task(self._reserve(host))
        task.add_done_callback(lambda _: self._taking.pop(host))
        return task

    async def _reserve(self, host: str) -> Kept | Wait:
        holdings = self._holdings
        answer = await holdings.frontier_thread.do(holdings.frontier.reserve, host)
        if not isinstance(answer, Lease):
            return answer
        kept = self._kept[host] = Kept(holdings.take(answer), holdings.now())
        return kept

    def _lasts(self, kept: Kept, now: datetime) -> bool:
        return kept.held.until - now >= self._holdings.longest_request

    async def _look_on(self) -> None:
        looks = 0
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            looks += 1
            with suppress(StorageAwayError):  # which those hear of who want to send
                if self._kept and looks % RENEW_EVERY == 0:
                    await self._holdings.renew()
                await self.write_down()
                await self._give_back_idle()

    async def write_down(self) -> None:
        """Have the disk know what hosts asked for."""
        if news := self._holdings.news():
            await self._holdings.frontier_thread.do(self._holdings.frontier.settle, (), news)

    async def _give_back_idle(self) -> None:
        now = self._holdings.now()
        for host, kept in [*self._kept.items()]:
            if kept.users:
                kept.since = now
            elif now - kept.since >= self._linger or kept.is_wanted:
                await self._give_back(host)

    async def _give_back(self, host: str) -> None:
        kept = self._kept.pop(host)
        await self._holdings.end(kept.held.lease, ())
