"""What becomes of a request: the cache, then robots and the clock, then the server; in this order."""

import asyncio
from collections.abc import Awaitable
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from functools import lru_cache
from typing import Final, NamedTuple

from gossamer.config import Config
from gossamer.proxy.bodies import Body, BrokenBodyError
from gossamer.proxy.cache.protocol import (
    Answer,
    Cache,
    Flight,
    Forward,
    Landing,
    LostBodyError,
    Relay,
    Request,
)
from gossamer.proxy.exchange import Exchange, NoAnswerError, Received, StaleError
from gossamer.proxy.figures import Figures, Stage
from gossamer.proxy.incoming import Incoming
from gossamer.proxy.permits import CLOCK, NO_TIME, ROBOTS, Denied, Permits, Wish
from gossamer.proxy.refusals import Refused, of_denied, of_unreachable
from gossamer.proxy.reply import Reply
from gossamer.proxy.sequence import Sequences
from gossamer.proxy.stream import GoneError, Stream
from gossamer.proxy.upstream import Upstreams
from gossamer.proxy.wire.framing import NOTHING
from gossamer.proxy.wire.hops import response_block, via
from gossamer.proxy.wire.response import ResponseHead, lines

CACHE, SERVER, OURSELVES = "cache", "server", "ourselves"  # who answers
# What robots.txt forbids stays forbidden, and the usual rest of a host is soon over.
_NOT_GONE: Final = frozenset({ROBOTS, CLOCK})
_IN_LINE: Final = "Somebody else's request for this page is in line: its turn did not come in time."


@dataclass(slots=True)
class Parts:
    """What all requests share."""

    config: Config
    permits: Permits
    upstreams: Upstreams
    cache: Cache
    figures: Figures
    name: bytes  # by which we know ourselves in Via
    agent: bytes
    sequences: Sequences = field(default_factory=Sequences)
    refreshing: "set[asyncio.Task[None]]" = field(default_factory=set)


class Handled(NamedTuple):
    """Who answered a request, and why, where it was not the server."""

    by: str
    reason: str = ""


FROM_CACHE: Final = Handled(CACHE)
FROM_SERVER: Final = Handled(SERVER)


async def handle(
    parts: Parts, incoming: Incoming, reply: Reply, asked: Answer | Forward | Flight | None = None
) -> Handled:
    """Answer a request; `asked` is what the cache says, if it was asked."""
    has_body = incoming.body.framing != NOTHING
    request = Request(incoming.method, incoming.url, incoming.asked.fields, has_body)
    if asked is None:
        asked = parts.cache.ask(request)
    while isinstance(asked, Flight):
        if not await _landed(parts, incoming, asked):
            # When that turn comes is not known here: not before the host had a rest.
            denied = Denied(CLOCK, _IN_LINE, parts.config.politeness.delay)
            return await _deny(incoming, denied, reply)
        asked = parts.cache.ask(request, waited=asked.landing is not Landing.NOTHING)
    if isinstance(asked, Answer):
        reply.keeps_alive = reply.keeps_alive and incoming.is_whole
        if (refresh := asked.take_refresh()) is not None:
            _refresh(parts, incoming, refresh)
        return await send_stored(asked, reply)
    with asked as forward:
        return await _forward(parts, incoming, forward, reply)


async def refuse(reply: Reply, refused: Refused) -> Handled:
    """Answer a request ourselves."""
    await reply.refuse(refused)
    return Handled(OURSELVES, refused.why)


async def send_stored(answer: Answer, reply: Reply) -> Handled:
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


async def _landed(parts: Parts, incoming: Incoming, flight: Flight) -> bool:
    """Wait for somebody else's fetch of the same page; False where its turn does not come in time."""
    left = _patience(incoming)
    incoming.entry.waits()
    await _within(left, flight)
    if flight.is_sent and not flight.has_landed:
        await _within(parts.config.proxy.max_time, flight)
    return flight.is_sent or flight.has_landed


async def _within(time: timedelta, flight: Flight) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(time.total_seconds()):
            await flight.landed()


def _patience(incoming: Incoming) -> timedelta:
    """How much longer a request waits for a turn, its own or that of somebody else."""
    return max(incoming.asked.patience - incoming.entry.waited, NO_TIME)


async def _deny(incoming: Incoming, denied: Denied, reply: Reply) -> Handled:
    reply.keeps_alive = reply.keeps_alive and incoming.is_whole
    return await refuse(reply, of_denied(denied))


