"""The head of a response, read with some forbearance, and written. Pure.

Servers are older than the rules. What has one meaning only is mended (a folded field, a blank before
a colon, a line without CR); what could have two is no answer.
"""

import re
from functools import cache
from http import HTTPStatus
from typing import Final, NamedTuple, Self

from gossamer.http.wire.fields import (
    LINES,
    RESPONSE_DROPS,
    Fields,
    Index,
    Malformed,
    indexed,
    lines,
    passed_on,
    read_fields,
    split_fields,
)

MOST_FIELDS: Final = 500
_LINE: Final = rb"HTTP/1\.([01]) ([1-9][0-9]{2})(?: [^\x00-\x08\x0a-\x1f\x7f]*)?\r\n"
_STATUS: Final = re.compile(_LINE)
_GOOD: Final = re.compile(_LINE + rb"(" + LINES + rb")\r\n")
_LONE_LF: Final = re.compile(rb"(?<!\r)\n")
_FOLD: Final = re.compile(rb"\r\n[ \t]+")
_BLANK_BEFORE_COLON: Final = re.compile(rb"(?m)^([^\s:]+)[ \t]+:")
_ENDS: Final = re.compile(rb"\r?\n\r?\n")
_LENGTH: Final = b"content-length"
_BEGINNING: Final = b"HTTP/"
_MOST_SHOWN: Final = 60  # bytes of what is no answer
_REASONS: Final = {each.value: each.phrase for each in HTTPStatus}


class ResponseHead(NamedTuple):
    """A response before its body."""

    status: int
    minor: int  # of HTTP/1.x
    fields: Fields
    named: Index  # the same
    block: bytes  # the same as header lines

    @classmethod
    def of(cls, status: int, minor: int, fields: Fields, block: bytes | None = None) -> Self:
        """A head with these fields."""
        return cls(status, minor, fields, indexed(fields), block or lines(fields))


def not_http(buffer: bytes | bytearray) -> str | None:
    """Why these bytes cannot begin an answer, as soon as that can be seen; else None."""
    if not buffer or _BEGINNING.startswith(buffer[: len(_BEGINNING)]):
        return None
    line = bytes(buffer[:_MOST_SHOWN]).partition(b"\n")[0].strip()
    shown = "".join(chr(each) if 32 <= each < 127 else "?" for each in line)
    return f"What the server sent is not HTTP. It begins with: {shown}"


def response_end(buffer: bytes | bytearray, most_bytes: int) -> int | Malformed | None:
    """Where a head ends that begins the buffer; None while there is more to come."""
    end = buffer.find(b"\r\n\r\n")
    found = end + 4 if end >= 0 else None
    before = len(buffer) if end < 0 else end + 1  # what follows may be a long body
    if buffer.find(b"\n\n", 0, before) >= 0 or buffer.find(b"\n\r\n", 0, before) >= 0:
        match = _ENDS.search(buffer)
        found = match.end() if match else found
    if found is None and len(buffer) <= most_bytes:
        return None
    if found is None or found > most_bytes:
        return Malformed(502, f"The header of the answer is longer than {most_bytes:,} bytes.")
    return found


def read_response(head: bytes) -> ResponseHead | Malformed:
    """The response that a head states; `head` ends in an empty line."""
    good = read_good_response(head)
    if good is not None:
        return good[0]
    head = _LONE_LF.sub(b"\r\n", head)
    line = _STATUS.match(head)
    if line is None:
        return Malformed(502, "The server's answer is not HTTP/1.1.")
    block = _BLANK_BEFORE_COLON.sub(rb"\1:", _FOLD.sub(b" ", head[line.end() : -2]))
    fields = read_fields(block, 0, MOST_FIELDS)
    if isinstance(fields, Malformed):
        return Malformed(502, f"The server's answer cannot be read. {fields.why}")
    return ResponseHead.of(int(line[2]), int(line[1]), fields, block)


def read_good_response(data: bytes) -> tuple[ResponseHead, int] | None:
    """The head that begins these bytes and where it ends, if it is here and needs no mending."""
    found = _GOOD.match(data)
    if found is None:
        return None
    minor, status, block = found.groups()
    fields = split_fields(block)
    if len(fields) > MOST_FIELDS:
        return None
    return ResponseHead(int(status), int(minor), fields, indexed(fields), block), found.end()


@cache
def status_line(status: int) -> bytes:
    """The first line of a response of ours."""
    return b"HTTP/1.1 %d %s\r\n" % (status, _REASONS.get(status, "").encode("ascii"))


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
