"""Pages that are in a node's own graph and not settled yet: dropped from it again where another node settles them.

    note ──▶ in the graph ──▶ settled: struck off
                         └──▶ refused, since the claim is over; or the node was killed ──▶ left over
    left over ──▶ settled by another node: dropped from this graph (`Batches.drop_left_over`)
              └─▶ handed to this node again: noted anew

A node of a shared crawl writes pages to its graph before they are settled. If it stands still in between, is cut off from the
database or is killed, other nodes may fetch these pages, and have them in their graphs. What is noted is in a file before
it is in the graph, so that a node that was killed knows what is left over. Pages that had content before
stay: another node may find them unchanged, and this graph has them alone then.
"""

import errno
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from gossamer.errors import DataFolderError, StorageFullError
from gossamer.frontier.protocol import Assignment
from gossamer.log import FULL

MOST_BYTES: Final = 1 << 20  # of the file; then it is written anew
# A record begins with a line's end, so that half a record before it, from when the disk was full, spoils nothing.
_RECORD: Final = re.compile(rb"^page (\d+) (\d+) ([01]);$", re.MULTILINE)


class UnsettledPage(NamedTuple):
    """The claim with which a page came into the graph, and whether the page was new."""

    token: int
    is_new: bool


class UnsettledPages:
    """The pages of one node, by their numbers in the frontier, and its file. All of it in one thread."""

    def __init__(self, path: Path) -> None:
        """Open the file; what a run that was killed has noted is left over."""
        self._path = path
        self._pages: dict[int, UnsettledPage] = {}
        try:
            self._file = path.open("ab", buffering=0)
            said = path.read_bytes()
        except OSError as error:
            raise DataFolderError(f"{path} cannot be opened: {error.strerror}.") from None
        for number, token, is_new in _RECORD.findall(said):
            self._pages[int(number)] = UnsettledPage(int(token), is_new == b"1")
        self._size = len(said)
        self._left = set[int]()
        self._leave([*self._pages])

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    @property
    def left_over(self) -> Mapping[int, int]:
        """Pages that may be settled by others, with the claims that we had."""
        return {number: self._pages[number].token for number in self._left}

    def note(self, pages: Iterable[Assignment]) -> None:
        """Take note of pages that are about to come into the graph."""
        new = {
            page.id: UnsettledPage(page.token, page.digest is None and page.archived is None)
            for page in pages
        }
        if self._size > MOST_BYTES:
            self._write_anew(self._pages | new)
        else:
            self._append(new)
        if not new.keys().isdisjoint(self._left):
            # What is on the disk would otherwise be an older claim of ours, whose page seems to be another node's.
            os.fsync(self._file.fileno())
        self._left -= new.keys()
        self._pages |= new

    def settle(self, pages: Iterable[Assignment], refused: Iterable[Assignment]) -> None:
        """Strike pages off that are settled; what was refused is left over."""
        over = {page.id for page in refused}
        self._leave(over)
        self.strike(page.id for page in pages if page.id not in over)

    def strike(self, numbers: Iterable[int]) -> None:
        """Forget about pages."""
        for number in numbers:
            self._left.discard(number)
            self._pages.pop(number, None)
        if not self._pages and self._size:
            self._file.truncate(0)
            self._size = 0

    def _leave(self, numbers: Iterable[int]) -> None:
        for number in numbers:
            if (page := self._pages.get(number)) is None:
                continue
            if page.is_new:
                self._left.add(number)
            else:
                del self._pages[number]

    def _write_anew(self, pages: Mapping[int, UnsettledPage]) -> None:
        """Have the file hold these alone; a kill leaves one file or the other."""
        draft = self._path.with_suffix(".tmp")
        try:
            draft.write_bytes(_records(pages))
            draft.replace(self._path)
            file = self._path.open("ab", buffering=0)
        except OSError as error:
            raise _failed(self._path, error) from None
        self._file.close()
        self._file, self._size = file, self._path.stat().st_size

    def _append(self, pages: Mapping[int, UnsettledPage]) -> None:
        records = _records(pages)
        try:
            written = self._file.write(records)
        except OSError as error:
            raise _failed(self._path, error) from None
        self._size += written
        if written < len(records):
            raise _failed(self._path, OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))


def _records(pages: Mapping[int, UnsettledPage]) -> bytes:
    return b"".join(
        b"\npage %d %d %d;" % (number, page.token, page.is_new) for number, page in pages.items()
    )


def _failed(path: Path, error: OSError) -> Exception:
    kind = StorageFullError if error.errno in FULL else DataFolderError
    return kind(f"{path} cannot be written: {error.strerror}.")
