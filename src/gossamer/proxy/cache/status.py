"""`Cache-Status` (RFC 9211): on every answer, what the cache did for it. Pure."""

from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Final

NAME: Final = b"gossamer"


class Why(StrEnum):
    """Why a request went to the origin, in the words of the RFC."""

    BYPASS = "bypass"  # no cache may answer it
    METHOD = "method"
    MISS = "uri-miss"
    VARIANT = "vary-miss"
    STALE = "stale"
    REQUEST = "request"  # the client wants it so


def hit(age_left: float) -> bytes:
    """The line of a response from the cache; a stale one has a negative time to live."""
    return b"Cache-Status: %b; hit; ttl=%d\r\n" % (NAME, age_left // 1)


@lru_cache(256)
def forwarded(
    why: Why,
    status: int | None = None,
    *,
    is_stored: bool = False,
    collapsed: bool = False,
    detail: str | None = None,
) -> bytes:
    """The value for a response for which the origin was asked."""
    told: list[bytes] = [NAME, b"fwd=" + why.encode("ascii")]
    if status is not None:
        told.append(b"fwd-status=%d" % status)
    told += _flags(stored=is_stored, collapsed=collapsed)
    if detail is not None:
        told.append(b'detail="%b"' % detail.encode("ascii", "replace"))
    return b"; ".join(told)


def nothing(detail: str) -> bytes:
    """The line of an answer of our own, where there is neither a stored response nor a way to get one."""
    return b'Cache-Status: %b; detail="%b"\r\n' % (NAME, detail.encode("ascii", "replace"))


def _flags(**flags: bool) -> Sequence[bytes]:
    return [name.encode("ascii") for name, is_set in flags.items() if is_set]
