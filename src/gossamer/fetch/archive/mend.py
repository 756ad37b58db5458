"""What a writer that died left behind: whole records stay, a torn last one is cut off."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gossamer.fetch.archive.files import OPEN, SUFFIX, failing, opened, take_over
from gossamer.fetch.archive.members import MAGIC, Damage, beginning, members
from gossamer.fetch.archive.record import VERSION

# The first record is on disk before another is written; it takes a few hundred bytes.
_MOST_OF_FIRST: Final = 64 * 1024


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
                    done += _mended(mark.with_name(mark.name.removesuffix(OPEN)))
                    mark.unlink()
                finally:
                    os.close(lock)
    return done


def _mended(path: Path) -> list[Mended]:
    if not path.exists():
        return []
    with opened(path, os.O_RDWR) as fd:
        return [_judged(path, fd)]


def _judged(path: Path, fd: int) -> Mended:
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
