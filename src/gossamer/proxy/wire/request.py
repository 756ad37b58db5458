"""The head of a request: its line and fields, read strictly. Pure."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple, Self

from gossamer.proxy.cache.protocol import Field, Fields
from gossamer.proxy.wire.fields import (
    TOKEN,
    Index,
    Malformed,
    has_bare_line_feed,
    indexed,
    read_fields,
    values,
)

MOST_FIELDS: Final = 100
MOST_LINE_BYTES: Final = 8 * 1024  # what servers commonly take
MOST_METHOD_BYTES: Final = 32
HEAD_END: Final = b"\r\n\r\n"
MOST_REMEMBERED: Final = 256  # headers …
MOST_REMEMBERED_BYTES: Final = 4096  # … that are no longer than this
_LINE: Final = re.compile(
    rb"([!#$%%&'*+\-.^_`|~0-9A-Za-z]{1,%d}) ([\x21-\x5b\x5d-\x7e]+) HTTP/1\.([01])\r\n"
    % MOST_METHOD_BYTES
)
_VERSION: Final = re.compile(rb"HTTP/([0-9])\.([0-9])")
_HOST: Final = re.compile(rb"\r\n[Hh][Oo][Ss][Tt]:([^\x00-\x08\x0a-\x1f\x7f]*)\r\n")


class Header:
    """All that a request says but its line and its first Host: the same for many requests.

    A program that asks a hundred times says the same a hundred times. It is read once, and so is what
    follows from it, for which this is the key.
    """

    __slots__ = ("fields", "named")

    def __init__(self, fields: Fields) -> None:
        self.fields = fields
        self.named = indexed(fields)


class RequestHead(NamedTuple):
    """A request before its body, as the client wrote it."""

    method: str
    target: bytes
    minor: int  # of HTTP/1.x
    host: bytes | None  # the first; there may be no second in `header`
    header: Header

    @classmethod
    def of(cls, method: str, target: bytes, minor: int, host: bytes | None, *fields: Field) -> Self:
        """A head with these fields."""
        return cls(method, target, minor, host, Header(fields))

    @property
    def named(self) -> Index:
        """All values of its fields, but its Host."""
        return self.header.named

    @property
    def hosts(self) -> Sequence[bytes]:
        """All of them; there should be one."""
        others = values(self.named, b"host")
        return others if self.host is None else [self.host, *others]


def head_end(buffer: bytes | bytearray, most_bytes: int) -> int | Malformed | None:
    """Where a head ends that begins the buffer; None while there is more to come."""
    end = buffer.find(HEAD_END)
    if 0 <= end <= most_bytes:
        return end + len(HEAD_END)
    if end >= 0 or len(buffer) > most_bytes:
        return _too_large(buffer, most_bytes)
    if has_bare_line_feed(bytes(buffer)):
        return Malformed(400, "A line ends in a bare LF.")
    return None


def is_one_head(data: bytes, most_bytes: int) -> bool:
    """Whether these bytes are a head of bearable size, and nothing but that."""
    is_whole = data.find(HEAD_END) == len(data) - len(HEAD_END)
    return is_whole and len(HEAD_END) < len(data) <= most_bytes and not data.startswith(b"\r\n")


def read_request(head: bytes, most_line: int = MOST_LINE_BYTES) -> RequestHead | Malformed:
    """The request that a head states; `head` ends in an empty line."""
    line = _LINE.match(head)
    if line is None or line.end() > most_line + 2:
        return _wrong(head[: head.find(b"\r\n")], most_line)
    lines = head[line.end() - 2 :]
    read = _known_lines(lines) if len(lines) <= MOST_REMEMBERED_BYTES else _read_lines(lines)
    if isinstance(read, Malformed):
        return read
    method, target, minor = line.groups()
    return RequestHead(method.decode("ascii"), target, int(minor), *read)


def _read_lines(lines: bytes) -> tuple[bytes | None, Header] | Malformed:
    """The first Host and the header, of lines that begin with the end of the one before."""
    host, block = _parted(lines)
    header = _known(block) if len(block) <= MOST_REMEMBERED_BYTES else _read(block)
    if isinstance(header, Malformed):
        return header
    if len(header.fields) + (host is not None) > MOST_FIELDS:
        return Malformed(431, f"The request has more than {MOST_FIELDS} header fields.")
    return host, header


def _parted(lines: bytes) -> tuple[bytes | None, bytes]:
    """The first Host, and all other lines."""
    found = _HOST.search(lines)
    if found is None:
        return None, lines[2:-2]
    return found[1].strip(), lines[2 : found.start() + 2] + lines[found.end() : -2]


def _read(block: bytes) -> Header | Malformed:
    fields = read_fields(block, 0, MOST_FIELDS)
    return fields if isinstance(fields, Malformed) else Header(fields)


_known = lru_cache(MOST_REMEMBERED)(_read)  # of each program …
_known_lines = lru_cache(4 * MOST_REMEMBERED)(_read_lines)  # … and of each host that it asks


def _wrong(line: bytes, most_line: int) -> Malformed:
    """What is wrong with a request line."""
    if len(line) > most_line:
        return Malformed(414, f"The request line is longer than {most_line:,} bytes.")
    parts = line.split(b" ")
    if len(parts) != 3 or not all(parts):
        return Malformed(400, "The request line is not METHOD, URL and version, a blank between.")
    method, _, version = parts
    if not TOKEN.fullmatch(method):
        return Malformed(400, "The method has characters that no method has.")
    if len(method) > MOST_METHOD_BYTES:
        return Malformed(501, "There is no method with such a long name.")
    if not _VERSION.fullmatch(version):
        return Malformed(400, "The request line does not end in HTTP/1.1.")
    if version not in (b"HTTP/1.1", b"HTTP/1.0"):
        return Malformed(505, "Only HTTP/1.1 and HTTP/1.0 are spoken here.")
    return Malformed(400, "The URL has characters that no URL has; they are to be encoded.")


def _too_large(buffer: bytes | bytearray, most_bytes: int) -> Malformed:
    if buffer.find(b"\r\n", 0, most_bytes) < 0:
        return Malformed(414, "The request line is too long.")
    return Malformed(431, f"The header of the request is longer than {most_bytes:,} bytes.")
