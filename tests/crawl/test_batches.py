import asyncio
import gzip
import threading
from collections.abc import Sequence
from contextlib import closing
from dataclasses import fields
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from tests.crawl.cases import answered, assignment, extracted
from tests.crawl.crawls import PATIENCE, NotedBatches, hurried, reaching
from tests.crawl.sites import Pages, Sent, Site, crawled_site, on_site, served
from tests.slowness import patience
from warcio.archiveiterator import ArchiveIterator

from gossamer.archive.exchange import ArchivePlace, Exchange
from gossamer.archive.writer import Archive
from gossamer.config import KeptHistory
from gossamer.crawl import batches
from gossamer.crawl.batches import MOST, Batches, QueuedVerdict
from gossamer.crawl.build import open_crawl
from gossamer.crawl.handle import CrawlHandle
from gossamer.crawl.verdicts import PageVerdict
from gossamer.events import Event
from gossamer.folder.data import DataFolder
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.postgres import PostgresStore
from gossamer.frontier.protocol import Ended
from gossamer.frontier.store import Transaction
from gossamer.history.finding import Run
from gossamer.history.visit import PageVisit
from gossamer.index.graph.pages import PageGraphs, PageRefused
from gossamer.model import Url

SEED = Url("http://a.test/")
TITLED = "<title>One</title>"


def archived(folder: Path) -> list[str]:
    """The URLs of the responses in the archive."""
    found: list[str] = []
    for file in sorted((folder / "archive").glob("*.warc.gz")):
        with file.open("rb") as stream:
            responses = (each for each in ArchiveIterator(stream) if each.rec_type == "response")
            found.extend(each.rec_headers.get_header("WARC-Target-URI") for each in responses)
    return found


class Watched:
    """A graph that notes what was settled by the time it hears of a page."""

    def __init__(self, running: CrawlHandle) -> None:
        self._running = running
        self.seen: list[tuple[str, int, bool]] = []

    async def keep(self, pages: Sequence[PageGraphs]) -> tuple[PageRefused, ...]:
        """Keep pages."""
        counts = self._running.frontier.counts()
        for page in pages:
            in_archive = page.url in archived(self._running.data.path)
            self.seen.append((page.url, counts.ended.get(Ended.CONTENT, 0), in_archive))
        return await self._running.graph.keep(pages)


def test_the_archive_comes_before_the_graph_and_the_graph_before_the_frontier(
    tmp_path: Path,
) -> None:
    async def work(running: CrawlHandle, _: Site) -> list[tuple[str, int, bool]]:
        running.crawl.batches.graph = watched = Watched(running)
        await running.crawl.run()
        assert running.frontier.counts().ended[Ended.CONTENT] == 1
        return watched.seen

    assert on_site(tmp_path, {SEED: TITLED}, work, seeds=[SEED]) == [(SEED, 0, True)]


class WatchedHistory:
    """A history that notes what the graph and the frontier had by the time it hears of a page."""

    def __init__(self, running: CrawlHandle, graph: Watched) -> None:
        self._running, self._graph = running, graph
        self.seen: list[tuple[str, int, int]] = []

    def note(self, visits: Sequence[PageVisit], run: Run | None = None) -> int:
        """Take note."""
        settled = self._running.frontier.counts().ended.get(Ended.CONTENT, 0)
        self.seen += ((visit.url, len(self._graph.seen), settled) for visit in visits)
        raise OSError("the process dies here")

    def end_run(self, run: Run, *, nothing_left: bool) -> None:
        """Do nothing."""

    def prune(self, kept: KeptHistory, now: datetime) -> int:
        """Do nothing."""
        return 0


def test_the_history_comes_after_the_graph_and_before_the_frontier(tmp_path: Path) -> None:
    async def work(running: CrawlHandle, _: Site) -> list[tuple[str, int, int]]:
        batches = running.crawl.batches
        batches.graph = graph = Watched(running)
        watched: Any = WatchedHistory(running, graph)
        batches.history = watched
        with pytest.raises(BaseExceptionGroup):
            await running.crawl.run()
        assert running.frontier.counts().ended.get(Ended.CONTENT, 0) == 0
        seen: list[tuple[str, int, int]] = watched.seen
        return seen

    assert on_site(tmp_path, {SEED: TITLED}, work, seeds=[SEED]) == [(SEED, 1, 0)]


class Slow:
    """An archive that takes its time, and notes when it is done."""

    def __init__(self, archive: Archive | None) -> None:
        assert archive is not None
        self._archive = archive
        self.begun, self.go_on = threading.Event(), threading.Event()
        self.written: list[ArchivePlace] = []

    def write(self, exchanges: Sequence[Exchange]) -> list[ArchivePlace]:
        """Keep a batch, when we are told to."""
        self.begun.set()
        assert self.go_on.wait(patience(60))
        self.written = self._archive.write(exchanges)
        return self.written

    def take_news(self) -> list[Event]:
        """What the archive itself has to tell."""
        return self._archive.take_news()


