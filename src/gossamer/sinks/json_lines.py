"""Appends lines to a file, durably: a batch is whole on the disk when `write` returns, or nothing of it is.

What a dead crawl left torn is cut off when the file is opened again; a file whose last line is
somebody else's is refused.
"""

import asyncio
import fcntl
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, Self

from gossamer.errors import OutputError, StorageFullError
from gossamer.log import FULL
from gossamer.sinks.protocol import StoppableCrawl

FIRST: Final = b'{"url": "'  # how each of our lines begins
BLOCK: Final = 64 * 1024  # bytes that are looked at together, from the end
FLAGS: Final = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC


class JsonLinesFile:
    """A file that grows by lines."""

    def __init__(self, name: str, fd: int, size: int) -> None:
        self.name = name
        self.cut_bytes = 0  # of a torn line
        self._fd = fd
        self._size = size

    @classmethod
    def open(cls, path: Path) -> Self:
        """The file of that name, made if there is none; raises `OutputError`."""
        try:
            fd = os.open(path, FLAGS, 0o666)
        except OSError as error:
            raise OutputError(f"-o {path} cannot be written: {error.strerror}.") from None
        try:
            _lock(fd, path)
            size = os.fstat(fd).st_size
            whole = _whole_lines(fd, size, path)
            os.ftruncate(fd, whole)
        except BaseException:
            os.close(fd)
            raise
        file = cls(str(path), fd, whole)
        file.cut_bytes = size - whole
        return file

    async def write(self, lines: Sequence[bytes]) -> None:
        """Append lines, and wait until they are on the disk."""
        writing = asyncio.ensure_future(asyncio.to_thread(self._append, b"".join(lines)))
        try:
            await asyncio.shield(writing)
        except asyncio.CancelledError:
            await asyncio.gather(writing, return_exceptions=True)  # the file is closed next
            raise

    async def run(self, stop: StoppableCrawl) -> None:
        """Nothing is to be looked after."""

    def close(self) -> None:
        """Close the file."""
        os.close(self._fd)

    def _append(self, data: bytes) -> None:
        try:
            at = 0
            while at < len(data):
                at += os.pwrite(self._fd, data[at : at + BLOCK * 16], self._size + at)
            os.fsync(self._fd)
        except OSError as error:
            with suppress(OSError):
                os.ftruncate(self._fd, self._size)
            if error.errno in FULL:
                raise StorageFullError(
                    f"There is no room for {self.name}: {error.strerror}."
                ) from None
            raise OutputError(f"{self.name} cannot be written: {error.strerror}.") from None
        self._size += len(data)


def _lock(fd: int, path: Path) -> None:
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise OutputError(f"Another crawl writes to {path}: name another file with -o.") from None


def _whole_lines(fd: int, size: int, path: Path) -> int:
    """Where the last whole line ends; the rest is ours, torn, or the file is refused."""
    start = _last_line(fd, size)
    torn = os.pread(fd, len(FIRST), start)
    if torn and not FIRST.startswith(torn):
        raise OutputError(
            f"{path} does not end with a line of ours, and pages are appended: name another file with -o."
        )
    return start


def _last_line(fd: int, size: int) -> int:
    """Where what follows the last newline begins."""
    end = size
    while end > 0:
        start = max(end - BLOCK, 0)
        found = os.pread(fd, end - start, start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        end = start
    return 0
