"""An answer on its way to a client: head, body, and whether the connection goes on afterwards.

Requests of one client run side by side. A client that wants its answers in the order of its requests has
each held back until those before it have ended, or until it was held back for as long as is allowed
(`Sequences`); all others need no slot.
"""

import asyncio
from collections import deque
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from gossamer.http.connection import LastWord
from gossamer.http.stream import Stream
from gossamer.http.wire.fields import lines
from gossamer.http.wire.framing import LAST, Framing, Sized, chunk
from gossamer.http.wire.response import status_line
from gossamer.proxy.spool import SpooledWriter, SpoolRoom, wait_until_taken

MARKER: Final = (b"X-Gossamer-Out-Of-Order", b"1")
ESTABLISHED: Final = b"HTTP/1.1 200 Connection Established\r\n\r\n"


@dataclass(eq=False, slots=True)
class SequenceSlot:
    """One request among those of its client."""

    line: "deque[SequenceSlot]"
    most_seconds: float  # that its answer is held back
    until: float | None = None  # of the loop's time, once there is an answer
    called: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def is_first(self) -> bool:
        """Whether all answers before this one have ended."""
        return self.line[0] is self

    @property
    def is_overdue(self) -> bool:
        """Whether its answer was held back for as long as may be."""
        return self.until is not None and asyncio.get_running_loop().time() >= self.until

    def hold(self) -> None:
        """Hold back an answer that begins to arrive before its turn."""
        self.until = asyncio.get_running_loop().time() + self.most_seconds

    async def wait(self) -> bool:
        """Wait for those before; whether they have ended, and not our patience."""
        try:
            async with asyncio.timeout_at(self.until):
                while not self.is_first:
                    self.called.clear()
                    await self.called.wait()
        except TimeoutError:
            pass
        return self.is_first


class Sequences:
    """The requests of all clients that want their answers in order."""

    def __init__(self) -> None:
        self._lines: dict[str, deque[SequenceSlot]] = {}

    def enter(self, client: str, most_seconds: float) -> SequenceSlot:
        """A slot behind all that came before."""
        line = self._lines.setdefault(client, deque())
        slot = SequenceSlot(line, most_seconds)
        line.append(slot)
        return slot

    def leave(self, client: str, slot: SequenceSlot) -> None:
        """Leave the line: the answer has ended, or there will be none."""
        line = self._lines[client]
        line.remove(slot)
        if line:
            line[0].called.set()
        else:
            del self._lines[client]


class Reply:
    """One answer on its way. `begin` it, `write` pieces, `end` it; or send it `whole`."""

    status: int | None = None  # until it is settled
    is_begun = False  # the client has its head
    sent = 0  # bytes of its body
    slot: SequenceSlot | None = None  # where answers go back in order
    leaves_open = False  # whoever sends it ends the connection: the client may still be sending
    spool: SpoolRoom | None = None  # where its body waits for a slow client, if it may
    _is_chunked = False
    _head = b""  # until it is sent
    _held: bytearray | None = None  # what waits for answers before this one
    _spooled: SpooledWriter | None = None  # since the client was slow

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
        """Send "200 Connection Established", after which the connection is a tunnel."""
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
        """Wait until there is room for more; raises `GoneError` where the client stops reading."""
        if self._held is not None and self._is_held_enough:
            await self._wait_for_slot()
        if self._spooled is not None:
            await self._spooled.drain()
        elif self._stream.is_full and self.spool is not None:
            self._spooled = SpooledWriter(self._stream, self.spool, self._patience)
        elif self._stream.is_full:
            await wait_until_taken(self._stream, self._patience)

    async def end(self) -> None:
        """End the answer, and wait until there is room for another, as `drain` does."""
        self._send(LAST if self._is_chunked and not self._is_head else b"")
        if self._held is not None:
            await self._wait_for_slot()
        if self._spooled is not None:
            await self._spooled.finish()
        if self._stream.is_full:
            await wait_until_taken(self._stream, self._patience)
        self._over()

    @property
    def is_unsent(self) -> bool:
        """Whether nothing has gone out of it so far, so that it can be another."""
        return not self.is_begun and not self.sent

    def close(self) -> None:
        """Drop what is spooled, however the answer ended."""
        if self._spooled is not None:
            self._spooled.close()

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
        """Break the answer off, so that the client sees that it is incomplete."""
        self.keeps_alive = False
        self._stream.abort()

    async def refuse(self, refused: LastWord) -> None:
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
        slot = self.slot
        if slot is None or (self._held is None and slot.is_first):
            (self._spooled or self._stream).write(self._with_head(data, b""))
            return
        if self._held is None:
            self._held = bytearray()
            slot.hold()
        self._held += data
        if slot.is_first:
            self._release(in_order=True)

    @property
    def _is_held_enough(self) -> bool:
        is_overdue = self.slot is not None and self.slot.is_overdue
        return is_overdue or len(self._held or b"") > self._most_held

    def _with_head(self, data: bytes, marker: bytes) -> bytes:
        if not self._head:
            return data
        head, self._head, self.is_begun = self._head, b"", True
        return b"%b%b\r\n%b" % (head, marker, data)

    async def _wait_for_slot(self) -> None:
        """Wait for the answers before this one, as long as it may be held back."""
        if self._held is not None and self.slot is not None:
            self._release(in_order=await self.slot.wait())

    def _release(self, *, in_order: bool) -> None:
        marker = b"" if in_order else lines((MARKER,))
        self._stream.write(self._with_head(bytes(self._held or b""), marker))
        self._held = None
        if not in_order:
            self.slot = None
