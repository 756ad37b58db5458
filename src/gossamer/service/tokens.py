"""Tokens: wrong ones wait in line, and a browser that brought the right one has a session.

After a few wrong tokens from an address, tokens from there are looked at one at a time, a few a second,
however many connections it has. The right one waits in the same line and gets in; nobody can lock it out.
The line is no longer than an address may have connections, and a client that hangs up leaves it. The same
wrong token again is no new try: a program that was not told of a new token slows nobody else down.

For the token a browser gets a random value, which it sends back as a cookie. The value is nothing but a
name for an entry here; we keep its hash. It ends with a logout, with its time, with another token, and with
this process.
"""

import asyncio
import secrets
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import cookie_parser

from gossamer.http.connection import address_name
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
LASTS_SECONDS: Final = 7 * 24 * 3600
MOST_SESSIONS: Final = 1_000  # the oldest makes room


@dataclass(slots=True)
class _Tries:
    """What came from one address."""

    last_at: float
    count: int = 0
    tokens: deque[bytes] = field(default_factory=lambda: deque(maxlen=REMEMBERED))
    line: asyncio.Lock = field(default_factory=asyncio.Lock)  # which is fair


@dataclass(slots=True)
class Guesses:
    """Wrong tokens, by the client that tried them."""

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
        """The error for one more wrong token from an address, if there were many."""
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


@dataclass(slots=True)
class Sessions:
    """Logins, by the hash of what their browsers send."""

    clock: Callable[[], float] = time.time
    _until: OrderedDict[bytes, float] = field(default_factory=OrderedDict)

    def begin(self) -> str:
        """The value for a browser that has brought the token."""
        value = secrets.token_urlsafe(32)
        self._until[_hash(value)] = self.clock() + LASTS_SECONDS
        while len(self._until) > MOST_SESSIONS:
            self._until.popitem(last=False)
        return value

    def knows(self, headers: Headers) -> bool:
        """Whether a request comes from a browser that has logged in."""
        until = self._until.get(_hash(_sent(headers)))
        return until is not None and self.clock() < until

    def end(self, headers: Headers) -> None:
        """Log a browser out."""
        self._until.pop(_hash(_sent(headers)), None)

    def end_all(self) -> None:
        """Log everybody out: the token that they brought counts no more."""
        self._until.clear()


def cookie_name(headers: Headers) -> str:
    """The cookie's name; ports of a machine share their cookies, services do not."""
    try:
        port = urlsplit(f"//{headers.get('host', '')}").port
    except ValueError:
        port = None
    return f"gossamer-{port or 'web'}"


def is_same_origin(headers: Headers) -> bool:
    """Whether a page of our own sent this, by what a browser says: others cannot have it say so."""
    if (site := headers.get("sec-fetch-site")) is not None and site != "same-origin":
        return False
    origin = headers.get("origin")
    if origin is None:
        return site is not None
    return urlsplit(origin).netloc.lower() == headers.get("host", "").lower()


def way_back(given: str | None, usual: str = "/") -> str:
    """A path of ours out of one that came with a request, which could lead anywhere."""
    if given is None or not given.isprintable() or "\\" in given:
        return usual
    return given if given.startswith("/") and not given.startswith("//") else usual


def _sent(headers: Headers) -> str:
    return cookie_parser(headers.get("cookie", "")).get(cookie_name(headers), "")


def _hash(value: str) -> bytes:
    return sha256(value.encode(errors="replace")).digest()
