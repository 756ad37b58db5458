"""Files of the archive: their names, who writes them, and that a batch is in them or is not.

While a file is written, `NAME.open` stands beside it, locked by its writer. Whoever finds
that mark without a lock has found the file of a writer that died.
"""

import fcntl
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from errno import EDQUOT, EFBIG, ENOSPC
from pathlib import Path
from typing import Final

from gossamer.errors import ArchiveError, ArchiveFullError

PREFIX: Final = "gossamer-"
SUFFIX: Final = ".warc.gz"
OPEN: Final = ".open"
_FULL: Final = (ENOSPC, EDQUOT, EFBIG)
_NEW: Final = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
_MODE: Final = 0o644
_LONGEST_NODE: Final = 60


def file_name(at: datetime, node: str, number: int) -> str:
    """`gossamer-20260101120000000-NODE-00001.warc.gz`: sorted by name is sorted by time."""
    moment = at.astimezone(UTC).strftime("%Y%m%d%H%M%S%f")[:17]
    plain = re.sub(r"[^A-Za-z0-9.]+", "-", node, flags=re.ASCII).strip("-.")[:_LONGEST_NODE]
    return f"{PREFIX}{moment}-{plain or 'node'}-{number:05}{SUFFIX}"


def archive_files(folder: Path) -> list[Path]:
    """The files that we wrote, oldest first."""
    return sorted(folder.glob(f"{PREFIX}*{SUFFIX}"))


def mark_of(path: Path) -> Path:
    """What stands beside a file while it is written."""
    return path.with_name(path.name + OPEN)


@contextmanager
def failing(what: Path) -> Iterator[None]:
    """What the system says no to, as an error of ours."""
    try:
        yield
    except OSError as error:
        raise failure(error, what) from None


def failure(error: OSError, what: Path) -> ArchiveError:
    """What the system says, as an error of ours."""
    if error.errno in _FULL:
        return ArchiveFullError(
            f"There is no room for {what}: {error.strerror}. Nothing was lost; make room, and go on."
        )
    return ArchiveError(f"The archive cannot use {what}: {error.strerror}.")


def sync_folder(folder: Path) -> None:
    """Make sure that names in the folder survive a crash of the machine."""
    with failing(folder), opened(folder, os.O_RDONLY | os.O_DIRECTORY) as fd:
        os.fsync(fd)


@contextmanager
def opened(path: Path, flags: int) -> Iterator[int]:
    """The descriptor of a file or folder that is there."""
    fd = os.open(path, flags | os.O_CLOEXEC)
    try:
        yield fd
    finally:
        os.close(fd)


def write_all(fd: int, data: bytes, offset: int) -> None:
    """Write all of it, there."""
    view = memoryview(data)
    while view:
        written = os.pwrite(fd, view, offset)
        view, offset = view[written:], offset + written


class WarcFile:
    """A file being written. What `append` was given is whole in it, or nothing of it is."""

    def __init__(self, path: Path) -> None:
        """Make the file; `FileExistsError` where the name is taken."""
        self.path = path
        self.size = 0
        self.usable = True
        self.outgrown = False  # it may not grow any more, though others may
        self._mark = os.open(mark_of(path), _NEW, _MODE)
        try:
            fcntl.flock(self._mark, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._fd = os.open(path, _NEW, _MODE)
        except OSError:
            os.close(self._mark)
            mark_of(path).unlink()
            raise

    def append(self, data: bytes) -> int:
        """Write and wait until it is on disk; where it begins."""
        start = self.size
        try:
            write_all(self._fd, data, start)
            os.fsync(self._fd)
        except OSError as error:
            self._take_back(error)
            raise failure(error, self.path) from None
        self.size = start + len(data)
        return start

    def close(self) -> None:
        """End the file: nobody need read it back."""
        os.close(self._fd)
        try:
            if self.usable:
                with failing(self.path):
                    mark_of(self.path).unlink(missing_ok=True)
        finally:
            os.close(self._mark)

    def discard(self) -> None:
        """End the file and remove it."""
        self.path.unlink(missing_ok=True)
        self.usable = True
        self.close()

    def _take_back(self, error: OSError) -> None:
        """Cut off what was written of a batch."""
        self.usable = error.errno in _FULL
        self.outgrown = error.errno == EFBIG
        try:
            os.ftruncate(self._fd, self.size)
        except OSError:
            self.usable = False  # the mark stays, and the next start reads the file back


def take_over(mark: Path) -> int | None:
    """Lock the mark of a dead writer; None where the writer lives, or somebody was faster."""
    try:
        fd = os.open(mark, os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(fd)
        return None
    return fd
