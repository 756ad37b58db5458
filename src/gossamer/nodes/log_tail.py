"""Follows the log of a folder: what was added to its files since a place, in parts of bounded size.

The files are the buffer: whoever reads them slowly, or not for a while, loses nothing as long as it is not more than
`MOST_BEHIND`; beyond that the oldest lines are passed over, and counted.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from gossamer.config import MIB
from gossamer.log import log_files

MOST_PART: Final = MIB
MOST_BEHIND: Final = 32 * MIB
STARTED: Final = b'"event": "started"'
_BLOCK: Final = 256 * 1024


class LogPlace(NamedTuple):
    """A place in a log: up to here it was read."""

    file: str  # its name
    offset: int


class LogPart(NamedTuple):
    """Whole lines of a log, and the place behind them."""

    lines: Sequence[bytes]
    place: LogPlace | None
    passed_over: int  # lines before these that were too many
    is_last: bool  # nothing more was there


@dataclass(frozen=True, slots=True)
class LogTail:
    """The log of a folder, to be followed."""

    folder: Path
    most_behind: int = MOST_BEHIND

    def read(self, place: LogPlace | None, most: int = MOST_PART) -> LogPart:
        """The next part after a place; without one, from where the last run began."""
        files = log_files(self.folder)
        if not files:
            return LogPart([], None, 0, True)
        at = self._begin(files[-1]) if place is None else _still_there(files, place)
        at, passed_over = self._within_reach(files, at)
        return _part(files, at, most, passed_over)

    def end(self) -> LogPlace | None:
        """The place behind all that is there."""
        files = log_files(self.folder)
        return LogPlace(files[-1].name, files[-1].stat().st_size) if files else None

    def _begin(self, file: Path) -> LogPlace:
        """Where the last run began, as far as the newest file has it."""
        size = file.stat().st_size
        start = max(size - self.most_behind, 0)
        with file.open("rb") as lines:
            lines.seek(start)
            text = lines.read(self.most_behind)
        found = text.rfind(STARTED)
        if found < 0:
            return LogPlace(file.name, start)
        return LogPlace(file.name, start + text.rfind(b"\n", 0, found) + 1)

    def _within_reach(self, files: Sequence[Path], at: LogPlace) -> tuple[LogPlace, int]:
        """The place, or a later one, where too much lies behind it; how many lines are passed over."""
        sizes = [(path, path.stat().st_size) for path in files if path.name >= at.file]
        behind = sum(size for _, size in sizes) - at.offset
        passed_over = 0
        while behind > self.most_behind and sizes:
            path, size = sizes[0]
            too_much = min(behind - self.most_behind // 2, size - at.offset)
            place = LogPlace(path.name, at.offset + too_much)
            passed_over += sum(part.count(b"\n") for part in _blocks(path, at.offset, place.offset))
            behind -= too_much
            at = place
            if place.offset >= size and len(sizes) > 1:
                sizes = sizes[1:]
                at = LogPlace(sizes[0][0].name, 0)
        return at, passed_over


def _still_there(files: Sequence[Path], place: LogPlace) -> LogPlace:
    """The place, or the next that there is: its file may have gone, or been written anew and be shorter."""
    file = next((path for path in files if path.name >= place.file), files[-1])
    if file.name != place.file:
        return LogPlace(file.name, 0)
    return LogPlace(file.name, min(place.offset, file.stat().st_size))


def _part(files: Sequence[Path], at: LogPlace, most: int, passed_over: int) -> LogPart:
    file = next(path for path in files if path.name == at.file)
    later = [path for path in files if path.name > at.file]
    with file.open("rb") as lines:
        lines.seek(at.offset)
        text = lines.read(most)
        is_all = at.offset + len(text) >= os.fstat(lines.fileno()).st_size
    end = text.rfind(b"\n") + 1
    if not end and len(text) == most:
        end = len(text)  # a line without an end
    place = LogPlace(at.file, at.offset + end)
    if is_all and later:  # nobody writes to this one any more
        end, place = len(text), LogPlace(later[0].name, 0)
    whole = [line for line in text[:end].split(b"\n") if line]
    return LogPart(whole, place, passed_over, is_all and not later)


def _blocks(path: Path, start: int, end: int) -> Iterator[bytes]:
    with path.open("rb") as file:
        file.seek(start)
        while start < end and (part := file.read(min(_BLOCK, end - start))):
            start += len(part)
            yield part
