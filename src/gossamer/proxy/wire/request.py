"""The head of a request: its line and fields, read strictly. Pure."""

import re
from typing import Final, NamedTuple, Self

from gossamer.proxy.cache.protocol import Fields
from gossamer.proxy.wire.fields import (
    TOKEN,
    Index,
    Malformed,
    has_bare_line_feed,
    indexed,
    items,
    read_fields,
)

MOST_FIELDS: Final = 100
MOST_LINE_BYTES: Final = 8 * 1024  # what servers commonly take
MOST_METHOD_BYTES: Final = 32
HEAD_END: Final = b"\r\n\r\n"
_VERSION: Final = re.compile(rb"HTTP/([0-9])\.([0-9])")


class RequestHead(NamedTuple):
    """A request before its body, as the client wrote it."""

    method: str
    target: bytes
    minor: int  # of HTTP/1.x
    fields: Fields
    named: Index  # the same

    @classmethod
    def of(cls, method: str, target: bytes, minor: int, fields: Fields) -> Self:
        """A head with these fields."""
        return cls(method, target, minor, fields, indexed(fields))

    @property
    def keeps_alive(self) -> bool:
        """Whether the client goes on with this connection."""
        options = items(self.named, b"connection")
        return b"close" not in options and (self.minor == 1 or b"keep-alive" in options)


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


def read_request(head: bytes, most_fields: int = MOST_FIELDS) -> RequestHead | Malformed:
    """The request that a head states; `head` ends in an empty line."""
    line_end = head.find(b"\r\n")
    line = head[:line_end]
    if len(line) > MOST_LINE_BYTES:
        return Malformed(414, f"The request line is longer than {MOST_LINE_BYTES:,} bytes.")
    parts = line.split(b" ")
    if len(parts) != 3 or not all(parts):
        return Malformed(400, "The request line is not METHOD, URL and version, a blank between.")
    method, target, version = parts
    read = _method(method) or _minor(version)
    if isinstance(read, Malformed):
        return read
    if not _is_printable(target):
        return Malformed(400, "The URL has characters that no URL has; they are to be encoded.")
    fields = read_fields(head[:-2], line_end + 2, most_fields)
    if isinstance(fields, Malformed):
        return fields
    return RequestHead.of(method.decode("ascii"), target, int(version[-1:]), fields)


def _method(method: bytes) -> Malformed | None:
    if not TOKEN.fullmatch(method):
        return Malformed(400, "The method has characters that no method has.")
    if len(method) > MOST_METHOD_BYTES:
        return Malformed(501, "There is no method with such a long name.")
    return None


def _minor(version: bytes) -> Malformed | None:
    found = _VERSION.fullmatch(version)
    if found is None:
        return Malformed(400, "The request line does not end in HTTP/1.1.")
    if version not in (b"HTTP/1.1", b"HTTP/1.0"):
        return Malformed(505, "Only HTTP/1.1 and HTTP/1.0 are spoken here.")
    return None


def _is_printable(target: bytes) -> bool:
    return target.isascii() and target.decode("ascii").isprintable() and b"\\" not in target


def _too_large(buffer: bytes | bytearray, most_bytes: int) -> Malformed:
    if buffer.find(b"\r\n", 0, most_bytes) < 0:
        return Malformed(414, f"The request line is longer than {MOST_LINE_BYTES:,} bytes.")
    return Malformed(431, f"The header of the request is longer than {most_bytes:,} bytes.")