def test_what_is_being_written_is_written_to_its_end_by_who_is_cancelled(tmp_path: Path) -> None:
    async def work(running: CrawlHandle, _: Site) -> list[ArchivePlace]:
        batches = running.crawl.batches
        slow: Any = Slow(batches.archive)
        batches.archive = slow
        verdict = running.crawl.judge.answered(
            assignment(SEED), answered(url=SEED), extracted(), running.crawl.now()
        )
        keeping = asyncio.create_task(batches.keep([verdict]))
        await asyncio.to_thread(slow.begun.wait, patience(60))
        assert batches.progress.phases.queues == {"archive": 1}
        keeping.cancel()
        await asyncio.sleep(0.01)
        assert not keeping.done()
        slow.go_on.set()
        with pytest.raises(asyncio.CancelledError):
            await keeping
        assert not batches.progress.phases.queues.total()
        written: list[ArchivePlace] = slow.written
        return written

    assert len(on_site(tmp_path, {}, work, seeds=[SEED])) == 1


def test_a_page_that_asks_for_it_is_kept_out_of_the_archive_alone(tmp_path: Path) -> None:
    private = Sent(TITLED, headers={"X-Robots-Tag": "noarchive"})
    pages: Pages = {SEED: '<title>One</title><a href="/x">x</a>', "http://a.test/x": private}
    found, _ = crawled_site(tmp_path, pages, [SEED])
    assert archived(tmp_path) == [SEED]
    assert b"<http://a.test/x>" in found.nquads
    assert found.pages[Url("http://a.test/x")].archived is None
    assert found.pages[SEED].archived is not None


def everything_archived(folder: Path) -> bytes:
    files = sorted((folder / "archive").glob("*.warc.gz"))
    return b"".join(gzip.decompress(file.read_bytes()) for file in files)


@pytest.mark.parametrize("status", [301, 404, 500])
def test_what_nobody_read_is_archived_without_its_body_which_may_ask_for_that(
    tmp_path: Path, status: int
) -> None:
    asks = '<meta name="robots" content="noarchive"><p>private words</p>'
    answer = Sent(asks, status, {"Location": "/x", "X-Said": "in public"})
    crawled_site(tmp_path, {SEED: answer, "http://a.test/x": TITLED}, [SEED])
    assert SEED in archived(tmp_path)
    kept = everything_archived(tmp_path)
    assert b"in public" in kept
    assert b"WARC-Truncated: unspecified" in kept
    assert b"private words" not in kept


def test_what_comes_together_is_kept_together_up_to_a_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batches, "PATIENCE", 5)  # on a busy machine pages come slowly
    links = "".join(f'<a href="/{number}">x</a>' for number in range(MOST + 50))
    sizes: list[int] = []

    def answer(url: str, _: object) -> Sent | None:
        if url.endswith("/robots.txt"):
            return None
        return Sent(links if url == SEED else "<p>")

    async def work(running: CrawlHandle, _: Site) -> int:
        crawl = running.crawl
        crawl.batches = NotedBatches(crawl.batches, lambda batch: sizes.append(len(batch)))
        await running.crawl.run()
        return running.frontier.counts().ended[Ended.CONTENT]

    assert on_site(tmp_path, answer, work, seeds=[SEED]) == MOST + 51
    assert sum(sizes) == MOST + 51
    assert max(sizes) <= MOST
    assert len(sizes) < MOST / 2


def test_verdicts_that_nobody_follows_up_do_not_wait_for_others(tmp_path: Path) -> None:
    async def work(running: CrawlHandle, _: Site) -> bool:
        batches = running.crawl.batches
        batch: list[QueuedVerdict] = []
        gathering = asyncio.create_task(batches._gather(batch))
        await asyncio.sleep(0)
        return gathering.done()

    assert on_site(tmp_path, {}, work)


class Thawed(Batches):
    """Batches of a node whose claims are over once, as after a standstill."""

    def __init__(self, batches: Batches) -> None:
        super().__init__(**{each.name: getattr(batches, each.name) for each in fields(batches)})
        self.lapsed = 0

    async def keep(self, batch: Sequence[PageVerdict]) -> None:
        """Keep some verdicts; of the first, no claim is left."""
        if not self.lapsed:
            self.lapsed = len(batch)
            await self.frontier_thread.do(self.frontier.store.transact, _end_claims)
        await super().keep(batch)


def _end_claims(txn: Transaction) -> None:
    txn.rows("UPDATE claims SET until = 0 RETURNING token")


def test_a_node_that_stood_still_keeps_nothing_that_others_may_have_by_now(
    tmp_path: Path, database: str
) -> None:
    async def run() -> tuple[list[str], list[str]]:
        async with served({SEED: TITLED}) as site, asyncio.timeout(PATIENCE):
            config, data = reaching(hurried(), site.address), DataFolder(tmp_path)
            with closing(PostgresStore(database)) as store, data.owned():
                frontier = SqlFrontier(store, "test", config.politeness)
                async with open_crawl(data, config, frontier, [SEED], lambda _: None) as running:
                    running.crawl.batches = thawed = Thawed(running.crawl.batches)
                    thawed.graph = watched = Watched(running)
                    await running.crawl.run()
                    assert thawed.lapsed == 1
                    assert frontier.counts().ended[Ended.CONTENT] == 1
            return site.pages_asked, [url for url, _, _ in watched.seen]

    asked, graphs = asyncio.run(run())
    assert asked == [SEED, SEED]  # once more, since the claim of the first was over
    assert graphs == archived(tmp_path) == [SEED]
