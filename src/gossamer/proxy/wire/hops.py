"""What goes on to the next hop, and what does not: RFC 9110 section 7.6. Pure."""

from typing import Final

from gossamer.proxy.cache.protocol import Fields
from gossamer.proxy.wire.fields import Index, items, values
from gossamer.proxy.wire.response import ResponseHead, lines

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
RESPONSE_DROPS: Final = _THIS_HOP | {b"via"}
_LENGTH: Final = b"content-length"
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


def response_block(head: ResponseHead) -> bytes:
    """The header lines of a response that goes on, mostly as they came; Via is ours to write."""
    named, has_no_body = head.named, head.status in (204, 304) or head.status < 200
    lengths = named.get(_LENGTH, ())
    if named.keys().isdisjoint(RESPONSE_DROPS) and len(lengths) <= 1 and not has_no_body:
        return head.block
    drops = RESPONSE_DROPS | {_LENGTH}
    # A body that is chunked has no length; that of a HEAD is what a GET would have.
    is_sized = lengths and not has_no_body and b"transfer-encoding" not in named
    length = ((b"Content-Length", lengths[0]),) if is_sized else ()
    return lines((*passed_on(head.fields, named, drops), *length))


def keeps_alive(index: Index, minor: int) -> bool:
    """Whether the other side goes on with this connection."""
    if b"connection" not in index:
        return minor == 1
    options = items(index, b"connection")
    return b"close" not in options and (minor == 1 or b"keep-alive" in options)


def goes_on(index: Index, minor: int) -> bool:
    """Whether a server's connection can be used again: not after an answer with two lengths."""
    has_two_lengths = b"transfer-encoding" in index and b"content-length" in index
    return not has_two_lengths and keeps_alive(index, minor)


def via(index: Index, minor: int, name: bytes) -> bytes:
    """The Via field of what goes on: who was on the way so far, and us."""
    ours = b"1.%d %b" % (minor, name)
    return b", ".join([*index[b"via"], ours]) if b"via" in index else ours


def has_been_here(index: Index, name: bytes) -> bool:
    """Whether a request went through us before."""
    hops = b",".join(values(index, b"via")).split(b",")
    return any(name in hop.split() for hop in hops)
