"""Framing: where a body ends, by its length, its last chunk or the end of the connection. Pure.

Chunks are read strictly as they come; trailers are read and dropped. Framing costs us time and a sender
next to nothing, so there is a limit to how much of it there may be for what it frames: chunks of a byte
each, and extensions and trailers without end, are refused.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from gossamer.http.wire.fields import Index, Malformed, items, values

MOST_LINE_BYTES: Final = 1024  # of a size and its extensions, which nobody uses
MOST_EXTENSION_BYTES: Final = 16 * 1024  # of one body, in all
MOST_TRAILER_BYTES: Final = 16 * 1024  # the same
MOST_TRAILERS: Final = 100  # lines, as many as a head may have
FREE_CHUNKS: Final = 16_384  # of any size; beyond them …
LEAST_CHUNK_BYTES: Final = 64  # … they hold so much on average: a program that streams sends lines
LAST: Final = b"0\r\n\r\n"
_DIGITS: Final = re.compile(rb"[0-9]{1,18}")  # more bytes than any disk holds have nineteen
_SIZE: Final = re.compile(rb"([0-9A-Fa-f]{1,15})[ \t]*(?:;[^\x00-\x08\x0a-\x1f\x7f]*)?")
_BAD_SIZE: Final = Malformed(400, "The size of a chunk cannot be read.")
_BAD_END: Final = Malformed(400, "A chunk does not end where it says.")
_BAD_TRAILER: Final = Malformed(400, "The trailer of the body cannot be read.")
_LONG_TRAILER: Final = Malformed(400, "The trailer of the body is too long.")
_SMALL_CHUNKS: Final = Malformed(400, "The body comes in too many chunks of a few bytes.")
_LONG_EXTENSIONS: Final = Malformed(400, "The chunks of the body have too long extensions.")


class Sized(NamedTuple):
    """A body of known length; zero where there is none."""

    length: int


@dataclass(frozen=True, slots=True)
class Chunked:
    """A body that says when it ends."""


@dataclass(frozen=True, slots=True)
class UntilClose:
    """A body that ends with its connection."""


Framing = Sized | Chunked | UntilClose
NOTHING: Final = Sized(0)
CHUNKED: Final = Chunked()
UNTIL_CLOSE: Final = UntilClose()


def request_framing(index: Index, minor: int) -> Sized | Chunked | Malformed:
    """Where the body of a request ends; whatever could be read in two ways is refused."""
    lengths, codings = values(index, b"content-length"), values(index, b"transfer-encoding")
    if codings:
        return _coded(items(index, b"transfer-encoding"), bool(lengths), minor)
    if not lengths:
        return NOTHING
    if len(lengths) > 1:
        return Malformed(400, "The request has more than one Content-Length.")
    if not _DIGITS.fullmatch(lengths[0]):
        return Malformed(400, "The Content-Length of the request is not a number of bytes.")
    return Sized(int(lengths[0]))


def response_framing(index: Index, status: int, *, to_head: bool) -> Framing | Malformed:
    """Where the body of a response ends."""
    if to_head or status in (204, 304) or status < 200:
        return NOTHING
    if b"transfer-encoding" in index:  # which overrules a length (RFC 9112 section 6.3)
        return _coded_response(items(index, b"transfer-encoding"))
    if b"content-length" not in index:
        return UNTIL_CLOSE
    length, *others = index[b"content-length"]
    if not _DIGITS.fullmatch(length) or {*others} - {length}:
        return Malformed(502, "The server's answer does not say how long it is in one way alone.")
    return Sized(int(length))


def chunk(piece: bytes) -> bytes:
    """A piece of a body as a chunk; an empty one is none."""
    return b"%x\r\n%b\r\n" % (len(piece), piece) if piece else b""


class ChunkReader:
    """Takes bytes as they come, and gives the body's."""

    def __init__(self) -> None:
        self.done = False
        self._held = bytearray()  # what cannot be read so far
        self._left = 0  # bytes of this chunk
        self._in_trailer = False
        self._chunks = 0
        self._body_bytes = 0  # of all chunks so far
        self._extension_bytes = 0
        self._trailers = 0
        self._trailer_bytes = 0

    def feed(self, data: bytes) -> bytes | Malformed:
        """The body's bytes in these; once `done`, the rest is in `leftover`."""
        held = self._held
        held += data
        pieces: list[bytes] = []
        while not self.done:
            if self._left:
                if (piece := self._data()) is None:
                    break
                if isinstance(piece, Malformed):
                    return piece
                pieces.append(piece)
                if self._left:
                    break
            else:
                read = self._trailer() if self._in_trailer else self._size()
                if isinstance(read, Malformed):
                    return read
                if not read:
                    break
        return b"".join(pieces)

    @property
    def leftover(self) -> bytes:
        """What came after the end of the body."""
        return bytes(self._held)

    def _data(self) -> bytes | Malformed | None:
        """Bytes of this chunk, with the line end after its last one."""
        held, left = self._held, self._left
        if len(held) >= left + 2:
            if held[left : left + 2] != b"\r\n":
                return _BAD_END
            piece = bytes(held[:left])
            del held[: left + 2]
            self._left = 0
            return piece
        # The last byte stays until its line end is here: a chunk is left at once or not at all.
        part = min(len(held), left - 1)
        if part <= 0:
            return None
        piece = bytes(held[:part])
        del held[:part]
        self._left -= part
        return piece

    def _size(self) -> bool | Malformed:
        end = self._held.find(b"\r\n", 0, MOST_LINE_BYTES)
        if end < 0:
            is_hopeless = len(self._held) >= MOST_LINE_BYTES or b"\n" in self._held
            return _BAD_SIZE if is_hopeless else False
        size = _SIZE.fullmatch(self._held, 0, end)
        if size is None:
            return _BAD_SIZE
        self._left = int(size[1], 16)
        self._in_trailer = self._left == 0
        del self._held[: end + 2]
        self._chunks += 1
        self._extension_bytes += end - len(size[1])
        # The bytes of this chunk count when it is over: it may say what it likes of itself.
        if self._chunks - FREE_CHUNKS > self._body_bytes // LEAST_CHUNK_BYTES:
            return _SMALL_CHUNKS
        self._body_bytes += self._left
        return True if self._extension_bytes <= MOST_EXTENSION_BYTES else _LONG_EXTENSIONS

    def _trailer(self) -> bool | Malformed:
        """Read one line of what follows the last chunk."""
        end = self._held.find(b"\r\n", 0, MOST_TRAILER_BYTES)
        if end < 0:
            return _BAD_TRAILER if len(self._held) >= MOST_TRAILER_BYTES else False
        line = bytes(self._held[:end])
        del self._held[: end + 2]
        if b"\n" in line or b"\0" in line:
            return _BAD_TRAILER
        self._trailers += 1
        self._trailer_bytes += end
        if self._trailers > MOST_TRAILERS + 1 or self._trailer_bytes > MOST_TRAILER_BYTES:
            return _LONG_TRAILER
        self.done = not line
        return True


def _coded(codings: Sequence[bytes], has_length: bool, minor: int) -> Chunked | Malformed:
    if has_length:
        return Malformed(400, "The request has both Content-Length and Transfer-Encoding.")
    if minor == 0:
        return Malformed(400, "HTTP/1.0 knows no Transfer-Encoding.")
    if [*codings] == [b"chunked"]:
        return CHUNKED
    if codings and codings[-1] == b"chunked" and b"chunked" not in codings[:-1]:
        return Malformed(501, "The only Transfer-Encoding that is known here is chunked.")
    return Malformed(400, "The Transfer-Encoding of the request does not end in one chunked.")


def _coded_response(codings: Sequence[bytes]) -> Framing | Malformed:
    if not codings:  # some would take this for none, and others for one
        return Malformed(502, "The server's answer has an empty Transfer-Encoding.")
    match [each for each in codings if each != b"identity"]:  # as old servers say for nothing
        case []:
            return UNTIL_CLOSE
        case [b"chunked"]:
            return CHUNKED
    # We asked for no other (TE), and the next hop would not learn of it.
    return Malformed(502, "The server's answer has a Transfer-Encoding besides chunked.")
