"""Whom a request is for: its URL or authority, and the Host field that has to agree. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple, Self

from gossamer.model import Refusal, Url
from gossamer.proxy.wire.fields import Malformed
from gossamer.urls import canonical, host_of, origin_of
from gossamer.urls.parts import path_of

_AUTHORITY: Final = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^\s:/@\[\]?#]+):([0-9]{1,5})", re.ASCII)
_HOST: Final = re.compile(rb"(?:\[[0-9A-Fa-f:.]+\]|[^\s:/@\[\]?#,]+)(?::[0-9]{0,5})?")
_NO_PATH: Final = re.compile(rb"\*|[A-Za-z]+://[^/?#]*")
_NOT_FOR_A_PROXY: Final = (
    "This is a proxy: it is asked for whole URLs, as in GET http://example.org/ HTTP/1.1. "
    "Programs do so when http_proxy is set to this address."
)


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


class Target(NamedTuple):
    """A page that is asked for, and what its URL tells."""

    url: Url
    host: str
    origin: str
    line: bytes  # of a request for it, after the method, with the Host that follows

    @classmethod
    def of(cls, url: Url, *, is_server: bool = False) -> Self:
        """The same page by its URL; or the server that it is on, for OPTIONS."""
        origin, path = origin_of(url), "*" if is_server else path_of(url)
        line = f" {path} HTTP/1.1\r\nHost: {origin.partition('://')[2]}\r\n"
        return cls(url, host_of(url), origin, line.encode("ascii"))


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
    if not _HOST.fullmatch(hosts[0]) or not hosts[0].isascii():
        return Malformed(400, "The Host of the request cannot be read.")
    named = canonical(f"{scheme}://{hosts[0].decode('ascii')}/")
    if isinstance(named, Refusal):
        return Malformed(400, "The Host of the request cannot be read.")
    if origin_of(named) == origin_of(url):
        return url
    if may_leave_out_port and b":" not in hosts[0] and host_of(named) == host_of(url):
        return url  # what many programs send with CONNECT
    return Malformed(400, "The Host of the request is not that of its URL.")
