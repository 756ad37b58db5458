"""Who has logged in: a browser gets a random value for the token, and sends it back as a cookie.

The value is nothing but a name for an entry here; we keep its hash. It ends with a logout, with
its time, with another token, and with this process.
"""

import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import cookie_parser

LASTS_SECONDS: Final = 7 * 24 * 3600
MOST: Final = 1_000  # the oldest makes room


@dataclass(slots=True)
class Sessions:
    """Logins, by the hash of what their browsers send."""

    clock: Callable[[], float] = time.time
    _until: OrderedDict[bytes, float] = field(default_factory=OrderedDict)

    def begin(self) -> str:
        """The value for a browser that has brought the token."""
        value = secrets.token_urlsafe(32)
        self._until[_hash(value)] = self.clock() + LASTS_SECONDS
        while len(self._until) > MOST:
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
