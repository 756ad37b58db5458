"""What pages say since they changed, beside the journal's notes: statements that need not be read back.

Of most subjects only one page speaks, and the process that writes the graph has just had that page's
N-Quads in its hands. It writes them down here, after the graph has them. They are for speed alone:
without them, all that they say is in the graph.

So they are never waited for, and never doubtful: a file of them has every page that changed since its
file of notes began, or is not there at all. A change of which nothing was said, a full disk, or the end of
the process that wrote them does away with them.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

SUFFIX: Final = ".said"
MOST_BYTES: Final = 64 * 1024 * 1024  # of all files: who falls far behind reads the graph


class Saying:
    """The file beside one file of notes, for its one writer."""

    def __init__(self, folder: Path, number: int) -> None:
        self._path = _path(folder, number)
        self._descriptor: int | None = None
        self._is_owed = False
        self.size = 0
        if _bytes_in(folder) < MOST_BYTES:
            with suppress(OSError):
                self._descriptor = os.open(
                    self._path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o644
                )

    def owe(self) -> None:
        """Pages are about to change; `say` is to follow."""
        if self._is_owed:  # that did not happen, and nobody knows what these pages say
            self._give_up()
        self._is_owed = True

    def say(self, pages: Mapping[str, bytes]) -> None:
        """Tell what all pages that changed say now."""
        self._is_owed = False
        if self._descriptor is None:
            return
        data = b"".join(_record(page, nquads) for page, nquads in pages.items())
        try:
            if os.write(self._descriptor, data) < len(data):
                self._give_up()
        except OSError:
            self._give_up()
        self.size += len(data)

    def close(self) -> None:
        """Write no more."""
        if self._is_owed:
            self._give_up()
        elif self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _give_up(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
            self._path.unlink(missing_ok=True)


def said(folder: Path, numbers: Iterable[int]) -> dict[str, bytes]:
    """What pages say after the changes noted in these files, one after the other; none that is doubtful."""
    pages: dict[str, bytes] = {}
    for number in numbers:
        try:
            pages.update(_records(_path(folder, number).read_bytes()))
        except (FileNotFoundError, ValueError):
            pages.clear()  # any page may have changed since
    return pages


def remove(folder: Path, number: int) -> None:
    """Nobody needs what was said along with this file of notes any more."""
    _path(folder, number).unlink(missing_ok=True)


def remove_all(folder: Path) -> None:
    """Remove all files of sayings in a folder."""
    for path in folder.glob(f"*{SUFFIX}"):
        path.unlink(missing_ok=True)


def _path(folder: Path, number: int) -> Path:
    return folder / f"{number:012d}{SUFFIX}"


def _bytes_in(folder: Path) -> int:
    total = 0
    for path in folder.glob(f"*{SUFFIX}"):
        with suppress(FileNotFoundError):  # done with, just now
            total += path.stat().st_size
    return total


def _record(page: str, nquads: bytes) -> bytes:
    return b"%d %s\n%s" % (len(nquads), page.encode(), nquads)


def _records(data: bytes) -> Iterator[tuple[str, bytes]]:
    """The pages in a file; raises `ValueError` where it is not whole."""
    at = 0
    while at < len(data):
        end = data.index(b"\n", at)
        size, _, page = data[at:end].partition(b" ")
        at = end + 1 + int(size)
        if at > len(data):
            raise ValueError
        yield page.decode(), data[end + 1 : at]
