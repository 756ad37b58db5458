"""Waiting for a process on the owner's event loop: what it says on stderr, and how it ends."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from gossamer.processes.process import ChildProcess


async def status_of(process: ChildProcess, grace: float) -> int | None:
    """How a process ended, if it does within that many seconds."""
    pause = 0.0005
    while (status := process.status()) is None and grace > 0:
        await asyncio.sleep(pause)
        grace -= pause
        pause = min(2 * pause, 0.05)
    return status


@contextmanager
def heard(process: ChildProcess, loop: asyncio.AbstractEventLoop) -> Iterator[None]:
    """Keep reading stderr, so that the process never waits for somebody to listen."""

    def listen() -> None:
        if not process.listen():
            loop.remove_reader(process.stderr)

    loop.add_reader(process.stderr, listen)
    try:
        yield
    finally:
        loop.remove_reader(process.stderr)
