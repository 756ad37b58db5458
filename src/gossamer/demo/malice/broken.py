"""Connections that go wrong, each a short script of what the server does."""

import gzip
import zlib
from collections.abc import Iterator
from functools import lru_cache

from gossamer.demo.malice.exhibits import Exhibits, MaliceHost
from gossamer.demo.resources import Broken, End, Pause, Step

NAME = "broken.malice.test"
BOMB_BYTES = 128 * 1024 * 1024  # unpacked: twice what we decode at most
FLOOD_BYTES = 64 * 1024 * 1024  # four times what we receive at most
HEADER_BYTES = 1024 * 1024

_OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nConnection: close\r\n"
_PAGE = b"<!DOCTYPE html><title>Half a page</title><p>Half of a sentence is"
_LINE = b"<p>There is no end to this page.</p>\n"


def _chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


class _Endless:
    """A body of one byte a second, until the client has had enough."""

    def __iter__(self) -> Iterator[Step]:
        yield _OK + b"Transfer-Encoding: chunked\r\n\r\n"
        for byte in _PAGE * 100:
            yield Pause(1)
            yield _chunk(bytes([byte]))


class _Flood:
    """A body that does not end, as fast as it goes; cut off at last to be safe."""

    def __iter__(self) -> Iterator[Step]:
        yield _OK + b"Transfer-Encoding: chunked\r\n\r\n"
        chunk = _chunk(_LINE * 1800)
        for _ in range(FLOOD_BYTES // len(chunk)):
            yield chunk
        yield End.CLOSE


class _Bomb:
    """A small gzipped body that unpacks to a very large one."""

    def __iter__(self) -> Iterator[Step]:
        bomb = bomb_bytes()
        head = b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(bomb)
        yield _OK + head
        yield bomb
        yield End.CLOSE


@lru_cache(maxsize=1)
def bomb_bytes() -> bytes:
    """The gzip bomb, made once."""
    pack, spaces = zlib.compressobj(1, wbits=31), b" " * (1024 * 1024)
    packed = [pack.compress(_PAGE)]
    packed += [pack.compress(spaces) for _ in range(BOMB_BYTES // len(spaces))]
    return b"".join(packed) + pack.flush()


_ZIPPED = gzip.compress(_PAGE * 50, mtime=0)
_HALF = _ZIPPED[: len(_ZIPPED) // 2]
_NO_GZIP = _ZIPPED[:10] + _PAGE  # a header alone; a page without any is of use as it is

_EXHIBITS: Exhibits = {
    "/reset": Broken("reset", (End.RESET,)),
    "/empty": Broken("reset", (End.CLOSE,)),
    "/reset-halfway": Broken(
        "truncated", (_OK + b"Content-Length: 9999\r\n\r\n" + _PAGE, Pause(0.05), End.RESET)
    ),
    "/short": Broken("truncated", (_OK + b"Content-Length: 9999\r\n\r\n" + _PAGE, End.CLOSE)),
    "/cut-chunks": Broken(
        "truncated",
        (_OK + b"Transfer-Encoding: chunked\r\n\r\n" + _chunk(_PAGE) + b"ff\r\nmore", End.CLOSE),
    ),
    "/cut-gzip": Broken(
        "truncated",
        (
            _OK + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(_HALF) + _HALF,
            End.CLOSE,
        ),
    ),
    "/not-gzip": Broken(
        "bad-encoding",
        (
            _OK
            + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(_NO_GZIP)
            + _NO_GZIP,
            End.CLOSE,
        ),
    ),
    "/not-http": Broken("bad-response", (b"220 mail.malice.test ESMTP\r\n", End.CLOSE)),
    "/huge-header": Broken(
        "header-too-large",
        (_OK + b"X-Filler: " + b"x" * HEADER_BYTES + b"\r\nContent-Length: 0\r\n\r\n", End.CLOSE),
    ),
    "/bomb": Broken("too-large", _Bomb()),
    "/flood": Broken("too-large", _Flood()),
    "/silent": Broken("timeout-first-byte", (Pause(3600), End.CLOSE)),
    "/endless-trickle": Broken("slow", _Endless()),
}


BROKEN = MaliceHost(NAME, "broken connections and bodies", _EXHIBITS)
