"""No cache: every request goes to its origin (`proxy.cache_size = 0`)."""

import time
from dataclasses import dataclass
from typing import Final, Self

from gossamer.http.wire.fields import Fields
from gossamer.proxy.cache.answers import nothing_stored
from gossamer.proxy.cache.asked import read
from gossamer.proxy.cache.protocol import CacheAnswer, Counters, Request

_STATUS: Final = ((b"Cache-Status", b"gossamer; fwd=bypass"),)


class NoCache:
    """What a proxy has that keeps nothing."""

    def __init__(self) -> None:
        self.counters = Counters()

    def ask(self, request: Request, *, waited: bool = False) -> "CacheAnswer | Unkept":
        """Go to the origin, unless the client forbids that."""
        if read(request).wishes.only_if_cached:
            return nothing_stored(time.time())
        self.counters.bypasses += 1
        return Unkept(request.fields)

    async def look_further(self, request: Request) -> bool:
        """Bring nothing: nothing is stored."""
        return False

    def clear(self, host: str | None = None) -> int:
        """Forget nothing: nothing is stored."""
        return 0

    async def close(self) -> None:
        """Nothing is open."""


@dataclass(slots=True)
class Unkept:
    """A request and its response, which pass through."""

    fields: Fields

    def mark_sent(self) -> None:
        """Do nothing: nothing is counted."""

    def answered(self, status: int, fields: Fields) -> "Passing":
        """The origin's answer, as it is."""
        return Passing(status, _STATUS)

    def failed(self, why: str) -> CacheAnswer | None:
        """Nothing is stored that could help."""
        return None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Do nothing: no other client waits."""


@dataclass(slots=True)
class Passing:
    """A response that is not kept."""

    status: int
    added: Fields
    is_kept: bool = False

    def write(self, piece: bytes) -> None:
        """Let it go."""

    def done(self) -> None:
        """Do nothing: there is no cache."""
