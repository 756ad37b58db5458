"""The demo web crawled and served, by this very program: `gossamer crawl` and `gossamer serve` beside us."""

import asyncio
import json
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from gossamer.processes.confine import die_with
from gossamer.service.listening import Address

# It is our own web, so we need not be as patient with it as with others.
OPTIONS: Final = ("--scope", "any", "--delay", "0.1", "--config", "politeness.backoff_first=0.5")
MOST_PAGES: Final = 1_000
END_SECONDS: Final = 20.0  # for a process to end in good order
READY_SECONDS: Final = 20.0
POLL_SECONDS: Final = 0.1


@dataclass(frozen=True, slots=True)
class DemoCrawl:
    """A demo web at an address, and the folder for what is found there."""

    front: str
    web: str  # ADDR:PORT
    data: Path
    contact: str

    @property
    def crawl_command(self) -> Sequence[str]:
        """What crawls it."""
        most = ("--max-pages", str(MOST_PAGES), "--agent-contact", self.contact, "--json")
        return (*self._us("crawl"), self.front, *OPTIONS, *most, *self._where)

    def serve_command(self, place: str) -> Sequence[str]:
        """What serves the folder there."""
        return (*self._us("serve"), place, *self._where)

    @property
    def _where(self) -> Sequence[str]:
        return ("--data", str(self.data), "--connect-to", f"*.test={self.web}")

    def _us(self, command: str) -> Sequence[str]:
        return (sys.executable, "-m", "gossamer", command)


def free_place(usual: str) -> str:
    """The usual place to listen if nobody is there, else one that is free."""
    place = Address.read(usual)
    with closing(socket.socket()) as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind((place.host, place.port))
        except OSError:
            tried.bind((place.host, 0))
        return f"{place.host}:{tried.getsockname()[1]}"


async def crawled(demo: DemoCrawl, *, is_quiet: bool) -> dict[str, Any] | None:
    """Crawl to the end; the summary, or None where there is none. What it says goes to stderr."""
    words = asyncio.subprocess.DEVNULL if is_quiet else None
    async with child(demo.crawl_command, stdout=asyncio.subprocess.PIPE, stderr=words) as process:
        output, _ = await process.communicate()
    lines = output.splitlines()
    return json.loads(lines[-1]) if lines and process.returncode == 0 else None


@asynccontextmanager
async def served(demo: DemoCrawl, place: str) -> AsyncIterator[bool]:
    """Serve the folder's pages until the block ends; whether they can be looked at."""
    command = demo.serve_command(place)
    async with child(command, stdout=None, stderr=asyncio.subprocess.DEVNULL) as process:
        yield await _is_ready(process, Address.read(place))


@asynccontextmanager
async def child(
    command: Sequence[str], *, stdout: int | None, stderr: int | None
) -> AsyncIterator[asyncio.subprocess.Process]:
    """A process that ends with the block, in good order if it can."""
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=stdout,
        stderr=stderr,
        start_new_session=True,  # Ctrl-C at our terminal is ours to pass on
        preexec_fn=partial(die_with, os.getpid()),  # and whoever kills us kills it too
    )
    try:
        yield process
    finally:
        for how in (signal.SIGTERM, signal.SIGKILL):
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    process.send_signal(how)
                with suppress(TimeoutError):
                    await asyncio.wait_for(process.wait(), END_SECONDS)


async def _is_ready(process: asyncio.subprocess.Process, place: Address) -> bool:
    with suppress(TimeoutError):
        async with asyncio.timeout(READY_SECONDS):
            while process.returncode is None:
                if await _is_healthy(place):
                    return True
                await asyncio.sleep(POLL_SECONDS)
    return False


async def _is_healthy(place: Address) -> bool:
    """Whether a service answers there: that somebody listens is not enough."""
    try:
        reader, writer = await asyncio.open_connection(place.host, place.port)
        writer.write(b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        first = await reader.readline()
        writer.close()
    except OSError:
        return False
    return b" 200 " in first
