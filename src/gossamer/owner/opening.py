"""The parts that answer questions, on top of a data folder that this process owns."""

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from functools import partial

from gossamer.config import Config
from gossamer.crawling.clerk import Clerk
from gossamer.crawling.stops import limits_of
from gossamer.data import DataFolder
from gossamer.frontier.hosts import StoredHosts
from gossamer.graph import OpenGraph, graph_of
from gossamer.index.client import GraphProcess
from gossamer.index.folder import GraphError
from gossamer.lost_graph import refuse_lost
from gossamer.node import opened
from gossamer.owner.answers import Answers, Graph
from gossamer.owner.serving import serving
from gossamer.words import NoWords, Searchable, words_of


class LateGraph:
    """A graph that is opened when it is first asked for: most questions need none."""

    def __init__(
        self, new: Callable[[], OpenGraph], check: Callable[[OpenGraph], Awaitable[None]]
    ) -> None:
        self._new = new
        self._check = check
        self._opened: asyncio.Future[OpenGraph] = asyncio.get_running_loop().create_future()
        self._closing = asyncio.Event()
        self._keeping: asyncio.Task[None] | None = None

    async def get(self) -> OpenGraph:
        """The graph; raises `GraphError` where it cannot be opened."""
        if self._keeping is None:
            self._keeping = asyncio.ensure_future(self._keep())
        return await asyncio.shield(self._opened)

    @property
    def busy_seconds(self) -> float:
        """How long its process has been at one request; 0 where it is not open."""
        if not self._opened.done() or self._opened.exception() is not None:
            return 0.0
        graph = self._opened.result()
        return graph.busy_seconds if isinstance(graph, GraphProcess) else 0.0

    async def aclose(self) -> None:
        """Close it, if it was opened."""
        self._closing.set()
        if self._keeping is not None:
            await self._keeping

    async def _keep(self) -> None:
        # In a task of its own: whoever asked first may be gone before the graph is closed.
        try:
            async with self._new() as graph:
                await self._check(graph)
                self._opened.set_result(graph)
                await self._closing.wait()
        except GraphError as error:
            if not self._opened.done():
                self._opened.set_exception(error)


@asynccontextmanager
async def answering(
    command: str,
    data: DataFolder,
    config: Config,
    graph: Graph | None = None,
    words: Searchable | None = None,
) -> AsyncIterator[Answers]:
    """Answer questions about a folder that the caller owns, here and at its socket.

    The frontier is read on a connection and in a thread of their own, so that whoever crawls
    meanwhile does not wait for those who ask. Who can do more than read says so in the fields
    of what this yields.
    """
    async with AsyncExitStack() as life:
        place = life.enter_context(opened(data, config.frontier))
        clerk = life.enter_context(Clerk("answers"))
        frontier = place.frontier(config, limits_of(config))

        async def check(opened: OpenGraph) -> None:
            if isinstance(opened, GraphProcess):
                await refuse_lost(opened, frontier, clerk, data.graph_folder)

        late = await life.enter_async_context(
            aclosing(LateGraph(partial(graph_of, data, config, writing=False), check))
        )
        answers = Answers(
            data=data,
            command=command,
            place=place,
            frontier=frontier,
            clerk=clerk,
            ledgers=StoredHosts(place.store),
            graph=late.get if graph is None else partial(_ready, graph),
            words=await _late_words(life, data, config, late) if words is None else words,
            are_words_followed=words is not None,
            graph_busy=lambda: late.busy_seconds,
        )
        await life.enter_async_context(serving(data.socket_file, answers))
        yield answers


async def _late_words(
    life: AsyncExitStack, data: DataFolder, config: Config, late: LateGraph
) -> Searchable:
    """Words that are opened when they are first asked for, and then take up what they have not."""

    async def get() -> GraphProcess:
        graph = await late.get()
        assert isinstance(graph, GraphProcess)
        return graph

    words = words_of(data, config, get, _say)
    return words if isinstance(words, NoWords) else await life.enter_async_context(words)


def _say(message: str) -> None:
    sys.stderr.write(f"{message}\n")


async def _ready(graph: Graph) -> Graph:
    return graph
