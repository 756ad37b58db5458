"""One request to its server and the answer back, within time limits, on a permit that is given back."""

import asyncio
import time
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from typing import Final

from gossamer.config import Config
from gossamer.fetch.names import Unreachable
from gossamer.http.stream import Body, BrokenBodyError, MalformedBodyError
from gossamer.http.wire.fields import Fields, Malformed, goes_on, lines
from gossamer.http.wire.framing import Framing, Sized, response_framing
from gossamer.http.wire.request import MOST_REMEMBERED
from gossamer.http.wire.response import (
    ResponseHead,
    not_http,
    read_response,
    response_block,
    response_end,
    status_line,
)
from gossamer.model import Cause
from gossamer.moments import now_utc
from gossamer.politeness.outcome import Reported
from gossamer.politeness.prospects import Download
from gossamer.politeness.rate_limit import quota_wait
from gossamer.proxy.permits import Permit
from gossamer.proxy.reply import Reply
from gossamer.proxy.request import Incoming, ProxyRequest
from gossamer.proxy.upstream import Upstream, Upstreams
from gossamer.proxy.watch import WHY, ExchangeWatch
from gossamer.sending.right import NEVER_SENT

# RFC 9110 §9.2.2: what may be sent again without asking whoever wants it.
REPEATABLE: Final = frozenset({"GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"})
LEFT: Final = "The client left."
STALE: Final = "The server has closed the connection that was kept for the next request."
_QUOTA_FIELDS: Final = frozenset({b"ratelimit", b"ratelimit-remaining", b"x-ratelimit-remaining"})
NO_ANSWER: Final = "The server closed the connection without an answer."
HALF_A_HEAD: Final = "The server closed the connection within the header of its answer."
SHORT: Final = "The body of the request broke off, or came too slowly."


class NoAnswerError(Exception):
    """A server that gave no answer, or no usable one."""

    def __init__(self, cause: Cause, why: str) -> None:
        super().__init__(why)
        self.trouble = Unreachable(cause, why)


class StaleError(Exception):
    """The server has closed a kept connection; whether it saw the request is unknown."""


@dataclass(slots=True)
class Received:
    """The head of an answer, and its body to come."""

    head: ResponseHead
    framing: Framing
    body: Body


