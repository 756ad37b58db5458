"""Wrong tokens, by the address that they come from: after a few, tokens from there wait in line.

One at a time, each for a moment: so tokens are tried at a few a second from an address, however
many connections it has. The right one waits in the same line and gets in; nobody can lock it out.
The line is no longer than an address may have connections, and whoever hangs up leaves it. The same
wrong token again is no new try: a program that was not told of a new token slows nobody else down.
"""

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final

from gossamer.http.addresses import address_name
from gossamer.service.errors import ProblemError

FREE: Final = 5  # wrong tokens that cost nothing: people mistype
TURN_SECONDS: Final = 0.1  # of each further one: ten a second
FORGOTTEN_SECONDS: Final = 600.0  # after the last wrong one
MOST: Final = 10_000  # addresses; the one that was quiet for longest makes room
REMEMBERED: Final = 16  # tokens of an address
TOO_MANY: Final = ProblemError(
    429,
    "too-many-tries",
    "Too many wrong tokens came from your address: they wait in line now. The right one is let in.",
    {"Retry-After": "1"},
)


@dataclass(slots=True)
class _Tries:
    """What came from one address."""

    last_at: float
    count: int = 0
    tokens: deque[bytes] = field(default_factory=lambda: deque(maxlen=REMEMBERED))
    line: asyncio.Lock = field(default_factory=asyncio.Lock)  # which is fair


@dataclass(slots=True)
class Guesses:
    """Who tried what."""

    clock: Callable[[], float] = time.monotonic
    turn_seconds: float = TURN_SECONDS
    _tries: OrderedDict[str, _Tries] = field(default_factory=OrderedDict)

    async def turn(self, address: str, gone: asyncio.Event | None = None) -> bool:
        """Wait until a token from there may be looked at: at once, unless many were wrong.

        False where whoever brought it is gone before: then it must not be looked at.
        """
        tries = self._known(address_name(address), self.clock())
        if tries is None or tries.count < FREE:
            return True
        turn = asyncio.ensure_future(self._wait_in(tries.line))
        leaving = [asyncio.ensure_future(gone.wait())] if gone else []
        try:
            await asyncio.wait([turn, *leaving], return_when=asyncio.FIRST_COMPLETED)
            return turn.done()
        finally:
            for each in (turn, *leaving):
                each.cancel()
            await asyncio.gather(turn, *leaving, return_exceptions=True)

    async def _wait_in(self, line: asyncio.Lock) -> None:
        async with line:
            await asyncio.sleep(self.turn_seconds)

    def refusal(self, address: str) -> ProblemError | None:
        """What somebody hears there who brought one more wrong token, if that is more than usual."""
        tries = self._known(address_name(address), self.clock())
        return None if tries is None or tries.count <= FREE else TOO_MANY

    def wrong(self, address: str, token: str) -> None:
        """Remember a token that is not ours."""
        now, name = self.clock(), address_name(address)
        tries = self._known(name, now) or _Tries(now)
        digest = sha256(token.encode(errors="replace")).digest()
        if digest in tries.tokens:
            return
        tries.tokens.append(digest)
        tries.count += 1
        tries.last_at = now
        self._tries[name] = tries
        self._tries.move_to_end(name)
        while len(self._tries) > MOST:
            self._tries.popitem(last=False)

    def _known(self, name: str, now: float) -> _Tries | None:
        tries = self._tries.get(name)
        if tries is None or now - tries.last_at >= FORGOTTEN_SECONDS:
            return None
        return tries
