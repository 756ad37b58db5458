"""The loop: lease a host; admit, fetch, read, judge, archive, index and settle its pages.

Hosts are leased as there is room (`_lease_hosts`), and each is visited by a task of its own (`_visit`).
Each page is brought from its turn to its settlement by one coroutine (`_page`); the host's next page is
requested as soon as this one is answered.

Whatever is slow makes the rest wait: a page has room in the `Backlog` from before it is requested until
it is settled; so has what it says, and while there is no room for more of that, nothing more is read.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Collection, Coroutine
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from gossamer.crawl.backlog import Backlog
from gossamer.crawl.batches import Batches, UnderWay
from gossamer.crawl.page_requests import NotNowError, PageRequests
from gossamer.crawl.reader import PageReader
from gossamer.crawl.run_limits import Remaining, RunLimits
from gossamer.crawl.verdicts import Judge, PageVerdict
from gossamer.fetch.http import HttpFetcher
from gossamer.frontier.endings import Ending, EndKind
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import Assignment, Lease
from gossamer.frontier.thread import FrontierThread
from gossamer.model import Failed, Fetched
from gossamer.politeness.robots.record import Rules
from gossamer.politeness.usage import UsageStatement
from gossamer.reading.jobs import Extracted
from gossamer.sending.hosts.leased import Holdings
from gossamer.sending.right import NEVER_SENT
from gossamer.urls import site_of

LOOK_AGAIN: Final = 0.2  # seconds, where nothing is ready and nobody tells when that changes
WAITING_SECONDS: Final = 2.0  # and where nothing is left but pages to be looked at again
LOOK_SECONDS: Final = 1.0  # between two looks at the time of a run
MORE: Final = 50  # pages requested from the frontier at once, at most
QUANTUM: Final = timedelta(seconds=10)  # then a visit makes way, if a host waits for it;
QUANTUM_PAGES: Final = 40  # or after so many pages
BEHIND: Final = timedelta(seconds=2)  # then we look again whether a host's pages were read
UNREAD: Final = "its pages take long to read, and wait for that"
OTHERS: Final = "other hosts are ready"
NOTHING_LEFT: Final = frozenset({EndKind.DONE, EndKind.PARKED})
STOPPED: Final = Ending(EndKind.STOPPED, "It was stopped.")
DRAINED: Final = Ending(EndKind.DRAINED, "It was drained: its hosts went back to the other nodes.")
READER_GONE: Final = Ending(EndKind.STOPPED, "Whoever read its pages has gone.")
GRACE: Final = 5.0  # seconds that requests in flight have when we are asked to stop
READING_GRACE: Final = 15.0  # and what was answered, to be read: whoever stops us waits for that

PageAnswer = Fetched | Failed | PageVerdict  # a verdict where nobody need be asked


@dataclass(slots=True)
class Visit:
    """A host while it is leased: its pages that wait, and those being requested."""

    lease: Lease
    pages: deque[Assignment]
    lanes: asyncio.Semaphore  # requests at once; each page being requested has one
    quantum_ends: datetime
    quantum_pages: int = QUANTUM_PAGES  # left of it
    asking: dict[asyncio.Task[None], Assignment] = field(default_factory=dict)
    unsettled: set[asyncio.Task[None]] = field(default_factory=set)  # those being asked for too
    taken: int = 0  # pages so far
    sent: bool = False  # the last page went to the host
    parked: list[NotNowError] = field(default_factory=list)  # why the visit is over, if it is


@dataclass(slots=True)
class Crawl:
    """A crawl under way. `run` ends when nothing is left to do, or after `stop`."""

    frontier: SqlFrontier
    frontier_thread: FrontierThread
    holdings: Holdings
    http: HttpFetcher
    requests: PageRequests
    reader: PageReader
    judge: Judge
    batches: Batches
    backlog: Backlog
    under_way: UnderWay
    limits: RunLimits
    remaining: Remaining
    concurrency: int
    now: Callable[[], datetime]
    # Run in the background for as long as the crawl does.
    services: list[Callable[[], Coroutine[Any, Any, None]]] = field(default_factory=list)
    group: asyncio.TaskGroup = field(init=False)
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    calls: int = 0  # how often somebody came with more
    stop_reason: Ending | None = None  # what was the first to stop it
    drained_by: Ending | None = None  # how it ends when what is in hand is kept
    is_finishing: bool = False
    ended: Ending | None = None  # how, when all is kept
    look_again: float = LOOK_AGAIN

    async def run(self) -> Ending:
        """Crawl; how it ended."""
        self.services += [self.batches.run, self._renew_leases, self._watch_time, self._break_off]
        async with asyncio.TaskGroup() as self.group:
            services = [self.group.create_task(run()) for run in self.services]
            ended = await self._lease_hosts()
            self.is_finishing = True
            await self._finish()
            await self.batches.drop_left_over()
            await self.batches.end_history(nothing_left=ended.kind in NOTHING_LEFT)
            self.ended = ended
            for service in services:
                service.cancel()
        return ended

    # ---- the loop

    async def _lease_hosts(self) -> Ending:
        """Lease hosts and have them visited, until a limit is reached or nothing is left."""
        while (why := self.stop_reason) is None:
            if ended := self.limits.limit_reached():
                self.stop(ended)
                continue
            self.changed.clear()
            if (drained := self.drained_by) is not None and not self._is_busy:
                return drained
            room = 0 if self.limits.is_halted else self.concurrency - len(self.under_way.visits)
            leases = await self.frontier_thread.do(self.frontier.lease, room) if room > 0 else []
            if leases:
                self.http.resolve_ahead(self.frontier.next_hosts)
            for lease in leases:
                visit = self.group.create_task(self._visit(lease))
                self.under_way.visits.add(visit)
                visit.add_done_callback(self._visited)
            if not leases:
                calls = self.calls
                if self._is_idle and (ended := await self.remaining.nothing_left()):
                    if calls == self.calls:
                        return ended
                    continue  # what was counted is not all that there is now
                await self._wait()
        return why

    async def _visit(self, lease: Lease) -> None:
        """Request a host's pages until it rests for long or others are to have their share; then give it back."""
        self.holdings.take(lease)
        lanes = self.requests.config.politeness.per_host
        visit = Visit(lease, deque(lease.pages), asyncio.Semaphore(lanes), self.now() + QUANTUM)
        try:
            # A lane that finds no page ends; when the last one has, all requests are answered.
            for _ in range(lanes):
                while (page := await self._next_page(visit)) is not None:
                    task = self.group.create_task(self._page(visit, page))
                    visit.asking[task] = page
                    visit.unsettled.add(task)
                    task.add_done_callback(visit.unsettled.discard)
        finally:
            await self._give_back(visit)

    async def _page(self, visit: Visit, page: Assignment) -> None:
        """Bring one page from its turn to its settlement."""
        usage: tuple[UsageStatement, ...] = ()
        answer: PageAnswer | None = None
        site, said = site_of(page.host), 0
        await self.backlog.acquire(site)
        try:
            admitted = await self.requests.admit(page)  # by scope, traps and robots.txt
            if isinstance(admitted, Rules):
                usage = await self.requests.site_usage(page, admitted)
                answer = self.requests.objection(page, usage)
                if answer is None:
                    answer = await self.requests.fetch(page)  # when we have the right to send
            else:
                answer = admitted
            del admitted  # parsed rules may be large, and the page is in hand for a while
        except NotNowError as reason:
            visit.parked.append(reason)
            return
        finally:
            self._free_lane(visit, site, answer)
        self._take_in_hand(page, answer)
        try:
            extracted = await self._read(answer)  # decode, detect, transform, extract: in a worker
            verdict = self._judge(page, answer, extracted, usage)
            del extracted  # the verdict has what is kept of it
            said = self._make_room(site, answer, verdict)
            settled = await self.batches.put(verdict)  # to be archived, indexed and settled
            self._is_read()
            await settled
        finally:
            self._out_of_hand(page, answer, said)

    # ---- a host, while it is visited

    async def _next_page(self, visit: Visit) -> Assignment | None:
        """The next page of a host, when one of its lanes is free; None where that lane ends."""
        host = visit.lease.host
        await visit.lanes.acquire()
        if not visit.pages:
            await self._see_links(visit)
        if visit.parked or self.limits.is_halted or await self._makes_way(visit):
            return None
        # A host that rests still has its pages refused, where nobody need be asked for that.
        if not visit.pages and not (visit.sent and self.requests.rests_long(host)):
            visit.pages.extend(await self._more_pages(visit))
        if not visit.pages:
            return None
        if self.reader.pool.is_behind(host):
            visit.parked.append(NotNowError(self.now() + BEHIND, UNREAD))
            return None
        visit.taken += 1
        visit.quantum_pages -= 1
        return visit.pages.popleft()

    async def _makes_way(self, visit: Visit) -> bool:
        """End a visit that has had its quantum, if all visits are taken and another host comes first."""
        if visit.quantum_pages > 0 and self.now() < visit.quantum_ends:
            return False
        if not self._is_full:
            return False
        page = visit.pages[0] if visit.pages else None
        if await self.frontier_thread.do(self.frontier.makes_way, visit.lease, page):
            visit.parked.append(NotNowError(why=OTHERS))
            return True
        visit.quantum_ends, visit.quantum_pages = self.now() + QUANTUM, QUANTUM_PAGES
        return False

    async def _see_links(self, visit: Visit) -> None:
        """Wait until answered pages are settled, where what they lead to may come next."""
        if not self.frontier.order_depends_on_links:
            return
        if answered := [task for task in visit.unsettled if task not in visit.asking]:
            self.under_way.waiting += 1
            try:
                await asyncio.wait(answered)
            finally:
                self.under_way.waiting -= 1

    async def _more_pages(self, visit: Visit) -> tuple[Assignment, ...]:
        lease = visit.lease
        held = self.holdings.held.get(lease.host)
        if held is None or held.wanted or held.lease.token != lease.token:
            return ()
        # Few go back from a visit that makes way if it takes only as many as it has had so far.
        most = min(max(visit.taken, 1), MORE) if self._is_full else MORE
        return await self.frontier_thread.do(self.frontier.more, lease, most)

    async def _give_back(self, visit: Visit) -> None:
        """Give a host back, with its pages that were not answered."""
        try:
            if visit.asking:  # we were cancelled, or they went back by themselves
                for task in visit.asking:
                    task.cancel()
                await asyncio.wait(visit.asking)
        finally:
            await self.holdings.end(visit.lease, [*visit.asking.values(), *visit.pages])
            for reason in visit.parked:
                if reason.until is not None:
                    self.frontier_thread.later(
                        self.frontier.park, visit.lease.host, reason.until, reason.why
                    )

    @property
    def _is_full(self) -> bool:
        """Whether as many hosts are visited as may be, so that others wait."""
        return len(self.under_way.visits) >= self.concurrency

    def _visited(self, visit: asyncio.Task[None]) -> None:
        self.under_way.visits.discard(visit)
        self.changed.set()

    # ---- a page, from phase to phase

    def _free_lane(self, visit: Visit, site: str, answer: PageAnswer | None) -> None:
        """Let the host's next page be requested; without an answer, this one goes back."""
        visit.lanes.release()
        if answer is None:
            self.backlog.release(site)
            return
        del visit.asking[_this_task()]
        visit.sent = not isinstance(answer, PageVerdict) or answer.answer is not None
        if isinstance(answer, Failed) and answer.cause in NEVER_SENT and answer.cause.transient:
            # It cost the host nothing, and the next page would fail in the same way.
            back_off = self.requests.config.politeness.backoff_first
            visit.parked.append(NotNowError(self.now() + back_off, answer.message))

    def _take_in_hand(self, page: Assignment, answer: PageAnswer) -> None:
        """Hold on to a page that was answered, until it is settled."""
        self.under_way.unread[_this_task()] = page
        self.holdings.claims[page.token] += 1
        self.backlog.fill(_size(answer), site_of(page.host))

    async def _read(self, answer: PageAnswer) -> Extracted | None:
        if not isinstance(answer, Fetched):
            return None
        started = time.perf_counter()
        extracted = await self.reader.read(answer)
        self.batches.progress.phases.add("read", time.perf_counter() - started)
        return extracted

    def _judge(
        self,
        page: Assignment,
        answer: PageAnswer,
        extracted: Extracted | None,
        usage: tuple[UsageStatement, ...],
    ) -> PageVerdict:
        if isinstance(answer, Fetched):
            if extracted is not None and extracted.wall is not None:
                self.requests.walls.met(page.host, page.url, extracted.wall)
            return self.judge.answered(page, answer, extracted, self.now(), usage)
        return self.judge.failed(page, answer) if isinstance(answer, Failed) else answer

    def _make_room(self, site: str, answer: PageAnswer, verdict: PageVerdict) -> int:
        """Count what a page says; so much of it that the room is full has reading wait."""
        if said := verdict.said_bytes:
            self.backlog.grow(said, _size(answer), site)
            self.reader.pool.hold(self.backlog.is_crowded)
        return said

    def _is_read(self) -> None:
        """Leave the page to the batches: it is not given up any more."""
        del self.under_way.unread[_this_task()]
        self.changed.set()

    def _out_of_hand(self, page: Assignment, answer: PageAnswer, said: int) -> None:
        """Let go of a page that is settled, or given up."""
        self.holdings.claims[page.token] -= 1
        if not self.holdings.claims[page.token]:
            del self.holdings.claims[page.token]
        self.backlog.empty(_size(answer), said, site_of(page.host))
        self.reader.pool.hold(self.backlog.is_crowded)
        self.changed.set()

    # ---- stop, pause, more

    def stop(self, why: Ending = STOPPED) -> None:
        """Ask for nothing more; what is under way is brought to an end."""
        self.stop_reason = self.stop_reason or why
        self.limits.stopping.set()
        self.frontier_thread.give_up()
        self.changed.set()

    def drain(self, why: Ending = DRAINED) -> None:
        """Take no more hosts, and end when what was asked for is kept; nothing is cut short."""
        self.drained_by = self.drained_by or why
        self.limits.draining.set()
        self.changed.set()

    def reader_gone(self) -> None:
        """End in good order, since whoever read the pages has gone."""
        self.stop(READER_GONE)

    async def stopping(self) -> None:
        """Wait until we are asked to end."""
        await self.limits.stopping.wait()

    @property
    def is_paused(self) -> bool:
        """Whether nothing is asked for until `resume`."""
        return self.limits.pausing.is_set()

    def pause(self) -> None:
        """Ask for nothing more for now; what is in flight is read and kept, hosts are given back."""
        self.limits.pausing.set()

    def resume(self) -> None:
        """Go on."""
        self.limits.pausing.clear()
        self.changed.set()

    @property
    def is_ending(self) -> bool:
        """Whether no more hosts will be taken, and what is in hand is brought to its end."""
        limits = self.limits
        return self.is_finishing or limits.stopping.is_set() or limits.draining.is_set()

    def call_for_more(self) -> bool:
        """Note that somebody is about to add URLs; False where it is too late for them."""
        self.calls += 1
        self.changed.set()
        return not (self.is_finishing or self.limits.stopping.is_set())

    @property
    def _is_idle(self) -> bool:
        """Whether nothing is under way that may lead to more."""
        return not self._is_busy and not self.limits.is_halted

    @property
    def _is_busy(self) -> bool:
        """Whether hosts are visited, or pages not yet settled."""
        return bool(self.under_way.visits or self.under_way.unread or self.holdings.claims)

    async def _wait(self) -> None:
        try:
            seconds = self.look_again if self.remaining.waits is None else WAITING_SECONDS
            async with asyncio.timeout(seconds):
                await self.changed.wait()
        except TimeoutError:
            return

    async def _finish(self) -> None:
        """Wait for what is in flight, a little while; for what was answered, until it is kept.

        What is given up here is not settled, and the next run, or another node, asks for it again.
        """
        unread = self.under_way.unread
        await end_within(GRACE, self.under_way.visits)
        giving_up = asyncio.get_running_loop().call_later(READING_GRACE, self._give_up_reading)
        while not all(task.done() for task in unread):
            self.changed.clear()
            await self._wait()
        giving_up.cancel()
        await self.reader.contexts.close()
        if unread:
            await self.frontier_thread.do(self.frontier.release, {}, list(unread.values()))
        while self.holdings.claims:
            self.changed.clear()
            await self._wait()

    def _give_up_reading(self) -> None:
        for task in self.under_way.unread:
            task.cancel()

    # ---- services in the background

    async def _renew_leases(self) -> None:
        while True:
            await asyncio.sleep(self.frontier.lease_length.total_seconds() / 4)
            await self.holdings.renew()

    async def _watch_time(self) -> None:
        """Stop when the time is up, even while we wait for a server that is away."""
        while True:
            if ended := self.limits.time_is_up():
                self.stop(ended)
                return
            await asyncio.sleep(LOOK_SECONDS)

    async def _break_off(self) -> None:
        """See that whoever tidies up after a failure does not wait for a server that is away."""
        try:
            await asyncio.Event().wait()
        finally:
            if self.ended is None:
                self.frontier_thread.give_up()


async def end_within(seconds: float, tasks: Collection[asyncio.Task[None]]) -> None:
    """Return when tasks have ended, by themselves or because their time is up."""
    late = set(tasks)
    while late:
        _, late = await asyncio.wait(late, timeout=seconds)
        for task in late:
            task.cancel()


def _size(answer: PageAnswer) -> int:
    return len(answer.body) if isinstance(answer, Fetched) else 0


def _this_task() -> asyncio.Task[None]:
    task = asyncio.current_task()
    assert task is not None
    return task
