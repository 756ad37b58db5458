"""HTTP messages as WARC blocks hold them, and back again. Pure.

A block must be a message that readers can take apart, and curl has undone the transfer
coding. So where `Transfer-Encoding` stands, or a `Content-Length` that is not the length
of what we hold, these headers are masked by a prefix and the true length is added.
Reading takes all of that back.
"""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Final

from gossamer.model import Fetched
from gossamer.urls.parts import path_of

Headers = Sequence[tuple[str, str]]

MASK: Final = "X-Crawler-"  # the prefix that other crawlers use for the same purpose
_LENGTH: Final = "content-length"
_CODING: Final = "transfer-encoding"
_BODILESS: Final = (204, 304)  # where a length speaks of a body that is not there
_REASONS: Final = {status.value: status.phrase for status in HTTPStatus}
_VERSIONS: Final = ("1.0", "1.1")
# Whatever a header holds, it stays one line: nobody writes lines of ours.
_UNSAFE: Final = bytes.maketrans(b"\r\n\0", b"   ")


def request_block(fetched: Fetched) -> bytes:
    """The request, as an HTTP/1 server would have seen it."""
    return _head(f"GET {path_of(fetched.url)} HTTP/1.1", fetched.request_headers)


def response_head(fetched: Fetched) -> bytes:
    """The answer up to its body."""
    # Readers stumble over `HTTP/2` here; the record's WARC-Protocol tells it instead.
    version = fetched.http_version if fetched.http_version in _VERSIONS else "1.1"
    line = f"HTTP/{version} {fetched.status:03} {_REASONS.get(fetched.status, '')}"
    return _head(line, masked(fetched.headers, fetched.status, len(fetched.body)))


def parsed_response(block: bytes) -> tuple[str, int, tuple[tuple[str, str], ...], bytes]:
    """Version, status, headers as they were sent, and body of an answer."""
    head, _, body = block.partition(b"\r\n\r\n")
    line, *fields = head.decode("latin-1").split("\r\n")
    version, status, *_ = line.removeprefix("HTTP/").split(" ")
    return version, int(status), unmasked([_field(text) for text in fields]), body


def masked(headers: Headers, status: int, length: int) -> Headers:
    """The headers of an answer, true of a body of this length without transfer coding."""
    wrong = any(_is_wrong(name, value, status, length) for name, value in headers)
    kept = [
        (MASK + name if _is_masked(name) or (wrong and _is_framing(name)) else name, value)
        for name, value in headers
    ]
    return [*kept, ("Content-Length", str(length))] if wrong else kept


def unmasked(headers: Headers) -> tuple[tuple[str, str], ...]:
    """The headers before they were masked."""
    was_wrong = any(
        name.startswith(MASK) and _is_framing(name.removeprefix(MASK)) for name, _ in headers
    )
    kept = headers[:-1] if was_wrong else headers  # the last one is the length we added
    return tuple((name.removeprefix(MASK), value) for name, value in kept)


def _is_wrong(name: str, value: str, status: int, length: int) -> bool:
    name = name.lower()
    return name == _CODING or (name == _LENGTH and status not in _BODILESS and value != str(length))


def _is_framing(name: str) -> bool:
    return name.lower() in (_CODING, _LENGTH)


def _is_masked(name: str) -> bool:
    """Whether a server itself sent a header that looks like one of ours."""
    return name.lower().startswith(MASK.lower())


def _head(line: str, headers: Headers) -> bytes:
    lines = [line, *(f"{name}: {value}" for name, value in headers)]
    safe = [each.encode("latin-1", errors="replace").translate(_UNSAFE) for each in lines]
    return b"\r\n".join(safe) + b"\r\n\r\n"


def _field(text: str) -> tuple[str, str]:
    name, _, value = text.partition(":")
    return name, value.removeprefix(" ")
