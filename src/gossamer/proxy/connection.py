"""A client's connection: requests one after the other, and their answers in the same order."""

import asyncio
import time
from collections.abc import Collection
from typing import Final, NamedTuple

from gossamer.http.connection import MOST_HEAD_BYTES, Bounds, LastWord, ServerConnection
from gossamer.http.stream import Body, GoneError
from gossamer.http.wire.fields import Malformed, keeps_alive
from gossamer.http.wire.framing import NOTHING, request_framing
from gossamer.http.wire.request import RequestHead, is_one_head, read_request
from gossamer.proxy.access import NOT_ADMITTED
from gossamer.proxy.access_log import FAULTY, FROM_CACHE, OURSELVES, Handled, Note, Stage, fault_of
from gossamer.proxy.cache.protocol import CacheAnswer, Flight, Forward, Request
from gossamer.proxy.connect import connect
from gossamer.proxy.destinations import heeds_robots, refused_host
from gossamer.proxy.fast_path import Passage
from gossamer.proxy.handling import ProxyParts, handle, refuse
from gossamer.proxy.own_page import OwnAnswer, own_answer
from gossamer.proxy.permits import Wish
from gossamer.proxy.refusals import ENDING, FAULT, Refused, of_malformed
from gossamer.proxy.reply import Reply
from gossamer.proxy.request import Incoming, ProxyRequest, RequestOptions, read_proxy_request

_WITHOUT_BODY: Final = frozenset({"GET", "HEAD"})  # and may be sent again
_HEARD: Final = Malformed(400, "")  # in place of a head that is of no use any more
_BEFORE_THE_TURN: Final = (Stage.READING, Stage.WAITING)
_BEFORE_THE_ANSWER: Final = (*_BEFORE_THE_TURN, Stage.ASKING)
_FULL: Final = Refused(503, "Too many are connected to this proxy.", ((b"Retry-After", b"1"),))
_LATE: Final = Refused(408, "The request took too long to come.")


class PendingRequest(NamedTuple):
    """A request that a task is to answer."""

    head: RequestHead | Malformed
    # None for CONNECT, and where the head cannot be read
    request: ProxyRequest | OwnAnswer | Refused | None = None
    found: CacheAnswer | Forward | Flight | None = None  # in the cache, if that was looked at
    passage: Passage | None = None  # if it was sent

    def drop(self) -> None:
        """Drop a request that is answered, or never will be."""
        if self.passage is not None:
            self.passage.abandon()
        if isinstance(self.found, CacheAnswer):
            self.found.close()
        elif self.found is not None and not isinstance(self.found, Flight):
            self.found.__exit__(None, None, None)


