"""Writes lines to whoever reads them: a pipe, a terminal, standard output wherever that goes.

A reader that is slow makes the crawl wait, and the crawl can be steered meanwhile: writing is done in a
thread, and in pieces that a pipe takes at once. A reader that goes ends the crawl in good order. When the
crawl is asked to end, a reader that takes nothing for `GRACE` seconds is waited for no longer.
"""

import asyncio
import os
import select
import stat
import time
from collections.abc import Callable, Sequence
from typing import Final

from gossamer.errors import OutputError, StorageFullError
from gossamer.log import FULL
from gossamer.sinks.protocol import StoppableCrawl

PIECE: Final = select.PIPE_BUF  # what a pipe that is ready takes without waiting
LOOK_SECONDS: Final = 0.2
GRACE: Final = 15.0  # seconds


class PageStream:
    """A descriptor that lines are written to."""

    def __init__(
        self, name: str, fd: int, *, owned: bool, show: Callable[[bytes], None] | None = None
    ) -> None:
        """`owned` is closed at the end; `show` writes instead, where a terminal must be kept safe."""
        self.name = name
        self.is_gone = False  # whoever read it, or our patience
        self._fd = fd
        self._owned = owned
        self._show = show
        self._waits = stat.S_ISFIFO(os.fstat(fd).st_mode) or stat.S_ISSOCK(os.fstat(fd).st_mode)
        self._stopping = False
        self._closed = False

    async def write(self, lines: Sequence[bytes]) -> None:
        """Write lines, as soon as they are taken."""
        if self.is_gone:
            return
        data = b"".join(lines)
        write = self._flow if self._waits else self._put
        writing = asyncio.ensure_future(asyncio.to_thread(write, data))
        try:
            await asyncio.shield(writing)
        except asyncio.CancelledError:
            self._closed = True
            await asyncio.gather(writing, return_exceptions=True)
            raise

    async def run(self, stop: StoppableCrawl) -> None:
        """End the crawl when the reader has gone; wait for the reader a while only when it ends."""
        gone = asyncio.create_task(self._until_gone())
        asked = asyncio.create_task(stop.stopping())
        try:
            await asyncio.wait((gone, asked), return_when=asyncio.FIRST_COMPLETED)
            if gone.done():
                stop.reader_gone()
            self._stopping = True
            await asyncio.Event().wait()
        finally:
            gone.cancel()
            asked.cancel()

    def close(self) -> None:
        """Close what is ours to close."""
        self._closed = True
        if self._owned:
            os.close(self._fd)

    async def _until_gone(self) -> None:
        while not self.is_gone:
            if self._waits and self._ready(0) is None:
                self.is_gone = True
                return
            await asyncio.sleep(LOOK_SECONDS)

    def _flow(self, data: bytes) -> None:
        """Write to a pipe, piece by piece; returns when all is written or nobody is there."""
        taken_at, view = time.monotonic(), memoryview(data)
        while view and not self._closed:
            ready = self._ready(LOOK_SECONDS)
            if ready is None:
                self.is_gone = True
                return
            if ready:
                try:
                    view = view[os.write(self._fd, view[:PIECE]) :]
                except OSError:
                    self.is_gone = True
                    return
                taken_at = time.monotonic()
            elif not self._stopping:
                taken_at = time.monotonic()
            elif time.monotonic() - taken_at > GRACE:
                self.is_gone = True
                return

    def _ready(self, seconds: float) -> bool | None:
        """Whether a piece would be taken at once; None where nobody reads."""
        poll = select.poll()
        poll.register(self._fd, select.POLLOUT)
        events = dict(poll.poll(seconds * 1000)).get(self._fd, 0)
        if events & (select.POLLERR | select.POLLHUP | select.POLLNVAL):
            return None
        return bool(events & select.POLLOUT)

    def _put(self, data: bytes) -> None:
        """Write to a terminal or device, or to the file that standard output is."""
        if self._show is not None:
            self._show(data)
            return
        view = memoryview(data)
        try:
            while view:
                view = view[os.write(self._fd, view) :]
        except BrokenPipeError:
            self.is_gone = True
        except OSError as error:
            full = error.errno in FULL
            # Of a batch a part may be there: nobody can take that back, and a line may be torn.
            raise (StorageFullError if full else OutputError)(
                f"{self.name} cannot be written: {error.strerror}."
            ) from None