class Exchange:
    """Sends one request. It is to be closed, whatever happens."""

    def __init__(
        self,
        config: Config,
        upstreams: Upstreams,
        agent: bytes,
        incoming: Incoming,
        permit: Permit,
        reply: Reply,
    ) -> None:
        self._config = config
        self._upstreams = upstreams
        self._agent = agent
        self._incoming = incoming
        self._permit = permit
        self._reply = reply
        self._watch = ExchangeWatch(config.fetch, permit, upstreams.watches, self._give_up)
        self._upstream: Upstream | None = None
        self._before = 0  # bytes that came over the same connection for others
        self._is_reused = False
        self._sending: asyncio.Task[None] | None = None
        self._is_short = False  # the client owes us the rest of its body
        self._sent_at = 0.0  # or later, by what was the client's time
        self.received = 0  # bytes of the body

    async def close(self) -> None:
        """Release the connection, the permit and the timers, however it ended."""
        self._watch.close()
        if self._upstream is not None:
            self._upstream.abort()
        self._permit.abandon(LEFT)
        if self._sending is not None:
            self._sending.cancel()
            await asyncio.wait([self._sending])

    async def ask(self, fields: Fields, *, fresh: bool = False) -> Received:
        """Send the request with these fields; the head of the answer. Raises `NoAnswerError`.

        Raises `StaleError` where a connection that was kept turns out to be closed; not so if it
        is to be a `fresh` one. What must not be sent twice is always sent on a fresh one.
        """
        incoming, upstream = self._incoming, None
        if not fresh and incoming.is_whole and incoming.method in REPEATABLE:
            upstream = self._upstreams.idle(incoming.url)
        self._send(upstream or await self._connect(), fields)
        return await self.answer()

    async def answer(self) -> Received:
        """The head of the answer; raises as `ask` does."""
        upstream = self._upstream
        assert upstream is not None
        try:
            return await self._answer(upstream)
        except NoAnswerError as error:
            is_silent = upstream.received == self._before and self._watch.cause is None
            if self._is_reused and is_silent:
                self._permit.abandon(STALE)  # before we asked or after
                raise StaleError from None
            if self._is_short:
                self._permit.abandon(SHORT)  # for which the host is not to blame
            else:
                self.report(None, cause=error.trouble.cause)
            raise

    def take_up(self, upstream: Upstream, before: int, sent_at: float) -> None:
        """Go on with a request that was sent over a connection that was kept."""
        self._upstream, self._before, self._is_reused = upstream, before, True
        self._sent_at = sent_at
        self._watch.note_connected(upstream)
        self._watch.note_sent(sent_at)

    def finish(self, received: Received) -> None:
        """The answer is complete: say how it went, and keep the connection where that is well."""
        upstream, self._upstream = self._upstream, None
        assert upstream is not None
        self._watch.close()
        # A server may answer while it still has to get the end of a body that is all here.
        is_sent = self._sending is None or self._sending.done()
        is_whole = is_sent and received.body.is_complete and self._incoming.body.is_complete
        if is_whole and goes_on(received.head.named, received.head.minor):
            self._upstreams.keep(upstream)
        else:
            upstream.abort()
        self.report(received.head)

    def report(self, head: ResponseHead | None, *, cause: Cause | None = None) -> None:
        """Say how it went; None where there was no answer. With a cause, what came is not whole."""
        report = reported(head, self._sent_at, self.received)
        if cause is not None:
            sent = cause not in NEVER_SENT
            report = report._replace(sent=sent, cause=cause, is_whole=False)
        self._permit.finish(report)

    def trouble(self, cause: Cause, why: str) -> NoAnswerError:
        """What went wrong: a time limit of ours, if one has run out."""
        if self._watch.cause is not None:
            cause, why = self._watch.cause, WHY[self._watch.cause]
        elif self._is_short:
            why = SHORT
        return NoAnswerError(cause, why)

    async def pieces(self, received: Received) -> AsyncGenerator[bytes, None]:
        """The body as it comes; raises `NoAnswerError` where it breaks off."""
        framing, since = received.framing, time.monotonic()
        download = (
            Download.begin(framing.length, since - self._sent_at)
            if isinstance(framing, Sized)
            else None
        )
        try:
            async for piece in received.body.pieces():
                self.received += len(piece)
                since = time.monotonic()
                if download is not None and download.is_due(since - self._sent_at):
                    download = download.look(self.received, since - self._sent_at)
                    if (left := download.left) is not None:
                        self._permit.note_left(left)
                self._watch.pause()
                yield piece
                self._watch.resume(self._was_the_clients(since))
        except MalformedBodyError as error:
            why = f"The server's answer cannot be read: {error}"
            raise self.trouble(Cause.BAD_RESPONSE, why) from None
        except BrokenBodyError as error:
            why = f"The server's answer broke off: {error}"
            raise self.trouble(Cause.TRUNCATED, why) from None
        if self._watch.cause is not None:  # which may look like a body's proper end
            raise self.trouble(Cause.TRUNCATED, "")

    def _was_the_clients(self, since: float) -> float:
        """Time in which we waited for the client is none for which the host is to rest."""
        waited = time.monotonic() - since
        self._sent_at += waited
        return waited

    async def _connect(self) -> Upstream:
        url = self._incoming.url
        self._sent_at = time.monotonic()
        upstream = await self._upstreams.connect(url, tls=url.startswith("https:"))
        if isinstance(upstream, Upstream):
            return upstream
        self.report(None, cause=upstream.cause)
        raise NoAnswerError(upstream.cause, upstream.why)

    def _send(self, upstream: Upstream, fields: Fields) -> None:
        """Send the request over a connection that stands."""
        self._upstream, self._before = upstream, upstream.received
        self._is_reused = upstream.requests > 0
        upstream.requests += 1
        self._sent_at = time.monotonic()
        self._watch.note_connected(upstream)
        head = request_head(
            self._incoming.request, fields, self._agent, self._incoming.framing_line()
        )
        if self._incoming.is_whole:
            upstream.write(head + (self._incoming.gathered or b""))
            self._watch.note_sent()
        else:
            upstream.write(head)
            self._sending = asyncio.create_task(self._send_body(upstream))

    async def _send_body(self, upstream: Upstream) -> None:
        since: float | None = None  # whoever wants to be told first waits for the server
        try:
            async for piece in self._incoming.pieces():
                if since is not None:
                    self._was_the_clients(since)
                upstream.write(piece)
                await upstream.drain()
                self._watch.count_sent(len(piece))
                since = time.monotonic()
        except (BrokenBodyError, ConnectionError) as error:
            self._is_short = isinstance(error, BrokenBodyError)
            upstream.abort()  # half a body is none
        else:
            self._watch.note_sent()

    async def _answer(self, upstream: Upstream) -> Received:
        """Read heads until the final one."""
        most, before = self._config.fetch.max_header_bytes, 0
        while (head := await self._read_head(upstream)).status < 200:
            before += len(status_line(head.status)) + len(head.block)  # which may be empty
            if before > most:
                why = f"The server says more than {most:,} bytes before its answer."
                raise NoAnswerError(Cause.HEADER_TOO_LARGE, why)
            self._pass_interim(head)
        return self._received(upstream, head)

    def _pass_interim(self, head: ResponseHead) -> None:
        """Pass on what comes before an answer (RFC 9110 section 15.2)."""
        if head.status == 101:
            raise NoAnswerError(Cause.BAD_RESPONSE, "The server wants to speak another protocol.")
        # Whoever did not ask whether to go on has gone on.
        if head.status != 100 or self._incoming.request.options.expects:
            self._reply.interim(head.status, response_block(head))

    def _received(self, upstream: Upstream, head: ResponseHead) -> Received:
        self._watch.note_answer()
        framing = response_framing(head.named, head.status, to_head=self._incoming.method == "HEAD")
        if isinstance(framing, Malformed):
            raise NoAnswerError(Cause.BAD_RESPONSE, framing.why)
        if not self._incoming.body.is_complete:
            self._reply.keeps_alive = False  # the rest of the body is in the way
        return Received(head, framing, Body(upstream, framing))

    async def _read_head(self, upstream: Upstream) -> ResponseHead:
        most = self._config.fetch.max_header_bytes
        while (end := response_end(upstream.buffer, most)) is None:
            if (odd := not_http(upstream.buffer)) is not None:
                raise NoAnswerError(Cause.BAD_RESPONSE, odd)
            if upstream.ended or not await upstream.more():
                raise self.trouble(Cause.RESET, HALF_A_HEAD if upstream.buffer else NO_ANSWER)
        if (odd := not_http(upstream.buffer)) is not None:
            raise NoAnswerError(Cause.BAD_RESPONSE, odd)
        if isinstance(end, Malformed):
            raise NoAnswerError(Cause.HEADER_TOO_LARGE, end.why)
        head = read_response(upstream.take(end))
        if isinstance(head, Malformed):
            raise NoAnswerError(Cause.BAD_RESPONSE, head.why)
        return head

    def _give_up(self) -> None:
        if self._upstream is None:
            return
        is_sending = self._sending is not None and not self._sending.done()
        self._is_short = is_sending and not self._upstream.unsent
        self._upstream.abort()


