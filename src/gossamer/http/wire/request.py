"""The head of a request, read strictly: its line, its fields, and what its target names. Pure.

A target is a URL or an authority, and the Host field has to agree with it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple, Self

from gossamer.http.wire.fields import (
    TOKEN,
    Field,
    Fields,
    Index,
    Malformed,
    has_bare_line_feed,
    indexed,
    read_fields,
    values,
)
from gossamer.model import Refusal, Url
from gossamer.urls import canonical, host_of, origin_of
from gossamer.urls.parts import path_of

MOST_FIELDS: Final = 100
MOST_LINE_BYTES: Final = 8 * 1024  # what servers commonly take
MOST_METHOD_BYTES: Final = 32
HEAD_END: Final = b"\r\n\r\n"
MOST_REMEMBERED: Final = 256  # headers …
MOST_REMEMBERED_BYTES: Final = 4096  # … that are no longer than this
_LINE: Final = re.compile(
    rb"([!#$%%&'*+\-.^_`|~0-9A-Za-z]{1,%d}) ([\x21-\x5b\x5d-\x7e]+) HTTP/1\.([01])\r\n"
    % MOST_METHOD_BYTES
)
# A method, or the CR of an empty line before it.
_BEGINS: Final = frozenset(each for each in range(256) if TOKEN.fullmatch(bytes([each]))) | {13}
_HANDSHAKE: Final = 0x16  # the first byte of TLS
_TLS: Final = Malformed(
    400, "This is TLS, and HTTP is spoken here: the address begins with http://."
)
_NO_HTTP: Final = Malformed(400, "This is not HTTP.")
_VERSION: Final = re.compile(rb"HTTP/([0-9])\.([0-9])")
_HOST: Final = re.compile(rb"\r\n[Hh][Oo][Ss][Tt]:([^\x00-\x08\x0a-\x1f\x7f]*)\r\n")
_AUTHORITY: Final = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^\s:/@\[\]?#]+):([0-9]{1,5})", re.ASCII)
_HOST_VALUE: Final = re.compile(rb"(?:\[[0-9A-Fa-f:.]+\]|[^\s:/@\[\]?#,]+)(?::[0-9]{0,5})?")
_NO_PATH: Final = re.compile(rb"\*|[A-Za-z]+://[^/?#]*")
_NOT_FOR_A_PROXY: Final = (
    "This is a proxy: it is asked for whole URLs, as in GET http://example.org/ HTTP/1.1. "
    "Programs do so when http_proxy is set to this address."
)


class Header:
    """All that a request says but its line and its first Host: the same for many requests.

    A program that asks a hundred times says the same a hundred times. It is read once, and so is what
    follows from it, for which this is the key.
    """

    __slots__ = ("fields", "named")

    def __init__(self, fields: Fields) -> None:
        self.fields = fields
        self.named = indexed(fields)


class RequestHead(NamedTuple):
    """A request before its body, as the client wrote it."""

    method: str
    target: bytes
    minor: int  # of HTTP/1.x
    host: bytes | None  # the first; there may be no second in `header`
    header: Header

    @classmethod
    def of(cls, method: str, target: bytes, minor: int, host: bytes | None, *fields: Field) -> Self:
        """A head with these fields."""
        return cls(method, target, minor, host, Header(fields))

    @property
    def named(self) -> Index:
        """All values of its fields, but its Host."""
        return self.header.named

    @property
    def hosts(self) -> Sequence[bytes]:
        """All `Host` fields; there should be one."""
        others = values(self.named, b"host")
        return others if self.host is None else [self.host, *others]


def head_end(buffer: bytes | bytearray, most_bytes: int) -> int | Malformed | None:
    """Where a head ends that begins the buffer; None while there is more to come.

    What cannot become a request is told at once: whoever sent it waits for an answer.
    """
    if buffer and buffer[0] not in _BEGINS:
        return _TLS if buffer[0] == _HANDSHAKE else _NO_HTTP
    end = buffer.find(HEAD_END)
    if 0 <= end <= most_bytes:
        return end + len(HEAD_END)
    if end >= 0 or len(buffer) > most_bytes:
        return _too_large(buffer, most_bytes)
    if has_bare_line_feed(bytes(buffer)):
        return Malformed(400, "A line ends in a bare LF.")
    line = buffer.find(b"\r\n")
    return _NO_HTTP if line > 0 and b" " not in buffer[:line] else None


def is_one_head(data: bytes, most_bytes: int) -> bool:
    """Whether these bytes are a head of bearable size, and nothing but that."""
    is_whole = data.find(HEAD_END) == len(data) - len(HEAD_END)
    return is_whole and len(HEAD_END) < len(data) <= most_bytes and not data.startswith(b"\r\n")


def read_request(head: bytes, most_line: int = MOST_LINE_BYTES) -> RequestHead | Malformed:
    """The request that a head states; `head` ends in an empty line."""
    line = _LINE.match(head)
    if line is None or line.end() > most_line + 2:
        return _wrong(head[: head.find(b"\r\n")], most_line)
    lines = head[line.end() - 2 :]
    read = _known_lines(lines) if len(lines) <= MOST_REMEMBERED_BYTES else _read_lines(lines)
    if isinstance(read, Malformed):
        return read
    method, target, minor = line.groups()
    return RequestHead(method.decode("ascii"), target, int(minor), *read)


class Target(NamedTuple):
    """A page that is asked for, and what its URL tells."""

    url: Url
    host: str
    origin: str
    line: bytes  # of a request for it, after the method, with the Host that follows

    @classmethod
    def of(cls, url: Url, *, is_server: bool = False) -> Self:
        """The target of a request by its URL; for OPTIONS the server that it is on."""
        origin, path = origin_of(url), "*" if is_server else path_of(url)
        line = f" {path} HTTP/1.1\r\nHost: {origin.partition('://')[2]}\r\n"
        return cls(url, host_of(url), origin, line.encode("ascii"))


@dataclass(frozen=True, slots=True)
class Authority:
    """Where a tunnel leads."""

    host: str  # canonical
    port: int

    @property
    def is_plain(self) -> bool:
        """Whether HTTP is spoken there as it is."""
        return self.port == 80

    @property
    def url(self) -> Url:
        """The front page there, as its robots.txt and clock know it."""
        if self.is_plain:
            return Url(f"http://{self.host}/")
        port = "" if self.port == 443 else f":{self.port}"
        return Url(f"https://{self.host}{port}/")


@lru_cache(4096)  # programs ask for the same pages again
def read_target(target: bytes, host: bytes | None, minor: int) -> Target | Malformed:
    """The page that an absolute-form request with one Host asks for, or with none."""
    url = read_url(target, () if host is None else (host,), minor)
    return url if isinstance(url, Malformed) else Target.of(url)


def read_url(target: bytes, hosts: Sequence[bytes], minor: int) -> Url | Malformed:
    """The URL of an absolute-form request, if its Host agrees."""
    text = target.decode("ascii")
    scheme, colon, rest = text.partition(":")
    if not colon or not rest.startswith("//"):
        return Malformed(400, _NOT_FOR_A_PROXY)
    if scheme.lower() not in ("http", "https"):
        return Malformed(501, "Only http and https are passed on.")
    url = canonical(text)
    if isinstance(url, Refusal):
        return Malformed(400, url.why)
    return _agreed(url, hosts, minor)


def read_url_inside(
    origin: str, target: bytes, hosts: Sequence[bytes], minor: int
) -> Url | Malformed:
    """The URL of a request inside a connection to an origin, by its path or in full."""
    if not target.startswith(b"/"):
        url = read_url(target, hosts, minor)
        if isinstance(url, str) and origin_of(url) != origin:
            return Malformed(421, "The connection was made to another host than is asked for now.")
        return url
    joined = canonical(origin + target.decode("ascii"))
    if isinstance(joined, Refusal):
        return Malformed(400, joined.why)
    return _agreed(joined, hosts, minor)


def read_server(
    origin: str | None, target: bytes, hosts: Sequence[bytes], minor: int
) -> Target | Malformed | None:
    """The server that OPTIONS asks about as a whole, if no path is named (RFC 9112 section 3.2.4).

    `origin` is that of the connection, where it is known: `*` means that one.
    """
    if not _NO_PATH.fullmatch(target):
        return None
    if origin is None:
        url = read_url(target, hosts, minor)
    else:
        url = read_url_inside(origin, b"/" if target == b"*" else target, hosts, minor)
    return url if isinstance(url, Malformed) else Target.of(url, is_server=True)


def read_authority(target: bytes, hosts: Sequence[bytes], minor: int) -> Authority | Malformed:
    """Where CONNECT is to lead, if Host agrees."""
    found = _AUTHORITY.fullmatch(target.decode("ascii"))
    if found is None or not 0 < int(found[2]) < 65536:
        return Malformed(400, "CONNECT wants HOST:PORT, as in CONNECT example.org:443 HTTP/1.1.")
    url = canonical(f"https://{found[0]}/")
    if isinstance(url, Refusal):
        return Malformed(400, url.why)
    agreed = _agreed(url, hosts, minor, may_leave_out_port=True)
    return agreed if isinstance(agreed, Malformed) else Authority(host_of(url), int(found[2]))


def _read_lines(lines: bytes) -> tuple[bytes | None, Header] | Malformed:
    """The first Host and the header, of lines that begin with the end of the one before."""
    host, block = _parted(lines)
    header = _known(block) if len(block) <= MOST_REMEMBERED_BYTES else _read(block)
    if isinstance(header, Malformed):
        return header
    if len(header.fields) + (host is not None) > MOST_FIELDS:
        return Malformed(431, f"The request has more than {MOST_FIELDS} header fields.")
    return host, header


def _parted(lines: bytes) -> tuple[bytes | None, bytes]:
    """The first Host, and all other lines."""
    found = _HOST.search(lines)
    if found is None:
        return None, lines[2:-2]
    return found[1].strip(), lines[2 : found.start() + 2] + lines[found.end() : -2]


def _read(block: bytes) -> Header | Malformed:
    fields = read_fields(block, 0, MOST_FIELDS)
    return fields if isinstance(fields, Malformed) else Header(fields)


_known = lru_cache(MOST_REMEMBERED)(_read)  # of each program …


_known_lines = lru_cache(4 * MOST_REMEMBERED)(_read_lines)  # … and of each host that it asks


def _wrong(line: bytes, most_line: int) -> Malformed:
    """What is wrong with a request line."""
    if len(line) > most_line:
        return Malformed(414, f"The request line is longer than {most_line:,} bytes.")
    parts = line.split(b" ")
    if len(parts) != 3 or not all(parts):
        return Malformed(400, "The request line is not METHOD, URL and version, a blank between.")
    method, _, version = parts
    if not TOKEN.fullmatch(method):
        return Malformed(400, "The method has characters that no method has.")
    if len(method) > MOST_METHOD_BYTES:
        return Malformed(501, "There is no method with such a long name.")
    if not _VERSION.fullmatch(version):
        return Malformed(400, "The request line does not end in HTTP/1.1.")
    if version not in (b"HTTP/1.1", b"HTTP/1.0"):
        return Malformed(505, "Only HTTP/1.1 and HTTP/1.0 are spoken here.")
    return Malformed(400, "The URL has characters that no URL has; they are to be encoded.")


def _too_large(buffer: bytes | bytearray, most_bytes: int) -> Malformed:
    if buffer.find(b"\r\n", 0, most_bytes) < 0:
        return Malformed(414, "The request line is too long.")
    return Malformed(431, f"The header of the request is longer than {most_bytes:,} bytes.")


def _agreed(
    url: Url, hosts: Sequence[bytes], minor: int, *, may_leave_out_port: bool = False
) -> Url | Malformed:
    """The URL, if exactly one Host names the same."""
    if len(hosts) > 1:
        return Malformed(400, "The request has more than one Host.")
    if not hosts:
        return url if minor == 0 else Malformed(400, "The request has no Host.")
    scheme, _, authority = origin_of(url).partition("://")
    if hosts[0] == authority.encode("ascii"):  # as nearly always
        return url
    if not _HOST_VALUE.fullmatch(hosts[0]) or not hosts[0].isascii():
        return Malformed(400, "The Host of the request cannot be read.")
    named = canonical(f"{scheme}://{hosts[0].decode('ascii')}/")
    if isinstance(named, Refusal):
        return Malformed(400, "The Host of the request cannot be read.")
    if origin_of(named) == origin_of(url):
        return url
    if may_leave_out_port and b":" not in hosts[0] and host_of(named) == host_of(url):
        return url  # what many programs send with CONNECT
    return Malformed(400, "The Host of the request is not that of its URL.")
