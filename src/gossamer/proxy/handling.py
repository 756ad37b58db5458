"""What becomes of a request: the cache, then robots and the clock, then the server; in this order."""

import asyncio
from collections.abc import Awaitable
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from gossamer.config import Config, Proxy
from gossamer.http.connection import Bounds, Connections, LastWord
from gossamer.http.stream import Body, BrokenBodyError, GoneError, Stream
from gossamer.http.wire.fields import lines, via
from gossamer.http.wire.framing import NOTHING
from gossamer.http.wire.response import ResponseHead, response_block
from gossamer.log import Sink
from gossamer.proxy.access import AccessControl
from gossamer.proxy.access_log import (
    CACHE,
    FROM_CACHE,
    FROM_SERVER,
    OURSELVES,
    SERVER,
    Figures,
    Handled,
    Stage,
)
from gossamer.proxy.cache.protocol import (
    Cache,
    CacheAnswer,
    Flight,
    Forward,
    Landing,
    LostBodyError,
    Relay,
    Request,
)
from gossamer.proxy.destinations import heeds_robots
from gossamer.proxy.exchange import Exchange, NoAnswerError, Received, StaleError
from gossamer.proxy.permits import BUSY, CLOCK, NO_TIME, ROBOTS, Denied, Permits, Wish
from gossamer.proxy.refusals import ENDING, Refused, of_denied, of_unreachable
from gossamer.proxy.reply import Reply, Sequences
from gossamer.proxy.request import Incoming
from gossamer.proxy.spool import NO_SPOOL, SpoolRoom
from gossamer.proxy.upstream import Upstreams

if TYPE_CHECKING:
    from gossamer.proxy.certificates import Certificates
    from gossamer.proxy.connection import ClientConnection

# What robots.txt forbids stays forbidden, and the usual rest of a host is soon over.
_NOT_GONE: Final = frozenset({ROBOTS, CLOCK, BUSY})
_IN_LINE: Final = "Somebody else's request for this page is in line: its turn did not come in time."


@dataclass(slots=True)
class ProxyParts:
    """What all connections and requests of one proxy share."""

    config: Config
    access: AccessControl
    permits: Permits
    upstreams: Upstreams
    cache: Cache
    name: bytes  # by which we know ourselves in Via
    agent: bytes
    log: Sink  # the access log
    certificates: "Certificates | None" = None  # where HTTPS is looked into
    figures: Figures = field(default_factory=Figures)
    connections: "Connections[ClientConnection]" = field(default_factory=Connections)
    sequences: Sequences = field(default_factory=Sequences)
    refreshing: "set[asyncio.Task[None]]" = field(default_factory=set)
    spool: SpoolRoom = NO_SPOOL
    is_ending: bool = False  # what is under way comes to its end, and nothing new begins

    @property
    def proxy(self) -> Proxy:
        """The configuration in force."""
        return self.config.proxy

    @property
    def bounds(self) -> Bounds:
        """How many clients there may be, and how long they may take."""
        proxy = self.config.proxy
        patience = proxy.client_timeout.total_seconds()
        return Bounds(proxy.max_connections, patience, proxy.idle_timeout.total_seconds(), patience)

    def is_in_order(self, client: str) -> bool:
        """Whether a client always gets its answers in the order of its requests."""
        sequential = self.config.proxy.sequential
        return client in sequential or "*" in sequential


async def handle(
    parts: ProxyParts,
    incoming: Incoming,
    reply: Reply,
    found: CacheAnswer | Forward | Flight | None = None,
) -> Handled:
    """Answer a request; `found` is what the cache has said, if it was looked at."""
    has_body = incoming.body.framing != NOTHING
    request = Request(incoming.method, incoming.url, incoming.request.fields, has_body)
    if found is None:
        found = parts.cache.ask(request)
    has_looked = False
    while True:
        while isinstance(found, Flight):
            if not await _wait_for_flight(parts, incoming, found):
                # When that turn comes is not known here: not before the host had a rest.
                denied = Denied(BUSY, _IN_LINE, parts.config.politeness.delay)
                return await _deny(incoming, denied, reply)
            found = parts.cache.ask(request, waited=found.landing is not Landing.NOTHING)
        if isinstance(found, CacheAnswer):
            reply.keeps_alive = reply.keeps_alive and incoming.is_whole
            if (refresh := found.take_refresh()) is not None:
                _refresh(parts, incoming, refresh)
            return await send_stored(found, reply)
        with found as forward:
            if has_looked or not await parts.cache.look_further(request):
                return await _forward(parts, incoming, forward, reply)
        has_looked = True
        found = parts.cache.ask(request)


