"""Indexes beside files of the archive: answers of a page are found without reading the files.

`NAME.cdxj` stands beside `NAME.warc.gz` once somebody has asked for an answer in it, sorted by key (`surt`). A file
that is closed never changes, so its index is right for as long as it is there; `forget` removes both. A file that is
still written has none, and is read. The whole of it is a copy of what the files say: it can be deleted at any time.
"""

import mmap
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from gossamer.archive.cdxj import HEAD, IndexEntry, IndexHead
from gossamer.archive.exchange import ArchivePlace
from gossamer.archive.files import SUFFIX, archive_files, failing, mark_of, open_file
from gossamer.archive.folders import present_folders
from gossamer.archive.record import Damage, members
from gossamer.archive.surt import surt
from gossamer.folder.durable import sync
from gossamer.model import Url

INDEX: Final = ".cdxj"
_DRAFT: Final = ".cdxj-draft"
Tell = Callable[[int], object]


def index_of(path: Path) -> Path:
    """Where the index of a file is."""
    return path.with_name(path.name.removesuffix(SUFFIX) + INDEX)


def answers(archive: Path, tell: Tell = lambda _: None) -> Iterator[IndexEntry]:
    """All answers in an archive, file by file; `tell` hears how many records were read for want of an index."""
    for path in all_files(archive):
        yield from read_answers(path, tell)


def read_answers(path: Path, tell: Tell = lambda _: None) -> Iterator[IndexEntry]:
    """The answers in one file, from its index if it has one or can have one."""
    index = ready_index(path, tell)
    return _read_file(path, tell) if index is None else _read_index(index)


def answers_of(archive: Path, url: Url, tell: Tell = lambda _: None) -> list[IndexEntry]:
    """The answers of one page, the earliest first."""
    key, found = surt(url), list[IndexEntry]()
    for path in all_files(archive):
        index = ready_index(path, tell)
        some = _read_file(path, tell) if index is None else _look_up(index, key)
        found += [each for each in some if each.url == url]
    return sorted(found, key=lambda each: each.at)


def ready_index(path: Path, tell: Tell = lambda _: None) -> Path | None:
    """The index of a file, made now if there is none; None where the file is still written, or its folder is read-only."""
    if mark_of(path).exists():
        return None
    index = index_of(path)
    if _is_of(index, path):
        return index
    with failing(path), suppress(PermissionError):
        _make(path, index, tell)
        return index
    return None


def all_files(archive: Path) -> list[Path]:
    """All files of an archive, the earliest first."""
    found = [each for folder in present_folders(archive) for each in archive_files(folder)]
    return sorted(found, key=lambda each: each.name)


def _is_of(index: Path, path: Path) -> bool:
    try:
        with index.open(encoding="ascii") as file:
            return file.readline().rstrip("\n") == _head(path).line
    except (OSError, UnicodeDecodeError):
        return False


def _head(path: Path) -> IndexHead:
    return IndexHead(path.name, path.stat().st_size)


def _make(path: Path, index: Path, tell: Tell) -> None:
    head = _head(path).line
    lines = sorted(each.line for each in _read_file(path, tell))
    draft = index.with_suffix(f"{_DRAFT}-{os.getpid()}")
    try:
        draft.write_text("\n".join([head, *lines, ""]), encoding="ascii")
        sync(draft)
        draft.replace(index)
        if not path.exists():  # it was written anew meanwhile, without what is forgotten
            index.unlink(missing_ok=True)
    finally:
        draft.unlink(missing_ok=True)


def drop_index(path: Path) -> None:
    """Remove the index of a file that is to be removed."""
    index_of(path).unlink(missing_ok=True)


def _read_file(path: Path, tell: Tell) -> Iterator[IndexEntry]:
    with failing(path), open_file(path, os.O_RDONLY) as fd:
        for count, each in enumerate(members(fd), 1):
            tell(count)
            if not isinstance(each, Damage):
                place = ArchivePlace(path.name, each.offset, each.length)
                yield from IndexEntry.all_of(each.record, place)


def _read_index(index: Path) -> Iterator[IndexEntry]:
    with failing(index), index.open(encoding="ascii") as file:
        for line in file:
            if not line.startswith(HEAD):
                yield IndexEntry.of_line(line)


def _look_up(index: Path, key: str) -> Iterator[IndexEntry]:
    """The answers of a key, found by halves."""
    wanted = f"{key} ".encode()
    with (
        failing(index),
        open_file(index, os.O_RDONLY) as fd,
        mmap.mmap(fd, 0, access=mmap.ACCESS_READ) as text,
    ):
        low, high = 0, len(text)  # the first line that is not before the key begins in here
        while low < high:
            middle = (low + high) // 2
            start = text.rfind(b"\n", low, middle) + 1 or low
            end = text.find(b"\n", middle) + 1
            if text[start:end] < wanted:
                low = end
            else:
                high = start
        while text[low : low + len(wanted)] == wanted:
            end = text.find(b"\n", low) + 1
            yield IndexEntry.of_line(text[low:end].decode("ascii"))
            low = end
