"""A part of a stored response, for a request with `Range` (RFC 9110 §14). Pure.

One range only. Several would need a multipart body; such a request goes to the origin.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

_ONE: Final = re.compile(rb"bytes=(\d{0,15})-(\d{0,15})", re.IGNORECASE)

Part = tuple[int, int]
"""First byte, and the one after the last."""


def single(value: bytes) -> bool:
    """Whether this asks for one range of bytes, in words that we understand."""
    match = _ONE.fullmatch(value.strip())
    return match is not None and bool(match[1] or match[2]) and not _backwards(match)


def part_of(value: bytes, size: int) -> Part | None:
    """Which part of a body of that size is asked for; None where it has no such part."""
    match = _ONE.fullmatch(value.strip())
    assert match is not None
    if not match[1]:
        start, end = max(0, size - int(match[2])), size
    else:
        start = int(match[1])
        end = min(size, int(match[2]) + 1) if match[2] else size
    return (start, end) if start < end else None


def _backwards(match: re.Match[bytes]) -> bool:
    return bool(match[1] and match[2]) and int(match[2]) < int(match[1])


def cut(pieces: Iterable[bytes], part: Part) -> Iterator[bytes]:
    """A part of a body that comes in pieces."""
    start, end = part
    place = 0
    for piece in pieces:
        if place >= end:
            return
        if wanted := piece[max(0, start - place) : end - place]:
            yield wanted
        place += len(piece)
