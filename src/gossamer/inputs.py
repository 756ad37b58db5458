"""What `gossamer extract` reads on this machine: files, folders, standard input, WARC files.

Everything comes out as pages, one after the other; nothing is held but the page at hand.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType

from gossamer.errors import InputError

STANDARD_INPUT: Final = "-"
WARC_SUFFIXES: Final = (".warc", ".warc.gz")
WARC_MAGIC: Final = b"WARC/1."
_RECORDS: Final = WarcRecordType.response | WarcRecordType.resource | WarcRecordType.conversion
MOST_BYTES: Final = 256 * 1024 * 1024  # of one file or record; what is longer is no page


@dataclass(frozen=True, slots=True)
class Input:
    """One page as it was found."""

    name: str  # for people: a file name, or an address and the WARC it came from
    url: str
    body: bytes
    content_type: str | None = None
    content_encoding: str = ""
    offset: int | None = None  # where its record begins in the WARC file
    through: float | None = None  # which part of the file lies behind, from 0 to 1


def read_inputs(
    names: Sequence[str], *, url: str | None = None, media_type: str | None = None, start: int = 0
) -> Iterator[Input]:
    """The pages of these files, folders, WARC files and `-`, in order.

    `url` names a single page, or is the folder that files are taken to lie in. `start` is
    where to begin in the first WARC file.
    """
    for name in names:
        for path in _files(name):
            if path is not None and path.name.endswith(WARC_SUFFIXES):
                yield from _warc_pages(path, start)
            else:
                yield _file_page(path, url if len(names) == 1 else None, media_type)


def _files(name: str) -> Iterator[Path | None]:
    if name == STANDARD_INPUT:
        yield None
        return
    path = Path(name)
    if not path.exists():
        raise InputError(f"{name}: there is no such file or folder.")
    if path.is_dir():
        yield from sorted(each for each in path.rglob("*") if each.is_file())
    else:
        yield path


def _file_page(path: Path | None, url: str | None, media_type: str | None) -> Input:
    name = "standard input" if path is None else str(path)
    try:
        body = _bounded(sys.stdin.buffer) if path is None else _read(path)
    except OSError as error:
        raise InputError(f"{name}: cannot be read: {error.strerror}.") from None
    if len(body) > MOST_BYTES:
        raise InputError(f"{name}: longer than {MOST_BYTES:,} bytes, which is no page.")
    own = "file:///dev/stdin" if path is None else path.resolve().as_uri()
    return Input(name, url or own, body, media_type)


def _read(path: Path) -> bytes:
    with path.open("rb") as file:
        return _bounded(file)


def _bounded(file: IO[bytes]) -> bytes:
    return file.read(MOST_BYTES + 1)


def _warc_pages(path: Path, start: int) -> Iterator[Input]:
    size = max(path.stat().st_size, 1)
    with path.open("rb") as file:
        file.seek(start)
        try:
            for record in ArchiveIterator(
                file, record_types=_RECORDS, auto_decode="transfer", max_content_length=MOST_BYTES
            ):
                page = _record_page(record, path, start + record.stream_pos, size)
                if page is not None:
                    yield page
        except (OSError, ValueError, EOFError) as error:
            raise InputError(f"{path}: damaged after byte {file.tell():,}: {error}.") from None


def _record_page(record: WarcRecord, path: Path, offset: int, size: int) -> Input | None:
    url = (record.headers.get("WARC-Target-URI") or "").strip("<>")
    if not url:
        return None
    headers = record.http_headers
    if headers is not None and not 200 <= (headers.status_code or 0) < 300:
        return None  # an error page or a redirect says nothing of its own
    content_type = (
        record.headers.get("Content-Type") if headers is None else headers.get("Content-Type")
    )
    return Input(
        name=f"{url} ({path.name})",
        url=url,
        body=record.reader.read(),
        content_type=content_type,
        content_encoding="" if headers is None else headers.get("Content-Encoding") or "",
        offset=offset,
        through=offset / size,
    )