def request_head(
    request: ProxyRequest, fields: Fields, agent: bytes, framing_line: bytes = b""
) -> bytes:
    """A request as it is sent to its server, before its body."""
    block = _block(fields, request.options.via, agent)
    method = request.method.encode("ascii")
    return b"%b%b%b%b\r\n" % (method, request.target.line, block, framing_line)


def reported(head: ResponseHead | None, sent_at: float, received: int) -> Reported:
    """How a request went, that was sent then; None where there was no answer."""
    took = timedelta(seconds=time.monotonic() - sent_at)
    if head is None:
        return Reported(None, took, received=received)
    retry_after = head.named.get(b"retry-after")
    return Reported(
        head.status,
        took,
        retry_after[0].decode("latin-1") if retry_after else None,
        received=received,
        quota_wait=None if _QUOTA_FIELDS.isdisjoint(head.named) else _quota_wait(head),
    )


def _quota_wait(head: ResponseHead) -> timedelta | None:
    fields = [
        (name.decode("latin-1"), value.decode("latin-1"))
        for name, values in head.named.items()
        for value in values
    ]
    return quota_wait(fields, now_utc())


@lru_cache(MOST_REMEMBERED)  # a program says the same in all of its requests
def _block(fields: Fields, via: bytes, agent: bytes) -> bytes:
    """The header lines of a request, but for what is about its target and its body."""
    named = any(name.lower() == b"user-agent" for name, _ in fields)
    ours = ((b"Via", via),) if named else ((b"User-Agent", agent), (b"Via", via))
    return lines((*fields, *ours))
