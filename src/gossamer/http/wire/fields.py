"""Header fields: read strictly, looked up, and passed on to the next hop (RFC 9110 section 7.6). Pure."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

Field = tuple[bytes, bytes]
Fields = tuple[Field, ...]
"""Header fields as they came, in their order, names in any case, values without outer blanks."""
_TOKEN: Final = rb"[!#$%&'*+\-.^_`|~0-9A-Za-z]+"
TOKEN: Final = re.compile(_TOKEN)
# A value has no control characters but tabs: neither NUL, nor a CR without its LF. Nothing is ever
# matched in another way than the first, so nothing is remembered for that (`++`, `*+`).
LINES: Final = rb"(?>" + _TOKEN + rb"+:[^\x00-\x08\x0a-\x1f\x7f]*+\r\n)*+"
_LINES: Final = re.compile(LINES)
_BLANKS: Final = b" \t"
Index = Mapping[bytes, Sequence[bytes]]
"""All values of each field, by its name in small letters: a head is asked about a dozen of them."""
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
    b"x-gossamer-client",
    b"x-gossamer-max-wait",
    b"x-gossamer-sequential",
}
RESPONSE_DROPS: Final = _THIS_HOP | {b"via"}
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


@dataclass(frozen=True, slots=True)
class Malformed:
    """What is wrong with bytes that should have been HTTP, and the status that says so."""

    status: int
    why: str  # a sentence


def read_fields(block: bytes, start: int, most: int) -> Fields | Malformed:
    """The fields of a head from `start` on, each of whose lines ends in CRLF."""
    good = _LINES.match(block, start)
    if good is None or good.end() < len(block):
        return _wrong(block, good.end() if good else start)
    fields = split_fields(block[start:])
    if len(fields) > most:
        return Malformed(431, f"The request has more than {most} header fields.")
    return fields


def split_fields(block: bytes) -> Fields:
    """The fields of lines that are well formed."""
    lines = block.split(b"\r\n")
    lines.pop()  # what follows the last line: nothing
    return tuple(
        [(name, value.strip()) for name, _, value in [line.partition(b":") for line in lines]]
    )


def indexed(fields: Fields) -> Index:
    """The fields by their names."""
    index = {name.lower(): [value] for name, value in fields}
    if len(index) < len(fields):  # some come twice
        index = {}
        for name, value in fields:
            index.setdefault(name.lower(), []).append(value)
    return index


def values(index: Index, name: bytes) -> Sequence[bytes]:
    """All values of a field, by its name in small letters."""
    return index.get(name, ())


def items(index: Index, name: bytes) -> Sequence[bytes]:
    """The members of a field that is a list, in small letters."""
    if name not in index:
        return ()
    listed = b",".join(index[name]).lower().split(b",")
    return [item for each in listed if (item := each.strip(_BLANKS))]


def lines(fields: Fields) -> bytes:
    """Fields as they are sent."""
    return b"".join([b"%s: %s\r\n" % field for field in fields])


def has_bare_line_feed(block: bytes) -> bool:
    """Whether some line ends without CR: others may see other lines than we do."""
    return block.count(b"\n") != block.count(b"\r\n")


def passed_on(fields: Fields, index: Index, drops: frozenset[bytes]) -> Fields:
    """The fields without those that are for this hop, or named in Connection."""
    if b"connection" in index:
        drops = drops | ({*items(index, b"connection")} - _NEVER_BY_NAME)
    return tuple([field for field in fields if field[0].lower() not in drops])


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


def _wrong(block: bytes, start: int) -> Malformed:
    """What is wrong with the line that begins there."""
    line = block[start : block.find(b"\r\n", start)]
    name = line.partition(b":")[0]
    if line[:1] in (b" ", b"\t"):
        why = "A header field is folded over two lines."
    elif b"\0" in line:
        why = "A header field has a NUL in it."
    elif b"\r" in line or b"\n" in line:
        why = "A line ends in a bare CR or LF."
    elif b":" not in line:
        why = "A header line has no colon."
    elif name.endswith((b" ", b"\t")):
        why = "There is a blank between the name of a header field and its colon."
    elif not TOKEN.fullmatch(name):
        why = "The name of a header field has characters that no name has."
    else:
        why = "The value of a header field has control characters in it."
    return Malformed(400, why)
