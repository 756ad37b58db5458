"""Forwards a request that waits for nothing but its server, by callbacks, without a task of its own.

Most requests are like that once we hold the host: its rules are known, its clock allows it, the
connection stands, and the answer comes in one piece and before long. Where it does not, a task goes
on from there.
"""

import time
from collections.abc import Callable
from datetime import datetime

from gossamer.http.stream import Body, Stream
from gossamer.http.wire.fields import goes_on, via
from gossamer.http.wire.framing import NOTHING, Sized, response_framing
from gossamer.http.wire.response import ResponseHead, read_good_response
from gossamer.proxy.access_log import FROM_CACHE, FROM_SERVER, Handled, Note
from gossamer.proxy.cache.protocol import CacheAnswer, Forward
from gossamer.proxy.exchange import LEFT, Exchange, reported, request_head
from gossamer.proxy.handling import ProxyParts, block_of, go_on, send_stored
from gossamer.proxy.permits import Permit
from gossamer.proxy.request import Incoming, ProxyRequest
from gossamer.proxy.upstream import Upstream


class Passage:
    """One request on its way. It ends when `hear` has passed the answer on, with a task that goes on, or abandoned."""

    __slots__ = (
        "_before",
        "_client",
        "_forward",
        "_note",
        "_on_news",
        "_parts",
        "_permit",
        "_request",
        "_sent_at",
        "_stored",
        "_upstream",
    )

    def __init__(
        self,
        parts: ProxyParts,
        client: Stream,
        request: ProxyRequest,
        forward: Forward,
        permit: Permit,
        note: Note,
    ) -> None:
        self._parts = parts
        self._client = client
        self._request = request
        self._forward = forward
        self._permit = permit
        self._note = note
        self._upstream: Upstream | None = None  # until a task has it, or nobody
        self._stored: CacheAnswer | None = None  # what is sent in place of the server's answer

    def send(self, upstream: Upstream, on_news: Callable[[bytes], None]) -> None:
        """Send the request over an idle connection.

        `on_news` is called once, with what `hear` is to get: nothing, if the server has left, or takes
        its time.
        """
        parts, forward = self._parts, self._forward
        parts.upstreams.take(upstream)
        self._upstream, self._before = upstream, upstream.received
        self._on_news = upstream.on_news = on_news
        self._permit.on_hurry = self._hurry
        forward.mark_sent()
        upstream.requests += 1
        self._sent_at = time.monotonic()
        upstream.transport.write(request_head(self._request, forward.fields, parts.agent))
        parts.upstreams.watches.add(self, self._sent_at)

    def look(self) -> None:
        """The server takes its time: a task is to wait for it."""
        self._on_news(b"")

    def hear(self, data: bytes) -> bool:
        """Pass the answer on, if it is here in whole; else a task is to `go_on`."""
        upstream = self._listened()
        assert upstream is not None
        found = self._whole_answer(data)
        if found is None:
            upstream.put_back(data)
            return False
        head, body = found
        passed = self._forward.answered(head.status, head.fields)
        if isinstance(passed, CacheAnswer):
            self._stored = passed
            self._over(upstream, head, 0)
            return False
        parts = self._parts
        via_us = via(head.named, head.minor, parts.name)
        self._note.reply.whole(passed.status, block_of(head, passed), body, via_us)
        if passed.is_kept:
            passed.write(body)
            passed.done()
        self._over(upstream, head, len(body))
        self._forward.__exit__(None, None, None)
        self._note.handled = FROM_SERVER
        self._note.write()
        return True

    @property
    def keeps_alive(self) -> bool:
        """Whether another request may follow."""
        return self._note.reply.keeps_alive

    async def go_on(self) -> None:
        """Wait for the rest, with all that may happen to it."""
        with self._note as note:
            note.handled = await self._finish()

    def abandon(self) -> None:
        """Abandon a request that no client waits for; does nothing where it is over."""
        if (upstream := self._listened()) is not None:
            upstream.abort()
            self._upstream = None
        self._permit.abandon(LEFT)
        self._forward.__exit__(None, None, None)
        if self._stored is not None:
            self._stored.close()
        self._note.write()

    async def _finish(self) -> Handled:
        parts, note, upstream = self._parts, self._note, self._upstream
        if self._stored is not None:
            with self._forward:
                await send_stored(self._stored, note.reply)
            return FROM_CACHE
        assert upstream is not None
        assert note.entry is not None
        body, patience = Body(self._client, NOTHING), parts.config.proxy.client_timeout
        incoming = Incoming(self._request, note.client, body, patience, note.entry)
        exchange = Exchange(
            parts.config, parts.upstreams, parts.agent, incoming, self._permit, note.reply
        )
        self._upstream = None
        exchange.take_up(upstream, self._before, self._sent_at)
        return await go_on(parts, incoming, self._forward, exchange, note.reply)

    def _whole_answer(self, data: bytes) -> tuple[ResponseHead, bytes] | None:
        """Head and body, if these are exactly one answer."""
        found = read_good_response(data)
        if found is None:
            return None
        head, end = found
        if head.status < 200 or end > self._parts.config.fetch.max_header_bytes:
            return None
        framing = response_framing(head.named, head.status, to_head=self._request.method == "HEAD")
        is_whole = isinstance(framing, Sized) and framing.length == len(data) - end
        return (head, data[end:]) if is_whole else None

    def _over(self, upstream: Upstream, head: ResponseHead, received: int) -> None:
        """The answer is complete: say how it went, and keep the connection where that is well."""
        self._upstream = None
        if goes_on(head.named, head.minor):
            self._parts.upstreams.keep(upstream)
        else:
            upstream.abort()
        self._permit.finish(reported(head, self._sent_at, received))
        self._parts.figures.received += received

    def _listened(self) -> Upstream | None:
        """Stop listening to the connection, and return it."""
        if self._upstream is not None:
            self._upstream.on_news = self._permit.on_hurry = None
            self._parts.upstreams.watches.remove(self)
        return self._upstream

    def _hurry(self, _until: datetime) -> None:
        self._on_news(b"")
