"""The loop: lease → fetch → detect → transform → index → extract → settle.

Hosts are leased as there is room; each is visited by a task of its own, which asks for one page
after the other and hands answers on. Answers are read by worker processes, judged, and kept in
batches: archive, then graph, then frontier. Whatever is slow makes the rest wait: an answer holds
a place, and room for its bytes, from before it is asked for until it is settled; so does what it says,
and while there is no room for more of that, nothing more is read.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from gossamer.crawling.batches import Batches
from gossamer.crawling.clerk import Clerk
from gossamer.crawling.finishing import ended_within
from gossamer.crawling.holding import Holdings
from gossamer.crawling.reading import Reader
from gossamer.crawling.verdicts import Judge, Verdict
from gossamer.crawling.visiting import Visitor
from gossamer.frontier.endings import Ending, EndKind
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import Assignment
from gossamer.model import Failed, Fetched
from gossamer.urls import site_of

LOOK_AGAIN: Final = 0.2  # seconds, where nothing is ready and nobody tells when that changes
STOPPED: Final = Ending(EndKind.STOPPED, "It was stopped.")
GRACE: Final = 5.0  # seconds that requests in flight have when we are asked to stop
READING_GRACE: Final = 15.0  # and what was answered, to be read: whoever stops us waits for that


@dataclass(slots=True)
class Crawl:
    """A crawl under way. `run` ends when nothing is left to do, or after `stop`."""

    frontier: SqlFrontier
    clerk: Clerk
    holdings: Holdings
    visitor: Visitor
    reader: Reader
    judge: Judge
    batches: Batches
    concurrency: int
    now: Callable[[], datetime]
    over: Callable[[], Ending | None]  # a limit of this run is reached
    ending: Callable[[], Awaitable[Ending | None]]  # asked when nothing is under way
    resolve_ahead: Callable[[Sequence[str]], None] = lambda _: None  # hosts that come next
    beside: tuple[Callable[[], Coroutine[Any, Any, None]], ...] = ()  # goes on as long as it does
    group: asyncio.TaskGroup = field(init=False)
    visits: set[asyncio.Task[None]] = field(default_factory=set)
    readings: set[asyncio.Task[None]] = field(default_factory=set)
    unread: list[Assignment] = field(default_factory=list)  # answered, and given up
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    calls: int = 0  # how often somebody came with more
    stopped_by: Ending | None = None  # what was the first to stop it
    ending_now: bool = False
    ended: bool = False
    look_again: float = LOOK_AGAIN

    async def run(self) -> Ending:
        """Crawl; how it ended."""
        async with asyncio.TaskGroup() as self.group:
            services = [
                self.group.create_task(each())
                for each in (self.batches.run, self._renew, self._break_off, *self.beside)
            ]
            ended = await self._lease()
            self.ending_now = True
            await self._finish()
            self.ended = True
            for service in services:
                service.cancel()
        return ended

    def stop(self, why: Ending = STOPPED) -> None:
        """Ask for nothing more; what is under way is brought to an end."""
        self.stopped_by = self.stopped_by or why
        self.visitor.stopping.set()
        self.clerk.give_up()
        self.changed.set()

    @property
    def is_paused(self) -> bool:
        """Whether nothing is asked for until `resume`."""
        return self.visitor.pausing.is_set()

    def pause(self) -> None:
        """Ask for nothing more for now; what is in flight is read and kept, hosts are given back."""
        self.visitor.pausing.set()

    def resume(self) -> None:
        """Go on."""
        self.visitor.pausing.clear()
        self.changed.set()

    def call_for_more(self) -> bool:
        """Note that somebody is about to add URLs; False where it is too late for them."""
        self.calls += 1
        self.changed.set()
        return not (self.ending_now or self.visitor.stopping.is_set())

    def hand_on(self, page: Assignment, answer: Fetched | Failed | Verdict) -> None:
        """Have an answer read and kept; its place is free again when it is settled."""
        self.holdings.claims[page.token] += 1
        self.visitor.places.fill(_size(answer), site_of(page.host))
        reading = self.group.create_task(self._read(page, answer))
        self.readings.add(reading)
        reading.add_done_callback(self.readings.discard)

    def kept(self, batch: Sequence[Verdict]) -> None:
        """Note that pages were settled."""
        for verdict in batch:
            self._out_of_hand(verdict.settlement.page, verdict.answer, verdict.said_bytes)
        self.changed.set()

    @property
    def is_dry(self) -> bool:
        """Whether nothing more comes before what was read is settled."""
        return not self.visits and not self.readings

    @property
    def _is_idle(self) -> bool:
        """Whether nothing is under way that may lead to more."""
        return self.is_dry and not self.holdings.claims and not self.is_paused

    async def _lease(self) -> Ending:
        while (why := self.stopped_by) is None:
            if ended := self.over():
                self.stop(ended)
                continue
            self.changed.clear()
            room = 0 if self.is_paused else self.concurrency - len(self.visits)
            leases = await self.clerk.do(self.frontier.lease, room) if room > 0 else []
            if leases:
                self.resolve_ahead(self.frontier.next_hosts)
            for lease in leases:
                visit = self.group.create_task(self.visitor.visit(lease))
                self.visits.add(visit)
                visit.add_done_callback(self._visited)
            if not leases:
                calls = self.calls
                if self._is_idle and (ended := await self.ending()):
                    if calls == self.calls:
                        return ended
                    continue  # what was counted is not all that there is now
                await self._wait()
        return why

    async def _wait(self) -> None:
        try:
            async with asyncio.timeout(self.look_again):
                await self.changed.wait()
        except TimeoutError:
            return

    async def _read(self, page: Assignment, answer: Fetched | Failed | Verdict) -> None:
        said = 0
        try:
            verdict = await self._judged(page, answer)
            if said := verdict.said_bytes:
                self.visitor.places.grow(said, _size(answer), site_of(page.host))
                self.reader.pool.hold(self.visitor.places.is_crowded)
            await self.batches.queue.put(verdict)
        except asyncio.CancelledError:
            self._out_of_hand(page, answer, said)
            self.unread.append(page)
            raise

    async def _judged(self, page: Assignment, answer: Fetched | Failed | Verdict) -> Verdict:
        if isinstance(answer, Fetched):
            started = time.perf_counter()
            extracted = await self.reader.read(answer)
            self.batches.phases.add("read", time.perf_counter() - started)
            return self.judge.answered(page, answer, extracted, self.now())
        return self.judge.failed(page, answer) if isinstance(answer, Failed) else answer

    def _out_of_hand(
        self, page: Assignment, answer: Fetched | Failed | Verdict | None, said: int
    ) -> None:
        self.holdings.claims[page.token] -= 1
        if not self.holdings.claims[page.token]:
            del self.holdings.claims[page.token]
        self.visitor.places.empty(_size(answer), said, site_of(page.host))
        self.reader.pool.hold(self.visitor.places.is_crowded)

    def _visited(self, visit: asyncio.Task[None]) -> None:
        self.visits.discard(visit)
        self.changed.set()

    async def _renew(self) -> None:
        while True:
            await asyncio.sleep(self.frontier.lease_length.total_seconds() / 4)
            await self.holdings.renew()

    async def _break_off(self) -> None:
        """See that whoever tidies up after a failure does not wait for a server that is away."""
        try:
            await asyncio.Event().wait()
        finally:
            if not self.ended:
                self.clerk.give_up()

    async def _finish(self) -> None:
        """Wait for what is in flight, a little while; for what was answered, until it is kept.

        What is given up here is not settled, and the next run, or another node, asks for it again.
        """
        await ended_within(GRACE, self.visits)
        await ended_within(READING_GRACE, self.readings)
        await self.reader.contexts.close()
        if self.unread:
            await self.clerk.do(self.frontier.release, {}, self.unread)
        while self.holdings.claims:
            self.changed.clear()
            await self._wait()


def _size(answer: Fetched | Failed | Verdict | None) -> int:
    return len(answer.body) if isinstance(answer, Fetched) else 0
