"""Packages in the format WACZ 1.1.1: archive files, an index, a list of pages and hashes of all of it, in one ZIP file.

ReplayWeb.page and pywb open them. Archive files are copied as they are, or, for some hosts only, record by record.
"""

import hashlib
import json
import os
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Final
from zlib import MAX_WBITS, compressobj

import apsw

from gossamer.archive.cdxj import IndexEntry
from gossamer.archive.exchange import ArchivePlace
from gossamer.archive.files import failing, mark_of, open_file
from gossamer.archive.index import read_answers
from gossamer.archive.record import Damage, members
from gossamer.archive.states import temporary_database
from gossamer.model import Url

VERSION: Final = "1.1.1"
_CHUNK: Final = 1024 * 1024
_LINES: Final = 1024  # of the index, packed together
_LISTS: Final = (
    "CREATE TABLE answers (line TEXT NOT NULL) STRICT",
    "CREATE TABLE pages (url TEXT PRIMARY KEY, line TEXT NOT NULL) STRICT, WITHOUT ROWID",
)
_OK: Final = 200
_PAGE_TYPES: Final = ("text/html", "application/xhtml+xml")
_EARLIEST: Final = (1980, 1, 1, 0, 0, 0)  # that a ZIP file knows
Admits = Callable[[Url], bool]


@dataclass(frozen=True, slots=True)
class PackageCounts:
    """What a package holds."""

    answers: int
    pages: int


@dataclass(frozen=True, slots=True)
class _Part:
    """A file in the package, as `datapackage.json` lists it."""

    path: str
    size: int
    digest: str

    @property
    def record(self) -> dict[str, object]:
        name = self.path.rpartition("/")[2]
        return {
            "name": name.lower(),
            "path": self.path,
            "hash": f"sha256:{self.digest}",
            "bytes": self.size,
        }


class _Package:
    """A ZIP file being written, with the sizes and hashes of its parts."""

    def __init__(self, output: IO[bytes], at: datetime) -> None:
        self._zip = zipfile.ZipFile(output, "w", allowZip64=True)
        self._at = at
        self.parts: list[_Part] = []

    @contextmanager
    def part(self, path: str, *, packed: bool = False, listed: bool = True) -> Iterator["_Hashed"]:
        """A new file in it; what is compressed already is stored."""
        moment = max(self._at.astimezone(UTC).timetuple()[:6], _EARLIEST)
        info = zipfile.ZipInfo(path, moment)
        info.compress_type = zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED
        info.external_attr = 0o644 << 16
        with self._zip.open(info, "w", force_zip64=True) as file:
            hashed = _Hashed(file)
            yield hashed
        if listed:
            self.parts.append(_Part(path, hashed.size, hashed.digest))

    def close(self, software: str) -> None:
        """Write what lists the parts, and end the file."""
        about = {
            "profile": "data-package",
            "wacz_version": VERSION,
            "software": software,
            "created": _moment(self._at),
            "resources": [each.record for each in self.parts],
        }
        with self.part("datapackage.json", packed=True, listed=False) as file:
            file.write(json.dumps(about, indent=2).encode())
        digest = {"path": "datapackage.json", "hash": f"sha256:{file.digest}"}
        with self.part("datapackage-digest.json", packed=True, listed=False) as file:
            file.write(json.dumps(digest, indent=2).encode())
        self._zip.close()


class _Hashed:
    """A file whose size and hash are counted while it is written."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._hash = hashlib.sha256()
        self.size = 0

    def write(self, data: bytes) -> None:
        self._file.write(data)
        self._hash.update(data)
        self.size += len(data)

    @property
    def digest(self) -> str:
        return self._hash.hexdigest()


def write_wacz(
    output: IO[bytes], files: Iterable[Path], software: str, at: datetime, admits: Admits | None
) -> PackageCounts:
    """Package files of the archive, whole or only records of pages that `admits` admits."""
    package = _Package(output, at)
    with temporary_database(_LISTS) as database:
        for path in files:
            with failing(path), package.part(f"archive/{path.name}") as part:
                found = _copy(path, part) if admits is None else _copy_some(path, part, admits)
                _list(database, found)
        _write_index(package, _rows(database, "SELECT line FROM answers ORDER BY line"))
        head = {"format": "json-pages-1.0", "id": "pages", "title": "All pages"}
        with package.part("pages/pages.jsonl", packed=True) as part:
            part.write(f"{json.dumps(head)}\n".encode())
            for line in _rows(database, "SELECT line FROM pages ORDER BY url"):
                part.write(f"{line}\n".encode())
        (answers,) = _rows(database, "SELECT count(*) FROM answers")
        (pages,) = _rows(database, "SELECT count(*) FROM pages")
    package.close(software)
    return PackageCounts(int(answers), int(pages))


def _list(database: apsw.Connection, found: Iterable[IndexEntry]) -> None:
    """Put answers on the lists, which memory may not have room for."""
    with database:
        for each in found:
            database.execute("INSERT INTO answers VALUES (?)", (each.line,))
            if each.status == _OK and each.media_type in _PAGE_TYPES:
                name = hashlib.sha256(each.url.encode()).hexdigest()[:22]
                line = json.dumps({"id": name, "url": each.url, "ts": _moment(each.at)})
                database.execute("INSERT OR IGNORE INTO pages VALUES (?, ?)", (each.url, line))


def _rows(database: apsw.Connection, query: str) -> Iterator[str]:
    return (str(row[0]) for row in database.execute(query))


def _copy(path: Path, part: _Hashed) -> Iterator[IndexEntry]:
    """Copy a file whole, or what is whole of one that is still written; the answers in it."""
    if not mark_of(path).exists():
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                part.write(chunk)
        yield from read_answers(path)
        return
    yield from _copy_some(path, part, lambda _: True)


def _copy_some(path: Path, part: _Hashed, admits: Admits) -> Iterator[IndexEntry]:
    """Copy records of some pages, and those that speak of none; the answers, at their new places."""
    with open_file(path, os.O_RDONLY) as fd:
        for each in members(fd):
            if isinstance(each, Damage):
                continue
            url = each.record.url
            if url is None or admits(Url(url)):
                place = ArchivePlace(path.name, part.size, each.length)
                part.write(os.pread(fd, each.length, each.offset))
                yield from IndexEntry.all_of(each.record, place)


def _write_index(package: _Package, lines: Iterable[str]) -> None:
    """The index in packed blocks, and the index of these blocks."""
    blocks = [json.dumps({"format": "cdxj-gzip-1.0", "filename": "index.cdx.gz"})]
    blocks[0] = f"!meta 0 {blocks[0]}"
    block: list[str] = []
    with package.part("indexes/index.cdx.gz") as part:

        def end_block() -> None:
            packer = compressobj(wbits=16 + MAX_WBITS)
            data = packer.compress("".join(f"{line}\n" for line in block).encode())
            data += packer.flush()
            place = {
                "offset": part.size,
                "length": len(data),
                "digest": f"sha256:{hashlib.sha256(data).hexdigest()}",
                "filename": "index.cdx.gz",
            }
            blocks.append(f"{' '.join(block[0].split(' ', 2)[:2])} {json.dumps(place)}")
            part.write(data)
            block.clear()

        for line in lines:
            block.append(line)
            if len(block) == _LINES:
                end_block()
        if block:
            end_block()
    with package.part("indexes/index.idx", packed=True) as part:
        part.write("".join(f"{line}\n" for line in blocks).encode())


def _moment(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
