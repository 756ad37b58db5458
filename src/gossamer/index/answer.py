"""An answer on its way: bytes as they come, within limits on time and rows."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import timedelta
from types import MappingProxyType
from typing import Final

from gossamer.errors import GossamerError
from gossamer.index.messages import ASKS, BEGINS, ENDS, Ask, End, Reason, Timing
from gossamer.index.readers import Reader
from gossamer.processes.line import LineEndedError
from gossamer.processes.outcome import Loss, Lost
from gossamer.processes.protocol import Frame, Kind
from gossamer.values import written


class QueryError(GossamerError):
    """A question without an answer: malformed, or too much to ask. Says which."""


class QueryFormatError(QueryError):
    """Its answer does not come in any of the formats that were asked for."""


class QueryGraphError(QueryError):
    """The graph cannot be read, or its server does not answer."""


class QueryTimeError(QueryError):
    """It took longer than it may."""


class QueryMemoryError(QueryError):
    """It took more memory than it may."""


_ERRORS: Final[Mapping[Reason, type[QueryError]]] = MappingProxyType(
    {
        "query": QueryError,
        "format": QueryFormatError,
        "graph": QueryGraphError,
        "damage": QueryGraphError,
    }
)


DISORDER: Final = (
    "total order",
    "ord_violation",
)  # what the engine says then, or what it was doing


@dataclass(frozen=True, slots=True)
class QueryLimits:
    """What a question may cost. Time in which the asker does not take the answer is free."""

    time: timedelta | None = timedelta(seconds=60)
    rows: int | None = None
    max_age: timedelta = timedelta(0)  # of what it is asked of: older is cheaper
    timed: bool = False  # what it cost is to be told


@dataclass(frozen=True, slots=True)
class Asking:
    """A reader, and the snapshot that it is to read."""

    reader: Reader
    snapshot: str


class Answer:
    """The bytes of an answer, to be iterated once; stop early, and the query is stopped too."""

    def __init__(
        self,
        asking: Callable[[], AbstractAsyncContextManager[Asking]],
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
        self.cut = False  # at the end: whether there would have been more
        self.timing: Timing | None = None  # at the end, where that was wanted

    def __aiter__(self) -> AsyncIterator[bytes]:
        if self._parts is None:
            self._parts = self._iterate()
        return self._parts

    async def read(self) -> bytes:
        """All of it."""
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

    async def _frame(self, reader: Reader) -> Frame:
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
