"""Files of the archive: their names, who writes them, and what a writer that died left behind.

A batch is in a file, or it is not. While a file is written, `NAME.open` stands beside it, locked by its
writer. Whoever finds that mark without a lock has found the file of a writer that died: whole records stay,
a torn last one is cut off.
"""

import fcntl
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from errno import EDQUOT, EFBIG, ENOSPC
from pathlib import Path
from typing import Final

from gossamer.archive.record import MAGIC, VERSION, Damage, beginning, members
from gossamer.errors import ArchiveError, ArchiveFullError

PREFIX: Final = "gossamer-"
SUFFIX: Final = ".warc.gz"
OPEN: Final = ".open"
_FULL: Final = (ENOSPC, EDQUOT, EFBIG)
_NEW: Final = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
_MODE: Final = 0o644
_LONGEST_NODE: Final = 60
# The first record is on disk before another is written; it takes a few hundred bytes.
_MOST_OF_FIRST: Final = 64 * 1024


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


@dataclass(frozen=True, slots=True)
class Mended:
    """A file that was read back, and what was found."""

    file: str
    records: int  # whole ones
    cut_bytes: int = 0
    left_alone: str | None = None  # why nothing was cut though not all of it is whole


def mend(folder: Path) -> list[Mended]:
    """Read back the files of dead writers, and cut off what they did not finish."""
    done = []
    for mark in sorted(folder.glob(f"*{SUFFIX}{OPEN}")):
        with failing(mark):
            lock = take_over(mark)
            if lock is not None:
                try:
                    done += _mend_file(mark.with_name(mark.name.removesuffix(OPEN)))
                    mark.unlink()
                finally:
                    os.close(lock)
    return done


def _mend_file(path: Path) -> list[Mended]:
    if not path.exists():
        return []
    with open_file(path, os.O_RDWR) as fd:
        return [_cut_torn(path, fd)]


def _cut_torn(path: Path, fd: int) -> Mended:
    found = [each if isinstance(each, Damage) else None for each in members(fd)]
    records, size = found.count(None), os.fstat(fd).st_size
    torn = next((each for each in found if each), None)
    if records == 0 and not _may_be_begun(fd, size):
        return Mended(path.name, 0, left_alone="It does not begin as a file of ours does.")
    if torn and torn.end < size:
        # A writer that dies leaves nothing whole behind what it tore: this is a damaged disk.
        # To cut here would lose records that were reported written.
        why = f"It is damaged from byte {torn.offset} to {torn.end}, and whole records follow."
        return Mended(path.name, records, left_alone=why)
    if torn:
        os.ftruncate(fd, torn.offset)
        os.fsync(fd)
    if records == 0:
        path.unlink()  # the writer died within the first one
    return Mended(path.name, records, torn.end - torn.offset if torn else 0)


def _may_be_begun(fd: int, size: int) -> bool:
    """Whether this may be the first record of a file of ours, and no more than that."""
    head, begun = os.pread(fd, len(MAGIC), 0), beginning(fd)[: len(VERSION)]
    return size < _MOST_OF_FIRST and MAGIC.startswith(head) and VERSION.startswith(begun)


@contextmanager
def open_file(path: Path, flags: int) -> Iterator[int]:
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


def sync_folder(folder: Path) -> None:
    """Make sure that names in the folder survive a crash of the machine."""
    with failing(folder), open_file(folder, os.O_RDONLY | os.O_DIRECTORY) as fd:
        os.fsync(fd)


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
