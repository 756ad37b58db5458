import asyncio
import os
import resource
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from gossamer.crawling import graphs
from gossamer.crawling.graphs import ATTEMPTS, SteadyGraph
from gossamer.errors import StorageFullError
from gossamer.events import Event, GraphReopened
from gossamer.index.client import GraphProcess
from gossamer.index.folder import GraphError
from gossamer.index.pages import PageGraphs, PageRefused

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
            return (await graph.counts()).quads, await graph.export("nquads", PAGE).read()

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
    monkeypatch.setattr(graphs, "MOST_BLAMED", 0)

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
