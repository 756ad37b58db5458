"""Archived pages, read again with today's readers: what each said when it was fetched. Nobody is asked anything."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Final

from gossamer.archive.exchange import Archived, ArchivePlace
from gossamer.archive.reading import read_record
from gossamer.config import MIB, Config
from gossamer.crawl.backlog import Backlog
from gossamer.crawl.reader import MOST_BYTES, bodies_of, few_of, text_wanted
from gossamer.crawl.site_files import LICENCE, TDM_FILE, kept_file, tdm_file_of
from gossamer.crawl.verdicts import Judge, PageVerdict
from gossamer.errors import ArchiveError
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import ArchivedPage, Assignment, Ended
from gossamer.frontier.thread import FrontierThread
from gossamer.model import BodyState, Fetched, Refusal, Url
from gossamer.politeness.robots.record import KeptRules
from gossamer.politeness.usage import UsageStatement, robots_usage
from gossamer.reading.jobs import Extracted, PageJob
from gossamer.reading.page_pool import TransformPool
from gossamer.reading.pool.pool import usable_cores
from gossamer.urls import canonical, host_of, origin_of

IN_HAND_BYTES: Final = 64 * MIB  # of bodies
TOGETHER_BYTES: Final = 32 * MIB  # of what pages say that are taken up together
ReadPage = tuple[ArchivedPage, PageVerdict | None]


def _in_hand() -> int:
    """How many pages keep all workers busy: one with each, and some on their way to it."""
    return 4 * usable_cores()


@dataclass(slots=True, kw_only=True)
class ArchivedPages:
    """Reads archived pages in worker processes, several at once."""

    config: Config
    frontier: SqlFrontier
    frontier_thread: FrontierThread
    archive: Path
    pool: TransformPool
    judge: Judge
    now: Callable[[], datetime]
    unreadable: Callable[[ArchivedPage, ArchiveError], None]
    backlog: Backlog = field(default_factory=lambda: Backlog(_in_hand(), IN_HAND_BYTES))
    _rules: KeptRules = field(init=False)

    def __post_init__(self) -> None:
        self._rules = KeptRules(self.config.politeness.agent)

    async def lots(self, pages: Sequence[ArchivedPage]) -> AsyncGenerator[list[ReadPage], None]:
        """Pages as they are read, all together unless they say too much for that.

        While a lot is kept, no more are begun than are in hand.
        """
        waiting, reading = deque(pages), set[asyncio.Task[ReadPage]]()
        lot, size = list[ReadPage](), 0
        try:
            while waiting or reading:
                while waiting and len(reading) < _in_hand():
                    reading.add(asyncio.create_task(self.read(waiting.popleft())))
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

    async def read(self, page: ArchivedPage) -> ReadPage:
        """Read a page again; no verdict where its copy is lost, or no content by our limits."""
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
            text=text_wanted(self.config),
            is_part=record.body_state is BodyState.CUT,
            takes_part=self.config.fetch.too_large == "first",
        )
        extracted = await self._extracted(job)
        usage = await self._site_usage(page.url)
        fetched = _fetched(page.url, record)
        verdict = self.judge.answered(_assignment(page), fetched, extracted, self.now(), usage)
        # Nobody needs the body any more; the verdict waits for those of some hundred others.
        return replace(verdict, answer=replace(fetched, body=b""))

    async def _site_usage(self, url: Url) -> tuple[UsageStatement, ...]:
        """What the site said last about the use of a page, in robots.txt, tdmrep.json and its licences."""
        do, facts = self.frontier_thread.do, self.frontier.facts
        said = (await do(kept_file, facts, TDM_FILE, tdm_file_of(url))).usage_of(url)
        record = await do(self.frontier.robots.of, origin_of(url))
        if record is None:
            return said
        policy = self._rules.of(record, self.now()).policy
        for written in policy.licenses:
            if not isinstance(licence := canonical(written, Url(origin_of(url) + "/")), Refusal):
                said += (await do(kept_file, facts, LICENCE, licence)).usage_of(url)
        return robots_usage(policy.usage_of(url)) + said

    async def _extracted(self, job: PageJob) -> Extracted:
        """What a page says, with the contexts that were fetched for it when it was crawled."""
        extracted = await self.pool.run(job)
        wants = {problem.wants for problem in extracted.problems if problem.wants is not None}
        if not wants:
            return extracted
        contexts = self.frontier.contexts
        found = bodies_of(await self.frontier_thread.do(contexts.those, few_of(wants), MOST_BYTES))
        return await self.pool.run(replace(job, contexts=found)) if found else extracted


def _assignment(page: ArchivedPage) -> Assignment:
    return Assignment(page.id, host_of(page.url), 0, page.url, 0, 0, seed=False, attempts=0)


def _fetched(url: Url, record: Archived) -> Fetched:
    """The answer as it was, though another page may have had it first; of its times only the first was kept."""
    return Fetched(
        url,
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
