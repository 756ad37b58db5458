"""The owner's side of the processes that read the graph: started when needed, kept for the next.

A process answers one question at a time. One that is left in the middle of an answer, or that takes
too long, is killed: nothing else stops it.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Final

from gossamer.index.folder import GraphError
from gossamer.processes.line import Line, LineEndedError, connected
from gossamer.processes.process import Program
from gossamer.processes.protocol import Kind

START_SECONDS: Final = 60.0  # to load all modules, on a machine that is busy
GRACE_SECONDS: Final = 2.0  # for those who are reading an answer to learn that there is no more


class Reader:
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
    """So many readers at most, to be closed."""

    def __init__(self, program: Program, most: int) -> None:
        self._program = program
        self._most = most
        self._room = asyncio.Semaphore(most)
        self._idle: list[Reader] = []
        self._all: set[Reader] = set()

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
    async def one(self) -> AsyncIterator[Reader]:
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

    async def _start(self) -> Reader:
        async with AsyncExitStack() as life:
            line = await life.enter_async_context(connected(self._program))
            await began(line)
            reader = Reader(line, life.pop_all())
        self._all.add(reader)
        return reader

    async def _end(self, reader: Reader) -> None:
        self._all.discard(reader)
        await reader.end()


async def began(line: Line) -> bytes | None:
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
