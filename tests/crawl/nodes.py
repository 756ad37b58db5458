"""Crawls of many nodes on the demo web, and what they leave behind together."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.crawl.commands import CrawlCommand, until
from tests.crawl.comparing import Case, Result
from tests.crawl.crawls import Crawled
from tests.crawl.door import Door
from tests.slowness import patience

from gossamer.config import Politeness
from gossamer.crawl.progress import Summary
from gossamer.demo.process import DemoServer
from gossamer.demo.world import World
from gossamer.frontier.endings import Ending, EndKind
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.postgres import PostgresStore
from gossamer.index.graph.client import GraphProcess
from gossamer.index.graph.query import GraphExport
from gossamer.model import Url

WORLD = World(seed=9, pages=60, hosts=7, crawl_delay=0.05)
CASE = Case(WORLD, (WORLD.front(0),), delay=0.03, concurrency=2)

SMALL_WORLD = World(seed=9, pages=24, hosts=5, crawl_delay=0.02)
SMALL_CASE = replace(CASE, world=SMALL_WORLD, seeds=(SMALL_WORLD.front(0),))

LOCAL_GRAPH = ("--local-graph",)


def order(
    case: Case,
    server: DemoServer | Door,
    address: str,
    *more: str,
    graph: tuple[str, ...] = LOCAL_GRAPH,
) -> tuple[str, ...]:
    """The command that every node is given."""
    config = [word for each in _settings(case) for word in ("--config", each)]
    reach = ("--connect-to", server.connect_to, "--agent-contact", "me@a.test")
    shared = ("--frontier", address, *graph)
    manners = ("--scope", case.scope, "--delay", str(case.delay), "--workers", "1")
    return (*case.seeds, *manners, *config, *reach, *shared, *more)


def _settings(case: Case) -> Iterator[str]:
    yield "politeness.backoff_first=0.1"
    yield "politeness.slowness=0"  # those that are held back are no reason to be slow afterwards
    yield f"fetch.first_byte_timeout={patience(100)}"  # some are held back until others are there
    yield f"fetch.total_timeout={patience(100)}"
    yield f"crawl.concurrency={case.concurrency}"
    yield f"sitemaps.use={str(case.rules.sitemaps).lower()}"
    yield f"politeness.honour_nofollow={str(case.rules.honour_nofollow).lower()}"
    yield f"politeness.robots_forbidden_closes={str(case.rules.forbidden_closes).lower()}"
    if case.depth is not None:
        yield f"crawl.depth={case.depth}"
    if case.rules.max_links is not None:
        yield f"crawl.links_per_page={case.rules.max_links}"


@contextmanager
def demo(case: Case, folder: Path) -> Iterator[DemoServer]:
    with DemoServer(case.world, folder / "access.log") as server:
        yield server


@contextmanager
def nodes(folders: Sequence[Path], *arguments: str) -> Iterator[list[CrawlCommand]]:
    with ExitStack() as life:
        yield [life.enter_context(CrawlCommand(folder, *arguments)) for folder in folders]


def folders(tmp_path: Path, count: int) -> list[Path]:
    return [tmp_path / f"node{number}" for number in range(count)]


def ended(crawls: Sequence[CrawlCommand]) -> list[dict[str, Any]]:
    return [crawl.summary() for crawl in crawls]


def result(
    case: Case, server: DemoServer, address: str, data: Sequence[Path], summary: dict[str, Any]
) -> Result:
    """What all of them found, beside what there is."""
    with closing(PostgresStore(address)) as store:
        frontier = SqlFrontier(store, "test", Politeness())
        pages = store.read(lambda txn: txn.rows("SELECT url FROM pages"))
        links = store.read(lambda txn: txn.rows("SELECT url FROM refusals"))
        known = {Url(url): frontier.page(Url(url)) for (url,) in pages}
        rules = {Url(url): frontier.refusal(Url(url)) for (url,) in links}
        counts, refusals = frontier.counts(), frontier.refusals()
    graphs = [asyncio.run(graph(each)) for each in data]
    found = Crawled(
        ended=Ending(EndKind.DONE, ""),
        summary=replace(Summary(**summary), quads=sum(quads for quads, _ in graphs)),
        counts=counts,
        refusals=refusals,
        pages={url: page for url, page in known.items() if page is not None},
        refused_links={url: rule for url, rule in rules.items() if rule is not None},
        nquads=b"".join(nquads for _, nquads in graphs),
        events=(),
    )
    return Result(case, found, case.truth(), list(server.accesses()))


async def graph(data: Path) -> tuple[int, bytes]:
    async with GraphProcess(data / "graph") as graph:
        return (await graph.counts()).quads, await graph.export(GraphExport("nquads")).read()


def asked(server: DemoServer) -> int:
    return sum(1 for _ in server.accesses())


def some_pages(server: DemoServer, count: int) -> None:
    """Wait until the world was asked a few more times."""
    before = asked(server)
    until(lambda: asked(server) >= before + count)
