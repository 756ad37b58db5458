"""The graph as the rest of Gossamer uses it: a process that writes, and processes that read.

`async with GraphProcess(folder) as graph`, then `replace`, `flush`, `counts`, `query` and `export`,
from as many tasks as you like. When the writing process ends, everybody who waits is told at once;
what was not answered may be sent again, since a page is always replaced as a whole.
"""

import asyncio
import sys
import time
from collections import deque
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Final, Self

from gossamer.errors import GraphError
from gossamer.index.graph.folder import (
    LOCK_PATIENCE,
    GraphFolder,
    GraphFullError,
    GraphUnusableError,
)
from gossamer.index.graph.messages import REPLIES, REQUESTS, Reply, Request
from gossamer.index.graph.page_diff import GraphCounts
from gossamer.index.graph.pages import PageChanged, PageGraphs, PageRefused
from gossamer.index.graph.process import program as writing
from gossamer.index.graph.reader_pool import (
    MOST_QUERIES,
    QUERY_BYTES,
    ReadableGraph,
    wait_until_ready,
)
from gossamer.index.graph.reader_process import program as reading
from gossamer.index.words.journal import Cut
from gossamer.processes.channel import Line, LineEndedError, StepLimit, connect, thread_seconds
from gossamer.processes.wire import WireError

MOST_WAITING: Final = 4  # requests on their way; a caller with more of them waits
STUCK_SECONDS: Final = 120.0  # of CPU for one request; a large batch takes one or two
CLOSE_SECONDS: Final = 60.0  # for all that is on its way when we close


