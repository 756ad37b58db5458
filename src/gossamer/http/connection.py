"""A client's connection to a server of ours, within bounds: what proxy and service share."""

import asyncio
import time
from typing import Final

from gossamer.http.connections import Bounds
from gossamer.proxy.parting import Parting
from gossamer.proxy.wire.fields import Malformed
from gossamer.proxy.wire.request import head_end

MOST_HEAD_BYTES: Final = 64 * 1024


class ServerConnection(Parting):
    """Reads heads within a limit on size and time, and ends when nothing happens."""

    most_head_bytes = MOST_HEAD_BYTES

    def __init__(self, bounds: Bounds) -> None:
        super().__init__(bounds.stall_seconds)
        self.idle_since = time.monotonic()  # or since when a request is on its way to us
        self.peer = ""
        self._left = 0  # bytes that the client had to take when we last looked

    @property
    def bounds(self) -> Bounds:
        """The limits in force."""
        raise NotImplementedError

    @property
    def is_busy(self) -> bool:
        """Whether a request is being answered."""
        raise NotImplementedError

    def dismiss_late(self) -> None:
        """Say that a request took too long to come."""
        raise NotImplementedError

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Somebody has connected."""
        super().connection_made(transport)
        self.peer = transport.get_extra_info("peername")[0]

    def next_head(self) -> int | Malformed | None:
        """Where the head ends that begins the buffer; None while there is more to come."""
        while self.buffer.startswith(b"\r\n"):  # which some send after a body
            del self.buffer[:2]
        return head_end(self.buffer, self.most_head_bytes) if self.buffer else None

    def look(self, now: float) -> None:
        """Close a connection on which nothing happens."""
        if self.is_busy or self.is_lingering:
            return
        left, self._left = self._left, self.unsent
        if self._left < left:  # slowly is well
            self.idle_since = now
        waited, bounds = now - self.idle_since, self.bounds
        if self.transport.is_closing():
            if waited >= bounds.stall_seconds:
                self.abort()
        elif self.buffer and waited >= bounds.head_seconds:
            self.dismiss_late()
        elif waited >= bounds.idle_seconds:
            self.close()
