"""How a client is sent away: told why, and heard out."""

import asyncio
from typing import Final

from gossamer.proxy.refusals import Refused
from gossamer.proxy.stream import Stream

LINGER_SECONDS: Final = 2.0  # for what a client still sends while it is refused


class Parting(Stream):
    """A client's connection that can be ended so that the client hears the last word."""

    def __init__(self) -> None:
        super().__init__()
        self.is_lingering = False  # nothing that comes now is listened to

    def dismiss(self, refused: Refused) -> None:
        """Say why, and no more."""
        if not self.lost and not self.is_lingering:
            head = b"HTTP/1.1 %d \r\n%bConnection: close\r\n\r\n" % (refused.status, refused.block)
            self.write(head + refused.body)
            self.linger()

    def linger(self) -> None:
        """Close when the client has: what it still sends would else undo what it was told."""
        if self.lost or self.is_lingering:
            return
        self.is_lingering = True
        self.take()
        if self.say_no_more():
            asyncio.get_running_loop().call_later(LINGER_SECONDS, self.abort)
        else:
            self.close()
