"""A request as the cache reads it: its directives, its range, and whether the cache may answer it. Pure.

Of ranges (RFC 9110 §14) one only: several would need a multipart body, and such a request goes to the
origin. So does one with a field that makes many servers answer something else without naming it in
`Vary`, such as `X-Forwarded-Host`: once stored, that answer would be everybody's (cache poisoning).
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from gossamer.http.wire.fields import Fields
from gossamer.proxy.cache.directives import NO_WISHES, RequestDirectives, request_directives
from gossamer.proxy.cache.fields import combined
from gossamer.proxy.cache.protocol import Request
from gossamer.proxy.cache.validators import CONDITIONS, FOR_THE_ORIGIN

MOST_READ: Final = 256  # headers whose meaning is remembered
_ONE: Final = re.compile(rb"bytes=(\d{0,15})-(\d{0,15})", re.IGNORECASE)
_PREFIXES: Final = (
    b"x-forwarded-",
    b"x-original-",
    b"x-rewrite-",
    b"x-http-",  # X-HTTP-Method, X-HTTP-Method-Override, X-HTTP-Host-Override, X-HTTP-Path…
    b"x-method",
    b"x-proxy-",
    b"x-backend-",
    b"x-accel-",
    b"x-sendfile-",
    b"x-middleware-",
    b"x-invoke-",
    b"x-override-",
    b"x-envoy-",
    b"cf-connecting-",
)
_NAMES: Final = frozenset(
    (
        b"forwarded",
        b"forwarded-for",
        b"x-forwarded",
        b"x-forward-for",
        b"x-forwarder-for",
        b"x-host",
        b"x-host-override",
        b"x-server-name",
        b"x-wap-profile",
        b"x-scheme",
        b"x-url-scheme",
        b"x-protocol",
        b"x-port",
        b"x-ssl",
        b"x-https",
        b"front-end-https",
        b"x-request-uri",
        b"x-uri",
        b"x-url",
        b"x-path",
        b"x-base-url",
        b"x-script-name",
        b"x-path-info",
        b"x-replaced-path",
        b"x-api-version-override",
        b"method-override",
        b"override-method",
        b"http-method-override",
        b"x-real-ip",
        b"x-client-ip",
        b"x-cluster-client-ip",
        b"x-originating-ip",
        b"x-remote-ip",
        b"x-remote-addr",
        b"x-custom-ip-authorization",
        b"true-client-ip",
        b"client-ip",
        b"fastly-client-ip",
        b"proxy",  # which CGI programs take for their own proxy
        b"proxy-host",
        b"destination",
        b"x-now-route-matches",
        b"x-user-id",
        b"x-user",
        b"x-remote-user",
        b"x-authenticated-user",
    )
)
_READ: Final = (
    frozenset((b"cache-control", b"pragma", b"range", b"if-range", b"authorization"))
    | CONDITIONS
    | FOR_THE_ORIGIN
)


@dataclass(frozen=True, slots=True)
class RequestConditions:
    """What matters in a request."""

    wishes: RequestDirectives = NO_WISHES
    part: bytes | None = None  # the range that is wanted
    if_range: bytes | None = None
    has_condition: bool = False  # that a cache may answer
    needs_origin: bool = False  # no cache can answer it
    authorized: bool = False
    unkeyed: bool = False  # it has a field that may change the answer, and is in no key

    @property
    def may_share(self) -> bool:
        """Whether another client's fetch can serve it, and it can serve others."""
        plain = self.part is None and not self.has_condition and not self.authorized
        return plain and not (self.wishes.no_cache or self.wishes.no_store)


_PLAIN: Final = RequestConditions()


def read(request: Request) -> RequestConditions:
    """What matters in a request for a page."""
    return _read_fields(request.fields, request.method == "GET")


def is_unkeyed(name: bytes) -> bool:
    """Whether a field, its name in lower case, takes a request past the cache."""
    # Servers that hand fields on as variables (CGI, WSGI) take `_` for `-`.
    plain = name.replace(b"_", b"-")
    return plain in _NAMES or plain.startswith(_PREFIXES)


Part = tuple[int, int]
"""First byte, and the one after the last."""


def single(value: bytes) -> bool:
    """Whether this asks for one range of bytes, in words that we understand."""
    match = _ONE.fullmatch(value.strip())
    return match is not None and bool(match[1] or match[2]) and not _backwards(match)


def part_of(value: bytes, size: int) -> Part | None:
    """Which part of a body of that size is asked for; None where it has no such part."""
    match = _ONE.fullmatch(value.strip())
    assert match is not None
    if not match[1]:
        start, end = max(0, size - int(match[2])), size
    else:
        start = int(match[1])
        end = min(size, int(match[2]) + 1) if match[2] else size
    return (start, end) if start < end else None


def cut(pieces: Iterable[bytes], part: Part) -> Iterator[bytes]:
    """A part of a body that comes in pieces."""
    start, end = part
    place = 0
    for piece in pieces:
        if place >= end:
            return
        if wanted := piece[max(0, start - place) : end - place]:
            yield wanted
        place += len(piece)


@lru_cache(MOST_READ)  # a program says the same in all of its requests
def _read_fields(fields: Fields, is_get: bool) -> RequestConditions:
    every = {name.lower() for name, _ in fields}
    names, unkeyed = every & _READ, any(map(is_unkeyed, every))
    return _read(names, fields, is_get, unkeyed) if names or unkeyed else _PLAIN


def _read(names: set[bytes], fields: Fields, is_get: bool, unkeyed: bool) -> RequestConditions:
    part = combined(fields, b"range") if is_get else None  # RFC 9110 §14.2: it is for GET alone
    return RequestConditions(
        wishes=request_directives(combined(fields, b"cache-control"), combined(fields, b"pragma")),
        part=part,
        if_range=combined(fields, b"if-range"),
        has_condition=not names.isdisjoint(CONDITIONS),
        needs_origin=not names.isdisjoint(FOR_THE_ORIGIN)
        or (part is not None and not single(part)),
        authorized=b"authorization" in names,
        unkeyed=unkeyed,
    )


def _backwards(match: re.Match[bytes]) -> bool:
    return bool(match[1] and match[2]) and int(match[2]) < int(match[1])
