"""Bytes as received to bytes as written: gzip undone, in blocks of one size, up to a limit.

Blocks have one size whatever the chunks were, so that all later stages see the
same pieces and cannot depend on how a body happened to arrive.
"""

import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gossamer.model import Problem
from gossamer.sitemaps.values import SYNTAX

BLOCK_BYTES = 64 * 1024
PACKED_BLOCK_BYTES = 16 * 1024
GZIP_MAGIC = b"\x1f\x8b"
GZIP_WINDOW = 16 + zlib.MAX_WBITS  # header and checksum of gzip, the largest window


@dataclass(frozen=True, slots=True)
class Cut(Problem):
    """A problem after which nothing follows: the end of the body is missing."""


def unpack(body: Iterable[bytes] | bytes, max_bytes: int) -> Iterator[bytes | Problem]:
    """The body without gzip, in blocks of `BLOCK_BYTES`, at most `max_bytes` in all."""
    chunks = iter([body] if isinstance(body, bytes) else body)
    packed = _blocks(chunks, PACKED_BLOCK_BYTES)
    first = next(packed, b"")
    stream = _chain(first, packed)
    plain: Iterator[bytes | Problem] = _gunzip(stream) if first[:2] == GZIP_MAGIC else stream
    yield from _limited(plain, max_bytes)


def _chain(first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    yield first
    yield from rest


def _blocks(chunks: Iterable[bytes], size: int) -> Iterator[bytes]:
    kept = bytearray()
    for chunk in chunks:
        view = memoryview(chunk)
        for start in range(0, len(chunk), size):  # a chunk may be the whole body
            kept += view[start : start + size]
            if len(kept) >= size:
                yield bytes(kept[:size])
                del kept[:size]
    if kept:
        yield bytes(kept)


def _limited(parts: Iterator[bytes | Problem], max_bytes: int) -> Iterator[bytes | Problem]:
    """Parts put together to full blocks, and a `Cut` where there are more than `max_bytes`."""
    kept = bytearray()
    room = max_bytes
    for part in parts:
        if isinstance(part, Problem):
            yield from _drain(kept)
            yield part
            continue
        kept += part[:room]
        if len(part) > room:
            yield from _drain(kept)
            yield Cut(f"larger than {max_bytes:,} bytes; the rest is ignored", SYNTAX)
            return
        room -= len(part)
        while len(kept) >= BLOCK_BYTES:
            yield bytes(kept[:BLOCK_BYTES])
            del kept[:BLOCK_BYTES]
    yield from _drain(kept)


def _drain(kept: bytearray) -> Iterator[bytes]:
    while kept:
        yield bytes(kept[:BLOCK_BYTES])
        del kept[:BLOCK_BYTES]


def _gunzip(packed: Iterator[bytes]) -> Iterator[bytes | Problem]:
    """The members of a gzip file, one after the other, each in pieces of a block at most."""
    inflate = zlib.decompressobj(GZIP_WINDOW)
    for block in packed:
        left = block
        while left := left.lstrip(b"\0") if inflate.eof else left:  # zeros after a member pad it
            if inflate.eof:
                if left[0] != GZIP_MAGIC[0]:
                    yield Problem("bytes after the end of the gzip data; they are ignored", SYNTAX)
                    return
                inflate = zlib.decompressobj(GZIP_WINDOW)
            before = inflate.copy()
            try:
                yield inflate.decompress(left, BLOCK_BYTES)
            except zlib.error as error:
                yield from _up_to_the_damage(before, left)
                yield Cut(f"damaged gzip: {error}", SYNTAX)
                return
            left = inflate.unused_data if inflate.eof else inflate.unconsumed_tail
    while not inflate.eof and (piece := inflate.decompress(b"", BLOCK_BYTES)):
        yield piece
    if not inflate.eof:
        yield Cut("damaged gzip: it ends early", SYNTAX)


def _up_to_the_damage(inflate: "zlib._Decompress", packed: bytes) -> Iterator[bytes]:
    """What comes out before the byte that breaks it: a call that fails keeps all it had."""
    try:
        for start in range(len(packed)):
            yield inflate.decompress(packed[start : start + 1])
    except zlib.error:
        return
