"""The chunked transfer coding undone (RFC 9112, section 7.1). Pure."""

import re
from typing import Final

_SIZE: Final = re.compile(rb"([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]*)?\r?\n")


def dechunked(body: bytes) -> bytes | None:
    """The body without its chunks; as much as there is of it. None where it has none."""
    pieces: list[bytes] = []
    at = 0
    while at < len(body):
        size = _SIZE.match(body, at)
        if size is None:
            # In the first place: not chunked. Later: broken off, or garbage behind the end.
            return b"".join(pieces) if pieces else None
        length = int(size[1], 16)
        if length == 0:
            break
        pieces.append(body[size.end() : size.end() + length])
        at = size.end() + length
        at += 2 if body.startswith(b"\r\n", at) else 1
    return b"".join(pieces)
