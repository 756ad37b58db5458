"""A request as the proxy understands it: the URL, how long it waits, what goes on to the server, its body."""

import asyncio
import re
from collections.abc import AsyncIterator, Sequence
from datetime import timedelta
from functools import lru_cache
from math import isfinite
from typing import Final, NamedTuple, TypeVar

from gossamer.http.stream import Body, BrokenBodyError
from gossamer.http.wire.fields import (
    REQUEST_DROPS,
    Fields,
    Index,
    Malformed,
    has_been_here,
    items,
    keeps_alive,
    passed_on,
    values,
    via,
)
from gossamer.http.wire.framing import LAST, Chunked, Sized, chunk, request_framing
from gossamer.http.wire.request import (
    MOST_REMEMBERED,
    Header,
    RequestHead,
    Target,
    read_server,
    read_target,
    read_url,
    read_url_inside,
)
from gossamer.model import Url
from gossamer.politeness.ledger import named_client
from gossamer.proxy.access_log import Entry
from gossamer.proxy.refusals import Refused, of_malformed

MOST_WAIT: Final = 3600.0  # seconds that a client may want to wait
MAX_WAIT: Final = b"x-gossamer-max-wait"
SEQUENTIAL: Final = b"x-gossamer-sequential"
CLIENT: Final = b"x-gossamer-client"
Usual = TypeVar("Usual", timedelta, None)
MOST_GATHERED: Final = 256 * 1024  # bytes of a body that are waited for before it is our turn
_MAX_FORWARDS: Final = b"max-forwards"
_MAY_END_HERE: Final = frozenset({"TRACE", "OPTIONS"})
_YES: Final = frozenset({b"1", b"true", b"yes", b"on"})
_ALLOW: Final = (b"Allow", b"GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS, CONNECT")
_LOOP: Final = Refused(508, "The request came here before: a proxy sends to itself.")
_NO_TRACE: Final = Refused(405, "TRACE is not passed on.", (_ALLOW,))
_NO_FURTHER: Final = Refused(200, "This is the proxy that you asked.", (_ALLOW,))
_NO_WAIT: Final = Refused(400, "X-Gossamer-Max-Wait is a number of seconds, such as 2.5.")
_NO_NAME: Final = Refused(
    400, "X-Gossamer-Client is one name of up to 64 letters, digits, dots, dashes and underscores."
)
_NAME: Final = re.compile(rb"[A-Za-z0-9._-]{1,64}")
_NO_WEBSOCKET: Final = Refused(
    501,
    "WebSocket does not go through this proxy: it would keep its host busy for as long as it lasts. "
    "A tunnel carries it: ask for wss:// by CONNECT, and do not intercept that host.",
    cause="websocket",
)
_EXPECTS: Final = Refused(417, "The only expectation that can be met is 100-continue.")
_HAS_BODY: Final = frozenset({"POST", "PUT", "PATCH"})


class RequestOptions(NamedTuple):
    """What a request says besides what it asks for."""

    fields: Fields  # for the server
    via: bytes
    patience: timedelta | None  # None: the usual
    expects: bool  # to be told before it sends its body
    in_order: bool  # the answer is not to come before those to earlier requests
    name: str | None  # by which the client tells its programs apart
    keeps_alive: bool  # the client goes on with its connection
    framing: Sized | Chunked | Malformed  # of its body


class ProxyRequest(NamedTuple):
    """A request that can be passed on."""

    method: str
    url: Url
    target: Target  # the same
    fields: Fields  # for the server
    patience: timedelta
    options: RequestOptions


def read_proxy_request(
    head: RequestHead, origin: str | None, name: bytes, usual: timedelta
) -> ProxyRequest | Refused:
    """What a request asks; `origin` is that of the connection, where it is known, `name` ours."""
    target = _target(head, origin)
    if isinstance(target, Malformed):
        return of_malformed(target)
    if head.method in _MAY_END_HERE and (refused := _ends_here(head)) is not None:
        return refused
    options = read_options(head.header, head.minor, name)
    if isinstance(options, Refused):
        return options
    fields = options.fields if head.method != "OPTIONS" else _one_hop_less(options.fields)
    patience = usual if options.patience is None else options.patience
    return ProxyRequest(head.method, target.url, target, fields, patience, options)


