"""What a request asks of the proxy: the URL, how long it waits, what goes on to the server. Pure."""

from collections.abc import Sequence
from datetime import timedelta
from functools import lru_cache
from math import isfinite
from typing import Final, NamedTuple, TypeVar

from gossamer.model import Url
from gossamer.proxy.cache.protocol import Fields
from gossamer.proxy.refusals import Refused, of_malformed
from gossamer.proxy.wire.fields import Index, Malformed, items, values
from gossamer.proxy.wire.framing import Chunked, Sized, request_framing
from gossamer.proxy.wire.hops import REQUEST_DROPS, has_been_here, keeps_alive, passed_on, via
from gossamer.proxy.wire.request import MOST_REMEMBERED, Header, RequestHead
from gossamer.proxy.wire.target import (
    Target,
    read_server,
    read_target,
    read_url,
    read_url_inside,
)

MOST_WAIT: Final = 3600.0  # seconds that a client may want to wait
MAX_WAIT: Final = b"x-gossamer-max-wait"
SEQUENTIAL: Final = b"x-gossamer-sequential"
_MAX_FORWARDS: Final = b"max-forwards"
_MAY_END_HERE: Final = frozenset({"TRACE", "OPTIONS"})
_YES: Final = frozenset({b"1", b"true", b"yes", b"on"})
_ALLOW: Final = (b"Allow", b"GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS, CONNECT")
_LOOP: Final = Refused(508, "The request came here before: a proxy sends to itself.")
_NO_TRACE: Final = Refused(405, "TRACE is not passed on.", (_ALLOW,))
_NO_FURTHER: Final = Refused(200, "This is the proxy that you asked.", (_ALLOW,))
_NO_WAIT: Final = Refused(400, "X-Gossamer-Max-Wait is a number of seconds, such as 2.5.")
_EXPECTS: Final = Refused(417, "The only expectation that can be met is 100-continue.")

Usual = TypeVar("Usual", timedelta, None)


class Said(NamedTuple):
    """What a request says besides what it asks for."""

    fields: Fields  # for the server
    via: bytes
    patience: timedelta | None  # None: the usual
    expects: bool  # to be told before it sends its body
    in_order: bool  # the answer is not to come before those to earlier requests
    keeps_alive: bool  # the client goes on with its connection
    framing: Sized | Chunked | Malformed  # of its body


class Asked(NamedTuple):
    """A request that can be passed on."""

    method: str
    url: Url
    target: Target  # the same
    fields: Fields  # for the server
    patience: timedelta
    said: Said


def read_asked(
    head: RequestHead, origin: str | None, name: bytes, usual: timedelta
) -> Asked | Refused:
    """What a request asks; `origin` is that of the connection, where it is known, `name` ours."""
    target = _target(head, origin)
    if isinstance(target, Malformed):
        return of_malformed(target)
    if head.method in _MAY_END_HERE and (refused := _ends_here(head)) is not None:
        return refused
    said = read_said(head.header, head.minor, name)
    if isinstance(said, Refused):
        return said
    fields = said.fields if head.method != "OPTIONS" else _one_hop_less(said.fields)
    patience = usual if said.patience is None else said.patience
    return Asked(head.method, target.url, target, fields, patience, said)


@lru_cache(MOST_REMEMBERED)
def read_said(header: Header, minor: int, name: bytes) -> Said | Refused:
    """What follows from the fields of a request, whatever it asks for."""
    named = header.named
    patience = read_patience(named, None)
    expected = items(named, b"expect")
    loop = _LOOP if has_been_here(named, name) else None
    for refused in (loop, patience, _unexpected(expected)):
        if isinstance(refused, Refused):
            return refused
    assert not isinstance(patience, Refused)
    return Said(
        fields=passed_on(header.fields, named, REQUEST_DROPS),
        via=via(named, minor, name),
        patience=patience,
        expects=bool(expected) and minor == 1,
        in_order=any(each.lower() in _YES for each in values(named, SEQUENTIAL)),
        keeps_alive=keeps_alive(named, minor),
        framing=request_framing(named, minor),
    )


def read_patience(index: Index, usual: Usual) -> timedelta | Usual | Refused:
    """How long a request waits for its turn."""
    given = values(index, MAX_WAIT)
    if not given:
        return usual
    try:
        seconds = float(given[0])
    except ValueError:
        return _NO_WAIT
    if len(given) > 1 or not isfinite(seconds) or seconds < 0:
        return _NO_WAIT
    return timedelta(seconds=min(seconds, MOST_WAIT))


def _target(head: RequestHead, origin: str | None) -> Target | Malformed:
    if head.method == "OPTIONS":
        server = read_server(origin, head.target, head.hosts, head.minor)
        if server is not None:
            return server
    if origin is None and b"host" not in head.header.named:
        return read_target(head.target, head.host, head.minor)
    if origin is None:
        url = read_url(head.target, head.hosts, head.minor)
    else:
        url = read_url_inside(origin, head.target, head.hosts, head.minor)
    return url if isinstance(url, Malformed) else Target.of(url)


def _ends_here(head: RequestHead) -> Refused | None:
    """The answer to a method that goes no further, or not with this request."""
    if head.method == "TRACE":
        return _NO_TRACE
    is_last = head.method == "OPTIONS" and [*values(head.named, _MAX_FORWARDS)] == [b"0"]
    return _NO_FURTHER if is_last else None


def _unexpected(expected: Sequence[bytes]) -> Refused | None:
    return None if not expected or [*expected] == [b"100-continue"] else _EXPECTS


def _one_hop_less(fields: Fields) -> Fields:
    """The fields with Max-Forwards counted down."""
    return tuple(
        (name, b"%d" % (int(value) - 1)) if _counts(name, value) else (name, value)
        for name, value in fields
    )


def _counts(name: bytes, value: bytes) -> bool:
    return name.lower() == _MAX_FORWARDS and value.isdigit() and len(value) < 10 and int(value) > 0