async def refuse(reply: Reply, refused: LastWord) -> Handled:
    """Answer a request ourselves."""
    await reply.refuse(refused)
    return Handled(OURSELVES, refused.why)


async def send_stored(answer: CacheAnswer, reply: Reply) -> Handled:
    """Send what the cache has; where that is less than it says, the client is to see it."""
    try:
        reply.begin(answer.status, answer.block, NOTHING)
        reply.write(answer.body)
        for piece in answer.rest:
            reply.write(piece)
            await reply.drain()
        await reply.end()
        return FROM_CACHE
    except LostBodyError as error:
        reply.break_off()
        return Handled(CACHE, str(error))
    finally:
        answer.close()


async def _wait_for_flight(parts: ProxyParts, incoming: Incoming, flight: Flight) -> bool:
    """Wait for another client's fetch of the same page; False where its turn does not come in time."""
    left = _patience(incoming)
    incoming.entry.waits()
    await _within(left, flight)
    if flight.is_sent and not flight.has_landed:
        await _within(parts.config.proxy.max_time, flight)
    return flight.is_sent or flight.has_landed


async def _within(time: timedelta, flight: Flight) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(time.total_seconds()):
            await flight.wait()


def _patience(incoming: Incoming) -> timedelta:
    """How much longer a request may wait, for its own turn or for another client's fetch."""
    return max(incoming.request.patience - incoming.entry.waited, NO_TIME)


async def _deny(incoming: Incoming, denied: Denied, reply: Reply) -> Handled:
    reply.keeps_alive = reply.keeps_alive and incoming.is_whole
    return await refuse(reply, of_denied(denied))


async def _answer_denied(
    incoming: Incoming, forward: Forward, denied: Denied, reply: Reply
) -> Handled:
    """Refuse with the reason, or serve a stale response where the host cannot be reached."""
    stored = None if denied.rule in _NOT_GONE else forward.failed(denied.rule)
    if stored is None:
        return await _deny(incoming, denied, reply)
    reply.keeps_alive = reply.keeps_alive and incoming.is_whole
    await send_stored(stored, reply)
    return Handled(CACHE, denied.why)


async def _forward(
    parts: ProxyParts, incoming: Incoming, forward: Forward, reply: Reply
) -> Handled:
    try:
        await incoming.gather()
    except BrokenBodyError as error:
        reply.keeps_alive = False
        return await refuse(reply, Refused(400, f"The body of the request is no good: {error}"))
    for fresh in (False, True):
        # The server may have seen what was lost: it is sent again when its turn comes again.
        with suppress(StaleError):
            return await _send(parts, incoming, forward, reply, fresh=fresh)
    raise AssertionError("a fresh connection is never stale")


async def _send(
    parts: ProxyParts, incoming: Incoming, forward: Forward, reply: Reply, *, fresh: bool
) -> Handled:
    if parts.is_ending:
        return await refuse(reply, ENDING)
    proxy = parts.config.proxy
    wish = Wish(
        incoming.url,
        _patience(incoming),
        incoming.asker,
        proxy.max_time,
        heeds_robots=heeds_robots(incoming.request.target.host, proxy),
    )
    incoming.entry.waits()
    permit = await parts.permits.ask(wish)
    if isinstance(permit, Denied):
        return await _answer_denied(incoming, forward, permit, reply)
    incoming.entry.goes(Stage.ASKING)
    exchange = Exchange(parts.config, parts.upstreams, parts.agent, incoming, permit, reply)
    forward.mark_sent()
    answer = exchange.ask(forward.fields, fresh=fresh)
    return await _relay(parts, incoming, forward, exchange, answer, reply)


