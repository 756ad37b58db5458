"""Queries and exports, from the owner's side: processes that read the graph, and answers on their way.

A process is started when needed and kept for the next question; it answers one at a time. One that is
left in the middle of an answer, or that takes too long, is killed: nothing else stops it.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from gossamer.errors import GossamerError, GraphError
from gossamer.index.graph.messages import ASKS, BEGINS, ENDS, Ask, End, Reason, Timing
from gossamer.index.graph.query import GraphExport, GraphQuery, QueryLimits
from gossamer.processes.channel import Line, LineEndedError, connect
from gossamer.processes.process import Loss, Lost, Program
from gossamer.processes.protocol import Frame, Kind
from gossamer.values import written

START_SECONDS: Final = 60.0  # to load all modules, on a machine that is busy
GRACE_SECONDS: Final = 2.0  # for those who are reading an answer to learn that there is no more
DISORDER: Final = (
    "total order",
    "ord_violation",
)  # what the engine says then, or what it was doing
MOST_QUERIES: Final = 4  # at once, a process each
QUERY_BYTES: Final = 1024 * 1024 * 1024  # of memory, for a process that answers queries
UNLIMITED: Final = QueryLimits(time=None)


class QueryError(GossamerError):
    """A question without an answer: malformed, or too much to ask. Says which."""


class QueryFormatError(QueryError):
    """A query whose answer comes in none of the formats that were asked for."""


class QueryGraphError(QueryError):
    """The graph cannot be read, or its server does not answer."""


class QueryTimeError(QueryError):
    """A query that took longer than it may."""


class QueryMemoryError(QueryError):
    """A query that took more memory than it may."""


_ERRORS: Final[Mapping[Reason, type[QueryError]]] = MappingProxyType(
    {
        "query": QueryError,
        "format": QueryFormatError,
        "graph": QueryGraphError,
        "damage": QueryGraphError,
    }
)


class ReaderHandle:
    """A process that is ready for questions."""

    def __init__(self, line: Line, life: AsyncExitStack) -> None:
        self.line = line
        self.is_busy = False  # with an answer that nobody has read to its end
        self._life = life

    async def end(self) -> None:
        """Kill it, and wait until it is gone."""
        self.line.kill()
        await self._life.aclose()


class Readers:
    """Open a pool of at most so many readers; close it."""

    def __init__(self, program: Program, most: int) -> None:
        self._program = program
        self._most = most
        self._room = asyncio.Semaphore(most)
        self._idle: list[ReaderHandle] = []
        self._all: set[ReaderHandle] = set()

    async def aclose(self) -> None:
        """End all of them, whatever they are doing."""
        for reader in self._all:
            reader.line.kill()
        with suppress(TimeoutError):  # somebody keeps an answer and does not read it
            async with asyncio.timeout(GRACE_SECONDS):
                for _ in range(self._most):
                    await self._room.acquire()
        for reader in list(self._all):
            await self._end(reader)

    @property
    def pids(self) -> tuple[int, ...]:
        """The processes that live."""
        return tuple(reader.line.pid for reader in self._all)

    @asynccontextmanager
    async def one(self) -> AsyncIterator[ReaderHandle]:
        """A reader of one's own; waits while all are taken."""
        async with self._room:
            reader = self._idle.pop() if self._idle else await self._start()
            try:
                yield reader
            finally:
                if reader.is_busy:
                    await self._end(reader)
                else:
                    self._idle.append(reader)

    async def _start(self) -> ReaderHandle:
        async with AsyncExitStack() as life:
            line = await life.enter_async_context(connect(self._program))
            await wait_until_ready(line)
            reader = ReaderHandle(line, life.pop_all())
        self._all.add(reader)
        return reader

    async def _end(self, reader: ReaderHandle) -> None:
        self._all.discard(reader)
        await reader.end()


async def wait_until_ready(line: Line) -> bytes | None:
    """Wait until a process of the graph is ready; if it is not, for a reason of its own, that.

    Raises `GraphError` where it does not even start.
    """
    try:
        async with asyncio.timeout(START_SECONDS):
            frame = await line.receive()
    except (TimeoutError, LineEndedError):
        lost = await line.end()
        raise GraphError(f"The process of the graph does not start: {lost.last_line}") from None
    return frame.payload if frame.kind is Kind.RAISED else None


@dataclass(frozen=True, slots=True)
class ReaderAt:
    """A reader, and the snapshot that it is to read."""

    reader: ReaderHandle
    snapshot: str


