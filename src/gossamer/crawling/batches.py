"""Keeping what pages brought: archive, then graph, then frontier, for many pages at once.

A page is settled last, so that whatever dies before leaves it to be fetched again, and nothing
that was settled is missing anywhere. Batches follow each other like wagons: while one is settled,
the next is in the graph's process, and the one after it is being written to the archive.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final, Protocol

from gossamer.config import MIB
from gossamer.crawling.clerk import Clerk
from gossamer.crawling.full_disk import FullDisk
from gossamer.crawling.holding import Holdings
from gossamer.crawling.phases import Phases
from gossamer.crawling.verdicts import Verdict
from gossamer.events import NotIndexed
from gossamer.fetch.archive.exchange import Exchange
from gossamer.fetch.archive.place import ArchivePlace
from gossamer.fetch.archive.writer import Archive
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import Settled, Settlement
from gossamer.index.pages import PageGraphs, PageRefused
from gossamer.log import Sink
from gossamer.model import BodyState, Fetched

MOST: Final = 200  # pages in a batch: what is kept at the end waits for three of them
MOST_BYTES: Final = 32 * MIB  # in a batch, of bodies and what they say: each step has it at once
PATIENCE: Final = 0.25  # seconds that a page waits for others
UNDER_WAY: Final = 3  # batches: one in each step


class Graph(Protocol):
    """Where quads go."""

    async def keep(self, pages: Sequence[PageGraphs]) -> tuple[PageRefused, ...]:
        """Have the graph hold this of these pages, on the disk; the pages that it refused."""


@dataclass(slots=True)
class Batches:
    """Gathers verdicts and keeps them. `put` waits where too many are waiting already."""

    frontier: SqlFrontier
    clerk: Clerk
    holdings: Holdings
    graph: Graph | None
    archive: Archive | None
    graphs_of: Callable[[Verdict], PageGraphs | None]
    kept: Callable[[Sequence[Verdict], Settled], None]
    full_disk: FullDisk
    tell: Sink
    queue: asyncio.Queue[Verdict] = field(default_factory=lambda: asyncio.Queue(2 * MOST))
    dry: Callable[[], bool] = lambda: False  # nothing more is to come before these are settled
    phases: Phases = field(default_factory=Phases)
    _room: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(UNDER_WAY))
    # Whoever waits for a lock first has it first: no batch overtakes another.
    _archiving: asyncio.Lock = field(default_factory=asyncio.Lock)
    _indexing: asyncio.Lock = field(default_factory=asyncio.Lock)
    _settling: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def run(self) -> None:
        """Keep what comes, until cancelled."""
        async with asyncio.TaskGroup() as group:
            while True:
                await self._room.acquire()
                batch = [await self.queue.get()]
                await self._gather(batch)
                keeping = group.create_task(self.keep(batch))
                keeping.add_done_callback(lambda _: self._room.release())

    async def keep(self, batch: Sequence[Verdict]) -> None:
        """Keep some verdicts; a full disk is waited out, and no step made twice."""
        async with self._step("archive", self._archiving, batch):
            places = await self.full_disk.outlasted(partial(self._archive, batch))
        async with self._step("graph", self._indexing, batch):
            await self.full_disk.outlasted(partial(self._index, batch))
        settlements = [
            _at(verdict.settlement, place) for verdict, place in zip(batch, places, strict=True)
        ]
        async with self._step("settle", self._settling, batch):
            news = self.holdings.news()
            settled = await self.clerk.do(self.frontier.settle, settlements, news)
        self.kept(batch, settled)

    @asynccontextmanager
    async def _step(
        self, phase: str, turn: asyncio.Lock, batch: Sequence[Verdict]
    ) -> AsyncIterator[None]:
        """One batch at a time, in the order in which they come."""
        with self.phases.queued(phase, len(batch)):
            async with turn:
                with self.phases.timing(phase, len(batch)):
                    yield

    async def _gather(self, batch: list[Verdict]) -> None:
        """Wait for more, unless those who could bring more wait for us."""
        deadline = asyncio.get_running_loop().time() + PATIENCE
        size = sum(map(_size, batch))
        while len(batch) < MOST and size < MOST_BYTES:
            if self.queue.empty():
                left = deadline - asyncio.get_running_loop().time()
                if left <= 0 or self.dry():
                    return
                try:
                    async with asyncio.timeout(min(left, PATIENCE / 10)):
                        verdict = await self.queue.get()
                except TimeoutError:
                    continue
            else:
                verdict = self.queue.get_nowait()
            batch.append(verdict)
            size += _size(verdict)

    async def _index(self, batch: Sequence[Verdict]) -> None:
        if self.graph is None:
            return
        pages = [page for verdict in batch if (page := self.graphs_of(verdict)) is not None]
        for refused in await self.graph.keep(pages) if pages else ():
            self.tell(NotIndexed(url=refused.url, why=refused.message))

    async def _archive(self, batch: Sequence[Verdict]) -> list[ArchivePlace | None]:
        if self.archive is None:
            return [None] * len(batch)
        exchanges = [
            Exchange(_archivable(verdict, verdict.answer), earlier=_earlier(verdict))
            for verdict in batch
            if verdict.archive and isinstance(verdict.answer, Fetched)
        ]
        written = iter(await _to_its_end(self.archive.write, exchanges) if exchanges else ())
        return [
            next(written) if verdict.archive and isinstance(verdict.answer, Fetched) else None
            for verdict in batch
        ]


async def _to_its_end(
    write: Callable[[Sequence[Exchange]], list[ArchivePlace]], exchanges: Sequence[Exchange]
) -> list[ArchivePlace]:
    """Write in a thread; who is cancelled waits for it, for the file must not be closed under it."""
    writing = asyncio.ensure_future(asyncio.to_thread(write, exchanges))
    try:
        return await asyncio.shield(writing)
    except asyncio.CancelledError:
        await asyncio.gather(writing, return_exceptions=True)
        raise


def _size(verdict: Verdict) -> int:
    body = len(verdict.answer.body) if isinstance(verdict.answer, Fetched) else 0
    return body + verdict.said_bytes


def _archivable(verdict: Verdict, answer: Fetched) -> Fetched:
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


def _earlier(verdict: Verdict) -> ArchivePlace | None:
    place = verdict.settlement.page.archived
    return None if place is None else ArchivePlace.parse(place)