class ClientConnection(ServerConnection):
    """Answers what a client asks, while it is there."""

    def __init__(self, parts: ProxyParts) -> None:
        super().__init__(parts.bounds)
        self._parts = parts
        self._client: str | None = None  # who is known to ask, inside a tunnel
        self._origin: str | None = None  # of a tunnel that we look into
        self._task: asyncio.Task[None] | None = None
        self._pending: PendingRequest | None = None  # what the task begins with
        self._passage: Passage | None = None  # a request that needs no task so far
        self._note: Note | None = None
        self._is_drained = False  # its request waited when the proxy came to its end

    # ---- what asyncio calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Admit a client that has connected, or refuse it with the reason."""
        super().connection_made(transport)
        parts = self._parts
        self.transport.set_write_buffer_limits(high=parts.proxy.buffer_bytes)
        has_room = parts.connections.enter(self, self.peer, parts.bounds)
        parts.figures.connections = len(parts.connections)
        if not parts.access.admits(self.peer):
            self.dismiss(NOT_ADMITTED)
        elif not has_room:
            self.dismiss(_FULL)

    def data_received(self, data: bytes) -> None:
        """Begin with a request when its head is here."""
        if self.is_lingering:
            return
        if not self.buffer:
            self.idle_since = time.monotonic()
        is_free = self._task is None and self._passage is None
        if is_free and not self.buffer and is_one_head(data, MOST_HEAD_BYTES):
            self.received += len(data)
            self._go_on(data)
            return
        super().data_received(data)
        if is_free:
            self._go_on()

    def eof_received(self) -> bool:
        """Treat a client that sends no more while it waits as gone: the two cannot be told apart."""
        stays_open = super().eof_received()
        if self._passage is not None:
            self._leave()
            self.abort()
            return stays_open
        if self._task is None:
            return False
        if self._waits_in(_BEFORE_THE_ANSWER):
            self._task.cancel()
        return stays_open

    def connection_lost(self, exc: Exception | None) -> None:
        """The client is gone, and what was done for it is of no use any more."""
        super().connection_lost(exc)
        self._parts.connections.leave(self)
        self._parts.figures.connections = len(self._parts.connections)
        self._leave()
        if self._task is not None:
            self._task.cancel()

    # ---- what the server calls

    @property
    def bounds(self) -> Bounds:
        """The limits in force."""
        return self._parts.bounds

    @property
    def is_busy(self) -> bool:
        """Whether a request is being answered."""
        return self._task is not None or self._passage is not None

    def dismiss_late(self) -> None:
        """Say that a request took too long to come."""
        self.dismiss(_LATE)

    def wind_down(self) -> None:
        """Begin nothing new: end where a request waits or none is there, or when it is answered."""
        note = self._note
        if not self.is_busy and self.buffer:
            self.dismiss(ENDING)
        elif not self.is_busy:
            self.close()
        elif note is not None and self._task is not None and self._waits_in(_BEFORE_THE_TURN):
            note.handled, note.reply.status = Handled(OURSELVES, ENDING.why), ENDING.status
            self._is_drained = True
            self._task.cancel()
        elif note is not None:
            note.reply.keeps_alive = False

    async def end(self) -> None:
        """Break off what is being answered."""
        self._leave()
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
        self.abort()

    # ---- one request after the other

    def _go_on(self, head: bytes = b"") -> None:
        """Begin with the requests that are in the buffer, or with this one."""
        try:
            self._pending = self._begin(read_request(head)) if head else self._next()
        except Exception as error:
            self._fault(error)
        if self._pending is not None:
            self._begin_task(self._pending)

    def _begin_task(self, pending: PendingRequest) -> None:
        self._pending = pending
        self._task = asyncio.get_running_loop().create_task(self._serve())
        self._task.add_done_callback(
            lambda _: pending.drop()
        )  # it may be cancelled before it begins

    def _next(self) -> PendingRequest | None:
        """The next request that needs a task, if there is one."""
        while not self.transport.is_closing() and (end := self.next_head()) is not None:
            head = end if isinstance(end, Malformed) else read_request(self.take(end))
            if (pending := self._begin(head)) is not None or self._passage is not None:
                return pending
        return None

    def _begin(self, head: RequestHead | Malformed) -> PendingRequest | None:
        """Begin with a request; None where it was answered or sent at once."""
        if isinstance(head, Malformed) or head.method == "CONNECT":
            return PendingRequest(head)
        parts = self._parts
        proxy = parts.config.proxy
        if (
            self._origin is None
            and (own := own_answer(head, proxy, parts.certificates)) is not None
        ):
            return PendingRequest(head, own)
        request = read_proxy_request(head, self._origin, parts.name, proxy.max_wait)
        if isinstance(request, ProxyRequest):
            request = refused_host(request.target.host, proxy) or request
        client = self._client or parts.access.known(self.peer)
        if isinstance(request, Refused) or client is None or not self._is_simple(request, client):
            return PendingRequest(head, request)
        found = parts.cache.ask(Request(request.method, request.url, request.fields))
        if isinstance(found, CacheAnswer):
            return self._answer_at_once(found, head, request, client)
        if isinstance(found, Flight):
            return PendingRequest(head, request, found)
        return self._pass_at_once(found, head, request, client)

    def _is_simple(self, request: ProxyRequest, client: str) -> bool:
        """Whether the client has sent everything, and takes what it gets."""
        options = request.options
        if options.in_order or options.framing is not NOTHING or self._is_full:
            return False
        return not self._parts.is_in_order(client)

    def _answer_at_once(
        self, answer: CacheAnswer, head: RequestHead, request: ProxyRequest, client: str
    ) -> PendingRequest | None:
        """Send what the cache has in memory; else a task is to do so."""
        if not answer.is_at_hand:
            return PendingRequest(head, request, answer)
        reply = self._reply(head, request.options)
        with self._noted(reply, client, head.method) as note:
            note.url, note.handled = request.url, FROM_CACHE
            reply.whole(answer.status, answer.block, answer.body)
        self.idle_since = time.monotonic()
        return None

    def _pass_at_once(
        self, forward: Forward, head: RequestHead, request: ProxyRequest, client: str
    ) -> PendingRequest | None:
        """Send a request on for which nothing has to be waited; else a task is to do so."""
        parts = self._parts
        target = request.target
        upstream = parts.upstreams.at_hand(target.host, target.origin)
        if upstream is None or request.method not in _WITHOUT_BODY:
            return PendingRequest(head, request, forward)
        proxy = parts.config.proxy
        wish = Wish(
            request.url,
            request.patience,
            client,
            proxy.max_time,
            heeds_robots=heeds_robots(target.host, proxy),
        )
        permit = parts.permits.ask_at_once(wish, upstream.destination)
        if permit is None:
            return PendingRequest(head, request, forward)
        note = self._noted(self._reply(head, request.options), client, request.method)
        note.entry = parts.figures.enter(client, request.method, request.url, Stage.ASKING)
        self._passage = Passage(parts, self, request, forward, permit, note)
        self._passage.send(upstream, self._hear)
        return None

    def _hear(self, data: bytes) -> None:
        """The server of a request that was sent at once has answered, or has left."""
        passage, self._passage = self._passage, None
        assert passage is not None
        try:
            is_over = passage.hear(data)
        except Exception as error:  # a defect of ours ends this connection, not the server's
            self._fault(error)
            passage.abandon()
            return
        if not is_over:
            self._begin_task(PendingRequest(_HEARD, passage=passage))
            return
        self.idle_since = time.monotonic()
        if self._parts.is_ending:
            self.close()
        elif self.buffer:
            self._go_on()

    def _waits_in(self, stages: Collection[Stage]) -> bool:
        """Whether a request is in one of these stages, and the client has nothing of its answer."""
        note = self._note
        if note is None or note.entry is None or note.reply.is_begun:
            return False
        return note.entry.stage in stages

    def _leave(self) -> None:
        """Give up what was sent at once."""
        if self._passage is not None:
            self._passage.abandon()
            self._passage = None

    async def _serve(self) -> None:
        try:
            while (pending := self._pending) is not None:
                try:
                    goes_on = await self._one(pending)
                finally:
                    pending.drop()
                if not goes_on or self.lost:
                    return
                if self._parts.is_ending:
                    break
                self._pending = self._next()
            if self._parts.is_ending:
                self.close()
            if self.ended:
                self.close()
        except (asyncio.CancelledError, ConnectionError):
            if self._is_drained:
                super().dismiss(ENDING)  # which is noted
            else:
                self.abort()
        except Exception as error:  # a defect of ours ends this connection, and no other
            self._fault(error)
        finally:
            self._task = self._pending = None
            self.idle_since = time.monotonic()

    async def _one(self, pending: PendingRequest) -> bool:
        """Answer one request; whether another may follow."""
        if pending.passage is not None:
            await pending.passage.go_on()
            return pending.passage.keeps_alive
        head = pending.head
        if isinstance(head, Malformed):
            return await self._refuse_malformed(head, "")
        framing = request_framing(head.named, head.minor)
        if isinstance(framing, Malformed):
            return await self._refuse_malformed(framing, head.method)
        options = pending.request.options if isinstance(pending.request, ProxyRequest) else None
        body, reply = Body(self, framing), self._reply(head, options)
        reply.leaves_open = not body.is_complete
        client = await self._who_asks(pending, head)
        name = self.peer if isinstance(client, Refused) else client
        with self._noted(reply, name, head.method) as note:
            if isinstance(client, Refused):
                note.handled = await refuse(reply, client)
            elif head.method == "CONNECT":
                note.handled = await self._connect(head, client, reply, note)
            else:
                note.handled = await self._pass_on(pending, body, client, reply, note)
        if not body.is_complete and body.at_hand() is None:
            self.linger()
            return False
        if reply.leaves_open and not reply.keeps_alive:
            self.close()
        return reply.keeps_alive

    async def _who_asks(self, pending: PendingRequest, head: RequestHead) -> str | Refused:
        """The client by its name; for the proxy's own page no password is wanted."""
        if self._client is not None or isinstance(pending.request, OwnAnswer):
            return self._client or self.peer
        return await self._parts.access.client(self.peer, head.named)

    async def _refuse_malformed(self, bad: Malformed, method: str) -> bool:
        reply = Reply(self, b"1.1 " + self._parts.name)
        reply.leaves_open = True
        with self._noted(reply, self.peer, method) as note:
            note.handled = await refuse(reply, of_malformed(bad))
        self.linger()
        return False

    async def _pass_on(
        self, pending: PendingRequest, body: Body, client: str, reply: Reply, note: Note
    ) -> Handled:
        """Answer a request, in its turn among those of its client where that is wanted."""
        wants_order = isinstance(pending.request, ProxyRequest) and pending.request.options.in_order
        if not (wants_order or self._parts.is_in_order(client)):
            return await self._handle(pending, body, client, reply, note)
        sequences, most = self._parts.sequences, self._parts.proxy.max_hold
        reply.slot = slot = sequences.enter(client, most.total_seconds())
        try:
            return await self._handle(pending, body, client, reply, note)
        finally:
            sequences.leave(client, slot)

    async def _handle(
        self, pending: PendingRequest, body: Body, client: str, reply: Reply, note: Note
    ) -> Handled:
        parts, request = self._parts, pending.request
        assert request is not None
        if isinstance(request, Refused | OwnAnswer):
            return await refuse(reply, request)
        if self.ended:
            raise GoneError("it closed its side before its turn")
        note.entry = entry = parts.figures.enter(client, request.method, request.url)
        incoming = Incoming(request, client, body, parts.config.proxy.client_timeout, entry)
        return await handle(parts, incoming, reply, pending.found)

    async def _connect(self, head: RequestHead, client: str, reply: Reply, note: Note) -> Handled:
        connected = await connect(self._parts, self, head, client, reply, note, self._origin)
        if connected.inside is not None:
            self._client, self._origin = client, connected.inside
        return connected.handled

    # ---- odds and ends

    def _reply(self, head: RequestHead, options: RequestOptions | None) -> Reply:
        parts = self._parts
        proxy = parts.config.proxy
        return Reply(
            self,
            b"1.1 " + parts.name,
            minor=head.minor,
            is_head=head.method == "HEAD",
            keeps_alive=options.keeps_alive if options else keeps_alive(head.named, head.minor),
            most_held=proxy.buffer_bytes,
            patience=proxy.client_timeout,
        )

    def _noted(self, reply: Reply, client: str, method: str) -> Note:
        parts = self._parts
        self._note = Note(parts.figures, parts.log, reply, client, method)
        return self._note

    def dismiss(self, refused: LastWord) -> None:
        """Say why, and no more; such an answer is noted like any other."""
        if self.lost or self.is_lingering:
            return
        reply = Reply(self, b"1.1 " + self._parts.name)
        reply.status, reply.sent = refused.status, len(refused.body)
        with self._noted(reply, self._client or self.peer, "") as note:
            note.handled = Handled(OURSELVES, refused.why)
            super().dismiss(refused)

    def _fault(self, error: Exception) -> None:
        """Tell of a defect of ours, and end the connection: half an answer must not look whole."""
        self._parts.log(fault_of(error))
        note = self._note
        if note is not None and not note.is_written:
            note.fail()
            note.write()
        if note is None or note.handled is not FAULTY:
            self.dismiss(FAULT)  # for which there is no note so far
        elif note.reply.is_begun:
            self.abort()
        else:
            super().dismiss(FAULT)
