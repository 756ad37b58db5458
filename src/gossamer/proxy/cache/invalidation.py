"""What is no longer true once something was changed through us (RFC 9111 §4.4). Pure."""

from collections.abc import Iterator
from typing import Final

from gossamer.model import Url
from gossamer.proxy.cache.fields import values
from gossamer.proxy.cache.protocol import Fields, Request
from gossamer.urls import canonical, origin_of

SAFE: Final = frozenset(("GET", "HEAD", "OPTIONS", "TRACE"))
_FIRST_GOOD, _FIRST_BAD = 200, 400


def changed_urls(request: Request, status: int, fields: Fields) -> Iterator[str]:
    """The URLs whose stored responses the answer to a request makes doubtful."""
    if request.method in SAFE or not _FIRST_GOOD <= status < _FIRST_BAD:
        return
    yield request.url
    for name in (b"location", b"content-location"):
        for value in values(fields, name):
            if (url := _joined(request.url, value)) is not None:
                yield url


def _joined(base: str, reference: bytes) -> str | None:
    """A reference as a URL, if it is of the same origin: nobody speaks for others (§4.4)."""
    url = canonical(reference.decode("utf-8", "replace"), Url(base))
    if not isinstance(url, str) or origin_of(url) != origin_of(Url(base)):
        return None
    return url
