"""Files written anew without the records of some pages.

The new file has a name of its own, so that an old place never leads to a wrong record, and
a list of moves beside it until the caller has taken note of them: whenever the machine
stops, either the old file is there, or the new one with its list.
"""

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from gossamer.archive.exchange import ArchivePlace
from gossamer.archive.files import OPEN, SUFFIX, archive_files, failing, open_file, sync_folder
from gossamer.archive.index import drop_index
from gossamer.archive.record import Damage, Member, members
from gossamer.errors import ArchiveError

DRAFT: Final = ".draft"
MOVES: Final = ".moves"
_NAME: Final = re.compile(rf"(.+?)(?:-r([0-9]+))?{re.escape(SUFFIX)}", re.ASCII)
_ANSWERS: Final = ("response", "revisit")
Gone = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Rewritten:
    """What became of one file."""

    file: str  # its old name
    removed: int  # records
    moved: Mapping[ArchivePlace, ArchivePlace]  # answers alone: what a page's row may point to
    unreadable_bytes: int = 0  # damage: who knows of whom. Left out where the file was rewritten
    # Where bodies are now that pages of this file shared with answers which are to be forgotten.
    adopted: Mapping[ArchivePlace, ArchivePlace] = field(default_factory=dict)


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
    yield from unfinished_moves(folder)
    for path in archive_files(folder):
        found = _look_through(path, gone)
        if found.removed:
            new = next_name(path)
            yield _rewrite(path, new, found)
            drop_moves(new)
        elif found.unreadable_bytes:
            yield Rewritten(path.name, 0, {}, found.unreadable_bytes)


def _look_through(path: Path, gone: Gone) -> _Found:
    found = _Found()
    with failing(path), open_file(path, os.O_RDONLY) as fd:
        for each in members(fd):
            found.add(each, gone)
    return found


def next_name(path: Path) -> Path:
    """`…-00001.warc.gz`, then `…-00001-r1.warc.gz`, `…-00001-r2.warc.gz`."""
    parts = _NAME.fullmatch(path.name)
    assert parts
    return path.with_name(f"{parts[1]}-r{int(parts[2] or 0) + 1}{SUFFIX}")


def _rewrite(old: Path, new: Path, found: _Found) -> Rewritten:
    with failing(new), _tidied(new):
        moved = _copy_kept(old, new, found) if found.pages else {}
        rewritten = Rewritten(old.name, found.removed, moved, found.unreadable_bytes)
        if found.pages:
            keep_moves(new, rewritten)
            beside(new, DRAFT).rename(new)
            sync_folder(new.parent)
        drop_index(old)
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


def _copy_kept(old: Path, new: Path, found: _Found) -> dict[ArchivePlace, ArchivePlace]:
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


def beside(path: Path, ending: str) -> Path:
    """A file that belongs to another."""
    return path.with_name(path.name + ending)


def keep_moves(new: Path, rewritten: Rewritten) -> None:
    """Write the list, to the disk."""
    text = json.dumps(
        {
            "file": rewritten.file,
            "removed": rewritten.removed,
            "moved": {str(old): str(place) for old, place in rewritten.moved.items()},
            "unreadable_bytes": rewritten.unreadable_bytes,
            "adopted": {str(old): str(place) for old, place in rewritten.adopted.items()},
        }
    )
    with beside(new, MOVES).open("w", encoding="ascii") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def drop_moves(new: Path) -> None:
    """The moves are in the frontier: the list has served."""
    beside(new, MOVES).unlink(missing_ok=True)


def unfinished_moves(folder: Path) -> Iterator[Rewritten]:
    """Moves that were not in the frontier when the last process ended.

    Ask for the next only when these are: that is taken for the word that they are.
    """
    for listed in sorted(folder.glob(f"*{SUFFIX}{MOVES}")):
        new = listed.with_name(listed.name.removesuffix(MOVES))
        if new.exists():  # else it ended before the new file was in place, and the old one is
            yield _read_moves(new)
        drop_moves(new)
    for draft in folder.glob(f"*{SUFFIX}{DRAFT}"):
        draft.unlink()


def _read_moves(new: Path) -> Rewritten:
    with failing(beside(new, MOVES)):
        kept = json.loads(beside(new, MOVES).read_text(encoding="ascii"))
        old = new.with_name(kept["file"])
        drop_index(old)
        old.unlink(missing_ok=True)
        sync_folder(new.parent)
    parse = ArchivePlace.parse
    moved, adopted = (
        {parse(old): parse(place) for old, place in kept.get(name, {}).items()}
        for name in ("moved", "adopted")
    )
    return Rewritten(kept["file"], kept["removed"], moved, kept["unreadable_bytes"], adopted)
