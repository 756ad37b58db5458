"""Batches of verdicts: archived, indexed, compared, handed to sinks, then settled, for many pages at once.

A page is settled last, so that whatever dies before leaves it to be fetched again, and nothing
that was settled is missing anywhere. Batches are a pipeline: while one is settled, the next is in the
graph's process, and the one after it is being written to the archive.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final, NamedTuple, Protocol, TypeVar

from gossamer.archive.exchange import ArchivePlace, Exchange
from gossamer.archive.writer import Archive
from gossamer.config import MIB, KeptHistory
from gossamer.crawl.learned_parameters import take_up_rules
from gossamer.crawl.novelty import has_changed
from gossamer.crawl.page_records import page_line
from gossamer.crawl.progress import Progress
from gossamer.crawl.report_keeper import ReportKeeper, reported
from gossamer.crawl.statements import graphs_of, outcome_of, texts_of
from gossamer.crawl.unsettled import UnsettledPages
from gossamer.crawl.verdicts import PageVerdict
from gossamer.crawl.visits import visit_of
from gossamer.errors import GossamerError, SinkLostError
from gossamer.events import NotIndexed, SinkLost, SiteOverBudget
from gossamer.folder.full_disk import FullDisk
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import Assignment, Ended, Settlement
from gossamer.frontier.thread import FrontierThread
from gossamer.history.finding import Run
from gossamer.history.store import ChangeHistory
from gossamer.index.graph.names import page_name
from gossamer.index.graph.pages import PageGraphs, PageRefused
from gossamer.log import Sink
from gossamer.model import BodyState, Fetched, Url
from gossamer.sending.hosts.leased import Holdings
from gossamer.sinks.protocol import PageSink

Given = TypeVar("Given")
Written = TypeVar("Written")
MOST: Final = 200  # pages in a batch: what is kept at the end waits for three of them
MOST_BYTES: Final = 32 * MIB  # in a batch, of bodies and what they say: each step has it at once
PATIENCE: Final = 0.25  # seconds that a page waits for others
PRUNE_EVERY: Final = timedelta(hours=1)  # while a crawl goes on, and at its end
UNDER_WAY: Final = 3  # batches: one in each step
LEFT_OVER_SECONDS: Final = 10.0  # between two looks for pages that other nodes have settled


class Graph(Protocol):
    """Where quads go."""

    async def keep(self, pages: Sequence[PageGraphs]) -> tuple[PageRefused, ...]:
        """Have the graph hold this of these pages, on the disk; the pages that it refused."""


@dataclass(slots=True)
class UnderWay:
    """What may still bring verdicts: visits of hosts, and answers that are not read yet."""

    visits: set[asyncio.Task[None]] = field(default_factory=set)
    waiting: int = 0  # visits that go on when what they have answered is settled
    unread: dict[asyncio.Task[None], Assignment] = field(default_factory=dict)

    @property
    def is_dry(self) -> bool:
        """Whether nothing more comes before what was read is settled."""
        return len(self.visits) == self.waiting and not self.unread


class QueuedVerdict(NamedTuple):
    """A verdict that waits for its batch, and who waits for it to be settled."""

    verdict: PageVerdict
    settled: asyncio.Future[None]


@dataclass(slots=True)
class Batches:
    """Gathers verdicts and keeps them."""

    frontier: SqlFrontier
    frontier_thread: FrontierThread
    holdings: Holdings
    graph: Graph | None
    archive: Archive | None
    full_disk: FullDisk
    tell: Sink
    progress: Progress
    under_way: UnderWay
    now: Callable[[], datetime]
    history: ChangeHistory | None = None
    kept_history: KeptHistory = field(default_factory=KeptHistory)
    reports: ReportKeeper | None = None
    sinks: Sequence[PageSink] = ()
    settled_more: Callable[[], Awaitable[None]] | None = None  # is called after each batch
    counts_hidden: bool = False  # what links in scripts and forms lead to
    unsettled: UnsettledPages | None = None  # where each node of a shared crawl has a graph
    queue: asyncio.Queue[QueuedVerdict] = field(default_factory=lambda: asyncio.Queue(2 * MOST))
    _pruned_at: datetime | None = None
    _room: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(UNDER_WAY))
    # Whoever waits for a lock first has it first: no batch overtakes another.
    _archiving: asyncio.Lock = field(default_factory=asyncio.Lock)
    _indexing: asyncio.Lock = field(default_factory=asyncio.Lock)
    _comparing: asyncio.Lock = field(default_factory=asyncio.Lock)
    _reporting: asyncio.Lock = field(default_factory=asyncio.Lock)
    _handing_out: asyncio.Lock = field(default_factory=asyncio.Lock)
    _settling: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def put(self, verdict: PageVerdict) -> asyncio.Future[None]:
        """Have a verdict kept, when there is room in the queue; it is settled when the future is done."""
        settled = asyncio.get_running_loop().create_future()
        await self.queue.put(QueuedVerdict(verdict, settled))
        return settled

    async def run(self) -> None:
        """Keep what comes, until cancelled."""
        async with asyncio.TaskGroup() as group:
            while True:
                await self._room.acquire()
                batch = [await self.queue.get()]
                await self._gather(batch)
                keeping = group.create_task(self._keep(batch))
                keeping.add_done_callback(lambda _: self._room.release())

    async def _keep(self, batch: Sequence[QueuedVerdict]) -> None:
        await self.keep([each.verdict for each in batch])
        for each in batch:
            if not each.settled.done():  # whoever waited may have been cancelled
                each.settled.set_result(None)

    async def keep(self, batch: Sequence[PageVerdict]) -> None:
        """Archive, index, compare, hand out and settle some verdicts; a full disk is waited out, no step made twice."""
        if self.frontier.is_shared:
            batch = await self._without_stale(batch)
        async with self._step("archive", self._archiving, batch):
            places = await self.full_disk.outlasted(partial(self._archive, batch))
        async with self._step("graph", self._indexing, batch):
            await self.full_disk.outlasted(partial(self._note_unsettled, batch))
            refused = await self.full_disk.outlasted(partial(self._index, batch))
        if self.history is not None:
            async with self._step("history", self._comparing, batch):
                await self._compare(self.history, batch, refused)
        if self.reports is not None:
            async with self._step("report", self._reporting, batch):
                pages = reported(batch, places, self.reports.mark)
                await self.full_disk.outlasted(partial(_to_its_end, self.reports.keep, pages))
        if self.sinks:
            async with self._step("output", self._handing_out, batch):
                await self._hand_out(batch)
        settlements = [
            _at(verdict.settlement, place) for verdict, place in zip(batch, places, strict=True)
        ]
        if self.frontier.keeps_fresh:
            changed = [has_changed(verdict) for verdict in batch]
            settlements = [
                each._replace(changed=how) for each, how in zip(settlements, changed, strict=True)
            ]
        async with self._step("settle", self._settling, batch):
            if hidden := [link for verdict in batch for link in verdict.hidden]:
                await self.frontier_thread.do(self.frontier.add_hidden, hidden)
            if self.counts_hidden:
                came = {
                    verdict.settlement.page.url: verdict.has_data
                    for verdict in batch
                    if verdict.settlement.ended is Ended.CONTENT
                }
                await self.frontier_thread.do(self.frontier.count_hidden, came)
            news = self.holdings.news()
            settled = await self.frontier_thread.do(self.frontier.settle, settlements, news)
        if self.unsettled is not None:
            self.unsettled.settle((each.page for each in settlements), settled.stale)
        self.progress.note(batch, settled.stale)
        if self.settled_more is not None:
            await self.settled_more()
        await take_up_rules(self.frontier, self.frontier_thread, self.tell)
        for site, key in self.frontier.newly_over_budget():
            self.tell(SiteOverBudget(site=site, key=key))

    async def _without_stale(self, batch: Sequence[PageVerdict]) -> Sequence[PageVerdict]:
        """Leave out pages whose claims are over, as after a long standstill: other nodes may have brought newer ones."""
        pages = [verdict.settlement.page for verdict in batch]
        stale = await self.frontier_thread.do(self.frontier.stale_among, pages)
        if not stale:
            return batch
        over = {(page.id, page.token) for page in stale}
        return [
            verdict
            for verdict, page in zip(batch, pages, strict=True)
            if (page.id, page.token) not in over
        ]

    async def follow_left_over(self) -> None:
        """Drop what is left over now and then, until cancelled."""
        while True:
            await asyncio.sleep(LEFT_OVER_SECONDS)
            await self.drop_left_over()

    async def drop_left_over(self) -> None:
        """Drop from our own graph what it has of pages that other nodes have settled."""
        if self.unsettled is None or self.graph is None or not self.unsettled.left_over:
            return
        # So that no page comes into the graph anew meanwhile; what fails is done the next time, or when the node starts again.
        async with self._indexing:
            with suppress(GossamerError):
                await self._drop_left_over(self.unsettled, self.graph)

    async def _drop_left_over(self, unsettled: UnsettledPages, graph: Graph) -> None:
        left = unsettled.left_over
        others, over = await self.frontier_thread.do(self.frontier.settled_by_others, left)
        pages = [PageGraphs(page_name(url), b"", b"", drop=True) for url in others.values()]
        if pages:
            await self.full_disk.outlasted(partial(graph.keep, pages))
        unsettled.strike(over | others.keys())

    async def _note_unsettled(self, batch: Sequence[PageVerdict]) -> None:
        if self.unsettled is not None:
            self.unsettled.note(
                each.settlement.page for each in batch if outcome_of(each.settlement) is not None
            )

    @asynccontextmanager
    async def _step(
        self, phase: str, turn: asyncio.Lock, batch: Sequence[PageVerdict]
    ) -> AsyncIterator[None]:
        """Enter a step with a batch: one batch at a time, in the order in which they come."""
        with self.progress.phases.queued(phase, len(batch)):
            async with turn:
                with self.progress.phases.timing(phase, len(batch)):
                    yield

    async def _gather(self, batch: list[QueuedVerdict]) -> None:
        """Wait for more, unless those who could bring more wait for us."""
        deadline = asyncio.get_running_loop().time() + PATIENCE
        size = sum(_size(each.verdict) for each in batch)
        while len(batch) < MOST and size < MOST_BYTES:
            if self.queue.empty():
                left = deadline - asyncio.get_running_loop().time()
                if left <= 0 or self.under_way.is_dry:
                    return
                try:
                    async with asyncio.timeout(min(left, PATIENCE / 10)):
                        waiting = await self.queue.get()
                except TimeoutError:
                    continue
            else:
                waiting = self.queue.get_nowait()
            batch.append(waiting)
            size += _size(waiting.verdict)

    async def _index(self, batch: Sequence[PageVerdict]) -> frozenset[str]:
        """Have the graph hold what pages say; the names of those that it refused."""
        if self.graph is None:
            return frozenset()
        now, changed = self.now(), await self._keep_texts(batch)
        found = (graphs_of(verdict, now, changed) for verdict in batch)
        pages = [page for page in found if page is not None]
        left = await self.graph.keep(pages) if pages else ()
        for refused in left:
            self.tell(NotIndexed(url=refused.url, why=refused.message))
        return frozenset(refused.url for refused in left)

    async def _keep_texts(self, batch: Sequence[PageVerdict]) -> frozenset[str]:
        """Keep the visible texts of pages; the names of those of which the search index is to hear.

        That is before the graph notes whom it hears of: so the text is there when the index asks for it. A
        page whose bytes are others than when it was settled last may have been here before a crash.
        """
        if not (texts := texts_of(batch)):
            return frozenset()
        other = await self.frontier_thread.do(self.frontier.texts.keep, texts)
        settled = (verdict.settlement for verdict in batch)
        fresh = {page_name(each.page.url) for each in settled if each.digest != each.page.digest}
        return other | {name for name in fresh if texts.get(name)}

    async def _compare(
        self,
        history: ChangeHistory,
        batch: Sequence[PageVerdict],
        refused: frozenset[str],
    ) -> None:
        """Have the history keep what pages say now, and what that changes."""
        now = self.now()
        found = (visit_of(verdict, now, refused) for verdict in batch)
        visits = [each for each in found if each is not None]
        run = Run(self.progress.started_at, self.progress.novelty.record())
        if visits:
            note = partial(_to_its_end, partial(history.note, run=run), visits)
            await self.full_disk.outlasted(note)
        if now >= (self._pruned_at or run.started_at) + PRUNE_EVERY:
            self._pruned_at = now
            await self._prune(history, now)

    async def _prune(self, history: ChangeHistory, now: datetime) -> None:
        prune = partial(history.prune, now=now)
        await self.full_disk.outlasted(partial(_to_its_end, prune, self.kept_history))

    async def begin_news(self) -> None:
        """From now on, pages that appear on hosts that were crawled are news."""
        if self.history is not None:
            async with self._comparing:
                begin = partial(_to_its_end, self.history.begin_news, self.now())
                await self.full_disk.outlasted(begin)

    async def end_history(self, *, nothing_left: bool) -> None:
        """Keep the counts of this run, and have what is too old go; where nothing is left, first crawls are over."""
        if self.history is not None:
            history, now = self.history, self.now()
            run = Run(self.progress.started_at, self.progress.novelty.record(), now)
            end = partial(history.end_run, nothing_left=nothing_left)
            await self.full_disk.outlasted(partial(_to_its_end, end, run))
            await self._prune(history, now)

    async def note_listed(self, sitemap: Url, urls: Sequence[Url]) -> None:
        """Keep for reports what a sitemap lists."""
        if self.reports is not None:
            async with self._reporting:
                listed = partial(self.reports.store.lists, sitemap)
                await self.full_disk.outlasted(partial(_to_its_end, listed, urls))

    async def _hand_out(self, batch: Sequence[PageVerdict]) -> None:
        """Hand pages to all sinks; each takes them, or is waited for."""
        lines = await asyncio.to_thread(_lines, batch)
        for sink in self.sinks if lines else ():
            try:
                await self.full_disk.outlasted(partial(sink.write, lines))
            except SinkLostError as error:
                self.sinks = [each for each in self.sinks if each is not sink]
                self.tell(SinkLost(sink=sink.name, message=str(error)))

    async def _archive(self, batch: Sequence[PageVerdict]) -> list[ArchivePlace | None]:
        if self.archive is None:
            return [None] * len(batch)
        exchanges = [
            Exchange(_archivable(verdict, verdict.answer), earlier=_earlier(verdict))
            for verdict in batch
            if verdict.archive and isinstance(verdict.answer, Fetched)
        ]
        try:
            written = iter(await _to_its_end(self.archive.write, exchanges) if exchanges else ())
        finally:
            for news in self.archive.take_news():
                self.tell(news)
        return [
            next(written) if verdict.archive and isinstance(verdict.answer, Fetched) else None
            for verdict in batch
        ]


async def _to_its_end(write: Callable[[Given], Written], given: Given) -> Written:
    """Write in a thread; who is cancelled waits for it, for the file must not be closed under it."""
    writing = asyncio.ensure_future(asyncio.to_thread(write, given))
    try:
        return await asyncio.shield(writing)
    except asyncio.CancelledError:
        await asyncio.gather(writing, return_exceptions=True)
        raise


def _lines(batch: Sequence[PageVerdict]) -> list[bytes]:
    return [line for verdict in batch if (line := page_line(verdict)) is not None]


def _size(verdict: PageVerdict) -> int:
    body = len(verdict.answer.body) if isinstance(verdict.answer, Fetched) else 0
    return body + verdict.said_bytes


def _archivable(verdict: PageVerdict, answer: Fetched) -> Fetched:
    """What of an answer may be archived: of one that nobody read, status and headers alone.

    The HTML of an error or a redirect may ask not to be kept, and nobody knows.
    """
    if verdict.extracted is not None or not answer.body:
        return answer
    return replace(answer, body=b"", body_state=BodyState.SKIPPED)


def _at(settlement: Settlement, place: ArchivePlace | None) -> Settlement:
    # A page that keeps what an earlier visit brought keeps where that is archived.
    if place is None or settlement.archived is not None:
        return settlement
    return settlement._replace(archived=str(place))


def _earlier(verdict: PageVerdict) -> ArchivePlace | None:
    place = verdict.settlement.page.archived
    return None if place is None else ArchivePlace.parse(place)
