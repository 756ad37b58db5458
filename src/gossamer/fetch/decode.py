"""A body as received → the bytes that were meant, within a limit. Pure.

Bodies are hostile: a few kilobytes can unpack to gigabytes, so output is made in
small pieces and stops at the limit. A broken stream gives what was good of it.
"""

import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

import brotli

from gossamer.fetch.zstd import zstd
from gossamer.model import Cause

_PIECE: Final = 64 * 1024  # most bytes unpacked at once
_FEED: Final = 16 * 1024  # bytes handed to zlib at once: it copies what it leaves over
_MAX_CODINGS: Final = 3  # one is usual, two happen; more is somebody's game
_MAX_MEMBERS: Final = 10_000  # of one gzip or zstd stream; empty ones cost time and yield nothing
_WINDOW_LOG: Final = 23  # 8 MiB: RFC 9659 allows the `zstd` coding no more
_GZIP_MAGIC: Final = (b"\x1f\x8b",)
_ZSTD_MAGIC: Final = (  # a frame, or one of those that are to be skipped (RFC 8878 §3.1.2)
    b"\x28\xb5\x2f\xfd",
    *(bytes([first, 0x2A, 0x4D, 0x18]) for first in range(0x50, 0x60)),
)
_NO_TEXT: Final = re.compile(rb"[\0-\x08\x0e-\x1a\x1c-\x1f]")  # found in whatever is packed
_GZIP, _ZLIB, _RAW = 16 + zlib.MAX_WBITS, zlib.MAX_WBITS, -zlib.MAX_WBITS

Unpack = Callable[[bytes], Iterator[bytes]]


@dataclass(frozen=True, slots=True)
class Decoded:
    """What a body says once unpacked, and what was wrong with it."""

    body: bytes
    problem: str | None = None  # a sentence; the body is what was good
    over_limit: bool = False  # there was more than we were willing to unpack
    broken: bool = False  # it could not be unpacked, or not to its end
    ends_early: bool = False  # broken, and all that came was good

    @property
    def cause(self) -> Cause | None:
        """Why this is not the whole body; None where it is."""
        if self.over_limit:
            return Cause.TOO_LARGE
        if self.ends_early:
            return Cause.TRUNCATED
        return Cause.BAD_ENCODING if self.broken else None


class _BrokenError(Exception):
    """The stream cannot be unpacked any further."""


class _EndsEarlyError(_BrokenError):
    """The stream ends before its content does."""

    def __init__(self) -> None:
        super().__init__("it ends too early")


def decode(body: bytes, content_encoding: str, max_bytes: int) -> Decoded:
    """Undo the codings of a `Content-Encoding` header, last one first."""
    codings = [each.strip().lower() for each in content_encoding.split(",")]
    codings = [each for each in codings if each not in ("", "identity")]
    if body and len(codings) > _MAX_CODINGS:
        return _packed(body, max_bytes, f"The body is packed {len(codings)} times over.")
    for coding in reversed(codings):
        if not body:
            break  # many servers announce the coding of their pages where they send none
        decoded = _undo(coding, body, max_bytes)
        if decoded.problem:
            return decoded
        body = decoded.body
    return _as_it_is(body, max_bytes)


def _as_it_is(body: bytes, max_bytes: int, problem: str | None = None) -> Decoded:
    if len(body) > max_bytes:
        return Decoded(body[:max_bytes], problem or _too_much(max_bytes), over_limit=True)
    return Decoded(body, problem)


def _packed(body: bytes, max_bytes: int, problem: str) -> Decoded:
    return replace(_as_it_is(body, max_bytes, problem), broken=True)


def _too_much(max_bytes: int) -> str:
    return f"The body holds more than {max_bytes:,} bytes."


def _undo(coding: str, body: bytes, max_bytes: int) -> Decoded:
    unpack = _UNPACK.get(coding)
    if unpack is None:
        # Most often it is none: servers write `utf-8` or `none` there, and send the page plain.
        take = _packed if _NO_TEXT.search(body, 0, _PIECE) else _as_it_is
        return take(body, max_bytes, f"The content coding {coding[:40]!r} is unknown.")
    if not body.startswith(_MAGIC.get(coding, b"")):
        # Some servers announce gzip and send the page plain; it is of use as it is.
        return _as_it_is(body, max_bytes, f"The body is not {coding}, though its header says so.")
    return _collected(unpack(body), coding, max_bytes)


