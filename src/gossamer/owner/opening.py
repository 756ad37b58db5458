"""Opening what answers questions, on top of a data folder that this process owns."""

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from dataclasses import replace
from functools import partial

from gossamer.config import Config
from gossamer.crawl.steady_graph import refuse_lost
from gossamer.errors import GraphError
from gossamer.folder.data import DataFolder
from gossamer.frontier.thread import FrontierThread
from gossamer.index.graph.client import GraphProcess
from gossamer.index.opening import (
    NoWords,
    OpenGraph,
    Searchable,
    SharedJournal,
    open_graph,
    open_words,
)
from gossamer.index.words.following import Following
from gossamer.owner.folder_answers import IDLE, Activity, FolderAnswers, Graph
from gossamer.owner.handlers import Handlers, LocalAnswer
from gossamer.owner.health import DatabasePing
from gossamer.owner.node_answers import NodesPing
from gossamer.owner.questions import Question
from gossamer.owner.unix_socket import serve_questions
from gossamer.settings.node import open_folder


class Answers:
    """Answers questions about a data folder that this process owns.

    `handlers` are those of whoever can do more than read what is there.
    """

    def __init__(self, folder: FolderAnswers, *handlers: Handlers) -> None:
        self.folder = folder
        self._handlers = Handlers(folder.handlers(self), *handlers)

    def answer(self, question: Question) -> LocalAnswer:
        """The answer of the handler of such questions; `UnableError` is raised as it is taken."""
        return LocalAnswer(partial(self._handlers.parts, self.folder.command, question))

    def withdraw(self, *kinds: type[Question]) -> None:
        """Be unable to answer questions of these kinds from now on."""
        self._handlers.withdraw(*kinds)


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
async def answer_folder(
    command: str,
    data: DataFolder,
    config: Config,
    graph: Graph | None = None,
    words: Searchable | None = None,
    grace: float = 0,
) -> AsyncIterator[Answers]:
    """Answer what can be read in a folder that the caller owns, here and at its socket.

    At the end, others have `grace` seconds for what they are being answered.
    """
    async with (
        read_folder(command, data, config, graph, words) as folder,
        answer_with(folder, grace=grace) as answers,
    ):
        yield answers


@asynccontextmanager
async def answer_with(
    folder: FolderAnswers, *handlers: Handlers, grace: float = 0
) -> AsyncIterator[Answers]:
    """Answer questions by these handlers too, here and at the socket of the folder."""
    answers = Answers(folder, *handlers)
    async with serve_questions(folder.data.socket_file, answers, grace):
        yield answers


@asynccontextmanager
async def read_folder(
    command: str,
    data: DataFolder,
    config: Config,
    graph: Graph | None = None,
    words: Searchable | None = None,
    activity: Activity = IDLE,
    *,
    stays: bool = False,
) -> AsyncIterator[FolderAnswers]:
    """Open the answers of a folder that the caller owns; nothing in it changes by that.

    Whoever stays has words follow a graph on a server, which others fill.

    The frontier is read on a connection and in a thread of their own, so that whoever crawls
    meanwhile does not wait for those who ask.
    """
    data = data.placed(config.index)
    async with AsyncExitStack() as life:
        place = life.enter_context(open_folder(data, config.frontier))
        frontier_thread = life.enter_context(FrontierThread("answers"))

        async def check(graph: OpenGraph) -> None:
            if isinstance(graph, GraphProcess) and not (await graph.counts()).pages:
                await refuse_lost(graph, folder.frontier, frontier_thread, data.graph_folder)

        async def ask_database() -> object:
            await frontier_thread.do(folder.frontier.ping)
            return await frontier_thread.do(nodes_ping.look)

        late = await life.enter_async_context(
            aclosing(LateGraph(partial(open_graph, data, config, writing=False), check))
        )
        journal = SharedJournal(place.store, place.node.name, frontier_thread.do)
        if activity.graph_busy is None:
            activity = replace(activity, graph_busy=lambda: late.busy_seconds)
        nodes_ping = NodesPing(place.store)
        ping = await life.enter_async_context(aclosing(DatabasePing(ask_database)))
        is_followed = words is not None
        if words is None:
            words = await _late_words(life, data, config, late, journal)
            if stays and config.index.url is not None and isinstance(words, Following):
                words.want()
                life.push_async_callback(_end, asyncio.create_task(words.run()))
                is_followed = True
        folder = FolderAnswers(
            data=data,
            command=command,
            place=place,
            config=config,
            frontier_thread=frontier_thread,
            graph=late.get if graph is None else partial(_ready, graph),
            words=words,
            are_words_followed=is_followed,
            activity=activity,
            ping=ping,
            nodes_ping=nodes_ping,
        )
        yield folder


async def _late_words(
    life: AsyncExitStack,
    data: DataFolder,
    config: Config,
    late: LateGraph,
    journal: SharedJournal,
) -> Searchable:
    """Words that are opened when they are first asked for, and then take up what they have not."""
    words = open_words(data, config, late.get, _say, journal)
    return words if isinstance(words, NoWords) else await life.enter_async_context(words)


async def _end(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.wait([task])


def _say(message: str) -> None:
    sys.stderr.write(f"{message}\n")


async def _ready(graph: Graph) -> Graph:
    return graph
