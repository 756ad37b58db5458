"""The owner's end of a socket pair, on its event loop: frames out, frames in, and whether the process is stuck.

Reading stops when nobody asks for the next frame, so a process that says much waits for its owner.
"""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from gossamer.processes.process import ChildProcess, Lost, Program, hear, loss_of, spawn, status_of
from gossamer.processes.protocol import (
    HEADER,
    MAX_ANSWER_BYTES,
    Frame,
    Kind,
    ProtocolError,
    header,
    read_header,
)

GRACE_SECONDS: Final = 1.0  # for a process that is ending to end


class LineEndedError(Exception):
    """The process hung up."""


class Line:
    """A process and the way to speak to it. Made by `connect`."""

    def __init__(
        self, process: ChildProcess, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._process = process
        self._reader = reader
        self._writer = writer

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    def say(self, number: int, payload: bytes, kind: Kind = Kind.JOB) -> None:
        """Send a job, or what the process asked for, without waiting for it to be on its way."""
        if not self._writer.is_closing():
            self._writer.writelines([header(kind, number, len(payload)), payload])

    async def flow(self) -> None:
        """Wait while too much is on its way already; raises `LineEndedError` if that is in vain."""
        try:
            await self._writer.drain()
        except ConnectionError:
            raise LineEndedError from None

    async def receive(self) -> Frame:
        """The next frame; raises `LineEndedError` when there will be none."""
        try:
            kind, number, length = read_header(await self._reader.readexactly(HEADER.size))
            if length > MAX_ANSWER_BYTES:
                raise ProtocolError(f"a frame of {length} bytes is too long")
            return Frame(kind, number, await self._reader.readexactly(length))
        except (asyncio.IncompleteReadError, ConnectionError, ProtocolError):
            raise LineEndedError from None

    def kill(self) -> None:
        """End the process now, whatever it is doing."""
        self._process.kill()

    async def end(self) -> Lost:
        """Kill it if it still runs; what its end says."""
        self.kill()
        return await self.autopsy()

    async def autopsy(self) -> Lost:
        """What the end of the process says, after `LineEndedError`."""
        status = await status_of(self._process, GRACE_SECONDS)
        self._process.listen()
        words = self._process.last_words
        return Lost(loss_of(status, words), words or f"exit status {status}")


@asynccontextmanager
async def connect(program: Program) -> AsyncIterator[Line]:
    """A new process that runs this program; it is gone at the end of the block."""
    loop = asyncio.get_running_loop()
    with spawn(program) as process, hear(process, loop):
        reader, writer = await asyncio.open_unix_connection(sock=process.connection)
        try:
            yield Line(process, reader, writer)
        finally:
            writer.transport.abort()
            process.kill()
            await status_of(process, GRACE_SECONDS)  # a large process takes a while to go


class StepLimit:
    """How long a process may be at one step, in CPU time: a busy machine or a slow disk makes nobody stuck."""

    def __init__(self, limit_seconds: float) -> None:
        self._limit = limit_seconds
        self._step: Hashable = None
        self._since = 0.0

    def is_over(self, step: Hashable, seconds: float) -> bool:
        """Whether a step, seen again with this much CPU time taken so far, is past its limit."""
        if step is None or step != self._step:
            self._step, self._since = step, seconds
            return False
        return seconds - self._since >= self._limit


def thread_seconds(pid: int) -> float:
    """CPU seconds that the main thread of a process has taken; a clock's where nobody tells."""
    try:
        stat = Path(f"/proc/{pid}/task/{pid}/stat").read_text()
        user, system = stat.rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError):
        return time.monotonic()
