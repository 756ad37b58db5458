import asyncio
import os
import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from gossamer.crawling.graphs import ATTEMPTS, SteadyGraph
from gossamer.errors import StorageFullError
from gossamer.events import Event, GraphReopened
from gossamer.index.client import GraphProcess
from gossamer.index.folder import GraphError
from gossamer.index.pages import PageGraphs

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


def test_what_kills_the_process_each_time_ends_with_a_sentence(tmp_path: Path) -> None:
    async def run() -> None:
        async with SteadyGraph(lambda: GraphProcess(tmp_path), kill) as graph:
            steady.append(graph)
            os.kill(graph.pid, signal.SIGKILL)
            await graph.keep([says("one")])

    def kill(event: Event) -> None:
        # Told of each that died: the next one is killed as soon as it has begun.
        told.append(event)
        asyncio.get_running_loop().create_task(_kill_the_next(steady[0]))

    steady: list[SteadyGraph] = []
    told: list[Event] = []
    with pytest.raises(GraphError, match="has ended"):
        asyncio.run(run())
    assert len(told) == ATTEMPTS - 1


async def _kill_the_next(graph: SteadyGraph) -> None:
    while True:
        try:
            os.kill(graph.pid, signal.SIGKILL)
        except GraphError:
            await asyncio.sleep(0)
        else:
            return


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