def _collected(pieces: Iterator[bytes], coding: str, max_bytes: int) -> Decoded:
    unpacked = bytearray()
    try:
        for piece in pieces:
            unpacked += piece
            if len(unpacked) > max_bytes:
                return _as_it_is(bytes(unpacked), max_bytes)
    except _BROKEN as error:
        problem = f"The {coding} stream is broken: {error}."
        early = isinstance(error, _EndsEarlyError)
        return Decoded(bytes(unpacked), problem, broken=True, ends_early=early)
    return Decoded(bytes(unpacked))


def _gzip(body: bytes) -> Iterator[bytes]:
    """All members of a gzip stream, one after the other."""
    feed = _Feed(body)
    for _ in range(_MAX_MEMBERS):
        yield from _deflated(feed, _GZIP)
        if not feed.starts_with(_GZIP_MAGIC):
            return  # the end, or padding and garbage, which every gzip reader passes over
    raise _BrokenError(f"it has more than {_MAX_MEMBERS:,} members")


def _deflate(body: bytes) -> Iterator[bytes]:
    """`deflate` means zlib's format; many servers send the bare stream instead."""
    wrapped = (
        len(body) > 1 and body[0] & 0x0F == zlib.DEFLATED and not (body[0] * 256 + body[1]) % 31
    )
    if wrapped:
        pieces = _deflated(_Feed(body), _ZLIB)
        try:
            first = next(pieces, b"")
        except zlib.error:
            pass  # a bare stream that happened to begin like a wrapped one
        else:
            yield first
            yield from pieces
            return
    yield from _deflated(_Feed(body), _RAW)


class _Feed:
    """The bytes that are still to be unpacked, handed out in small portions."""

    def __init__(self, body: bytes) -> None:
        self._body = memoryview(body)
        self._at = 0

    def take(self) -> bytes:
        portion = self._body[self._at : self._at + _FEED]
        self._at += len(portion)
        return bytes(portion)

    def give_back(self, count: int) -> None:
        self._at -= count

    def starts_with(self, prefixes: tuple[bytes, ...]) -> bool:
        return bytes(self._body[self._at : self._at + len(prefixes[0])]).startswith(prefixes)


def _deflated(feed: _Feed, window_bits: int) -> Iterator[bytes]:
    unpacker = zlib.decompressobj(window_bits)
    while not unpacker.eof:
        portion = unpacker.unconsumed_tail or feed.take()
        piece = unpacker.decompress(portion, _PIECE)
        if piece:
            yield piece
        elif not portion:
            raise _EndsEarlyError
    feed.give_back(len(unpacker.unused_data))


def _brotli(body: bytes) -> Iterator[bytes]:
    unpacker, feed = brotli.Decompressor(), _Feed(body)
    while not unpacker.is_finished():
        portion = feed.take() if unpacker.can_accept_more_data() else b""
        piece = unpacker.process(portion, output_buffer_limit=_PIECE)
        if piece:
            yield piece
        elif not portion:
            raise _EndsEarlyError


def _zstd(body: bytes) -> Iterator[bytes]:
    """All frames of a zstd stream, one after the other."""
    feed = _Feed(body)
    for _ in range(_MAX_MEMBERS):
        yield from _zstd_frame(feed)
        if not feed.starts_with(_ZSTD_MAGIC):
            return
    raise _BrokenError(f"it has more than {_MAX_MEMBERS:,} frames")


def _zstd_frame(feed: _Feed) -> Iterator[bytes]:
    # A frame may ask for a window of gigabytes: memory that its output does not show.
    options: dict[int, int] = {zstd.DecompressionParameter.window_log_max: _WINDOW_LOG}
    unpacker = zstd.ZstdDecompressor(options=options)
    while not unpacker.eof:
        portion = feed.take() if unpacker.needs_input else b""
        piece = unpacker.decompress(portion, _PIECE)
        if piece:
            yield piece
        elif not portion and unpacker.needs_input:
            raise _EndsEarlyError
    feed.give_back(len(unpacker.unused_data))


_MAGIC: Mapping[str, tuple[bytes, ...]] = MappingProxyType(
    {"gzip": _GZIP_MAGIC, "x-gzip": _GZIP_MAGIC, "zstd": _ZSTD_MAGIC}
)
_UNPACK: Mapping[str, Unpack] = MappingProxyType(
    {"gzip": _gzip, "x-gzip": _gzip, "deflate": _deflate, "br": _brotli}
    | ({"zstd": _zstd} if zstd else {})
)
_BROKEN: Final = (
    *(_BrokenError, zlib.error, brotli.error),
    *([zstd.ZstdError] if zstd else []),
)
# What we can undo, and nothing else; `x-gzip` is an old name of gzip that nobody needs to hear.
ACCEPT_ENCODING: Final = ", ".join(each for each in _UNPACK if each != "x-gzip")
