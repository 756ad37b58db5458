"""The graph anew from the archive: what pages say, as our readers understand it today.

From each page's settled record. Pages that were not archived keep what they say, with names of schema.org in
the form of today (`index/graph/schema_rewrite.py`), unless the graph that
had them is no more: then what they said is lost until they are asked for again. Nobody is asked
anything over the network.
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, Protocol

from gossamer.archive.exchange import Archived, ArchivePlace
from gossamer.archive.folders import find_file
from gossamer.archive.reading import read_record
from gossamer.config import MIB, Config
from gossamer.crawl.backlog import Backlog
from gossamer.crawl.reader import MOST_BYTES, bodies_of, few_of
from gossamer.crawl.statements import graphs_of, graphs_since
from gossamer.crawl.tdm_files import kept_tdm_file
from gossamer.crawl.verdicts import Judge, PageVerdict
from gossamer.crawl.visits import visit_of
from gossamer.errors import ArchiveError
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import ArchivedPage, Assignment, Ended
from gossamer.frontier.thread import FrontierThread
from gossamer.frontier.walks import ReadAnew
from gossamer.history.store import ChangeHistory
from gossamer.index.graph.pages import PageChanged, PageGraphs
from gossamer.model import Fetched, Url
from gossamer.politeness.robots.record import KeptRules
from gossamer.politeness.usage import UsageStatement, robots_usage
from gossamer.reading.jobs import Extracted, PageJob
from gossamer.reading.page_pool import TransformPool
from gossamer.reading.pool.pool import usable_cores
from gossamer.urls import host_of, origin_of

AT_ONCE: Final = 400  # pages
IN_HAND_BYTES: Final = 64 * MIB  # of bodies
TOGETHER_BYTES: Final = 32 * MIB  # of what pages say that go to the graph together
# A page is settled within seconds of being asked for, or minutes where its contexts, the graph or room
# on the disk are waited for.
SETTLED_WITHIN: Final = timedelta(minutes=10)

Read = tuple[ArchivedPage, PageVerdict | None]


class Graph(Protocol):
    """What is asked of a graph."""

    async def renew(self, pages: Sequence[PageGraphs]) -> tuple[PageChanged, ...]:
        """Have the graph hold this of these pages; how much is other than before."""

    async def unify_schema(self) -> tuple[tuple[PageChanged, ...], int]:
        """Rewrite names of schema.org in some pages; how much that changes, and how many are left."""

    async def flush(self) -> None:
        """Return when all that was replaced before is on the disk."""


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """What came of it."""

    pages: int = 0  # read anew
    changed: int = 0  # pages that say something else now
    added: int = 0  # quads
    removed: int = 0
    unreadable: int = 0  # copies that the archive could not give back, or our limits not read
    lost: int = 0  # pages that had something to say, of which there is no copy and no graph
    rewritten: int = 0  # pages without a copy, whose names of schema.org have the form of today
    aside: str | None = None  # where the graph is that could not be used


@dataclass(slots=True)
class Rebuilding:
    """Reads archived pages anew, batch by batch."""

    config: Config
    frontier: SqlFrontier
    frontier_thread: FrontierThread
    graph: Graph
    archive: Path
    pool: TransformPool
    judge: Judge
    now: Callable[[], datetime]
    differs: Callable[[PageChanged], None]
    unreadable: Callable[[ArchivedPage, ArchiveError], None]
    history: ChangeHistory | None = None  # what pages say is compared with this from now on
    anew: bool = False  # the graph has nothing but what comes from here
    backlog: Backlog = field(default_factory=lambda: Backlog(_in_hand(), IN_HAND_BYTES))
    _rules: KeptRules = field(init=False)

    def __post_init__(self) -> None:
        self._rules = KeptRules(self.config.politeness.agent)

    async def run(self) -> Rebuilt:
        """Read all there is."""
        total, after = Rebuilt(), 0
        while pages := await self.frontier_thread.do(self.frontier.archived, after, AT_ONCE):
            ours = [page for page in pages if self._is_ours(page)]
            async with aclosing(self._lots(ours)) as lots:
                async for lot in lots:
                    total = await self._keep(lot, total)
            after = pages[-1].id
        if self.anew and not self.frontier.is_shared:
            lost = await self.frontier_thread.do(self.frontier.lose_unarchived)
            return replace(total, lost=total.unreadable + lost)
        return total if self.anew else await self._unify(total)

    async def _unify(self, total: Rebuilt) -> Rebuilt:
        """Rewrite what no copy was read for."""
        if self.config.transform.strict or self.config.transform.keep_schemes:
            return total
        left = 1
        while left:
            changed, left = await self.graph.unify_schema()
            await self.graph.flush()
            for each in changed:
                self.differs(each)
            total = replace(
                total,
                rewritten=total.rewritten + len(changed),
                added=total.added + sum(each.added for each in changed),
                removed=total.removed + sum(each.removed for each in changed),
            )
        return total

    def _is_ours(self, page: ArchivedPage) -> bool:
        """Whether it is in our archive; other nodes of a crawl have archives of their own."""
        file = ArchivePlace.parse(page.archived).file
        return not self.frontier.is_shared or find_file(self.archive, file) is not None

    async def _lots(self, pages: Sequence[ArchivedPage]) -> AsyncGenerator[list[Read], None]:
        """Pages as they are read, all together unless they say too much for that.

        While a lot is kept, no more are begun than are in hand.
        """
        waiting, reading = deque(pages), set[asyncio.Task[Read]]()
        lot, size = list[Read](), 0
        try:
            while waiting or reading:
                while waiting and len(reading) < _in_hand():
                    reading.add(asyncio.create_task(self._read(waiting.popleft())))
                done, reading = await asyncio.wait(reading, return_when="FIRST_COMPLETED")
                found = [task.result() for task in done]
                lot += found
                size += sum(verdict.said_bytes for _, verdict in found if verdict is not None)
                if size >= TOGETHER_BYTES:
                    yield lot
                    lot, size = [], 0
        finally:
            for task in reading:
                task.cancel()
            await asyncio.gather(*reading, return_exceptions=True)
        if lot:
            yield lot

    async def _keep(self, lot: Sequence[Read], total: Rebuilt) -> Rebuilt:
        read = [(page, verdict) for page, verdict in lot if verdict is not None]
        read.sort(key=lambda each: each[0].id)  # people are told in the same order each time
        graphs = [
            graphs_since(verdict, page)
            if _is_of_an_earlier_visit(page, verdict)
            else graphs_of(verdict, self.now())
            for page, verdict in read
        ]
        changed = await self.graph.renew([each for each in graphs if each is not None])
        await self.graph.flush()
        await self.frontier_thread.do(
            self.frontier.read_anew,
            [
                ReadAnew(page.id, settled.quads, settled.problems, settled.said, settled.shown)
                for page, settled in ((page, verdict.settlement) for page, verdict in read)
            ],
        )
        if self.history is not None:
            visits = [
                replace(visit, at=page.settled_at, was_known=True, archived=page.archived)
                for page, verdict in read
                if (visit := visit_of(verdict, None, page.settled_at)) is not None
            ]
            await asyncio.to_thread(self.history.replace_states, visits)
        if self.anew:
            without = [page.id for page, verdict in lot if verdict is None]
            await self.frontier_thread.do(self.frontier.drop_unreadable, without)
        for each in changed:
            self.differs(each)
        return replace(
            total,
            pages=total.pages + len(read),
            changed=total.changed + len(changed),
            added=total.added + sum(each.added for each in changed),
            removed=total.removed + sum(each.removed for each in changed),
            unreadable=total.unreadable + len(lot) - len(read),
        )

    async def _read(self, page: ArchivedPage) -> Read:
        await self.backlog.acquire()
        try:
            record = await asyncio.to_thread(
                read_record, self.archive, ArchivePlace.parse(page.archived)
            )
        except ArchiveError as error:
            self.backlog.release()
            self.unreadable(page, error)
            return page, None
        self.backlog.fill(len(record.body))
        try:
            verdict = await self._judged(page, record)
        finally:
            self.backlog.empty(len(record.body))
        if verdict.settlement.ended is Ended.CONTENT:
            return page, verdict
        self.unreadable(page, ArchiveError(verdict.settlement.why or "It is no content."))
        return page, None

    async def _judged(self, page: ArchivedPage, record: Archived) -> PageVerdict:
        job = PageJob(
            page.url,
            record.body,
            record.header("content-type"),
            record.content_encoding,
            options=self.config.transform,
            max_decoded_bytes=self.config.fetch.max_decoded_bytes,
            hashes=True,
        )
        extracted = await self._extracted(job)
        usage = await self._site_usage(page.url)
        fetched = _fetched(record)
        verdict = self.judge.answered(_assignment(page), fetched, extracted, self.now(), usage)
        # Nobody needs the body any more; the verdict waits for those of some hundred others.
        return replace(verdict, answer=replace(fetched, body=b""))

    async def _site_usage(self, url: Url) -> tuple[UsageStatement, ...]:
        """What the site said last about the use of a page, in robots.txt and tdmrep.json."""
        origin = origin_of(url)
        file = await self.frontier_thread.do(kept_tdm_file, self.frontier.facts, origin)
        record = await self.frontier_thread.do(self.frontier.robots.of, origin)
        if record is None:
            return file.usage_of(url)
        policy = self._rules.of(record, self.now()).policy
        return robots_usage(policy.content_usage_for(url)) + file.usage_of(url)

    async def _extracted(self, job: PageJob) -> Extracted:
        """What a page says, with the contexts that were fetched for it when it was crawled."""
        extracted = await self.pool.run(job)
        wants = {problem.wants for problem in extracted.problems if problem.wants is not None}
        if not wants:
            return extracted
        contexts = self.frontier.contexts
        found = bodies_of(await self.frontier_thread.do(contexts.those, few_of(wants), MOST_BYTES))
        return await self.pool.run(replace(job, contexts=found)) if found else extracted


def _in_hand() -> int:
    """How many pages keep all workers busy: one with each, and some on their way to it."""
    return 4 * usable_cores()


def _is_of_an_earlier_visit(page: ArchivedPage, verdict: PageVerdict) -> bool:
    """Whether the last visit brought no content, or the very bytes that the archive had."""
    if page.was_visited_since or verdict.answer is None:
        return page.was_visited_since
    return page.settled_at - verdict.answer.started_at > SETTLED_WITHIN


def _assignment(page: ArchivedPage) -> Assignment:
    return Assignment(page.id, host_of(page.url), 0, page.url, 0, 0, seed=False, attempts=0)


def _fetched(record: Archived) -> Fetched:
    """The answer as it was; of its times only the first was kept."""
    return Fetched(
        record.url,
        record.status,
        record.headers,
        record.body,
        record.body_state,
        record.http_version,
        record.address,
        record.at,
        record.at,
        record.at,
    )
