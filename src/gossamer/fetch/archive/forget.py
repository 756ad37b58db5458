"""Files written anew without the records of some pages.

The new file has a name of its own, so that an old place never leads to a wrong record, and
a list of moves beside it until the caller has taken note of them: whenever the machine
stops, either the old file is there, or the new one with its list.
"""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from gossamer.errors import ArchiveError
from gossamer.fetch.archive.files import OPEN, SUFFIX, archive_files, failing, opened, sync_folder
from gossamer.fetch.archive.members import Damage, Member, members
from gossamer.fetch.archive.moves import (
    DRAFT,
    Rewritten,
    beside,
    drop_moves,
    keep_moves,
    unfinished,
)
from gossamer.fetch.archive.place import ArchivePlace

_NAME: Final = re.compile(rf"(.+?)(?:-r([0-9]+))?{re.escape(SUFFIX)}", re.ASCII)
_ANSWERS: Final = ("response", "revisit")

Gone = Callable[[str], bool]


@dataclass(slots=True)
class _Found:
    """What is in a file: what stays, and how much does not."""

    kept: list[tuple[int, int]] = field(default_factory=list)  # offset, length
    answers: list[tuple[int, int]] = field(default_factory=list)  # those that rows point to
    pages: int = 0  # records of pages that stay
    removed: int = 0
    unreadable_bytes: int = 0

    def add(self, each: Member | Damage, gone: Gone) -> None:
        """Take note of one record."""
        if isinstance(each, Damage):
            self.unreadable_bytes += each.end - each.offset
            return
        url, stretch = each.record.url, (each.offset, each.length)
        if url is not None and gone(url):
            self.removed += 1
            return
        self.kept.append(stretch)
        self.pages += url is not None
        if each.record.kind in _ANSWERS:
            self.answers.append(stretch)


def forget(folder: Path, gone: Gone) -> Iterator[Rewritten]:
    """Write every file anew that holds records of such pages, one at a time.

    Ask for the next only when the moves of this one are in the frontier: that is taken for
    the word that they are.
    """
    if marks := sorted(folder.glob(f"*{SUFFIX}{OPEN}")):
        raise ArchiveError(f"{marks[0]} says that its file is being written: end that first.")
    yield from unfinished(folder)
    for path in archive_files(folder):
        found = _looked_through(path, gone)
        if found.removed:
            new = _next_name(path)
            yield _rewrite(path, new, found)
            drop_moves(new)
        elif found.unreadable_bytes:
            yield Rewritten(path.name, 0, {}, found.unreadable_bytes)


def _looked_through(path: Path, gone: Gone) -> _Found:
    found = _Found()
    with failing(path), opened(path, os.O_RDONLY) as fd:
        for each in members(fd):
            found.add(each, gone)
    return found


def _next_name(path: Path) -> Path:
    """`…-00001.warc.gz`, then `…-00001-r1.warc.gz`, `…-00001-r2.warc.gz`."""
    parts = _NAME.fullmatch(path.name)
    assert parts
    return path.with_name(f"{parts[1]}-r{int(parts[2] or 0) + 1}{SUFFIX}")


def _rewrite(old: Path, new: Path, found: _Found) -> Rewritten:
    with failing(new), _tidied(new):
        moved = _moved(old, new, found) if found.pages else {}
        rewritten = Rewritten(old.name, found.removed, moved, found.unreadable_bytes)
        if found.pages:
            keep_moves(new, rewritten)
            beside(new, DRAFT).rename(new)
            sync_folder(new.parent)
        old.unlink()
        sync_folder(old.parent)
    return rewritten


@contextmanager
def _tidied(new: Path) -> Iterator[None]:
    """If the new file comes to nothing, nothing is left of it."""
    try:
        yield
    finally:
        beside(new, DRAFT).unlink(missing_ok=True)
        if not new.exists():
            drop_moves(new)


def _moved(old: Path, new: Path, found: _Found) -> dict[ArchivePlace, ArchivePlace]:
    """Copy what stays into a draft of the new file: where answers were, and where they will be."""
    offsets = _copy(old, beside(new, DRAFT), found.kept)
    return {
        ArchivePlace(old.name, offset, length): ArchivePlace(new.name, offsets[offset], length)
        for offset, length in found.answers
    }


def _copy(old: Path, draft: Path, kept: list[tuple[int, int]]) -> dict[int, int]:
    """Copy stretches of a file, to the disk; old offsets to new ones."""
    offsets: dict[int, int] = {}
    with old.open("rb") as source, draft.open("wb") as target:
        for offset, length in kept:
            offsets[offset] = target.tell()
            source.seek(offset)
            target.write(source.read(length))
        target.flush()
        os.fsync(target.fileno())
    return offsets
