"""Wrong tokens, by the address that they come from: who tries many has to wait, ever longer.

While somebody has to wait, no token from there is looked at, or a thousand tries at once would
find out as much. The same wrong token again is no new try: a program that was not told of a new
token keeps nobody else on its machine out.
"""

import ipaddress
import math
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final

from gossamer.service.errors import ProblemError

FREE: Final = 5  # wrong tokens that cost nothing: people mistype
LONGEST_SECONDS: Final = 60.0
FORGOTTEN_SECONDS: Final = 600.0  # after the last wrong one
MOST: Final = 10_000  # addresses; the one that was quiet for longest makes room
REMEMBERED: Final = 16  # tokens of an address
NEIGHBOURS: Final = 64  # bits of an IPv6 address that somebody cannot choose


@dataclass(slots=True)
class _Tries:
    """What came from one address."""

    last_at: float
    count: int = 0
    tokens: deque[bytes] = field(default_factory=lambda: deque(maxlen=REMEMBERED))


@dataclass(slots=True)
class Guesses:
    """Who tried what."""

    clock: Callable[[], float] = time.monotonic
    _tries: OrderedDict[str, _Tries] = field(default_factory=OrderedDict)

    def refusal(self, address: str) -> ProblemError | None:
        """Why a token from there is not looked at now, if it is not."""
        wait = self._wait(address)
        if wait <= 0:
            return None
        return ProblemError(
            429,
            "too-many-tries",
            "Too many wrong tokens came from your address: the next one is not looked at yet.",
            {"Retry-After": str(math.ceil(wait))},
        )

    def wrong(self, address: str, token: str) -> None:
        """Remember a token that is not ours."""
        now, name = self.clock(), _name_of(address)
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

    def _wait(self, address: str) -> float:
        now = self.clock()
        tries = self._known(_name_of(address), now)
        if tries is None or tries.count < FREE:
            return 0.0
        doubled = 2.0 ** min(tries.count - FREE, 10)
        return tries.last_at + min(doubled, LONGEST_SECONDS) - now

    def _known(self, name: str, now: float) -> _Tries | None:
        tries = self._tries.get(name)
        if tries is None or now - tries.last_at >= FORGOTTEN_SECONDS:
            return None
        return tries


def _name_of(address: str) -> str:
    """The address; of IPv6 the part that whoever sends cannot choose."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if parsed.version == 4 or parsed.ipv4_mapped is not None:
        return address
    return str(ipaddress.ip_network((parsed, NEIGHBOURS), strict=False))
