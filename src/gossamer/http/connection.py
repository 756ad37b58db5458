"""A client's connection to a server of ours, within bounds: what proxy and service share.

`ServerConnection` reads heads within a limit on size and time, and closes when nothing happens. A client
that is refused is told why by a lingering close, so that what it still sends does not undo what it was
told. `Connections` counts those that are open, in all and for each address.
"""

import asyncio
import ipaddress
import time
from collections import Counter
from typing import Final, NamedTuple, Protocol, TypeVar

from gossamer.http.stream import Stream
from gossamer.http.wire.fields import Malformed
from gossamer.http.wire.request import head_end

NEIGHBOURS: Final = 64  # bits of an IPv6 address that somebody cannot choose
LINGER_SECONDS: Final = 2.0  # for what a client still sends once it was told
C = TypeVar("C")
MOST_HEAD_BYTES: Final = 64 * 1024


class Bounds(NamedTuple):
    """How many may be connected, and how long they may take."""

    most: int  # connections
    head_seconds: float  # for the head of a request, once it has begun
    idle_seconds: float  # between requests
    stall_seconds: float  # for a client that takes nothing of its answer

    @property
    def most_of_one(self) -> int:
        """Connections of one address: three in four, so that it never holds all of them."""
        return self.most - self.most // 4


class Connections(set[C]):
    """Connections that stand, and how many each address has."""

    def __init__(self) -> None:
        super().__init__()
        self._names: dict[C, str] = {}
        self._by_name: Counter[str] = Counter()

    def enter(self, connection: C, address: str, bounds: Bounds) -> bool:
        """Count a connection; whether there is room for it, in all and for its address."""
        name = address_name(address)
        self.add(connection)
        self._names[connection] = name
        self._by_name[name] += 1
        return len(self) <= bounds.most and self._by_name[name] <= bounds.most_of_one

    def leave(self, connection: C) -> None:
        """Count it no more."""
        self.discard(connection)
        name = self._names.pop(connection, None)
        if name is not None:
            self._by_name[name] -= 1
            if not self._by_name[name]:
                del self._by_name[name]


def address_name(address: str) -> str:
    """The name of a client by its address: of IPv6 only the part that a sender cannot choose."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if parsed.version == 4 or parsed.ipv4_mapped is not None:
        return address
    return str(ipaddress.ip_network((parsed, NEIGHBOURS), strict=False))


class LastWord(Protocol):
    """An answer of our own, after which nothing follows."""

    @property
    def status(self) -> int:
        """The status of the answer."""

    @property
    def why(self) -> str:
        """A sentence."""

    @property
    def block(self) -> bytes:
        """All header lines but those about the connection."""

    @property
    def body(self) -> bytes:
        """What people read."""


class LingeringStream(Stream):
    """A client's connection with a lingering close, so that the client gets our last answer."""

    def __init__(self, patience: float = 30.0) -> None:
        """`patience`, in seconds, is for a client that does not read what is still to be sent."""
        super().__init__()
        self.is_lingering = False  # nothing that comes now is listened to
        self._patience = patience

    def dismiss(self, refused: LastWord) -> None:
        """Say why, and no more."""
        if not self.lost and not self.is_lingering:
            head = b"HTTP/1.1 %d \r\n%bConnection: close\r\n\r\n" % (refused.status, refused.block)
            self.write(head + refused.body)
            self.linger()

    def linger(self) -> None:
        """Close when the client has (lingering close): a reset could destroy the answer it has not read yet.

        Or soon after it has taken all of that, slowly or not.
        """
        if self.lost or self.is_lingering:
            return
        self.is_lingering = True
        self.take()
        if self.say_no_more():
            self._look_again(self.unsent, time.monotonic())
        else:
            self.close()

    def _look_again(self, unsent: int, taken_at: float) -> None:
        asyncio.get_running_loop().call_later(LINGER_SECONDS, self._look, unsent, taken_at)

    def _look(self, unsent: int, taken_at: float) -> None:
        """End it, unless so much was to be taken when we last looked, and may yet be."""
        left, now = self.unsent, time.monotonic()
        if left < unsent:
            taken_at = now
        if unsent and now - taken_at < self._patience:
            self._look_again(left, taken_at)
        else:
            self.abort()


class ServerConnection(LingeringStream):
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
        """Remember the address of the client."""
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
