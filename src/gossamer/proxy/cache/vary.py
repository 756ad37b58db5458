"""`Vary`: which requests a stored response is for (RFC 9111 §4.1). Pure."""

from functools import lru_cache
from typing import Final

from gossamer.proxy.cache.fields import combined, members
from gossamer.proxy.cache.protocol import Fields

Names = tuple[bytes, ...]
Values = tuple[bytes | None, ...]

# Lists of things that a client likes, each with its weight: neither case nor order changes them.
_PREFERENCES: Final = frozenset((b"accept", b"accept-encoding", b"accept-language"))


def varying(fields: Fields) -> Names:
    """The request fields that a response depends on, sorted, in lower case."""
    return tuple(sorted(set(members(fields, b"vary"))))


def selecting(names: Names, fields: Fields) -> Values:
    """What a request says in those fields; requests that say the same get the same response."""
    return tuple([_value(name, combined(fields, name)) for name in names])


def _value(name: bytes, value: bytes | None) -> bytes | None:
    return None if value is None else _normal(name in _PREFERENCES, value)


@lru_cache(4096)
def _normal(is_preference: bool, value: bytes) -> bytes:
    parts = [part.strip() for part in value.split(b",")]
    if is_preference:
        parts = sorted(part.lower().replace(b" ", b"") for part in parts if part)
    return b",".join(parts)