async def go_on(
    parts: ProxyParts, incoming: Incoming, forward: Forward, exchange: Exchange, reply: Reply
) -> Handled:
    """Answer a request that was sent, when its answer comes."""
    with forward:
        with suppress(StaleError):
            answer = exchange.answer()
            return await _relay(parts, incoming, forward, exchange, answer, reply)
        return await _send(parts, incoming, forward, reply, fresh=True)


async def _relay(
    parts: ProxyParts,
    incoming: Incoming,
    forward: Forward,
    exchange: Exchange,
    answer: Awaitable[Received],
    reply: Reply,
) -> Handled:
    try:
        try:
            received = await answer
        except NoAnswerError as error:
            return await _answer_failed(forward, error, reply)
        incoming.entry.stage = Stage.ANSWERING
        return await _pass_on(parts, forward, exchange, received, reply)
    finally:
        await exchange.close()


async def _answer_failed(forward: Forward, error: NoAnswerError, reply: Reply) -> Handled:
    stored = forward.failed(error.trouble.cause)
    if stored is None:
        return await refuse(reply, of_unreachable(error.trouble))
    await send_stored(stored, reply)
    return Handled(CACHE, str(error))


async def _pass_on(
    parts: ProxyParts, forward: Forward, exchange: Exchange, received: Received, reply: Reply
) -> Handled:
    passed = forward.answered(received.head.status, received.head.fields)
    if isinstance(passed, CacheAnswer):
        exchange.finish(received)  # a body that comes with it is not read
        return await send_stored(passed, reply)
    head = received.head
    via_us = via(head.named, head.minor, parts.name)
    reply.begin(passed.status, block_of(head, passed), received.framing, via_us)
    reply.spool = parts.spool
    try:
        await _stream(exchange, received, passed, reply)
        passed.done()
        exchange.finish(received)  # before the client has taken all of it: the host's turn is over
        parts.figures.received += exchange.received
        await reply.end()
    except NoAnswerError as error:
        exchange.report(received.head, cause=error.trouble.cause)
        if reply.is_unsent:  # of which the client can still be told
            return await _answer_failed(forward, error, reply)
        reply.break_off()
        return Handled(SERVER, str(error))
    finally:
        reply.close()
    return FROM_SERVER


def block_of(head: ResponseHead, passed: Relay) -> bytes:
    """The header lines of an answer that is passed on."""
    return response_block(head) + _added_lines(passed.added)


_added_lines = lru_cache(256)(lines)  # a site's answers mostly mean the same to a cache


async def _stream(exchange: Exchange, received: Received, passed: Relay, reply: Reply) -> None:
    """Send the body on as it comes, no faster than it is taken or can be spooled."""
    whole = received.body.at_hand()
    if whole is not None:
        exchange.received = len(whole)
        passed.write(whole)
        reply.write(whole)
        return
    async with aclosing(exchange.pieces(received)) as pieces:
        async for piece in pieces:
            passed.write(piece)
            reply.write(piece)
            await reply.drain()


def _refresh(parts: ProxyParts, incoming: Incoming, forward: Forward) -> None:
    """Revalidate a page in the background, whether the client stays or not."""
    task = asyncio.create_task(_fetch_anew(parts, incoming, forward))
    parts.refreshing.add(task)
    task.add_done_callback(parts.refreshing.discard)


async def _fetch_anew(parts: ProxyParts, incoming: Incoming, forward: Forward) -> None:
    nobody = Stream()
    nobody.ended = nobody.lost = True
    request = incoming.request._replace(method="GET")  # the client may have wanted the head alone
    entry = parts.figures.enter(incoming.client, request.method, request.url)
    body = Body(nobody, NOTHING)
    again = Incoming(request, incoming.client, body, incoming.body_timeout, entry)
    try:
        with forward, suppress(GoneError):
            await _forward(parts, again, forward, Reply(nobody, parts.name))
    finally:
        parts.figures.entries.discard(entry)
