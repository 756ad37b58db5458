import asyncio
import os
import resource
import signal
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from tests.owner.small_crawl import made

from gossamer.config import Politeness
from gossamer.crawl import steady_graph
from gossamer.crawl.steady_graph import ATTEMPTS, SteadyGraph, is_lost, refuse_lost
from gossamer.errors import GraphError, StorageFullError
from gossamer.events import Event, GraphReopened
from gossamer.folder.data import DataFolder
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.sqlite import SqliteStore
from gossamer.frontier.thread import FrontierThread
from gossamer.index.graph.client import GraphProcess
from gossamer.index.graph.folder import GraphUnusableError
from gossamer.index.graph.pages import PageGraphs, PageRefused
from gossamer.index.graph.query import GraphExport

PAGE = "http://a.test/"
NO_LIMIT = resource.RLIM_INFINITY


def says(text: str) -> PageGraphs:
    return PageGraphs(PAGE, f'<{PAGE}> <http://b.test/p> "{text}" <{PAGE}> .\n'.encode(), b"")


def test_a_process_that_was_killed_is_replaced_and_nothing_is_lost(tmp_path: Path) -> None:
    told: list[Event] = []

    async def run() -> tuple[int, bytes]:
        async with SteadyGraph(lambda: GraphProcess(tmp_path), told.append) as graph:
            await graph.keep([says("one")])
            os.kill(graph.pid, signal.SIGKILL)
            await graph.keep([says("two")])
            return (await graph.counts()).quads, await graph.export(
                GraphExport("nquads", PAGE)
            ).read()

    quads, nquads = asyncio.run(run())
    assert quads == 1
    assert b'"two"' in nquads
    assert [type(event) for event in told] == [GraphReopened]


class Fragile(GraphProcess):
    """A process that dies with pages which say "poison"."""

    async def replace(self, pages: Sequence[PageGraphs]) -> tuple[PageRefused, ...]:
        if any(b"poison" in (page.nquads or b"") for page in pages):
            os.kill(self.pid, signal.SIGKILL)
        return await super().replace(pages)


def test_a_page_that_kills_the_process_each_time_is_refused_and_the_others_are_kept(
    tmp_path: Path,
) -> None:
    told: list[Event] = []
    poison, other = says("poison"), replace(says("one"), url=f"{PAGE}2", nquads=b"")

    async def run() -> tuple[tuple[PageRefused, ...], int]:
        async with SteadyGraph(lambda: Fragile(tmp_path), told.append) as graph:
            refused = await graph.keep([poison, other])
            return refused, (await graph.counts()).pages

    (refused,), pages = asyncio.run(run())
    assert refused.url == PAGE
    assert "has ended" in refused.message
    assert pages == 1
    assert len(told) == ATTEMPTS - 1 + ATTEMPTS - 2


def test_what_kills_the_process_with_every_page_ends_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(steady_graph, "MOST_BLAMED", 0)

    async def run() -> None:
        async with SteadyGraph(lambda: Fragile(tmp_path), lambda _: None) as graph:
            await graph.keep([says("poison")])

    with pytest.raises(GraphError, match="has ended"):
        asyncio.run(run())


def long_page(number: int) -> PageGraphs:
    name = f"{PAGE}{number}"
    line = f'<{name}> <http://b.test/p> "{"x" * 300_000}" <{name}> .\n'
    return PageGraphs(name, line.encode(), b"")


def test_a_full_disk_is_told_and_the_graph_opened_anew_when_there_is_room(tmp_path: Path) -> None:
    async def run() -> int:
        async with SteadyGraph(lambda: GraphProcess(tmp_path), lambda _: None) as graph:
            await graph.keep([long_page(1)])
            resource.prlimit(graph.pid, resource.RLIMIT_FSIZE, (400_000, NO_LIMIT))
            with pytest.raises(StorageFullError, match="cannot be written"):
                await graph.keep([long_page(2), long_page(3)])
            with limited_files(1), pytest.raises(StorageFullError):  # no room to open it either
                await graph.keep([long_page(2), long_page(3)])
            await graph.keep([long_page(2), long_page(3)])
            return (await graph.counts()).quads

    assert asyncio.run(run()) == 3


@contextmanager
def limited_files(most_bytes: int) -> Iterator[None]:
    """Files written by this process and those that it starts grow no longer than this."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, NO_LIMIT))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (NO_LIMIT, NO_LIMIT))


async def lost(data: DataFolder, graph_folder: Path) -> bool:
    with (
        closing(SqliteStore(data.frontier_file)) as store,
        FrontierThread("test") as frontier_thread,
    ):
        frontier = SqlFrontier(store, "one", Politeness())
        async with GraphProcess(graph_folder) as graph:
            found = await is_lost(graph, frontier, frontier_thread)
            if found:
                with pytest.raises(GraphUnusableError, match="`gossamer rebuild` makes it anew"):
                    await refuse_lost(graph, frontier, frontier_thread, graph_folder)
            else:
                await refuse_lost(graph, frontier, frontier_thread, graph_folder)
    return found


def test_an_empty_graph_is_lost_only_where_pages_said_something(tmp_path: Path) -> None:
    async def run() -> None:
        data = await made(tmp_path / "crawl")
        assert not await lost(data, data.graph_folder)
        assert await lost(data, tmp_path / "another")
        fresh = DataFolder(tmp_path / "fresh")
        fresh.make()
        assert not await lost(fresh, fresh.graph_folder)

    asyncio.run(run())
