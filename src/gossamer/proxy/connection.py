"""A client's connection: requests one after the other, and their answers in the same order."""

import asyncio
import ssl
import time
import traceback
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final, NamedTuple, Protocol

from gossamer.config import Proxy
from gossamer.events import ProxyFault
from gossamer.log import Sink
from gossamer.proxy.access import Door, not_admitted
from gossamer.proxy.asked import Asked, read_asked, read_patience
from gossamer.proxy.bodies import Body
from gossamer.proxy.cache.protocol import Request
from gossamer.proxy.figures import Stage
from gossamer.proxy.handling import FROM_CACHE, OURSELVES, Handled, Parts, handle, refuse
from gossamer.proxy.incoming import Incoming
from gossamer.proxy.noting import Note
from gossamer.proxy.refusals import Refused, of_malformed
from gossamer.proxy.reply import Reply
from gossamer.proxy.stream import GoneError, Stream
from gossamer.proxy.tunnel import ESTABLISHED, refused_port, tunnel
from gossamer.proxy.wire.fields import Malformed
from gossamer.proxy.wire.framing import request_framing
from gossamer.proxy.wire.request import RequestHead, head_end, read_request
from gossamer.proxy.wire.target import Authority, read_authority
from gossamer.urls import origin_of

MOST_HEAD_BYTES: Final = 64 * 1024
LINGER_SECONDS: Final = 2.0  # for what a client still sends while it is refused
TLS_SECONDS: Final = 10.0  # to agree on a secret
_BEFORE_THE_ANSWER: Final = (Stage.READING, Stage.WAITING, Stage.ASKING)
_FULL: Final = Refused(503, "Too many are connected to this proxy.", ((b"Retry-After", b"1"),))
_FAULT: Final = Refused(500, "This should not have happened; the log of the proxy says more.")
_LATE: Final = Refused(408, "The request took too long to come.")


class _Begun(NamedTuple):
    """A request whose head was read."""

    head: RequestHead | Malformed
    asked: Asked | Refused | None = None  # None for CONNECT, and where the head cannot be read


class Certificates(Protocol):
    """Whoever has certificates for hosts that are not ours."""

    def covers(self, name: str) -> bool:
        """Whether clients believe us about a host."""

    async def certificate_for(self, name: str) -> ssl.SSLContext:
        """What a server of that name would speak TLS with."""


@dataclass(slots=True)
class Serving:
    """What all connections of one proxy share."""

    parts: Parts
    door: Door
    tell: Sink  # the access log
    certificates: Certificates | None = None  # where HTTPS is looked into
    connections: "set[ClientConnection]" = field(default_factory=set)

    @property
    def proxy(self) -> Proxy:
        """The configuration in force."""
        return self.parts.config.proxy

    def is_in_order(self, client: str) -> bool:
        """Whether a client always gets its answers in the order of its requests."""
        return client in self.proxy.sequential or "*" in self.proxy.sequential


