"""One connection, to a client or to a server: bytes as they come, and back-pressure both ways."""

import asyncio
import ssl
from typing import Final, cast

READ_AHEAD: Final = 128 * 1024  # bytes that may wait here before the other side is held up


class GoneError(ConnectionError):
    """The other side has left."""


class Stream(asyncio.Protocol):
    """Bytes that came wait in `buffer`; whoever wants more awaits `more`. One reader at a time."""

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
        """They have said all; what we have to say still goes out, but for TLS, which ends both ways."""
        tls = self.transport.get_extra_info("ssl_object")
        self.ended, self.said_all = True, tls is None or _is_closed(tls)
        self._wake()
        return tls is None

    def connection_lost(self, exc: Exception | None) -> None:
        """It is over, for whatever reason."""
        self.ended = self.lost = True
        self._wake()
        self.resume_writing()

    def pause_writing(self) -> None:
        """They read more slowly than we write."""
        self._is_full = True

    def resume_writing(self) -> None:
        """They have caught up."""
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
        """Wait until there is room again; raises where nobody is there any more."""
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


def _is_closed(tls: ssl.SSLObject) -> bool:
    """Whether the other side has closed TLS; asyncio does not tell that from a cut beneath it."""
    try:
        return not tls.read(1)  # which is nothing after a close_notify, and else asks for more
    except ssl.SSLError:
        return False
