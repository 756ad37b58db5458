"""An ASGI server for one app: requests of a connection one after the other, within bounds.

Heads, framing and chunks are read by the code that the proxy reads them with; what could be read in
two ways is refused. Whoever hangs up, sends nothing or takes nothing is let go.
"""

import asyncio
import re
import time
from collections.abc import AsyncIterator, Callable
from email.utils import formatdate
from functools import lru_cache
from http import HTTPStatus
from typing import Final
from urllib.parse import unquote

from starlette.types import ASGIApp, Message, Scope

from gossamer.http.connection import Bounds, Connections, LastWord, ServerConnection
from gossamer.http.stream import Body, BrokenBodyError, GoneError
from gossamer.http.wire.fields import Malformed, items, keeps_alive
from gossamer.http.wire.framing import LAST, Framing, chunk, request_framing
from gossamer.http.wire.request import RequestHead, read_request

GONE: Final = "gossamer.gone"  # in a scope: an event, set when whoever asks has hung up
MOST_LINE_BYTES: Final = 64 * 1024  # there are queries in addresses
LATE: Final = Malformed(408, "The request took too long to come.")
FULL: Final = Malformed(503, "Too many are connected. Ask again in a moment.")
FAULT: Final = Malformed(500, "This should not have happened. The log tells where.")
_FOR_NOBODY_SECONDS: Final = 0.01
_NAME: Final = re.compile(rb"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_VALUE: Final = re.compile(rb"[^\x00-\x08\x0a-\x1f\x7f]*")
_STATUS_LINES: Final = {
    each.value: b"HTTP/1.1 %d %b\r\n" % (each.value, each.phrase.encode()) for each in HTTPStatus
}
_WITHOUT_BODY: Final = frozenset({204, 304})


class AsgiServer:
    """What the connections of one app share."""

    def __init__(
        self,
        app: ASGIApp,
        bounds: Bounds,
        last_word: Callable[[Malformed], LastWord],
        tell_fault: Callable[[Exception], None],
    ) -> None:
        """`last_word` makes the answer for clients that the app does not answer."""
        self.app = app
        self.bounds = bounds
        self.last_word = last_word
        self.tell_fault = tell_fault
        self.connections: Connections[AsgiConnection] = Connections()
        self.is_ending = False

    def connect(self) -> "AsgiConnection":
        """A connection for the next client."""
        return AsgiConnection(self)

    async def end(self, seconds: float) -> None:
        """Let what is being answered come to its end, so long; then break it off."""
        self.is_ending = True
        for connection in [*self.connections]:
            if not connection.is_busy:
                connection.close()
        tasks = [each.task for each in self.connections if each.task is not None]
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=seconds)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
        for connection in [*self.connections]:
            connection.abort()


