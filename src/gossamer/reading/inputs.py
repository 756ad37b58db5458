"""Pages from this machine, for `gossamer extract`: files, folders, standard input, WARC files.

Everything comes out as pages, one after the other; nothing is held but the page at hand. What
cannot be read is an input too, with the reason: the others go on.
"""

import re
import sys
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final
from urllib.parse import quote

from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType

from gossamer.transform.iris import join

_SIZE: Final = re.compile(rb"([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]*)?\r?\n")
STANDARD_INPUT: Final = "-"
WARC_MAGIC: Final = b"WARC/"
GZIP_MAGIC: Final = b"\x1f\x8b"
_RECORDS: Final = (WarcRecordType.response, WarcRecordType.resource, WarcRecordType.conversion)
_CUT: Final = {
    "length": "it was too long for whoever kept it",
    "time": "it took too long for whoever kept it",
    "disconnect": "the connection broke off",
    "unspecified": "it was cut, nobody says why",
}
MOST_BYTES: Final = 256 * 1024 * 1024  # of one file or record; what is longer is no page


@dataclass(frozen=True, slots=True)
class Input:
    """One page as it was found, or why there is none."""

    name: str  # for people: a file name, or an address and the WARC it came from
    url: str
    body: bytes = b""
    content_type: str | None = None
    content_encoding: str = ""
    file: str | None = None  # the WARC file it came from
    offset: int | None = None  # where its record begins there
    through: float | None = None  # which part of that file lies behind, from 0 to 1
    problem: str | None = None  # why it cannot be read, or not to its end


def read_inputs(
    name: str, *, url: str | None = None, media_type: str | None = None, start: int = 0
) -> Iterator[Input]:
    """The pages of a file, a folder, a WARC file or `-`, in order.

    `url` names the page; to the files of a folder it is the address of that folder. `start`
    is where to begin in a WARC file.
    """
    path = Path(name)
    if name == STANDARD_INPUT:
        yield _page("standard input", url or "file:///dev/stdin", sys.stdin.buffer, media_type)
    elif path.is_dir():
        for each in sorted(each for each in path.rglob("*") if not each.is_dir()):
            below = quote(each.relative_to(path).as_posix())
            own = None if url is None else join(url if url.endswith("/") else f"{url}/", below)
            yield from _file(each, own, media_type, 0)
    else:
        yield from _file(path, url, media_type, start)


def is_warc(path: Path) -> bool:
    """Whether a file holds WARC records, packed or not, whatever its name."""
    try:
        with path.open("rb") as file:
            head = file.read(1024)
    except OSError:
        return False
    if head.startswith(GZIP_MAGIC):
        try:
            head = zlib.decompressobj(16 + zlib.MAX_WBITS).decompress(head, 64)
        except zlib.error:
            return False
    return head.startswith(WARC_MAGIC)


def _file(path: Path, url: str | None, media_type: str | None, start: int) -> Iterator[Input]:
    name, own = str(path), url or path.absolute().as_uri()
    if not path.exists():
        yield Input(name, own, problem="There is no such file or folder.")
    elif not path.is_file():
        yield Input(name, own, problem="It is no ordinary file.")
    elif is_warc(path):
        yield from _warc_pages(path, start)
    else:
        try:
            with path.open("rb") as file:
                yield _page(name, own, file, media_type)
        except OSError as error:
            yield Input(name, own, problem=f"It cannot be read: {error.strerror}.")


def _page(name: str, url: str, file: IO[bytes], media_type: str | None) -> Input:
    body = file.read(MOST_BYTES + 1)
    if len(body) > MOST_BYTES:
        return Input(
            name, url, problem=f"It is longer than {MOST_BYTES:,} bytes, which is no page."
        )
    return Input(name, url, body, media_type)


