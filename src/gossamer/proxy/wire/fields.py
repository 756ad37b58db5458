"""Header fields, read strictly. Pure."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gossamer.proxy.cache.protocol import Fields

_TOKEN: Final = rb"[!#$%&'*+\-.^_`|~0-9A-Za-z]+"
TOKEN: Final = re.compile(_TOKEN)
# A value has no control characters but tabs: neither NUL, nor a CR without its LF. Nothing is ever
# matched in another way than the first, so nothing is remembered for that (`++`, `*+`).
LINES: Final = rb"(?>" + _TOKEN + rb"+:[^\x00-\x08\x0a-\x1f\x7f]*+\r\n)*+"
_LINES: Final = re.compile(LINES)
_BLANKS: Final = b" \t"


Index = Mapping[bytes, Sequence[bytes]]
"""All values of each field, by its name in small letters: a head is asked about a dozen of them."""


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


def has_bare_line_feed(block: bytes) -> bool:
    """Whether some line ends without CR: others may see other lines than we do."""
    return block.count(b"\n") != block.count(b"\r\n")


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
