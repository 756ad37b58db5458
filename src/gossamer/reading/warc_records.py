"""Pages in WARC files, record by record: read on behind damage, in ranges, never beyond a limit of memory.

A file is anything that can be read and sought: a file on a disk, or bytes that an engine handed over. A part of it that
is damaged is passed over up to the next record and told as `BrokenPart`. WARC 1.0 and 1.1 are read, packed or not. What
has no pages in it (ARC, WET, WAT) is told by `why_no_pages`, in a sentence.
"""

import re
import zlib
from base64 import b32encode
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha1
from typing import IO, Any, Final

from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType

WARC_MAGIC: Final = b"WARC/"
ARC_MAGIC: Final = b"filedesc:"
GZIP_MAGIC: Final = b"\x1f\x8b"
MOST_BYTES: Final = 256 * 1024 * 1024  # of one file or record; what is longer is no page
BLOCK: Final = 128 * 1024
SIGN_BYTES: Final = 16  # by which the beginning of a record is known
HEAD_BYTES: Final = 64 * 1024  # of a file, to tell what it is
_RECORDS: Final = (WarcRecordType.response, WarcRecordType.resource, WarcRecordType.conversion)
_SIZE: Final = re.compile(rb"([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]*)?\r?\n")
_MEMBER: Final = GZIP_MAGIC + b"\x08"
_PLAIN_RECORD: Final = re.compile(rb"\r\n(?=WARC/1\.[01]\r\n)")
_LENGTH: Final = re.compile(rb"(?im)^content-length:[ \t]*(\d{1,15})")
_TYPE: Final = re.compile(rb"(?im)^warc-type:[ \t]*([\w-]+)")
_CUT: Final = {
    "length": "it was too long for whoever kept it",
    "time": "it took too long for whoever kept it",
    "disconnect": "the connection broke off",
    "unspecified": "it was cut, nobody says why",
}
_NO_PAGES: Final = {
    b"conversion": "It is a WET file, which has the text of pages and nothing of their mark-up. Read the WARC file that "
    "it was made from.",
    b"metadata": "It is a WAT file, which has data about pages and not the pages. Read the WARC file that it was made from.",
}


@dataclass(frozen=True, slots=True)
class WarcPage:
    """A page in a record: what a server answered, whatever its status."""

    url: str
    offset: int  # of the record
    body: bytes  # without the chunked transfer coding; content codings are left
    status: int | None = None  # None where the record has no HTTP in it
    content_type: str | None = None
    content_encoding: str = ""
    languages: str = ""  # the header Content-Language
    robots_tag: str = ""  # the header X-Robots-Tag
    digest: str = ""  # of the body as it was stored
    fetched_at: datetime | None = None
    problem: str | None = None  # why it is not all of the page

    @property
    def is_content(self) -> bool:
        """Whether it is a page, and no error or redirect, which say nothing of their own."""
        return self.status is None or 200 <= self.status < 300


@dataclass(frozen=True, slots=True)
class BrokenPart:
    """A part of a file that holds no record that can be read."""

    after: int  # where the last record before it begins
    why: str


def why_no_pages(file: IO[bytes]) -> str | None:
    """Why a file has no pages for us, from its first records; None where nothing speaks against it."""
    head = _unpacked_head(file)
    if head.startswith(ARC_MAGIC):
        return "It is an ARC file, which is not read here. `warcio recompress OLD.arc.gz NEW.warc.gz` makes a WARC file of it."
    if not head.startswith(WARC_MAGIC):
        return "It is no WARC file."
    kinds = _TYPE.findall(head)
    others = [kind.lower() for kind in kinds if kind.lower() != b"warcinfo"]
    return _NO_PAGES.get(others[0]) if others else None


def is_archive_head(head: bytes) -> bool:
    """Whether a file that begins with these bytes is an archive of pages, one that is read here or not."""
    return _begin_of_member(head).startswith((WARC_MAGIC, ARC_MAGIC))


def is_warc_head(head: bytes) -> bool:
    """Whether a file that begins with these bytes holds WARC records, packed or not."""
    return _begin_of_member(head).startswith(WARC_MAGIC)


def read_warc(
    file: IO[bytes], start: int = 0, end: int | None = None
) -> Iterator[WarcPage | BrokenPart]:
    """The pages whose records begin between two offsets of a file, at which records begin."""
    size = _size(file)
    end = size if end is None else min(end, size)
    at, is_broken = start, False
    while at < end:
        offset, damage = at, None
        file.seek(at)
        try:
            for record in ArchiveIterator(file, auto_decode="none", max_content_length=MOST_BYTES):
                if record.headers.get("WARC-Type") is None:
                    damage = "a record without a type"
                    break
                offset, is_broken = record.stream_pos, False
                if offset >= end:
                    return
                if (page := _page(record, offset)) is not None:
                    yield page
            damage = damage or _left_over(file, offset, size)
        except (OSError, ValueError, EOFError) as error:
            damage = str(error)
        if damage is None:
            return
        if not is_broken:  # else it is the same part, told already
            yield BrokenPart(offset, damage)
            is_broken = True
        following = find_record(file, offset + 1, end)
        if following is None:
            return
        at = following


def find_record(file: IO[bytes], at: int, end: int) -> int | None:
    """Where the first record at or behind an offset begins, and before another; None without one."""
    is_packed = _starts_with(file, 0, GZIP_MAGIC)
    while at < end:
        file.seek(at)
        block = file.read(BLOCK)
        for found in _candidates(block, is_packed):
            if at + found >= end:
                return None
            if not is_packed or _is_record(file, at + found):
                return at + found
        if len(block) < BLOCK:
            return None
        at += BLOCK - SIGN_BYTES
    return None


