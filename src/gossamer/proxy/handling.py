"""What becomes of a request: the cache, then robots and the clock, then the server; in this order."""

import asyncio
from collections.abc import Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from gossamer.config import Config
from gossamer.proxy.bodies import Body, BrokenBodyError
from gossamer.proxy.cache.protocol import Answer, Cache, Flight, Forward, Relay, Request
from gossamer.proxy.exchange import Exchange, NoAnswerError, Received, StaleError
from gossamer.proxy.figures import Figures, Stage
from gossamer.proxy.incoming import Incoming
from gossamer.proxy.permits import Denied, Permits, Wish
from gossamer.proxy.refusals import Refused, of_denied, of_unreachable
from gossamer.proxy.reply import Reply
from gossamer.proxy.sequence import Sequences
from gossamer.proxy.stream import GoneError, Stream
from gossamer.proxy.upstream import Upstreams
from gossamer.proxy.wire.fields import values
from gossamer.proxy.wire.framing import NOTHING, Sized
from gossamer.proxy.wire.hops import RESPONSE_DROPS, passed_on, via
from gossamer.proxy.wire.response import lines

CACHE, SERVER, OURSELVES = "cache", "server", "ourselves"  # who answers
MOST_PASSING: Final = 2_000
_LENGTH: Final = b"content-length"


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
    passing: set[str] = field(default_factory=set)  # URLs whose answers were not kept last time
    refreshing: "set[asyncio.Task[None]]" = field(default_factory=set)


class Handled(NamedTuple):
    """Who answered a request, and why, where it was not the server."""

    by: str
    reason: str = ""


FROM_CACHE: Final = Handled(CACHE)


async def handle(parts: Parts, incoming: Incoming, reply: Reply) -> Handled:
    """Answer a request."""
    request = Request(incoming.method, incoming.url, incoming.fields)
    asked = parts.cache.ask(request)
    while isinstance(asked, Flight):
        await _landed(parts, incoming, asked)
        asked = parts.cache.ask(request, waited=True)
    if isinstance(asked, Answer):
        reply.keeps_alive = reply.keeps_alive and incoming.is_whole
        await send_stored(asked, reply)
        if asked.refresh is not None:
            _refresh(parts, incoming, asked.refresh)
        return FROM_CACHE
    with asked as forward:
        return await _forward(parts, incoming, forward, reply)


async def refuse(reply: Reply, refused: Refused) -> Handled:
    """Answer a request ourselves."""
    await reply.refuse(refused)
    return Handled(OURSELVES, refused.why)


async def send_stored(answer: Answer, reply: Reply) -> None:
    """Send what the cache has."""
    try:
        reply.begin(answer.status, answer.block, NOTHING)
        reply.write(answer.body)
        for piece in answer.rest:
            reply.write(piece)
            await reply.drain()
        await reply.end()
    finally:
        answer.close()


async def _landed(parts: Parts, incoming: Incoming, flight: Flight) -> None:
    """Wait for somebody else's fetch of the same page, but not for ever."""
    incoming.entry.waits()
    longest = incoming.patience + parts.config.proxy.max_time
    with suppress(TimeoutError):
        async with asyncio.timeout(longest.total_seconds()):
            await flight.landed()


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
    incoming.entry.waits()
    wish = Wish(incoming.url, incoming.patience, incoming.client, parts.config.proxy.max_time)
    permit = await parts.permits.ask(wish)
    if isinstance(permit, Denied):
        reply.keeps_alive = reply.keeps_alive and incoming.is_whole
        return await refuse(reply, of_denied(permit))
    incoming.entry.goes(Stage.ASKING)
    exchange = Exchange(parts.config, parts.upstreams, parts.agent, incoming, permit, reply)
    try:
        forward.sent()
        try:
            received = await exchange.ask(forward.fields, fresh=fresh)
        except NoAnswerError as error:
            return await _unanswered(forward, error, reply)
        incoming.entry.stage = Stage.ANSWERING
        return await _answered(parts, incoming.url, forward, exchange, received, reply)
    finally:
        await exchange.close()


async def _unanswered(forward: Forward, error: NoAnswerError, reply: Reply) -> Handled:
    stored = forward.failed(error.trouble.cause)
    if stored is None:
        return await refuse(reply, of_unreachable(error.trouble))
    await send_stored(stored, reply)
    return Handled(CACHE, str(error))


def _remember(parts: Parts, url: str, *, is_kept: bool) -> None:
    """Note which URLs need not be looked for in the cache's memory."""
    if is_kept:
        parts.passing.discard(url)
        return
    if len(parts.passing) >= MOST_PASSING:
        parts.passing.clear()
    parts.passing.add(url)


async def _answered(
    parts: Parts,
    url: str,
    forward: Forward,
    exchange: Exchange,
    received: Received,
    reply: Reply,
) -> Handled:
    passed = forward.answered(received.head.status, received.head.fields)
    if isinstance(passed, Answer):
        exchange.finish(received)  # a body that comes with it is not read
        await send_stored(passed, reply)
        return FROM_CACHE
    _remember(parts, url, is_kept=passed.is_kept)
    _begin(parts, reply, passed, received)
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
    return Handled(SERVER)


def _begin(parts: Parts, reply: Reply, passed: Relay, received: Received) -> None:
    head, framing = received.head, received.framing
    fields = passed_on(passed.fields, head.named, RESPONSE_DROPS)
    lengths: Sequence[bytes] = [b"%d" % framing.length] if isinstance(framing, Sized) else ()
    if framing == NOTHING:  # of a HEAD, it is what a GET would have
        lengths = values(head.named, _LENGTH)[:1] if head.status not in (204, 304) else ()
    block = lines((*fields, *((b"Content-Length", length) for length in lengths)))
    reply.begin(passed.status, block, framing, via(head.named, head.minor, parts.name))


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
    """Fetch a page anew behind the client's back."""
    task = asyncio.create_task(_refreshed(parts, incoming, forward))
    parts.refreshing.add(task)
    task.add_done_callback(parts.refreshing.discard)


async def _refreshed(parts: Parts, incoming: Incoming, forward: Forward) -> None:
    nobody = Stream()
    nobody.ended = nobody.lost = True
    entry = parts.figures.enter(incoming.client, incoming.method, incoming.url)
    again = replace(incoming, body=Body(nobody, NOTHING), entry=entry)
    try:
        with forward, suppress(GoneError):
            await _forward(parts, again, forward, Reply(nobody, parts.name))
    finally:
        parts.figures.entries.discard(entry)
