"""What a request asks of the proxy: the URL, how long it waits, what goes on to the server. Pure."""

from collections.abc import Sequence
from datetime import timedelta
from math import isfinite
from typing import Final, NamedTuple

from gossamer.model import Url
from gossamer.proxy.cache.protocol import Fields
from gossamer.proxy.refusals import Refused, of_malformed
from gossamer.proxy.wire.fields import Index, Malformed, items, values
from gossamer.proxy.wire.hops import REQUEST_DROPS, has_been_here, passed_on, via
from gossamer.proxy.wire.request import RequestHead
from gossamer.proxy.wire.target import read_url, read_url_inside

MOST_WAIT: Final = 3600.0  # seconds that a client may want to wait
MAX_WAIT: Final = b"x-gossamer-max-wait"
SEQUENTIAL: Final = b"x-gossamer-sequential"
_MAX_FORWARDS: Final = b"max-forwards"
_YES: Final = frozenset({b"1", b"true", b"yes", b"on"})
_ALLOW: Final = (b"Allow", b"GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS, CONNECT")
_LOOP: Final = Refused(508, "The request came here before: a proxy sends to itself.")
_NO_TRACE: Final = Refused(405, "TRACE is not passed on.", (_ALLOW,))
_NO_FURTHER: Final = Refused(200, "This is the proxy that you asked.", (_ALLOW,))
_NO_WAIT: Final = Refused(400, "X-Gossamer-Max-Wait is a number of seconds, such as 2.5.")
_EXPECTS: Final = Refused(417, "The only expectation that can be met is 100-continue.")


class Asked(NamedTuple):
    """A request that can be passed on."""

    url: Url
    fields: Fields  # for the server
    via: bytes
    patience: timedelta
    expects: bool  # to be told before it sends its body
    in_order: bool  # the answer is not to come before those to earlier requests


def read_asked(
    head: RequestHead, origin: str | None, name: bytes, usual: timedelta
) -> Asked | Refused:
    """What a request asks; `origin` is that of the connection, where it is known, `name` ours."""
    url = _url(head, origin)
    if isinstance(url, Malformed):
        return of_malformed(url)
    patience = read_patience(head.named, usual)
    expected = items(head.named, b"expect")
    for refused in (_passes_not(head, name), patience, _unexpected(expected)):
        if isinstance(refused, Refused):
            return refused
    assert isinstance(patience, timedelta)
    return Asked(
        url=url,
        fields=_one_hop_less(head.method, passed_on(head.fields, head.named, REQUEST_DROPS)),
        via=via(head.named, head.minor, name),
        patience=patience,
        expects=bool(expected) and head.minor == 1,
        in_order=any(each.lower() in _YES for each in values(head.named, SEQUENTIAL)),
    )


def read_patience(index: Index, usual: timedelta) -> timedelta | Refused:
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


def _url(head: RequestHead, origin: str | None) -> Url | Malformed:
    if origin is None:
        return read_url(head.target, head.named, head.minor)
    return read_url_inside(origin, head.target, head.named, head.minor)


def _passes_not(head: RequestHead, name: bytes) -> Refused | None:
    if has_been_here(head.named, name):
        return _LOOP
    if head.method == "TRACE":
        return _NO_TRACE
    is_last = head.method == "OPTIONS" and [*values(head.named, _MAX_FORWARDS)] == [b"0"]
    return _NO_FURTHER if is_last else None


def _unexpected(expected: Sequence[bytes]) -> Refused | None:
    return None if not expected or [*expected] == [b"100-continue"] else _EXPECTS


def _one_hop_less(method: str, fields: Fields) -> Fields:
    """The fields with Max-Forwards counted down, where that has a meaning."""
    if method != "OPTIONS":
        return fields
    return tuple(
        (name, b"%d" % (int(value) - 1)) if _counts(name, value) else (name, value)
        for name, value in fields
    )


def _counts(name: bytes, value: bytes) -> bool:
    return name.lower() == _MAX_FORWARDS and value.isdigit() and len(value) < 10 and int(value) > 0