class ClientConnection(Stream):
    """Answers what a client asks, while it is there."""

    def __init__(self, serving: Serving) -> None:
        super().__init__()
        self.idle_since = time.monotonic()  # or since when a request is on its way to us
        self._serving = serving
        self._peer = ""
        self._client: str | None = None  # who is known to ask, inside a tunnel
        self._origin: str | None = None  # of a tunnel that we look into
        self._task: asyncio.Task[None] | None = None
        self._begun: _Begun | None = None  # what the task begins with
        self._note: Note | None = None
        self._is_lingering = False

    # ---- what asyncio calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Somebody has connected."""
        super().connection_made(transport)
        serving = self._serving
        self._peer = transport.get_extra_info("peername")[0]
        self.transport.set_write_buffer_limits(high=serving.proxy.buffer_bytes)
        serving.connections.add(self)
        serving.parts.figures.connections = len(serving.connections)
        if not serving.door.admits(self._peer):
            self._dismiss(not_admitted())
        elif len(serving.connections) > serving.proxy.max_connections:
            self._dismiss(_FULL)

    def data_received(self, data: bytes) -> None:
        """Begin with a request when its head is here."""
        if self._is_lingering:
            return
        if not self.buffer:
            self.idle_since = time.monotonic()
        super().data_received(data)
        if self._task is None:
            try:
                self._begun = self._next()
            except Exception as error:
                self._fault(error)
            if self._begun is not None:
                self._task = asyncio.get_running_loop().create_task(self._serve())

    def eof_received(self) -> bool:
        """Whoever says no more while it waits has left: nobody can tell one from the other."""
        super().eof_received()
        if self._task is None:
            return False
        entry = self._note.entry if self._note else None
        if entry is not None and entry.stage in _BEFORE_THE_ANSWER:
            self._task.cancel()
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        """The client is gone, and what was done for it is of no use any more."""
        super().connection_lost(exc)
        self._serving.connections.discard(self)
        self._serving.parts.figures.connections = len(self._serving.connections)
        if self._task is not None:
            self._task.cancel()

    # ---- what the server calls

    def look(self, now: float) -> None:
        """Close a connection on which nothing happens."""
        if self._task is not None:
            return
        waited, proxy = now - self.idle_since, self._serving.proxy
        if self.transport.is_closing():
            if waited >= proxy.client_timeout.total_seconds():
                self.abort()
        elif self.buffer and waited >= proxy.client_timeout.total_seconds():
            self._dismiss(_LATE)
        elif waited >= proxy.idle_timeout.total_seconds():
            self.close()

    async def end(self) -> None:
        """Break off what is being answered."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
        self.abort()

    # ---- one request after the other

    def _next_head(self) -> int | Malformed | None:
        while self.buffer.startswith(b"\r\n"):  # which some send after a body
            del self.buffer[:2]
        return head_end(self.buffer, MOST_HEAD_BYTES) if self.buffer else None

    def _next(self) -> "_Begun | None":
        """The next request that is not answered at once, if there is one."""
        while not self.transport.is_closing() and (end := self._next_head()) is not None:
            if (begun := self._begin(end)) is not None:
                return begun
        return None

    def _begin(self, end: int | Malformed) -> "_Begun | None":
        """Read a request; None where it was answered at once, from the cache's memory."""
        head = end if isinstance(end, Malformed) else read_request(self.take(end))
        if isinstance(head, Malformed) or head.method == "CONNECT":
            return _Begun(head)
        parts, proxy = self._serving.parts, self._serving.proxy
        asked = read_asked(head, self._origin, parts.name, proxy.max_wait)
        begun = _Begun(head, asked)
        client = self._client or self._serving.door.known(self._peer)
        if isinstance(asked, Refused) or client is None or not self._is_simple(head, asked, client):
            return begun
        if asked.url in parts.passing:
            return begun
        answer = parts.cache.hit(Request(head.method, asked.url, asked.fields))
        if answer is None:
            return begun
        reply = self._reply(head)
        with self._noted(reply, client, head.method) as note:
            note.url, note.handled = asked.url, FROM_CACHE
            reply.whole(answer.status, answer.block, answer.body)
        self.idle_since = time.monotonic()
        return None

    def _is_simple(self, head: RequestHead, asked: Asked, client: str) -> bool:
        """Whether nothing but the cache has to be asked, and the client takes what it gets."""
        has_body = b"content-length" in head.named or b"transfer-encoding" in head.named
        in_order = asked.in_order or self._serving.is_in_order(client)
        return not (has_body or in_order or self.is_full)

    async def _serve(self) -> None:
        try:
            while self._begun is not None:
                if not await self._one(self._begun) or self.lost:
                    return
                self._begun = self._next()
            if self.ended:
                self.close()
        except (asyncio.CancelledError, ConnectionError):
            self.abort()
        except Exception as error:  # a defect of ours ends this connection, and no other
            self._fault(error)
        finally:
            self._task = self._begun = None
            self.idle_since = time.monotonic()

    async def _one(self, begun: "_Begun") -> bool:
        """Answer one request; whether another may follow."""
        head = begun.head
        if isinstance(head, Malformed):
            return await self._malformed(head, "")
        framing = request_framing(head.named, head.minor)
        if isinstance(framing, Malformed):
            return await self._malformed(framing, head.method)
        body, reply = Body(self, framing), self._reply(head)
        client = self._client or await self._serving.door.client(self._peer, head.named)
        name = self._peer if isinstance(client, Refused) else client
        with self._noted(reply, name, head.method) as note:
            if isinstance(client, Refused):
                note.handled = await refuse(reply, client)
            elif head.method == "CONNECT":
                note.handled = await self._connect(head, client, reply, note)
            else:
                assert begun.asked is not None
                note.handled = await self._pass_on(begun.asked, body, client, reply, note)
        if not body.is_complete and body.at_hand() is None:
            self._linger()
            return False
        return reply.keeps_alive

    async def _malformed(self, bad: Malformed, method: str) -> bool:
        reply = Reply(self, self._via)
        with self._noted(reply, self._peer, method) as note:
            note.handled = await refuse(reply, of_malformed(bad))
        self._linger()
        return False

    async def _pass_on(
        self, asked: Asked | Refused, body: Body, client: str, reply: Reply, note: Note
    ) -> Handled:
        parts, proxy = self._serving.parts, self._serving.proxy
        if isinstance(asked, Refused):
            return await refuse(reply, asked)
        if self.ended:
            raise GoneError("it closed its side before its turn")
        note.entry = parts.figures.enter(client, note.method, asked.url)
        incoming = Incoming(
            method=note.method,
            url=asked.url,
            client=client,
            fields=asked.fields,
            via=asked.via,
            body=body,
            expects=asked.expects,
            patience=asked.patience,
            body_timeout=proxy.client_timeout,
            entry=note.entry,
        )
        if not (asked.in_order or self._serving.is_in_order(client)):
            return await handle(parts, incoming, reply)
        reply.place = place = parts.sequences.enter(client, proxy.max_hold.total_seconds())
        try:
            return await handle(parts, incoming, reply)
        finally:
            parts.sequences.leave(client, place)

    # ---- CONNECT

    async def _connect(self, head: RequestHead, client: str, reply: Reply, note: Note) -> Handled:
        proxy = self._serving.proxy
        authority = read_authority(head.target, head.named, head.minor)
        if isinstance(authority, Malformed):
            return await refuse(reply, of_malformed(authority))
        patience = read_patience(head.named, proxy.max_wait)
        for refused in (refused_port(authority, proxy.connect_ports), self._nested(), patience):
            if isinstance(refused, Refused):
                return await refuse(reply, refused)
        assert isinstance(patience, timedelta)
        parts = self._serving.parts
        note.entry = parts.figures.enter(client, head.method, authority.url)
        certificates = self._serving.certificates
        if certificates is not None and certificates.covers(authority.host):
            return await self._look_into(authority, client, reply, certificates)
        return await tunnel(parts, self, authority, note.entry, patience, reply)

    def _nested(self) -> Refused | None:
        return None if self._origin is None else Refused(400, "There is no CONNECT inside CONNECT.")

    async def _look_into(
        self, authority: Authority, client: str, reply: Reply, certificates: Certificates
    ) -> Handled:
        """Be the server that the client wants to speak to; the same rules hold inside."""
        context = await certificates.certificate_for(authority.host)
        reply.status, reply.keeps_alive = 200, False
        self.write(ESTABLISHED)
        try:
            async with asyncio.timeout(TLS_SECONDS):
                secured = await asyncio.get_running_loop().start_tls(
                    self.transport, self, context, server_side=True
                )
        except (OSError, TimeoutError) as error:
            self.abort()
            return Handled(OURSELVES, f"The client did not agree to our certificate: {error}")
        if secured is None:  # it left meanwhile
            return Handled(OURSELVES, "The client left.")
        self.transport = secured
        secured.set_write_buffer_limits(high=self._serving.proxy.buffer_bytes)
        self._client, self._origin = client, origin_of(authority.url)
        reply.keeps_alive = True
        return Handled(OURSELVES)

    # ---- odds and ends

    @property
    def _via(self) -> bytes:
        return b"1.1 " + self._serving.parts.name

    def _reply(self, head: RequestHead) -> Reply:
        proxy = self._serving.proxy
        return Reply(
            self,
            self._via,
            minor=head.minor,
            is_head=head.method == "HEAD",
            keeps_alive=head.keeps_alive,
            most_held=proxy.buffer_bytes,
            patience=proxy.client_timeout,
        )

    def _noted(self, reply: Reply, client: str, method: str) -> Note:
        serving = self._serving
        self._note = Note(serving.parts.figures, serving.tell, reply, client, method)
        return self._note

    def _fault(self, error: Exception) -> None:
        self._serving.tell(_fault(error))
        self._dismiss(_FAULT)

    def _dismiss(self, refused: Refused) -> None:
        """Say why, and no more."""
        if not self.lost and not self._is_lingering:
            head = b"HTTP/1.1 %d \r\n%bConnection: close\r\n\r\n" % (refused.status, refused.block)
            self.write(head + refused.body)
            self._linger()

    def _linger(self) -> None:
        """Close when the client has: what it still sends would else undo what it was told."""
        if self.lost or self._is_lingering:
            return
        self._is_lingering = True
        self.buffer.clear()
        if self.say_no_more():
            asyncio.get_running_loop().call_later(LINGER_SECONDS, self.abort)
        else:
            self.close()


def _fault(error: Exception) -> ProxyFault:
    where = traceback.extract_tb(error.__traceback__)[-1]
    message = f"{type(error).__name__}: {error}"
    return ProxyFault(message=message, where=f"{where.filename}:{where.lineno}")
