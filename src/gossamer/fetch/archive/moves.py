"""The list of moves beside a file that was written anew, until they are in the frontier."""

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gossamer.fetch.archive.files import SUFFIX, failing, sync_folder
from gossamer.fetch.archive.place import ArchivePlace

DRAFT: Final = ".draft"
MOVES: Final = ".moves"


@dataclass(frozen=True, slots=True)
class Rewritten:
    """What became of one file."""

    file: str  # its old name
    removed: int  # records
    moved: Mapping[ArchivePlace, ArchivePlace]  # answers alone: what a page's row may point to
    unreadable_bytes: int = 0  # damage: who knows of whom. Left out where the file was rewritten


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
        }
    )
    with beside(new, MOVES).open("w", encoding="ascii") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def drop_moves(new: Path) -> None:
    """The moves are in the frontier: the list has served."""
    beside(new, MOVES).unlink(missing_ok=True)


def unfinished(folder: Path) -> Iterator[Rewritten]:
    """Moves that were not in the frontier when the last process ended.

    Ask for the next only when these are: that is taken for the word that they are.
    """
    for listed in sorted(folder.glob(f"*{SUFFIX}{MOVES}")):
        new = listed.with_name(listed.name.removesuffix(MOVES))
        if new.exists():  # else it ended before the new file was in place, and the old one is
            yield _resumed(new)
        drop_moves(new)
    for draft in folder.glob(f"*{SUFFIX}{DRAFT}"):
        draft.unlink()


def _resumed(new: Path) -> Rewritten:
    with failing(beside(new, MOVES)):
        kept = json.loads(beside(new, MOVES).read_text(encoding="ascii"))
        new.with_name(kept["file"]).unlink(missing_ok=True)
        sync_folder(new.parent)
    parse = ArchivePlace.parse
    moved = {parse(old): parse(place) for old, place in kept["moved"].items()}
    return Rewritten(kept["file"], kept["removed"], moved, kept["unreadable_bytes"])
