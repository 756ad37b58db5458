"""Header fields: reading them, and which of them are only for the next hop. Pure."""

import re
from collections.abc import Collection, Iterator
from typing import Final

from gossamer.proxy.cache.protocol import Field, Fields

HOP_BY_HOP: Final = frozenset(
    (
        b"connection",
        b"keep-alive",
        b"proxy-authenticate",
        b"proxy-authentication-info",
        b"proxy-authorization",
        b"proxy-connection",
        b"te",
        b"trailer",
        b"transfer-encoding",
        b"upgrade",
    )
)
"""What no cache keeps (RFC 9111 §3.1, RFC 9110 §7.6.1), whatever `Connection` says."""

# A name that `Connection` lists is dropped, but none without which a response says something else:
# a hostile `Connection: cache-control` would have private pages kept.
_END_TO_END: Final = frozenset((b"cache-control", b"vary", b"content-encoding", b"content-length"))
_LINE: Final = re.compile(rb"(?<![^\n])([^:\r\n]++): ?([^\r\n]*+)\r\n")


def values(fields: Fields, name: bytes) -> list[bytes]:
    """The values of a field, line by line; the name in lower case."""
    return [value for key, value in fields if key.lower() == name]


def first(fields: Fields, name: bytes) -> bytes | None:
    """The value of a field's first line."""
    for key, value in fields:
        if key.lower() == name:
            return value
    return None


def combined(fields: Fields, name: bytes) -> bytes | None:
    """All lines of a field as one list; None where there is none."""
    found = values(fields, name)
    return b", ".join(found) if found else None


def members(fields: Fields, name: bytes) -> Iterator[bytes]:
    """The members of a list field that holds plain names, in lower case."""
    for value in values(fields, name):
        for member in value.lower().split(b","):
            if stripped := member.strip():
                yield stripped


def without(fields: Fields, names: Collection[bytes]) -> Fields:
    """The fields whose lower-case name is not among these."""
    return tuple(field for field in fields if field[0].lower() not in names)


def end_to_end(fields: Fields) -> Fields:
    """The fields that go beyond the next hop: without what `Connection` lists, too."""
    listed = set(members(fields, b"connection")) - _END_TO_END
    return without(fields, HOP_BY_HOP | listed)


def block_of(fields: Fields) -> bytes:
    """Fields as header lines, each with its CRLF."""
    return b"".join(map(_line, fields))


def fields_of(block: bytes) -> Fields:
    """The fields in header lines that we wrote."""
    return tuple(_LINE.findall(block))


def _line(field: Field) -> bytes:
    return b"%b: %b\r\n" % field