def _warc_pages(path: Path, start: int) -> Iterator[Input]:
    size, offset, damage = max(path.stat().st_size, 1), start, None
    try:
        with path.open("rb") as file:
            file.seek(start)
            for record in ArchiveIterator(file, auto_decode="none", max_content_length=MOST_BYTES):
                if record.headers.get("WARC-Type") is None:
                    damage = "a record without a type"
                    break
                offset = start + record.stream_pos
                page = _record_page(record, path, offset, size)
                if page is not None:
                    yield page
            damage = damage or _left_over(file, offset, size)
    except (OSError, ValueError, EOFError) as error:
        damage = str(error)
    if damage:
        why = f"The file is damaged behind the record at byte {offset}: {damage}."
        yield Input(str(path), path.absolute().as_uri(), file=str(path), offset=offset, problem=why)


def _left_over(file: IO[bytes], offset: int, size: int) -> str | None:
    """What is wrong with what follows the last record: a reader that meets garbage just ends."""
    file.seek(offset)
    head = file.read(64 * 1024)
    if head.startswith(GZIP_MAGIC):
        end = offset + _packed_length(file, head)
    else:
        header, _, _ = head.partition(b"\r\n\r\n")
        length = re.search(rb"(?im)^content-length:[ \t]*(\d{1,15})", header)
        end = offset + len(header) + 4 + int(length[1] if length else 0)
    file.seek(min(end, size))
    rest = file.read(64 * 1024)
    return "what follows is no record" if rest.strip(b"\r\n\0") else None


def _packed_length(file: IO[bytes], block: bytes) -> int:
    """How long the gzip member is that begins with this block and goes on in the file."""
    unpacker, length = zlib.decompressobj(16 + zlib.MAX_WBITS), 0
    while block and not unpacker.eof:
        unpacker.decompress(block)
        length += len(block) - len(unpacker.unused_data)
        block = file.read(64 * 1024)
    return length


def _cut(record: WarcRecord) -> str | None:
    """Whether whoever wrote the record says that it is not all of the page (WARC 1.1 §5.13)."""
    why = record.headers.get("WARC-Truncated")
    if why is None:
        return None
    word = why.strip().lower()
    return f"The record holds a part of the page alone: {_CUT.get(word, _CUT['unspecified'])}."


def _record_page(record: WarcRecord, path: Path, offset: int, size: int) -> Input | None:
    url = (record.headers.get("WARC-Target-URI") or "").strip("<>")
    headers = record.http_headers
    if not url or record.record_type not in _RECORDS:
        return None
    if headers is not None and not 200 <= (headers.status_code or 0) < 300:
        return None  # an error page or a redirect says nothing of its own
    own_type = record.headers.get("Content-Type")
    body, wanted = record.reader.read(), record.content_length
    problem = "The record breaks off before its end." if len(body) < wanted else _cut(record)
    if headers is not None and "chunked" in (headers.get("Transfer-Encoding") or "").lower():
        # Some archivers undo the chunks and keep the header: then the body is as it should be.
        body = dechunked(body) or body
    return Input(
        name=f"{url} ({path.name})",
        url=url,
        body=body,
        content_type=own_type if headers is None else headers.get("Content-Type"),
        content_encoding="" if headers is None else headers.get("Content-Encoding") or "",
        file=str(path),
        offset=offset,
        through=offset / size,
        problem=problem,
    )


def dechunked(body: bytes) -> bytes | None:
    """The body without its chunked transfer coding (RFC 9112, section 7.1); None where it has none.

    Of a body that breaks off, as much as there is.
    """
    pieces: list[bytes] = []
    at = 0
    while at < len(body):
        size = _SIZE.match(body, at)
        if size is None:
            # In the first place: not chunked. Later: broken off, or garbage behind the end.
            return b"".join(pieces) if pieces else None
        length = int(size[1], 16)
        if length == 0:
            break
        pieces.append(body[size.end() : size.end() + length])
        at = size.end() + length
        at += 2 if body.startswith(b"\r\n", at) else 1
    return b"".join(pieces)
