"""A request that is well formed and allowed in, with its body, as far as that has come."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Final

from gossamer.proxy.asked import Asked
from gossamer.proxy.bodies import Body, BrokenBodyError
from gossamer.proxy.figures import Entry
from gossamer.proxy.wire.chunked import LAST, chunk
from gossamer.proxy.wire.framing import Chunked, Sized

MOST_GATHERED: Final = 256 * 1024  # bytes of a body that are waited for before it is our turn
_HAS_BODY: Final = frozenset({"POST", "PUT", "PATCH"})


class Incoming:
    """What a client wants, on its way."""

    __slots__ = (
        "_rest",
        "asked",
        "body",
        "body_timeout",
        "client",
        "entry",
        "gathered",
        "method",
        "url",
    )

    def __init__(
        self, asked: Asked, client: str, body: Body, body_timeout: timedelta, entry: Entry
    ) -> None:
        """`body_timeout` is for each piece of the body."""
        self.asked = asked
        self.method = asked.method
        self.url = asked.url
        self.client = client
        self.body = body
        self.body_timeout = body_timeout
        self.entry = entry
        self.gathered = body.at_hand()  # all of the body, or what came first of it
        self._rest: AsyncIterator[bytes] | None = None

    @property
    def is_whole(self) -> bool:
        """Whether all of the body is here, so that it can be sent again."""
        return self.gathered is not None and self._rest is None

    async def gather(self) -> None:
        """Wait for a body of usual size, so that a slow client does not use up a host's time.

        Not for one that is only sent once the server wants it.
        """
        if self.gathered is not None:
            return
        self._rest, self.gathered = self.body.pieces(), b""
        while not self.asked.said.expects and len(self.gathered) < MOST_GATHERED:
            piece = await self._next(self._rest)
            if piece is None:
                self._rest = None
                return
            self.gathered += piece

    def framing_line(self) -> bytes:
        """The header line that says how the body ends."""
        if self.is_whole:
            length = len(self.gathered or b"")
            has_body = length or self.method in _HAS_BODY
            return b"Content-Length: %d\r\n" % length if has_body else b""
        match self.body.framing:
            case Sized(length):
                line = b"Content-Length: %d\r\n" % length
            case _:
                line = b"Transfer-Encoding: chunked\r\n"
        return line + b"Expect: 100-continue\r\n" if self.asked.said.expects else line

    async def pieces(self) -> AsyncIterator[bytes]:
        """The body as it is sent on."""
        is_chunked = isinstance(self.body.framing, Chunked) and not self.is_whole
        if self.gathered:
            yield chunk(self.gathered) if is_chunked else self.gathered
        while self._rest is not None and (piece := await self._next(self._rest)) is not None:
            yield chunk(piece) if is_chunked else piece
        if is_chunked:
            yield LAST

    async def _next(self, pieces: AsyncIterator[bytes]) -> bytes | None:
        try:
            async with asyncio.timeout(self.body_timeout.total_seconds()):
                return await anext(pieces, None)
        except TimeoutError:
            raise BrokenBodyError("it took too long to come") from None
