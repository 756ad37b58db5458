"""How a client is sent away: told why, and heard out."""

import asyncio
import time
from typing import Final, Protocol

from gossamer.proxy.stream import Stream

LINGER_SECONDS: Final = 2.0  # for what a client still sends once it was told


class LastWord(Protocol):
    """An answer of our own, after which nothing follows."""

    @property
    def status(self) -> int:
        """Its status."""

    @property
    def why(self) -> str:
        """A sentence."""

    @property
    def block(self) -> bytes:
        """All header lines but those about the connection."""

    @property
    def body(self) -> bytes:
        """What people read."""


class Parting(Stream):
    """A client's connection that can be ended so that the client hears the last word."""

    def __init__(self, patience: float = 30.0) -> None:
        """`patience`, in seconds, is for a client that takes nothing of what is still to be told."""
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
        """Close when the client has: what it still sends would else undo what it was told.

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