class AsgiConnection(ServerConnection):
    """Answers what a client asks, while it is there."""

    most_head_bytes = 96 * 1024

    def __init__(self, server: AsgiServer) -> None:
        super().__init__(server.bounds)
        self.task: asyncio.Task[None] | None = None
        self.gone = asyncio.Event()
        self._server = server
        self._stalled_since = 0.0
        self._unsent = 0  # bytes of an answer when we last looked

    # ---- what asyncio calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count a client that has connected; refuse it where there is no room."""
        super().connection_made(transport)
        if not self._server.connections.enter(self, self.peer, self.bounds):
            self._refuse(FULL)

    def data_received(self, data: bytes) -> None:
        """Begin with a request when its head is here."""
        if self.is_lingering:
            return
        if not self.buffer and not self.is_busy:
            self.idle_since = time.monotonic()
        super().data_received(data)
        if not self.is_busy:
            self._go_on()

    def eof_received(self) -> bool:
        """Treat a client that sends no more as gone: the two cannot be told apart."""
        super().eof_received()
        self.gone.set()
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        """Note that the client is gone, and tell the handler that works for it."""
        super().connection_lost(exc)
        self._server.connections.leave(self)
        self.gone.set()

    # ---- what the loop around us calls

    @property
    def bounds(self) -> Bounds:
        """The limits in force."""
        return self._server.bounds

    @property
    def is_busy(self) -> bool:
        """Whether a request is being answered."""
        return self.task is not None

    def dismiss_late(self) -> None:
        """Say that a request took too long to come."""
        self._refuse(LATE)

    def look(self, now: float) -> None:
        """Close a connection that is idle, or whose client does not read its answer."""
        super().look(now)
        if not self.is_busy:
            return
        before, self._unsent = self._unsent, self.unsent
        if not self._unsent or self._unsent != before:
            self._stalled_since = now
        elif now - self._stalled_since >= self.bounds.stall_seconds:
            self.abort()

    # ---- one request after the other

    def _go_on(self) -> None:
        """Begin with what is in the buffer, if that is a head."""
        try:
            head = self._next()
        except Exception as error:  # a defect of ours ends this connection, and no other
            self._server.tell_fault(error)
            self._refuse(FAULT)
            return
        if isinstance(head, Malformed):
            self._refuse(head)
        elif head is not None:
            self.task = asyncio.get_running_loop().create_task(self._serve(head))

    def _next(self) -> RequestHead | Malformed | None:
        if self.transport.is_closing():
            return None
        end = self.next_head()
        return read_request(self.take(end), MOST_LINE_BYTES) if isinstance(end, int) else end

    def _refuse(self, why: Malformed) -> None:
        self.dismiss(self._server.last_word(why))

    async def _serve(self, first: RequestHead) -> None:
        head: RequestHead | Malformed | None = first
        try:
            while isinstance(head, RequestHead):
                if not await self._answer(head) or self.lost:
                    return
                head = self._next()
            if isinstance(head, Malformed):
                self._refuse(head)
        except (asyncio.CancelledError, ConnectionError):
            self.abort()
        except Exception as error:  # a defect of ours ends this connection, and no other
            self._server.tell_fault(error)
            self.abort()
        finally:
            self.task = None
            self.idle_since = time.monotonic()

    async def _answer(self, head: RequestHead) -> bool:
        """Answer one request; whether another may follow."""
        framing = request_framing(head.named, head.minor)
        scope = framing if isinstance(framing, Malformed) else self._scope(head)
        if isinstance(framing, Malformed) or isinstance(scope, Malformed):
            assert isinstance(scope, Malformed)
            self._refuse(scope)
            return False
        exchange = _Exchange(self, head, framing, self._server.is_ending)
        try:
            await self._server.app(scope, exchange.receive, exchange.send)
        except Exception as error:
            self._server.tell_fault(error)
        if not exchange.is_complete:
            if exchange.is_begun:  # half an answer must not look whole
                self.abort()
            else:
                self._refuse(FAULT)
            return False
        if not exchange.body.is_complete and exchange.body.at_hand() is None:
            self.linger()
            return False
        if not exchange.keeps_alive:
            self.close()
        return exchange.keeps_alive

    def _scope(self, head: RequestHead) -> Scope | Malformed:
        hosts = head.hosts
        if len(hosts) > 1 or (not hosts and head.minor):
            return Malformed(400, "A request has one Host, neither none nor two.")
        target = head.target
        if not target.startswith(b"/"):
            if b"://" not in target or b"host" in head.named or not hosts:
                return Malformed(400, "The address of a request begins with a slash.")
            authority, slash, rest = target.partition(b"://")[2].partition(b"/")
            if authority != hosts[0]:
                return Malformed(400, "The address and the Host of a request are not the same.")
            target = slash + rest or b"/"
        path, _, query = target.partition(b"?")
        fields = [(name.lower(), value) for name, value in head.header.fields]
        return {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": f"1.{head.minor}",
            "server": self.transport.get_extra_info("sockname")[:2],
            "client": (self.peer, self.transport.get_extra_info("peername")[1]),
            "scheme": "http",
            "method": head.method,
            "root_path": "",
            "path": unquote(path.decode("ascii")),
            "raw_path": path,
            "query_string": query,
            "headers": [(b"host", hosts[0]), *fields] if hosts else fields,
            "state": {},
            GONE: self.gone,
        }