def _candidates(block: bytes, is_packed: bool) -> Iterator[int]:
    if not is_packed:
        yield from (each.end() for each in _PLAIN_RECORD.finditer(block))
        return
    at = block.find(_MEMBER)
    while at >= 0:
        yield at
        at = block.find(_MEMBER, at + 1)


def _is_record(file: IO[bytes], at: int) -> bool:
    file.seek(at)
    return is_warc_head(file.read(1024))


def record_ranges(file: IO[bytes], most_bytes: int) -> list[tuple[int, int]]:
    """Ranges of about so many bytes, each of whole records.

    The boundaries are found by walking over all records from the first one. To look for one anywhere else could find a
    record that somebody has put into a page, and believe it.
    """
    size = _size(file)
    starts, at = [0], 0
    while (following := _following(file, at)) is not None and following < size:
        if following - starts[-1] >= most_bytes:
            starts.append(following)
        at = following
    return list(zip(starts, [*starts[1:], size], strict=True))


def _following(file: IO[bytes], at: int) -> int | None:
    """Where the record behind the one at an offset begins; None where that is not known."""
    file.seek(at)
    head = file.read(BLOCK)
    if head.startswith(GZIP_MAGIC):
        try:
            length = _packed_length(file, head)
        except zlib.error:
            return None
        return at + length if length else None
    header, blank, _ = head.partition(b"\r\n\r\n")
    length_told = _LENGTH.search(header) if header.startswith(WARC_MAGIC) and blank else None
    return None if length_told is None else at + len(header) + 4 + int(length_told[1]) + 4


def _page(record: WarcRecord, offset: int) -> WarcPage | None:
    url = (record.headers.get("WARC-Target-URI") or "").strip("<>")
    headers: Any = record.http_headers  # None of what is no HTTP, whatever the types say
    if not url or record.record_type not in _RECORDS:
        return None
    told, block_type = record.headers, record.headers.get("Content-Type")
    body, wanted = record.reader.read(), record.content_length
    problem = "The record breaks off before its end." if len(body) < wanted else _cut(record)
    digest = told.get("WARC-Payload-Digest") or f"sha1:{b32encode(sha1(body).digest()).decode()}"  # noqa: S324 (as WARC has it)
    if headers is None:
        return WarcPage(
            url=url,
            offset=offset,
            body=body,
            content_type=block_type,
            digest=digest,
            fetched_at=_moment(told.get("WARC-Date")),
            problem=problem,
        )
    if "chunked" in (headers.get("Transfer-Encoding") or "").lower():
        # Some archivers undo the chunks and keep the header: then the body is as it should be.
        body = dechunked(body) or body
    return WarcPage(
        url=url,
        offset=offset,
        body=body,
        status=headers.status_code or 0,
        content_type=headers.get("Content-Type"),
        content_encoding=headers.get("Content-Encoding") or "",
        languages=headers.get("Content-Language") or "",
        robots_tag=headers.get("X-Robots-Tag") or "",
        digest=digest,
        fetched_at=_moment(told.get("WARC-Date")),
        problem=problem,
    )


def _moment(text: str | None) -> datetime | None:
    try:
        moment = datetime.fromisoformat((text or "").strip())
    except ValueError:
        return None
    return moment.replace(tzinfo=moment.tzinfo or UTC)


def _cut(record: WarcRecord) -> str | None:
    """Whether whoever wrote the record says that it is not all of the page (WARC 1.1 §5.13)."""
    why = record.headers.get("WARC-Truncated")
    if why is None:
        return None
    word = why.strip().lower()
    return f"The record holds a part of the page alone: {_CUT.get(word, _CUT['unspecified'])}."


def _left_over(file: IO[bytes], offset: int, size: int) -> str | None:
    """What is wrong with what follows the last record: a reader that meets garbage just ends."""
    file.seek(offset)
    head = file.read(HEAD_BYTES)
    if head.startswith(GZIP_MAGIC):
        end = offset + _packed_length(file, head)
    else:
        header, _, _ = head.partition(b"\r\n\r\n")
        length = _LENGTH.search(header)
        end = offset + len(header) + 4 + int(length[1] if length else 0)
    file.seek(min(end, size))
    rest = file.read(HEAD_BYTES)
    return "what follows is no record" if rest.strip(b"\r\n\0") else None


def _packed_length(file: IO[bytes], block: bytes) -> int:
    """How long the gzip member is that begins with this block and goes on in the file."""
    unpacker, length = zlib.decompressobj(16 + zlib.MAX_WBITS), 0
    while block and not unpacker.eof:
        unpacker.decompress(block)
        length += len(block) - len(unpacker.unused_data)
        block = b"" if unpacker.eof else file.read(BLOCK)
    return length


def _unpacked_head(file: IO[bytes]) -> bytes:
    """The beginning of the first records, unpacked."""
    file.seek(0)
    head, size = file.read(HEAD_BYTES), 0
    pieces: list[bytes] = []
    if not head.startswith(GZIP_MAGIC):
        return head
    while head.startswith(GZIP_MAGIC) and size < HEAD_BYTES:
        unpacker = zlib.decompressobj(16 + zlib.MAX_WBITS)
        try:
            pieces.append(unpacker.decompress(head, HEAD_BYTES))
        except zlib.error:
            break
        size += len(pieces[-1])
        head = unpacker.unused_data
    return b"".join(pieces)


def _begin_of_member(head: bytes) -> bytes:
    if not head.startswith(GZIP_MAGIC):
        return head
    try:
        return zlib.decompressobj(16 + zlib.MAX_WBITS).decompress(head, 64)
    except zlib.error:
        return b""


def _starts_with(file: IO[bytes], at: int, sign: bytes) -> bool:
    file.seek(at)
    return file.read(len(sign)) == sign


def _size(file: IO[bytes]) -> int:
    return file.seek(0, 2)


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