@lru_cache(MOST_REMEMBERED)
def read_options(header: Header, minor: int, name: bytes) -> RequestOptions | Refused:
    """What follows from the fields of a request, whatever it asks for."""
    named = header.named
    patience = read_patience(named, None)
    expected = items(named, b"expect")
    loop = _LOOP if has_been_here(named, name) else None
    websocket = _NO_WEBSOCKET if b"upgrade" in named and _is_websocket(named) else None
    called = read_name(named)
    for refused in (loop, patience, called, websocket, _unexpected(expected)):
        if isinstance(refused, Refused):
            return refused
    assert not isinstance(patience, Refused)
    assert not isinstance(called, Refused)
    return RequestOptions(
        fields=passed_on(header.fields, named, REQUEST_DROPS),
        via=via(named, minor, name),
        patience=patience,
        expects=bool(expected) and minor == 1,
        in_order=any(each.lower() in _YES for each in values(named, SEQUENTIAL)),
        name=called,
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


def read_name(index: Index) -> str | Refused | None:
    """The name of the program that asks, where a client says which of its programs that is."""
    given = values(index, CLIENT)
    if not given:
        return None
    if len(given) > 1 or not _NAME.fullmatch(given[0]):
        return _NO_NAME
    return given[0].decode("ascii")


def _is_websocket(index: Index) -> bool:
    """Whether a request wants to become a WebSocket (RFC 6455 section 4.1)."""
    upgrades = {each.lower() for each in items(index, b"upgrade")}
    connection = {each.lower() for each in items(index, b"connection")}
    return b"websocket" in upgrades and b"upgrade" in connection


class Incoming:
    """What a client wants, on its way."""

    __slots__ = (
        "_rest",
        "body",
        "body_timeout",
        "client",
        "entry",
        "gathered",
        "method",
        "request",
        "url",
    )

    def __init__(
        self, request: ProxyRequest, client: str, body: Body, body_timeout: timedelta, entry: Entry
    ) -> None:
        """`body_timeout` is for each piece of the body."""
        self.request = request
        self.method = request.method
        self.url = request.url
        self.client = client
        self.body = body
        self.body_timeout = body_timeout
        self.entry = entry
        self.gathered = body.at_hand()  # all of the body, or what came first of it
        self._rest: AsyncIterator[bytes] | None = None

    @property
    def asker(self) -> str:
        """The client, and which of its programs: the line before a host is fair among them."""
        return named_client(self.client, self.request.options.name)

    @property
    def is_whole(self) -> bool:
        """Whether all of the body is here, so that it can be sent again."""
        return self.gathered is not None and self._rest is None

    async def gather(self) -> None:
        """Wait for a body of usual size, so that a slow client does not use up a host's time.

        Not for one that is only sent once the server wants it.
        """
        if self.gathered is not None:
            return
        self._rest, self.gathered = self.body.pieces(), b""
        while not self.request.options.expects and len(self.gathered) < MOST_GATHERED:
            piece = await self._next(self._rest)
            if piece is None:
                self._rest = None
                return
            self.gathered += piece

    def framing_line(self) -> bytes:
        """The header line that says how the body ends."""
        if self.is_whole:
            length = len(self.gathered or b"")
            has_body = length or self.method in _HAS_BODY
            return b"Content-Length: %d\r\n" % length if has_body else b""
        match self.body.framing:
            case Sized(length):
                line = b"Content-Length: %d\r\n" % length
            case _:
                line = b"Transfer-Encoding: chunked\r\n"
        return line + b"Expect: 100-continue\r\n" if self.request.options.expects else line

    async def pieces(self) -> AsyncIterator[bytes]:
        """The body as it is sent on."""
        is_chunked = isinstance(self.body.framing, Chunked) and not self.is_whole
        if self.gathered:
            yield chunk(self.gathered) if is_chunked else self.gathered
        while self._rest is not None and (piece := await self._next(self._rest)) is not None:
            yield chunk(piece) if is_chunked else piece
        if is_chunked:
            yield LAST

    async def _next(self, pieces: AsyncIterator[bytes]) -> bytes | None:
        try:
            async with asyncio.timeout(self.body_timeout.total_seconds()):
                return await anext(pieces, None)
        except TimeoutError:
            raise BrokenBodyError("it took too long to come") from None


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
