"""Crawls of a world on loopback, within the test's own process, and what they came to."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, fields, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from tests.slowness import patience

from gossamer.config import Config, Crawl, Fetch, Politeness, Scope, Sitemaps
from gossamer.crawl.batches import Batches
from gossamer.crawl.build import open_crawl
from gossamer.crawl.handle import CrawlHandle
from gossamer.crawl.progress import Summary
from gossamer.crawl.reader import PageReader
from gossamer.crawl.run_limits import limits_of
from gossamer.crawl.verdicts import PageVerdict
from gossamer.events import Event
from gossamer.folder.data import DataFolder
from gossamer.frontier.endings import Ending
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import Counts, PageState
from gossamer.frontier.sqlite import SqliteStore
from gossamer.index.graph.query import GraphExport
from gossamer.model import Fetched, Url
from gossamer.reading.jobs import Extracted

NOTHING = timedelta(0)
PATIENCE = patience(100)  # seconds; a crawl that takes longer hangs


def hurried(
    *,
    delay: float = 0,
    scope: str = "any",
    sitemaps: bool = False,
    fetch: Fetch | None = None,
    crawl: Crawl | None = None,
    **politeness: Any,
) -> Config:
    """A configuration that wastes no time of a test."""
    kind: Any = scope
    manners = {
        "backoff_first": timedelta(milliseconds=100),
        "contact": "me@example.org",
        "slowness": 0,  # on a busy machine everybody answers slowly
    }
    return Config(
        politeness=Politeness(delay=timedelta(seconds=delay), **{**manners, **politeness}),
        scope=Scope(kind=kind),
        sitemaps=Sitemaps(use=sitemaps),
        fetch=fetch or Fetch(),
        crawl=crawl or Crawl(workers=1),
    )


def reaching(config: Config, address: str) -> Config:
    """The configuration for whom all hosts of `.test` are at one address."""
    return replace(config, fetch=replace(config.fetch, connect_to=(f"*.test={address}",)))


class Dawdling(PageReader):
    """A reader that takes its time, a different one for each page."""

    def __init__(self, reader: PageReader, chance: random.Random) -> None:
        super().__init__(reader.config, reader.pool, reader.contexts)
        self._chance = chance

    async def read(self, fetched: Fetched) -> Extracted | None:
        """What the answer says, some moments later."""
        await asyncio.sleep(self._chance.choice([0, 0, 0.01, 0.1]))
        return await super().read(fetched)


class NotedBatches(Batches):
    """Batches of which somebody hears when they are settled, before those who wait for their pages."""

    def __init__(self, batches: Batches, note: Callable[[Sequence[PageVerdict]], None]) -> None:
        super().__init__(**{each.name: getattr(batches, each.name) for each in fields(batches)})
        self._note = note

    async def keep(self, batch: Sequence[PageVerdict]) -> None:
        """Keep some verdicts, and tell of them."""
        await super().keep(batch)
        self._note(batch)


class PausedBatches(Batches):
    """Batches of which the first is settled at once, and the others when something has happened."""

    def __init__(self, batches: Batches, happened: asyncio.Event) -> None:
        super().__init__(**{each.name: getattr(batches, each.name) for each in fields(batches)})
        self._happened = happened
        self._is_first = True

    async def keep(self, batch: Sequence[PageVerdict]) -> None:
        """Keep some verdicts, when it is time."""
        if not self._is_first:
            await self._happened.wait()
        self._is_first = False
        await super().keep(batch)


@dataclass(frozen=True)
class Crawled:
    """All that a crawl leaves behind."""

    ended: Ending
    summary: Summary
    counts: Counts
    refusals: Mapping[str, int]
    pages: Mapping[Url, PageState]
    refused_links: Mapping[Url, str]
    nquads: bytes
    events: Sequence[Event]


@asynccontextmanager
async def opened(
    folder: Path, config: Config, seeds: Sequence[str] = (), *, events: list[Event] | None = None
) -> AsyncIterator[CrawlHandle]:
    """A crawl in a folder, ready to run."""
    data = DataFolder(folder)
    told = events if events is not None else []
    with data.owned(), closing(SqliteStore(data.frontier_file)) as store:
        frontier = SqlFrontier(store, "test", config.politeness, budget=config.budget)
        frontier.take_over()
        frontier.set_limits(limits_of(config))
        urls = [Url(seed) for seed in seeds]
        async with open_crawl(data, config, frontier, urls, told.append) as running:
            yield running


def crawled(
    folder: Path, config: Config, seeds: Sequence[str] = (), *, timings: int | None = None
) -> Crawled:
    """Crawl to the end. `timings` seeds the moments that pages take to be read."""
    return asyncio.run(_crawled(folder, config, seeds, timings))


async def _crawled(
    folder: Path, config: Config, seeds: Sequence[str], timings: int | None
) -> Crawled:
    events: list[Event] = []
    async with opened(folder, config, seeds, events=events) as running:
        if timings is not None:
            running.crawl.reader = Dawdling(running.crawl.reader, random.Random(timings))
        async with asyncio.timeout(PATIENCE):
            ended = await running.crawl.run()
        return await left_behind(running, ended, events)


async def left_behind(running: CrawlHandle, ended: Ending, events: Sequence[Event]) -> Crawled:
    """What there is to see when a crawl has ended."""
    do, frontier = running.frontier_thread.do, running.frontier
    known, links = await do(_everything, running.data.frontier_file)
    pages, rules = await do(_looked_up, frontier, known, links)
    return Crawled(
        ended=ended,
        summary=await running.summary(ended),
        counts=await do(frontier.counts),
        refusals=await do(frontier.refusals),
        pages=pages,
        refused_links=rules,
        nquads=await running.graph.export(GraphExport("nquads")).read(),
        events=events,
    )


def _everything(file: Path) -> tuple[list[Url], list[Url]]:
    """Every URL that the frontier knows, and every one that was refused as a link."""
    with closing(SqliteStore(file)) as store:
        pages = store.read(lambda txn: txn.rows("SELECT url FROM pages"))
        links = store.read(lambda txn: txn.rows("SELECT url FROM refusals"))
    return [Url(url) for (url,) in pages], [Url(url) for (url,) in links]


def _looked_up(
    frontier: SqlFrontier, known: Sequence[Url], links: Sequence[Url]
) -> tuple[dict[Url, PageState], dict[Url, str]]:
    pages = {url: page for url in known if (page := frontier.page(url)) is not None}
    rules = {url: rule for url in links if (rule := frontier.refusal(url)) is not None}
    return pages, rules