async def _denied(incoming: Incoming, forward: Forward, denied: Denied, reply: Reply) -> Handled:
    """Say why nothing is sent, or send something old where the host is as good as gone."""
    stored = None if denied.rule in _NOT_GONE else forward.failed(denied.rule)
    if stored is None:
        return await _deny(incoming, denied, reply)
    reply.keeps_alive = reply.keeps_alive and incoming.is_whole
    await send_stored(stored, reply)
    return Handled(CACHE, denied.why)


async def _forward(parts: Parts, incoming: Incoming, forward: Forward, reply: Reply) -> Handled:
    try:
        await incoming.gather()
    except BrokenBodyError as error:
        reply.keeps_alive = False
        return await refuse(reply, Refused(400, f"The body of the request is no good: {error}"))
    for fresh in (False, True):
        # The server may have seen what was lost: it is sent again when its turn comes again.
        with suppress(StaleError):
            return await _sent(parts, incoming, forward, reply, fresh=fresh)
    raise AssertionError("a fresh connection is never stale")


async def _sent(
    parts: Parts, incoming: Incoming, forward: Forward, reply: Reply, *, fresh: bool
) -> Handled:
    wish = Wish(incoming.url, _patience(incoming), incoming.client, parts.config.proxy.max_time)
    incoming.entry.waits()
    permit = await parts.permits.ask(wish)
    if isinstance(permit, Denied):
        return await _denied(incoming, forward, permit, reply)
    incoming.entry.goes(Stage.ASKING)
    exchange = Exchange(parts.config, parts.upstreams, parts.agent, incoming, permit, reply)
    forward.sent()
    answer = exchange.ask(forward.fields, fresh=fresh)
    return await _exchanged(parts, incoming, forward, exchange, answer, reply)


async def go_on(
    parts: Parts, incoming: Incoming, forward: Forward, exchange: Exchange, reply: Reply
) -> Handled:
    """Answer a request that was sent, when its answer comes."""
    with forward:
        with suppress(StaleError):
            answer = exchange.answer()
            return await _exchanged(parts, incoming, forward, exchange, answer, reply)
        return await _sent(parts, incoming, forward, reply, fresh=True)


async def _exchanged(
    parts: Parts,
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
            return await _unanswered(forward, error, reply)
        incoming.entry.stage = Stage.ANSWERING
        return await _answered(parts, forward, exchange, received, reply)
    finally:
        await exchange.close()


async def _unanswered(forward: Forward, error: NoAnswerError, reply: Reply) -> Handled:
    stored = forward.failed(error.trouble.cause)
    if stored is None:
        return await refuse(reply, of_unreachable(error.trouble))
    await send_stored(stored, reply)
    return Handled(CACHE, str(error))


async def _answered(
    parts: Parts, forward: Forward, exchange: Exchange, received: Received, reply: Reply
) -> Handled:
    passed = forward.answered(received.head.status, received.head.fields)
    if isinstance(passed, Answer):
        exchange.finish(received)  # a body that comes with it is not read
        return await send_stored(passed, reply)
    head = received.head
    via_us = via(head.named, head.minor, parts.name)
    reply.begin(passed.status, block_of(head, passed), received.framing, via_us)
    try:
        await _stream(exchange, received, passed, reply)
    except NoAnswerError as error:
        exchange.report(received.head)
        reply.break_off()
        return Handled(SERVER, str(error))
    passed.done()
    exchange.finish(received)  # before the client has taken all of it: the host's turn is over
    parts.figures.received += exchange.received
    await reply.end()
    return FROM_SERVER


def block_of(head: ResponseHead, passed: Relay) -> bytes:
    """The header lines of an answer that is passed on."""
    return response_block(head) + _added_lines(passed.added)


_added_lines = lru_cache(256)(lines)  # a site's answers mostly mean the same to a cache


async def _stream(exchange: Exchange, received: Received, passed: Relay, reply: Reply) -> None:
    """Send the body on as it comes, no faster than it is taken."""
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


def _refresh(parts: Parts, incoming: Incoming, forward: Forward) -> None:
    """Fetch a page anew behind the client's back, whether it stays or not."""
    task = asyncio.create_task(_refreshed(parts, incoming, forward))
    parts.refreshing.add(task)
    task.add_done_callback(parts.refreshing.discard)


async def _refreshed(parts: Parts, incoming: Incoming, forward: Forward) -> None:
    nobody = Stream()
    nobody.ended = nobody.lost = True
    asked = incoming.asked._replace(method="GET")  # the client may have wanted the head alone
    entry = parts.figures.enter(incoming.client, asked.method, asked.url)
    body = Body(nobody, NOTHING)
    again = Incoming(asked, incoming.client, body, incoming.body_timeout, entry)
    try:
        with forward, suppress(GoneError):
            await _forward(parts, again, forward, Reply(nobody, parts.name))
    finally:
        parts.figures.entries.discard(entry)