class _Exchange:
    """One request and its answer, as an app sees them."""

    def __init__(
        self, connection: AsgiConnection, head: RequestHead, framing: Framing, is_last: bool
    ) -> None:
        self.body = Body(connection, framing)
        self.is_begun = False
        self.is_complete = False
        self.keeps_alive = not is_last and keeps_alive(head.named, head.minor)
        self._connection = connection
        self._head = head
        self._expects = b"100-continue" in items(head.named, b"expect") and head.minor > 0
        self._pieces: AsyncIterator[bytes] | None = None
        self._is_heard = False  # the app has had all of the body
        self._held = b""  # the head of the answer, which goes with the first of its body
        self._has_body = True
        self._is_chunked = False
        self._left: int | None = None  # bytes that the answer said it has
        self._ended = asyncio.Event()

    async def receive(self) -> Message:
        """The next piece of the body; after the last, that the client is gone or has its answer."""
        if self._is_heard or self.is_complete or self._connection.lost:
            await self._until_over()
            return {"type": "http.disconnect"}
        if self.body.is_complete:
            self._is_heard = True
            return {"type": "http.request", "body": b"", "more_body": False}
        if self._pieces is None:
            if self._expects and not self.is_begun:
                self._connection.write(b"HTTP/1.1 100 Continue\r\n\r\n")
            self._pieces = self.body.pieces()
        try:
            piece = await anext(self._pieces, b"")
        except (BrokenBodyError, ConnectionError):
            self.keeps_alive = False
            self._is_heard = True
            return {"type": "http.disconnect"}
        self._is_heard = self.body.is_complete
        return {"type": "http.request", "body": piece, "more_body": not self._is_heard}

    async def send(self, message: Message) -> None:
        """Send the head of the answer, or the next piece of it."""
        if self._connection.lost:
            self.is_begun = self.is_complete = True
            await asyncio.sleep(_FOR_NOBODY_SECONDS)  # an app that goes on takes no time of others
            return
        if message["type"] == "http.response.start":
            self._begin(message)
        else:
            self._go_on(message.get("body", b""), bool(message.get("more_body")))
        if self._connection.is_full:
            try:
                await self._connection.drain()
            except GoneError:
                self.is_complete = True

    async def _until_over(self) -> None:
        if self.is_complete or self._connection.lost:
            return
        waits = [
            asyncio.ensure_future(each.wait()) for each in (self._ended, self._connection.gone)
        ]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for each in waits:
                each.cancel()

    def _begin(self, message: Message) -> None:
        if self.is_begun:
            raise RuntimeError("the answer has begun already")
        status = message["status"]
        lines, names = [_STATUS_LINES[status]], set()
        for name, value in message.get("headers", ()):
            if not _NAME.fullmatch(name) or not _VALUE.fullmatch(value):
                raise RuntimeError(f"the header {name!r} cannot be sent")
            lines.append(b"%b: %b\r\n" % (name, value))
            names.add(name.lower())
            if name.lower() == b"content-length":
                self._left = int(value)
        self._has_body = self._head.method != "HEAD" and status not in _WITHOUT_BODY
        if b"date" not in names:
            lines.append(b"date: %b\r\n" % _date(int(time.time())))
        if self._left is None and self._has_body:
            self._is_chunked = self._head.minor > 0
            self.keeps_alive &= self._is_chunked
            lines.append(b"transfer-encoding: chunked\r\n" if self._is_chunked else b"")
        if not self.keeps_alive:
            lines.append(b"connection: close\r\n")
        elif self._head.minor == 0:
            lines.append(b"connection: keep-alive\r\n")
        lines.append(b"\r\n")
        self.is_begun = True
        if self._left is None:
            self._connection.write(b"".join(lines))
        else:
            self._held = b"".join(lines)

    def _go_on(self, piece: bytes, more: bool) -> None:
        if not self.is_begun or self.is_complete:
            raise RuntimeError("there is no answer of which this could be a piece")
        if not self._has_body:
            piece = b""
        elif self._is_chunked:
            piece = chunk(piece) + (b"" if more else LAST)
        elif self._left is not None:
            self._left -= len(piece)
            if self._left < 0 or (self._left and not more):
                raise RuntimeError("the answer is not as long as it says")
        if self._held or piece:
            self._connection.write(self._held + piece)
            self._held = b""
        if not more:
            self.is_complete = True
            self._ended.set()


@lru_cache(2)
def _date(second: int) -> bytes:
    return formatdate(second, usegmt=True).encode()
