"""One connection, to a client or to a server: bytes with back-pressure both ways, and bodies read from it."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from typing import Final, cast

from gossamer.http.wire.fields import Malformed
from gossamer.http.wire.framing import ChunkReader, Framing, Sized, UntilClose

READ_AHEAD: Final = 128 * 1024  # bytes that may wait here before the other side is held up


class GoneError(ConnectionError):
    """The peer has closed the connection."""


class Stream(asyncio.Protocol):
    """A connection whose received bytes wait in `buffer`; await `more` for more. One reader at a time."""

    def __init__(self) -> None:
        self.buffer = bytearray()
        self.ended = False  # nothing more will come
        self.said_all = False  # the same, since they have ended it, and nobody has cut it
        self.lost = False  # and nothing can be sent
        self.received = 0  # bytes in all
        self.transport: asyncio.Transport
        self._wants_more: asyncio.Future[None] | None = None
        self._wants_room: asyncio.Future[None] | None = None
        self._is_held_up = False  # by us: it may send no more for now
        self._is_full = False  # what we sent has not been taken

    # ---- what asyncio calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The connection stands."""
        # Not all event loops make transports of asyncio's own class.
        self.transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        """Bytes have come."""
        self.buffer += data
        self.received += len(data)
        if len(self.buffer) > READ_AHEAD and not self._is_held_up:
            self._is_held_up = True
            self.transport.pause_reading()
        self._wake()

    def eof_received(self) -> bool:
        """Note that the peer sends no more; we may still write, except over TLS, which ends both ways."""
        tls = self.transport.get_extra_info("ssl_object")
        self.ended, self.said_all = True, tls is None or _is_closed(tls)
        self._wake()
        return tls is None

    def connection_lost(self, exc: Exception | None) -> None:
        """Note that the connection is closed, for whatever reason."""
        self.ended = self.lost = True
        self._wake()
        self.resume_writing()

    def pause_writing(self) -> None:
        """Hold back: the peer reads more slowly than we write."""
        self._is_full = True

    def resume_writing(self) -> None:
        """Write again: the peer has caught up."""
        self._is_full = False
        if self._wants_room is not None and not self._wants_room.done():
            self._wants_room.set_result(None)

    # ---- what we call

    async def more(self) -> bool:
        """Wait until more bytes are there, or none will come; whether there are any."""
        if not self.ended:
            self._let_come()
            self._wants_more = asyncio.get_running_loop().create_future()
            try:
                await self._wants_more
            finally:
                self._wants_more = None
        return bool(self.buffer)

    def take(self, most: int | None = None) -> bytes:
        """The bytes that are there, or the first of them."""
        buffer = self.buffer
        if most is None or most >= len(buffer):
            taken = bytes(buffer)
            buffer.clear()
        else:
            taken = bytes(buffer[:most])
            del buffer[:most]
        self._let_come()
        return taken

    def write(self, data: bytes) -> None:
        """Send bytes, or have them wait to be sent."""
        if not self.lost:
            self.transport.write(data)

    @property
    def is_full(self) -> bool:
        """Whether to `drain` before more is written."""
        return self._is_full

    @property
    def unsent(self) -> int:
        """Bytes that wait to be taken."""
        return 0 if self.lost else self.transport.get_write_buffer_size()

    async def drain(self) -> None:
        """Wait until there is room again; raises `GoneError` where the connection is lost."""
        if self._is_full and not self.lost:
            self._wants_room = asyncio.get_running_loop().create_future()
            try:
                await self._wants_room
            finally:
                self._wants_room = None
        if self.lost:
            raise GoneError("the connection is lost")

    def say_no_more(self) -> bool:
        """End our side alone, when all is sent; whether that can be done here."""
        if self.lost or self.transport.is_closing() or not self.transport.can_write_eof():
            return False
        try:
            self.transport.write_eof()
        except OSError:  # it is gone, and we have not heard of it
            return False
        return True

    def close(self) -> None:
        """End the connection when all is sent."""
        if not self.lost:
            self.transport.close()

    def abort(self) -> None:
        """End it now."""
        if not self.lost:
            self.transport.abort()

    def _let_come(self) -> None:
        if self._is_held_up and len(self.buffer) <= READ_AHEAD:
            self._is_held_up = False
            if not self.lost:
                self.transport.resume_reading()

    def _wake(self) -> None:
        if self._wants_more is not None and not self._wants_more.done():
            self._wants_more.set_result(None)


class BrokenBodyError(Exception):
    """A body ended before its end, or cannot be read; says which."""


class MalformedBodyError(BrokenBodyError):
    """A body cannot be read: its chunks are no chunks."""


class Body:
    """The body that begins where a stream is now. Iterate over `pieces` once."""

    def __init__(self, stream: Stream, framing: Framing) -> None:
        self.framing = framing
        self.is_complete = isinstance(framing, Sized) and not framing.length
        self._stream = stream

    def at_hand(self) -> bytes | None:
        """The whole body where it has arrived already; otherwise None, and nothing is taken."""
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
                raise MalformedBodyError(piece.why)
            if reader.done:
                self._stream.buffer[:0] = reader.leftover
                self.is_complete = True
            if piece:
                yield piece
            if reader.done:
                return


def _is_closed(tls: ssl.SSLObject) -> bool:
    """Whether the other side has closed TLS; asyncio does not tell that from a cut beneath it."""
    try:
        return not tls.read(1)  # which is nothing after a close_notify, and else asks for more
    except ssl.SSLError:
        return False