class GraphProcess(ReadableGraph):
    """The graph in a folder, held by a process of its own. Raises `GraphError` when it is gone."""

    def __init__(
        self,
        folder: Path,
        *,
        queries: int = MOST_QUERIES,
        query_bytes: int = QUERY_BYTES,
        lock_patience: float = LOCK_PATIENCE,
        unfinished: bool = False,  # it is being made anew, by whoever opens it
        stuck_seconds: float = STUCK_SECONDS,
    ) -> None:
        path = tuple(sys.path)
        self._folder = GraphFolder(folder)
        self._program = writing(folder, lock_patience, path, unfinished=unfinished)
        super().__init__(reading(self._folder.snapshots, query_bytes, path), queries)
        self._room = asyncio.Semaphore(MOST_WAITING)
        self._waiting: deque[asyncio.Future[Reply]] = deque()
        self._fault: GraphError | None = None
        self._answered, self._since = 0, 0.0  # how many requests, and when the one in hand began
        self._patience = StepLimit(stuck_seconds)
        self._look_seconds = stuck_seconds / 10
        self.ended = asyncio.Event()
        """Set when the process is gone, whether we closed it or not."""

    async def __aenter__(self) -> Self:
        async with AsyncExitStack() as life:
            self._line = await life.enter_async_context(connect(self._program))
            if (raised := await wait_until_ready(self._line)) is not None:
                raise error_of(REPLIES.loads(raised))
            group = await life.enter_async_context(asyncio.TaskGroup())
            listening = group.create_task(self._listen(self._line))
            life.callback(listening.cancel)
            watching = group.create_task(self._watch(self._line))
            life.callback(watching.cancel)
            self._life = life.pop_all()
        return self

    async def __aexit__(self, *_: object) -> None:
        async with self._life:
            await self._readers.aclose()
            # Nobody may write any more: what is said of the graph at its close is to stay true.
            self._fault = self._fault or GraphError("The graph was closed.")
            if not self.ended.is_set():
                with suppress(GraphError, TimeoutError):  # it ends, or hangs: nothing to keep
                    async with asyncio.timeout(CLOSE_SECONDS):
                        await self._post(Request("close"))
            self._break(self._fault)

    @property
    def pid(self) -> int:
        """The process that writes."""
        return self._line.pid

    @property
    def busy_seconds(self) -> float:
        """How long the request in hand has taken so far; 0: there is none."""
        return time.monotonic() - self._since if self._waiting else 0.0

    async def replace(self, pages: Sequence[PageGraphs]) -> tuple[PageRefused, ...]:
        """Have the graph hold this of these pages; the pages that it refused."""
        return (await self._ask(Request("replace", pages=tuple(pages)))).refused

    async def renew(self, pages: Sequence[PageGraphs]) -> tuple[PageChanged, ...]:
        """Replace pages, and tell how much of what they say has changed."""
        return (await self._ask(Request("replace", pages=tuple(pages), compare=True))).changed

    async def unify_schema(self) -> tuple[tuple[PageChanged, ...], int]:
        """Rewrite names of schema.org in some pages; how much that changes, and how many are left."""
        reply = await self._ask(Request("unify"))
        return reply.changed, reply.left

    async def flush(self) -> None:
        """Return when all that was replaced before is on the disk."""
        await self._ask(Request("flush"))

    async def counts(self) -> GraphCounts:
        """How much there is."""
        counts = (await self._ask(Request("counts"))).counts
        assert counts is not None
        return counts

    async def follow(self, follower: str) -> None:
        """Have the graph note what changes, for whoever has this name; for nobody if it is empty."""
        await self._ask(Request("follow", follower=follower))

    async def cut(self) -> Cut:
        """What the graph has noted so far; a snapshot that is taken after this has all of it."""
        cut = (await self._ask(Request("cut"))).cut
        assert cut is not None
        return cut

    def snapshot(self) -> AbstractAsyncContextManager[str]:
        """A frozen copy of the graph as it is now, for others to read until the block ends."""
        return self._place(0)

    @asynccontextmanager
    async def _place(self, max_age: float) -> AsyncIterator[str]:
        snapshot = (await self._ask(Request("snapshot", max_age=max_age))).snapshot
        try:
            yield snapshot
        finally:
            self._say(Request("release", snapshot=snapshot))

    async def _ask(self, request: Request) -> Reply:
        async with self._room:
            answer = self._say(request)
            with suppress(LineEndedError):  # then the answer says so
                await self._line.flow()
            reply = await answer
        if reply.fault is not None:
            raise error_of(reply)
        return reply

    def _damaged(self, why: str) -> str:
        return self._folder.note_damage(why)

    def _say(self, request: Request) -> asyncio.Future[Reply]:
        """Send a request, unless there is nobody to; its answer need not be waited for."""
        if self._fault is None:
            return self._post(request)
        answer: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        _fail(answer, self._fault)
        return answer

    def _post(self, request: Request) -> asyncio.Future[Reply]:
        answer: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        if not self._waiting:
            self._since = time.monotonic()
        self._waiting.append(answer)
        self._line.say(0, REQUESTS.dumps(request))
        return answer

    async def _listen(self, line: Line) -> None:
        """Hand on answers, which come in the order of the requests, until there are no more."""
        try:
            while True:
                reply = REPLIES.loads((await line.receive()).payload)
                answer = self._waiting.popleft()
                self._answered, self._since = self._answered + 1, time.monotonic()
                if not answer.done():
                    answer.set_result(reply)
        except (LineEndedError, WireError, IndexError):  # or what is no answer to anything
            lost = await line.end()
            self._break(
                GraphError(f"The process of the graph has ended ({lost.loss}: {lost.last_line}).")
            )
        finally:
            self.ended.set()

    async def _watch(self, line: Line) -> None:
        """Kill the process where one request keeps it busy beyond all measure."""
        while True:
            await asyncio.sleep(self._look_seconds)
            step = self._answered if self._waiting else None
            if self._patience.is_over(step, thread_seconds(line.pid)):
                self._fault = GraphError("The process of the graph was stuck, and was ended.")
                line.kill()

    def _break(self, fault: GraphError) -> None:
        """No more answers: all that wait are told."""
        self._fault = self._fault or fault
        for answer in self._waiting:
            if not answer.done():
                _fail(answer, self._fault)
        self._waiting.clear()


def error_of(reply: Reply) -> GraphError:
    """What a reply tells that is none."""
    assert reply.fault is not None
    if reply.unusable:
        return GraphUnusableError(reply.fault)
    return (GraphFullError if reply.disk else GraphError)(reply.fault)


def _fail(answer: asyncio.Future[Reply], fault: GraphError) -> None:
    answer.set_exception(fault)
    answer.exception()  # who does not wait for it need not be told
