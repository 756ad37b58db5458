"""What goes on to the next hop, and what does not: RFC 9110 section 7.6. Pure."""

from typing import Final

from gossamer.proxy.cache.protocol import Fields
from gossamer.proxy.wire.fields import Index, items, values

# For this hop alone; and what is written anew for the next one.
_THIS_HOP: Final = frozenset(
    {
        b"connection",
        b"keep-alive",
        b"proxy-connection",
        b"proxy-authenticate",
        b"proxy-authentication-info",
        b"proxy-authorization",
        b"te",
        b"trailer",
        b"transfer-encoding",
        b"upgrade",
        b"http2-settings",
    }
)
REQUEST_DROPS: Final = _THIS_HOP | {
    b"host",
    b"content-length",
    b"expect",
    b"via",
    b"x-gossamer-max-wait",
    b"x-gossamer-sequential",
}
RESPONSE_DROPS: Final = _THIS_HOP | {b"content-length", b"via"}
# A client that names one of these in Connection would have us drop what the origin relies on.
_NEVER_BY_NAME: Final = frozenset(
    {
        b"authorization",
        b"cache-control",
        b"cookie",
        b"date",
        b"set-cookie",
        b"vary",
        b"content-type",
    }
)


def passed_on(fields: Fields, index: Index, drops: frozenset[bytes]) -> Fields:
    """The fields without those that are for this hop, or named in Connection."""
    if b"connection" in index:
        drops = drops | ({*items(index, b"connection")} - _NEVER_BY_NAME)
    return tuple([field for field in fields if field[0].lower() not in drops])


def via(index: Index, minor: int, name: bytes) -> bytes:
    """The Via field of what goes on: who was on the way so far, and us."""
    return b", ".join([*values(index, b"via"), b"1.%d %s" % (minor, name)])


def has_been_here(index: Index, name: bytes) -> bool:
    """Whether a request went through us before."""
    hops = b",".join(values(index, b"via")).split(b",")
    return any(name in hop.split() for hop in hops)
