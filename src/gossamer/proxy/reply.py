"""What goes back to a client: head, body, and whether the connection goes on afterwards."""

import asyncio
from datetime import timedelta
from typing import Final

from gossamer.proxy.refusals import Refused
from gossamer.proxy.sequence import MARKER, Place
from gossamer.proxy.stream import GoneError, Stream
from gossamer.proxy.wire.chunked import LAST, chunk
from gossamer.proxy.wire.framing import Framing, Sized
from gossamer.proxy.wire.response import lines, status_line

ESTABLISHED: Final = b"HTTP/1.1 200 Connection Established\r\n\r\n"


class Reply:
    """One answer on its way. `begin` it, `write` pieces, `end` it; or send it `whole`."""

    status: int | None = None  # until it is settled
    is_begun = False  # the client has its head
    sent = 0  # bytes of its body
    place: Place | None = None  # where answers go back in order
    leaves_open = False  # whoever sends it ends the connection: the client may still be sending
    _is_chunked = False
    _head = b""  # until it is sent
    _held: bytearray | None = None  # what waits for answers before this one

    def __init__(
        self,
        stream: Stream,
        via: bytes,
        *,
        minor: int = 1,
        is_head: bool = False,
        keeps_alive: bool = False,
        most_held: int = 0,
        patience: timedelta = timedelta(seconds=30),
    ) -> None:
        self.keeps_alive = keeps_alive
        self._stream = stream
        self._via = via
        self._minor = minor
        self._is_head = is_head
        self._most_held = most_held
        self._patience = patience

    def establish(self) -> None:
        """Send the head after which a connection is somebody else's."""
        self.status, self.is_begun, self.keeps_alive = 200, True, False
        self._stream.write(ESTABLISHED)

    def interim(self, status: int, block: bytes = b"") -> None:
        """Send an answer that is not the last, to those who know such."""
        if self._minor == 1 and self.status is None:
            self._stream.write(b"%b%bVia: %b\r\n\r\n" % (status_line(status), block, self._via))

    def begin(self, status: int, block: bytes, framing: Framing, via: bytes | None = None) -> None:
        """Send a head: `block` says all but by whom it came and whether the connection goes on."""
        self.status = status
        ends_itself = isinstance(framing, Sized)
        self._is_chunked = not ends_itself and self._minor == 1
        self.keeps_alive = self.keeps_alive and (ends_itself or self._is_chunked)
        if self._is_chunked:
            block += b"Transfer-Encoding: chunked\r\n"
        self._head = b"%b%bVia: %b\r\n%b" % (
            status_line(status),
            block,
            via or self._via,
            self._connection(),
        )

    def write(self, piece: bytes) -> None:
        """Send a piece of the body."""
        if not self._is_head:
            self.sent += len(piece)
            self._send(chunk(piece) if self._is_chunked else piece)

    async def drain(self) -> None:
        """Wait until there is room for more; raises `GoneError` where nobody takes it."""
        if self._held is not None and self._is_held_enough:
            await self._released()
        if self._stream.is_full:
            await self._taken()

    async def end(self) -> None:
        """All of it was written; wait until there is room for another answer, as `drain` does."""
        self._send(LAST if self._is_chunked and not self._is_head else b"")
        if self._held is not None:
            await self._released()
        if self._stream.is_full:
            await self._taken()
        self._over()

    def whole(self, status: int, block: bytes, body: bytes, via: bytes | None = None) -> None:
        """Send all of an answer that waits for nobody; `block` has its length."""
        self.status, self.is_begun = status, True
        sent = b"" if self._is_head else body
        self.sent = len(sent)
        start, last = status_line(status), self._connection()
        self._stream.write(
            b"%b%bVia: %b\r\n%b\r\n%b" % (start, block, via or self._via, last, sent)
        )
        self._over()

    def break_off(self) -> None:
        """There is no more of it, and the client is to see that."""
        self.keeps_alive = False
        self._stream.abort()

    async def refuse(self, refused: Refused) -> None:
        """Answer ourselves."""
        self.begin(refused.status, refused.block, Sized(len(refused.body)))
        self.write(refused.body)
        await self.end()

    def _over(self) -> None:
        if not (self.keeps_alive or self.leaves_open):
            self._stream.close()

    def _connection(self) -> bytes:
        if not self.keeps_alive:
            return b"Connection: close\r\n"
        return b"" if self._minor == 1 else b"Connection: keep-alive\r\n"

    def _send(self, data: bytes) -> None:
        place = self.place
        if place is None or (self._held is None and place.is_first):
            self._stream.write(self._with_head(data, b""))
            return
        if self._held is None:
            self._held = bytearray()
            place.hold()
        self._held += data
        if place.is_first:
            self._release(in_order=True)

    @property
    def _is_held_enough(self) -> bool:
        is_overdue = self.place is not None and self.place.is_overdue
        return is_overdue or len(self._held or b"") > self._most_held

    def _with_head(self, data: bytes, marker: bytes) -> bytes:
        if not self._head:
            return data
        head, self._head, self.is_begun = self._head, b"", True
        return b"%b%b\r\n%b" % (head, marker, data)

    async def _released(self) -> None:
        """Wait for the answers before this one, as long as it may be held back."""
        if self._held is not None and self.place is not None:
            self._release(in_order=await self.place.wait())

    def _release(self, *, in_order: bool) -> None:
        marker = b"" if in_order else lines((MARKER,))
        self._stream.write(self._with_head(bytes(self._held or b""), marker))
        self._held = None
        if not in_order:
            self.place = None

    async def _taken(self) -> None:
        """Wait until the client has taken enough; slowly is well, not at all is not."""
        left = self._stream.unsent
        while self._stream.is_full:
            try:
                async with asyncio.timeout(self._patience.total_seconds()):
                    await self._stream.drain()
            except TimeoutError:
                if self._stream.unsent >= left:
                    self._stream.abort()
                    raise GoneError("the client takes nothing any more") from None
                left = self._stream.unsent
