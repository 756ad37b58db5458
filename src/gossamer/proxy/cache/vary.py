"""`Vary`: which requests a stored response is for (RFC 9111 §4.1). Pure."""

from hashlib import blake2b
from typing import Final

from gossamer.proxy.cache.fields import combined, members
from gossamer.proxy.cache.protocol import Fields
from gossamer.proxy.cache.remembering import remembering

Names = tuple[bytes, ...]
Values = tuple[bytes | None, ...]
DIGEST_BYTES: Final = 16

# Lists of things that a client likes, each with its weight: neither case nor order changes them.
_PREFERENCES: Final = frozenset((b"accept", b"accept-encoding", b"accept-language"))


def varying(fields: Fields) -> Names:
    """The request fields that a response depends on, sorted, in lower case."""
    return tuple(sorted(set(members(fields, b"vary"))))


def selecting(names: Names, fields: Fields) -> Values:
    """A digest of what a request says in each of those fields.

    Requests that say the same get the same response. What they say is nobody's business: it may be
    a cookie, and is written to disk.
    """
    return tuple([_value(name, combined(fields, name)) for name in names])


def _value(name: bytes, value: bytes | None) -> bytes | None:
    if value is None:
        return None
    return _likes(value) if name in _PREFERENCES else _words(value)


@remembering(4096)
def _likes(value: bytes) -> bytes:
    parts = (part.strip().lower().replace(b" ", b"") for part in value.split(b","))
    return _digest(sorted(part for part in parts if part))


@remembering(4096)
def _words(value: bytes) -> bytes:
    return _digest([part.strip() for part in value.split(b",")])


def _digest(parts: list[bytes]) -> bytes:
    return blake2b(b",".join(parts), digest_size=DIGEST_BYTES).hexdigest().encode()
