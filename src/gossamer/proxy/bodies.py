"""Bodies as they come off a connection, piece by piece, until they end."""

from collections.abc import AsyncIterator

from gossamer.proxy.stream import Stream
from gossamer.proxy.wire.chunked import ChunkReader
from gossamer.proxy.wire.fields import Malformed
from gossamer.proxy.wire.framing import Framing, Sized, UntilClose


class BrokenBodyError(Exception):
    """A body ended before its end, or cannot be read; says which."""


class Body:
    """The body that begins where a stream is now. Iterate over `pieces` once."""

    def __init__(self, stream: Stream, framing: Framing) -> None:
        self.framing = framing
        self.is_complete = isinstance(framing, Sized) and not framing.length
        self._stream = stream

    def at_hand(self) -> bytes | None:
        """All of it, where it is here already; else nothing is taken."""
        framing = self.framing
        if self.is_complete:
            return b""
        if isinstance(framing, Sized) and len(self._stream.buffer) >= framing.length:
            self.is_complete = True
            return self._stream.take(framing.length)
        return None

    def pieces(self) -> AsyncIterator[bytes]:
        """The bytes as they come; raises `BrokenBodyError` where they end too soon."""
        match self.framing:
            case Sized(length):
                return self._sized(length)
            case UntilClose():
                return self._until_close()
            case _:
                return self._chunked()

    async def _sized(self, left: int) -> AsyncIterator[bytes]:
        while left:
            if not self._stream.buffer and not await self._stream.more():
                raise BrokenBodyError("it broke off")
            piece = self._stream.take(left)
            left -= len(piece)
            self.is_complete = not left
            yield piece
        self.is_complete = True

    async def _until_close(self) -> AsyncIterator[bytes]:
        while self._stream.buffer or await self._stream.more():
            yield self._stream.take()
        if not self._stream.said_all:  # RFC 9112 sections 8 and 9.8
            raise BrokenBodyError("its connection was cut")
        self.is_complete = True

    async def _chunked(self) -> AsyncIterator[bytes]:
        reader = ChunkReader()
        while True:
            if not self._stream.buffer and not await self._stream.more():
                raise BrokenBodyError("it broke off")
            piece = reader.feed(self._stream.take())
            if isinstance(piece, Malformed):
                raise BrokenBodyError(piece.why)
            if reader.done:
                self._stream.buffer[:0] = reader.leftover
                self.is_complete = True
            if piece:
                yield piece
            if reader.done:
                return