class GraphAnswer:
    """The bytes of an answer, to be iterated once; stop early, and the query is stopped too."""

    def __init__(
        self,
        asking: Callable[[], AbstractAsyncContextManager[ReaderAt]],
        question: Callable[[str], Ask],
        limits: QueryLimits,
        damaged: Callable[[str], str] = str,
    ) -> None:
        """`damaged` is told what is broken in the graph, and makes a sentence of it."""
        self._asking = asking
        self._damaged = damaged
        self._question = question
        self._limits = limits
        self._parts: AsyncGenerator[bytes, None] | None = None
        self.format: str | None = None  # known from the first bytes on
        self.took = 0.0  # seconds that we waited for it so far
        self.rows = 0  # at the end: how many there were
        self.left_out = 0  # at the end: of an export, what the format cannot write
        self.hints: tuple[str, ...] = ()  # at the end: what was probably meant, if nothing answers
        self.about_fetches = 0  # at the end: of the rows of an export, those that no page says
        self.cut = False  # at the end: whether there would have been more
        self.timing: Timing | None = None  # at the end, where that was wanted

    def __aiter__(self) -> AsyncIterator[bytes]:
        if self._parts is None:
            self._parts = self._iterate()
        return self._parts

    async def read(self) -> bytes:
        """Read the whole answer."""
        return b"".join([part async for part in self])

    async def aclose(self) -> None:
        """Stop, if it has not come to its end."""
        if self._parts is not None:
            await self._parts.aclose()

    async def _iterate(self) -> AsyncGenerator[bytes, None]:
        async with self._asking() as asking:
            reader = asking.reader
            reader.is_busy = True
            try:
                reader.line.say(0, ASKS.dumps(self._question(asking.snapshot)))
                while (frame := await self._frame(reader)).kind is Kind.PART:
                    if self.format is None:
                        self.format = BEGINS.loads(frame.payload).format
                    else:
                        yield frame.payload
            except LineEndedError:
                raise self._lost(await reader.line.autopsy()) from None
            reader.is_busy = False
            self._finish(ENDS.loads(frame.payload))

    async def _frame(self, reader: ReaderHandle) -> Frame:
        loop, limit = asyncio.get_running_loop(), self._limits.time
        started = loop.time()
        try:
            async with asyncio.timeout(
                None if limit is None else limit.total_seconds() - self.took
            ):
                return await reader.line.receive()
        except TimeoutError:
            raise QueryTimeError(
                f"The query took longer than {written(limit)}. Ask for less, or allow it more time."
            ) from None
        finally:
            self.took += loop.time() - started

    def _finish(self, end: End) -> None:
        if end.fault is not None:
            fault = self._damaged(end.fault) if end.reason == "damage" else end.fault
            raise _ERRORS[end.reason](fault)
        self.rows, self.cut, self.timing = end.rows, end.cut, end.timing
        self.about_fetches, self.left_out = end.about_fetches, end.left_out
        self.hints = end.hints

    def _lost(self, lost: Lost) -> QueryError:
        if lost.loss is Loss.MEMORY:
            return QueryMemoryError("The query needed too much memory. Ask for less.")
        if lost.loss is Loss.KILLED:
            return QueryError("The process that answered the query was ended. Ask again.")
        # Texts, numbers, dates and times in one column: the engine aborts where it sorts them, for
        # in its comparison a < b < c < a.
        if any(words in lost.detail for words in DISORDER):
            return QueryError(
                "The engine cannot order values of such different kinds. Order by their text "
                "instead, as in ORDER BY STR(?value)."
            )
        return QueryError("The engine broke down over this query. Ask otherwise.")


class ReadableGraph(ABC):
    """A graph that processes of ours read."""

    def __init__(self, program: Program, most: int) -> None:
        self._readers = Readers(program, most)

    @abstractmethod
    def _place(self, max_age: float) -> AbstractAsyncContextManager[str]:
        """What a reader is told of where to read, while it reads; not older than so many seconds."""

    @property
    def reader_pids(self) -> tuple[int, ...]:
        """The processes that read."""
        return self._readers.pids

    def query(self, query: GraphQuery) -> GraphAnswer:
        """The answer to a SPARQL query, in the first of the formats that suits it."""
        return self._answer(Ask("", query=query), query.limits)

    def export(self, export: GraphExport) -> GraphAnswer:
        """Everything, or one graph, in an RDF syntax."""
        return self._answer(Ask("", export=export), UNLIMITED)

    def _answer(self, ask: Ask, limits: QueryLimits) -> GraphAnswer:
        max_age = limits.max_age.total_seconds()
        return GraphAnswer(
            lambda: self._asking(max_age),
            lambda place: replace(ask, snapshot=place),
            limits,
            self._damaged,
        )

    def _damaged(self, why: str) -> str:
        """What people are told where files of the graph are found to be broken."""
        return why

    @asynccontextmanager
    async def _asking(self, max_age: float) -> AsyncIterator[ReaderAt]:
        # A reader first: whoever waits for one is to see what is written meanwhile.
        async with self._readers.one() as reader, self._place(max_age) as place:
            yield ReaderAt(reader, place)
