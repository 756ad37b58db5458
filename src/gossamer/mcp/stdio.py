"""The tools over standard input and output, for a host that starts us as a process of its own.

Standard output has messages of the protocol alone: whatever else is written in this process or by those that
it starts goes to standard error. The end of the input ends us, and so do INT and TERM; a read that
waits for input holds nothing up. Nobody keeps the folder: it is owned while questions come, as in `gossamer.open`.
"""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from threading import Thread
from typing import Any, Final, cast

from gossamer.folder.data import DataFolder
from gossamer.mcp.needs import load_server
from gossamer.mcp.tools import MOST_MESSAGE, Knowledge
from gossamer.owner.handlers import Handlers
from gossamer.owner.on_demand import OnDemandOwner
from gossamer.owner.opening import Answers, answer_with, read_folder
from gossamer.owner.questions import MakeWay
from gossamer.settings.folder_settings import folder_settings

COMMAND: Final = "mcp"
MOST_WAITING: Final = 16  # messages that were read and not taken
_TOO_LONG: Final = "too long\n"  # is no message, and so the protocol's own error


def serve_stdio(data: DataFolder) -> None:
    """Answer a host until it hangs up; raises `NoMcpError`."""
    load_server()
    given, answers = _claim_streams()
    asyncio.run(_serve(data, given, answers))


async def _serve(data: DataFolder, given: int, answers: int) -> None:
    from mcp.server.stdio import stdio_server

    from gossamer.mcp.server import mcp_server

    loop, here = asyncio.get_running_loop(), asyncio.current_task()
    assert here is not None
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, here.cancel)
    service = folder_settings(data).config.service
    with suppress(asyncio.CancelledError):
        async with OnDemandOwner(data, partial(_own, data)) as owner:
            knowledge = Knowledge(data, owner, service.query_time, service.query_rows)
            server = mcp_server(knowledge, _tell)
            lines, out = InputLines(given, loop), Output(answers)
            async with stdio_server(cast(Any, lines), cast(Any, out)) as (read, write):
                await server.run(read, write, server.create_initialization_options())


@asynccontextmanager
async def _own(data: DataFolder, make_way: Callable[[], None]) -> AsyncIterator[Answers]:
    """Answer in a folder that is ours for now; whoever wants it gets it."""
    async with read_folder(COMMAND, data, folder_settings(data).config) as folder:
        making_way = Handlers().on(MakeWay, folder.doing(make_way))
        async with answer_with(folder, making_way) as answers:
            yield answers


def _claim_streams() -> tuple[int, int]:
    """Descriptors of the host's own; what was standard input is empty, and output goes to errors."""
    given, answers = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return given, answers


class InputLines:
    """Lines of the input as the SDK takes them, read in a thread that nobody waits for."""

    def __init__(self, descriptor: int, loop: asyncio.AbstractEventLoop) -> None:
        self._descriptor = descriptor
        self._loop = loop
        self._lines: asyncio.Queue[str | None] = asyncio.Queue(MOST_WAITING)
        Thread(target=self._read, name="mcp-input", daemon=True).start()

    async def __aiter__(self) -> AsyncIterator[str]:
        while (line := await self._lines.get()) is not None:
            yield line

    def _read(self) -> None:
        with suppress(RuntimeError):  # the loop is closed: we are about to end
            for line in _bounded_lines(self._descriptor):
                self._put(line)
            self._put(None)

    def _put(self, line: str | None) -> None:
        putting = self._lines.put(line)
        try:
            asyncio.run_coroutine_threadsafe(putting, self._loop).result()
        except RuntimeError:
            putting.close()
            raise


def _bounded_lines(descriptor: int) -> Iterator[str]:
    """Lines of an input, until it ends; of one that is too long, a sign of that."""
    held, is_skipping = b"", False
    while True:
        try:
            part = os.read(descriptor, 65_536)
        except OSError:
            return
        if not part:
            return
        *whole, held = (held + part).split(b"\n")
        for line in whole:
            if not is_skipping and line.strip():
                yield line.decode(errors="replace") if len(line) <= MOST_MESSAGE else _TOO_LONG
            is_skipping = False
        if len(held) > MOST_MESSAGE:
            if not is_skipping:
                yield _TOO_LONG
            held, is_skipping = b"", True


class Output:
    """The output as the SDK writes to it; a host that has left hears nothing."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._held = b""

    async def write(self, text: str) -> None:
        """Hold some text until it is flushed."""
        self._held += text.encode()

    async def flush(self) -> None:
        """Write all of it; in a thread, since a host may take its time."""
        held, self._held = self._held, b""
        with suppress(OSError):
            await asyncio.to_thread(_write_all, self._descriptor, held)


def _write_all(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]


def _tell(error: Exception) -> None:
    sys.stderr.write(f"This should not have happened ({type(error).__name__}: {error}).\n")
