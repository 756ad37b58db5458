"""What has changed in the graph since words were made of it: IRIs, a line each, in files.

The process that writes the graph notes an IRI before it changes what is said of it, or who links to
it (then there is a `>` before it); the words process reads what was noted and makes the documents
anew. Nothing is lost: a line is on the disk before the graph changes, and its file is removed after
the words are on the disk. An IRI that is noted for nothing costs a look.

Beside the notes lies what the pages say since (`sayings.py`): for speed alone.

The journal belongs to one follower, by a name that both keep. A graph without a journal, or with one
of somebody else, was changed while nobody took notes.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Final, Self

from gossamer.folder.durable import sync
from gossamer.index.words import sayings
from gossamer.index.words.sayings import Saying

FOLLOWER: Final = "follower"
LINKED: Final = ">"  # before an IRI: no IRI has it
SEGMENT_BYTES: Final = 2 * 1024 * 1024  # of a file: what the words process takes up at once
SAYING_BYTES: Final = 4 * 1024 * 1024  # and of what lies beside it
LONGEST_IRI: Final = 2_000  # characters: what is longer is an accident, and nobody looks for it


@dataclass(frozen=True, slots=True)
class Cut:
    """What was noted of the changes to a graph."""

    follower: str  # for whom; empty: for nobody
    segments: tuple[int, ...]  # complete files


@dataclass(frozen=True, slots=True)
class Touched:
    """IRIs that a change of the graph concerns."""

    spoken_of: frozenset[str] = frozenset()  # of which something else is said now
    linked_to: frozenset[str] = frozenset()  # to which something else links

    def __or__(self, other: "Touched") -> "Touched":
        return Touched(self.spoken_of | other.spoken_of, self.linked_to | other.linked_to)


class Journal:
    """The journal in a folder, for its one writer."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.follower = (path / FOLLOWER).read_text()
        self._number = max(numbers(path), default=0) + 1  # never on after a line that broke off
        self._descriptor: int | None = None
        self._size = 0
        self._saying: Saying | None = None
        sayings.remove_all(path)  # of a writer who is gone: nobody knows what became of it

    @classmethod
    def found(cls, path: Path) -> Self | None:
        """The journal that is kept here, if one is."""
        return cls(path) if (path / FOLLOWER).exists() else None

    @classmethod
    def begin(cls, path: Path, follower: str) -> Self:
        """A new journal for this follower; one that is there goes."""
        end(path)
        path.mkdir(exist_ok=True)
        draft = path / f"{FOLLOWER}.new"
        draft.write_text(follower)
        sync(draft)
        draft.replace(path / FOLLOWER)
        sync(path)
        sync(path.parent)
        return cls(path)

    def close(self) -> None:
        """Write no more."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
        if self._saying is not None:
            self._saying.close()
            self._saying = None

    def note(self, touched: Touched) -> None:
        """Return when these are on the disk; raises `OSError` where there is no room.

        After this the graph is changed; then `say` tells what the pages say now.
        """
        if not (data := lines_of(touched)):
            return
        if self._is_full():
            self.cut()
        descriptor, saying = self._opened()
        saying.owe()
        try:
            _write(descriptor, data)
            os.fdatasync(descriptor)
        except OSError:
            self.cut()  # whatever follows must not stand on the broken line
            raise
        self._size += len(data)

    def say(self, pages: Mapping[str, bytes]) -> None:
        """Keep what pages say since the change that was noted last, as N-Quads, while there is room."""
        if self._saying is not None:
            self._saying.say(pages)

    def cut(self) -> tuple[int, ...]:
        """Write into a new file from now on; the numbers of those that are complete."""
        if self._descriptor is not None:
            self.close()
            self._number += 1
        return tuple(sorted(numbers(self._path)))

    def _is_full(self) -> bool:
        return self._saying is not None and (
            self._size >= SEGMENT_BYTES or self._saying.size >= SAYING_BYTES
        )

    def _opened(self) -> tuple[int, Saying]:
        if self._descriptor is None or self._saying is None:
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
            self._descriptor = os.open(segment(self._path, self._number), flags, 0o644)
            sync(self._path)
            self._size = 0
            self._saying = Saying(self._path, self._number)
        return self._descriptor, self._saying


def follower_of(path: Path) -> str | None:
    """For whom a journal is kept here; None where none is."""
    return (path / FOLLOWER).read_text() if (path / FOLLOWER).exists() else None


def segment(path: Path, number: int) -> Path:
    """The file of this number."""
    return path / f"{number:012d}"


def numbers(path: Path) -> Iterator[int]:
    """The numbers of the files that are there, in no order."""
    return (int(each.name) for each in path.iterdir() if each.name.isdigit())


def noted(path: Path, number: int) -> Touched:
    """The IRIs in a complete file, if it is not done with. A broken line was never acted upon."""
    try:
        data = segment(path, number).read_bytes()
    except FileNotFoundError:
        return Touched()
    return touched_of(data[: data.rfind(b"\n") + 1])


def lines_of(touched: Touched) -> bytes:
    """IRIs as the journal has them, a line each; none that nobody would look for."""
    spoken_of = (iri for iri in touched.spoken_of if len(iri) <= LONGEST_IRI)
    linked_to = (f"{LINKED}{iri}" for iri in touched.linked_to if len(iri) <= LONGEST_IRI)
    return "".join(f"{line}\n" for line in chain(spoken_of, linked_to)).encode()


def touched_of(lines: bytes) -> Touched:
    """The IRIs in whole lines of a journal."""
    each_once = set(lines.decode().split("\n"))
    linked_to = frozenset(line[1:] for line in each_once if line.startswith(LINKED))
    return Touched(frozenset(line for line in each_once if line and line[0] != LINKED), linked_to)


def done_with(path: Path, number: int) -> None:
    """The words of these changes are on the disk."""
    sayings.remove(path, number)
    segment(path, number).unlink(missing_ok=True)


def end(path: Path) -> None:
    """Keep no journal any more. Its folder stays: the words process may reach this one alone."""
    if path.exists():
        (path / FOLLOWER).unlink(missing_ok=True)
        sync(path)  # from here on, what is left says nothing
        for each in path.iterdir():
            each.unlink()


def _write(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
