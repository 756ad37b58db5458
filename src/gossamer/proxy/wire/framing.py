"""Where a body ends: by its length, its last chunk, or the end of the connection. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from gossamer.proxy.wire.fields import Index, Malformed, items, values

_DIGITS: Final = re.compile(rb"[0-9]{1,18}")  # more bytes than any disk holds have nineteen


class Sized(NamedTuple):
    """A body of so many bytes; of none, where there is none."""

    length: int


@dataclass(frozen=True, slots=True)
class Chunked:
    """A body that says when it ends."""


@dataclass(frozen=True, slots=True)
class UntilClose:
    """A body that ends with its connection."""


Framing = Sized | Chunked | UntilClose
NOTHING: Final = Sized(0)
CHUNKED: Final = Chunked()
UNTIL_CLOSE: Final = UntilClose()


def request_framing(index: Index, minor: int) -> Sized | Chunked | Malformed:
    """Where the body of a request ends; whatever could be read in two ways is refused."""
    lengths, codings = values(index, b"content-length"), values(index, b"transfer-encoding")
    if codings:
        return _coded(items(index, b"transfer-encoding"), bool(lengths), minor)
    if not lengths:
        return NOTHING
    if len(lengths) > 1:
        return Malformed(400, "The request has more than one Content-Length.")
    if not _DIGITS.fullmatch(lengths[0]):
        return Malformed(400, "The Content-Length of the request is not a number of bytes.")
    return Sized(int(lengths[0]))


def response_framing(index: Index, status: int, *, to_head: bool) -> Framing | Malformed:
    """Where the body of a response ends."""
    if to_head or status in (204, 304) or status < 200:
        return NOTHING
    if b"transfer-encoding" in index:  # which overrules a length (RFC 9112 section 6.3)
        return _coded_response(items(index, b"transfer-encoding"))
    if b"content-length" not in index:
        return UNTIL_CLOSE
    length, *others = index[b"content-length"]
    if not _DIGITS.fullmatch(length) or {*others} - {length}:
        return Malformed(502, "The server's answer does not say how long it is in one way alone.")
    return Sized(int(length))


def _coded_response(codings: Sequence[bytes]) -> Framing | Malformed:
    if not codings:  # some would take this for none, and others for one
        return Malformed(502, "The server's answer has an empty Transfer-Encoding.")
    match [each for each in codings if each != b"identity"]:  # as old servers say for nothing
        case []:
            return UNTIL_CLOSE
        case [b"chunked"]:
            return CHUNKED
    # We asked for no other (TE), and the next hop would not learn of it.
    return Malformed(502, "The server's answer has a Transfer-Encoding besides chunked.")


def _coded(codings: Sequence[bytes], has_length: bool, minor: int) -> Chunked | Malformed:
    if has_length:
        return Malformed(400, "The request has both Content-Length and Transfer-Encoding.")
    if minor == 0:
        return Malformed(400, "HTTP/1.0 knows no Transfer-Encoding.")
    if [*codings] == [b"chunked"]:
        return CHUNKED
    if codings and codings[-1] == b"chunked" and b"chunked" not in codings[:-1]:
        return Malformed(501, "The only Transfer-Encoding that is known here is chunked.")
    return Malformed(400, "The Transfer-Encoding of the request does not end in one chunked.")
