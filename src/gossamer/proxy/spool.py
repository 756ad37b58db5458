"""Spooling: what a server has said and a slow client has not read waits on disk, and its host is free.

A spool is a file without a name in the data folder: whatever ends the process, nothing of it is left. All
spools together have `proxy.spool_bytes`, one of them a quarter of that. Where there is no more room, or the
disk has none, the server waits for the client, as it would without a spool (back-pressure).
"""

import asyncio
import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Final

from gossamer.http.stream import GoneError, Stream

PIECE: Final = 256 * 1024  # bytes that are read back at a time
SHARE: Final = 4  # one client has no more than a quarter of the room
LEFT_FREE: Final = 256 * 1024 * 1024  # bytes of the disk, for what must not be lost


class SpoolRoom:
    """Room on disk that all slow clients share."""

    def __init__(
        self, folder: Path | None, most: Callable[[], int], left_free: int = LEFT_FREE
    ) -> None:
        """`most` bytes of it are used, as long as `left_free` bytes of the disk stay free."""
        self.used = 0
        self._folder = folder
        self._most = most
        self._left_free = left_free

    def open(self) -> "Spool":
        """A spool for one client, which takes nothing so far."""
        return Spool(self)

    def take(self, count: int, had: int) -> bool:
        """Take room for more bytes of a spool that has so many; whether there is any."""
        most = self._most()
        if self._folder is None or self.used + count > most or had + count > most // SHARE:
            return False
        self.used += count
        return True

    def new_file(self) -> int:
        """The descriptor of a file that nobody else can open; raises `OSError`."""
        with tempfile.TemporaryFile(dir=self._folder, buffering=0) as file:
            return os.dup(file.fileno())

    def has_free_disk(self, file: int) -> bool:
        """Whether the disk has more than what has to stay free."""
        disk = os.fstatvfs(file)
        return disk.f_bavail * disk.f_frsize > self._left_free


class Spool:
    """Bytes that wait on disk: first in, first out. It is to be closed."""

    def __init__(self, room: SpoolRoom) -> None:
        self._room = room
        self._file: int | None = None
        self._end = 0  # of what was written
        self._next = 0  # to be read

    @property
    def held(self) -> int:
        """Bytes that wait."""
        return self._end - self._next

    def write(self, data: bytes) -> bool:
        """Have bytes wait; False where there is no room for them, and none of them does."""
        if not self._room.take(len(data), self._end):
            return False
        if self._put(data):
            self._end += len(data)
            return True
        self._room.used -= len(data)
        return False

    def read(self, most: int = PIECE) -> bytes:
        """The next bytes; the file gets smaller when all are read. Raises `OSError`."""
        if self._file is None or not self.held:
            return b""
        data = os.pread(self._file, min(most, self.held), self._next)
        if not data:
            raise OSError("a spool is shorter than it was")
        self._next += len(data)
        if not self.held:
            self._clear()
        return data

    def close(self) -> None:
        """Drop what waits, and the file."""
        self._room.used -= self._end
        self._end = self._next = 0
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _put(self, data: bytes) -> bool:
        """Write at the end, or not at all as far as anybody sees."""
        try:
            if self._file is None:
                self._file = self._room.new_file()
            if not self._room.has_free_disk(self._file):
                return False
            at, left = self._end, memoryview(data)
            while left:
                count = os.pwrite(self._file, left, at)
                at, left = at + count, left[count:]
        except OSError:  # the disk is full, or worse: it is not to be relied on
            return False
        return True

    def _clear(self) -> None:
        assert self._file is not None
        self._room.used -= self._end
        self._end = self._next = 0
        with suppress(OSError):
            os.ftruncate(self._file, 0)


NO_SPOOL: Final = SpoolRoom(None, lambda: 0)


class SpooledWriter:
    """Writes to a client that may be slow, and spools what it does not take. It is to be closed."""

    def __init__(self, stream: Stream, room: SpoolRoom, patience: timedelta | None = None) -> None:
        """`patience` is for a client that takes nothing; None where somebody else looks after that."""
        self._stream = stream
        self._spool = room.open()
        self._patience = patience
        self._pending = b""  # what found no room: whoever writes waits for that
        self._feeding: asyncio.Task[None] | None = None
        self._gone: GoneError | None = None

    @property
    def unsent(self) -> int:
        """Bytes that the client has to take, spooled or not."""
        return self._spool.held + len(self._pending) + self._stream.unsent

    @property
    def is_spooling(self) -> bool:
        """Whether bytes wait that the connection does not have yet."""
        return self._feeding is not None

    @property
    def is_blocked(self) -> bool:
        """Whether to `drain` before more is written."""
        return bool(self._pending)

    def write(self, data: bytes) -> None:
        """Send bytes, or have them wait."""
        if self._feeding is None and not self._stream.is_full:
            self._stream.write(data)
            return
        if self._pending or not self._spool.write(data):
            self._pending += data
        if self._feeding is None:
            self._feeding = asyncio.create_task(self._feed())

    async def drain(self) -> None:
        """Wait until more may be written; raises `GoneError` where the client stops reading."""
        if self._pending:
            await self.finish()

    async def finish(self) -> None:
        """Wait until nothing is spooled; raises as `drain` does."""
        if self._feeding is not None:
            await self._feeding
        if self._gone is not None:
            raise self._gone

    def close(self) -> None:
        """Drop what waits."""
        if self._feeding is not None:
            self._feeding.cancel()
        self._spool.close()

    async def _feed(self) -> None:
        """Hand what waits to the client, as it takes it."""
        try:
            while self._spool.held or self._pending:
                await wait_until_taken(self._stream, self._patience)
                self._stream.write(self._next())
            self._feeding = None
        except GoneError as error:
            self._gone = error
        except OSError as error:  # of the disk: what cannot be read back is lost
            self._stream.abort()
            self._gone = GoneError(str(error))

    def _next(self) -> bytes:
        if self._spool.held:
            return self._spool.read()
        data, self._pending = self._pending, b""
        return data


async def wait_until_taken(stream: Stream, patience: timedelta | None) -> None:
    """Wait until a client has taken enough; slowly is well, not at all is not."""
    seconds, left = None if patience is None else patience.total_seconds(), stream.unsent
    while stream.is_full:
        try:
            async with asyncio.timeout(seconds):
                await stream.drain()
        except TimeoutError:
            if stream.unsent >= left:
                stream.abort()
                raise GoneError("the client takes nothing any more") from None
            left = stream.unsent
    if stream.lost:
        raise GoneError("the connection is lost")
