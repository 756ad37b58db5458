"""Tunnels: bytes both ways between a client and a server, one tunnel a host, not looked into.

What is asked inside is not paced and no robots.txt is heeded for it, so a tunnel counts as one request that
lasts until it closes, in line with all other requests to its host. It does not last for ever, and where
somebody else waits for the host it lasts no longer than it is used: programs keep their connections open
for a next request that may never come.
"""

import asyncio
import time
from contextlib import closing, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final, NamedTuple

from gossamer.config import Proxy
from gossamer.fetch.names import Unreachable
from gossamer.http.connection import LingeringStream
from gossamer.http.stream import GoneError, Stream
from gossamer.http.wire.request import Authority
from gossamer.moments import now_utc
from gossamer.politeness.ledger import named_client
from gossamer.politeness.outcome import Reported
from gossamer.proxy.access_log import OURSELVES, SERVER, Entry, Handled, Stage
from gossamer.proxy.destinations import heeds_robots
from gossamer.proxy.handling import ProxyParts, refuse
from gossamer.proxy.permits import Denied, Permit, Wish
from gossamer.proxy.refusals import ENDING, of_denied, of_unreachable
from gossamer.proxy.reply import Reply
from gossamer.proxy.spool import SpooledWriter
from gossamer.proxy.upstream import Upstream
from gossamer.sending.right import NEVER_SENT

PURPOSE: Final = "tunnel"  # as the log has it
LOOK_SECONDS: Final = 0.5
QUIET_SECONDS: Final = 1.0  # after which a tunnel that others wait for makes way
LAST_WORDS_SECONDS: Final = 1.0  # for what a client still sends to a server that says no more
HANDSHAKE: Final = 0x16  # the first byte of TLS
# A GET with its Host takes 54 bytes of TLS; what HTTP/2 says besides requests takes 31 to 39.
LEAST_REQUEST_BYTES: Final = 50
MADE_WAY: Final = "Nothing moved in the tunnel for a second, and somebody else waits for its host."


async def tunnel(
    parts: ProxyParts,
    client: LingeringStream,
    authority: Authority,
    entry: Entry,
    name: str | None,
    patience: timedelta,
    reply: Reply,
) -> Handled:
    """Connect a client with a server, and wait until they are done with each other."""
    if parts.is_ending:
        return await refuse(reply, ENDING)
    proxy = parts.config.proxy
    entry.waits()
    heeds = heeds_robots(authority.host, proxy)
    asker = named_client(entry.client, name)
    wish = Wish(authority.url, patience, asker, proxy.tunnel_time, PURPOSE, heeds)
    permit = await parts.permits.ask(wish)
    if isinstance(permit, Denied):
        return await refuse(reply, of_denied(permit))
    try:
        entry.goes(Stage.TUNNEL)
        return await _connect(parts, client, authority, permit, reply)
    finally:
        permit.abandon("The tunnel was broken off.")


@dataclass(slots=True)
class TunnelTraffic:
    """What went through a tunnel, as far as it can be seen from outside. Pure."""

    now: float  # when it began
    total: int = 0  # bytes
    unsent: int = 0  # bytes that were not taken when we last looked
    moved_at: float = field(init=False)  # bytes came or were taken
    _came_at: float = field(init=False)  # bytes came
    _turns: int = 0  # how often the client spoke after the server, or first
    _is_asking: bool = False  # the client spoke last, and said enough to want an answer
    _is_secure: bool = False  # it began as TLS does

    def __post_init__(self) -> None:
        self.moved_at = self._came_at = self.now

    def ask(self, data: bytes, now: float) -> None:
        """Count what the client says."""
        if not self._turns:
            self._is_secure = data[0] == HANDSHAKE
        if not self._is_asking and (not self._is_secure or len(data) >= LEAST_REQUEST_BYTES):
            self._is_asking = True
            self._turns += 1
        self._count(data, now)

    def answer(self, data: bytes, now: float) -> None:
        """Count what the server says."""
        self._is_asking = False
        self._count(data, now)

    def look(self, unsent: int, now: float) -> None:
        """See whether what was sent is being taken, which is movement too."""
        if unsent < self.unsent:
            self.moved_at = now
        self.unsent = unsent

    def is_quiet(self, now: float) -> bool:
        """Whether the server has answered all that it was asked, as far as one can tell, a second ago.

        Whoever has said hello, and has heard the server's, is about to ask.
        """
        is_greeting = self._is_secure and self._turns == 1
        return not (self._is_asking or is_greeting) and now - self._came_at >= QUIET_SECONDS

    def _count(self, data: bytes, now: float) -> None:
        self.total += len(data)
        self.moved_at = self._came_at = now


class TunnelEnd(NamedTuple):
    """Why a tunnel ended before its server did."""

    why: str
    is_cut: bool = True  # what was on its way is lost


async def _connect(
    parts: ProxyParts, client: LingeringStream, authority: Authority, permit: Permit, reply: Reply
) -> Handled:
    began = time.monotonic()
    upstream = await parts.upstreams.connect(authority.url, tls=False)
    # How long a tunnel lasts says nothing about how hard the server works.
    took = timedelta(seconds=time.monotonic() - began)
    if isinstance(upstream, Unreachable):
        sent = upstream.cause not in NEVER_SENT
        permit.finish(Reported(took=took, sent=sent, cause=upstream.cause))
        return await refuse(reply, of_unreachable(upstream))
    parts.figures.tunnels += 1
    traffic, out = TunnelTraffic(time.monotonic()), SpooledWriter(client, parts.spool)
    with closing(out):
        try:
            reply.establish()
            end = await _both_ways(parts, client, upstream, out, traffic, permit)
        finally:
            upstream.abort()
            # What a server says within a tunnel nobody sees: it may be a 503.
            permit.finish(Reported(200, took, received=upstream.received, is_whole=False))
            reply.sent = upstream.received
            parts.figures.tunnel_bytes += traffic.total
        if end is None or not end.is_cut:
            end = await _wait_until_taken(parts, out, traffic, permit) or end
    if end is not None and end.is_cut:
        client.abort()
        return Handled(OURSELVES, end.why)
    client.linger()
    return Handled(SERVER, "" if end is None else end.why)


async def _both_ways(
    parts: ProxyParts,
    client: Stream,
    upstream: Upstream,
    out: SpooledWriter,
    traffic: TunnelTraffic,
    permit: Permit,
) -> TunnelEnd | None:
    """Carry bytes until the server ends, a limit is reached, or it makes way for others; why, if so.

    A client that says no more may still wait for its answer.
    """
    host = upstream.destination.host
    to_server = asyncio.create_task(_carry_questions(client, upstream, traffic))
    to_client = asyncio.create_task(_carry_answers(upstream, out, traffic))
    try:
        while not to_client.done():
            await asyncio.wait([to_client], timeout=LOOK_SECONDS)
            now = time.monotonic()
            traffic.look(out.unsent + upstream.unsent, now)
            if end := _limit(parts.config.proxy, traffic, permit, now):
                return end
            is_quiet = traffic.is_quiet(now) and not out.is_blocked
            if is_quiet and (permit.is_wanted or parts.permits.is_wanted(host) or parts.is_ending):
                return TunnelEnd(MADE_WAY, is_cut=False)
        if not out.is_spooling:
            client.say_no_more()
        await asyncio.wait([to_server], timeout=LAST_WORDS_SECONDS)
        return None
    finally:
        to_server.cancel()
        to_client.cancel()
        await asyncio.gather(to_server, to_client, return_exceptions=True)


async def _wait_until_taken(
    parts: ProxyParts, out: SpooledWriter, traffic: TunnelTraffic, permit: Permit
) -> TunnelEnd | None:
    """Wait until a client has what its server said, or a limit is reached; which limit."""
    while out.unsent:
        await asyncio.sleep(LOOK_SECONDS)
        now = time.monotonic()
        traffic.look(out.unsent, now)
        if end := _limit(parts.config.proxy, traffic, permit, now):
            return end
    return None


def _limit(proxy: Proxy, traffic: TunnelTraffic, permit: Permit, now: float) -> TunnelEnd | None:
    if now_utc() >= permit.ends_by:  # which comes sooner where the folder goes to somebody else
        return TunnelEnd("The tunnel lasted as long as it may (proxy.tunnel_time).")
    if now - traffic.moved_at >= proxy.tunnel_idle.total_seconds():
        return TunnelEnd("Nothing moved in the tunnel (proxy.tunnel_idle).")
    if traffic.total > proxy.tunnel_bytes:
        return TunnelEnd("The tunnel carried as much as it may (proxy.tunnel_bytes).")
    return None


async def _carry_questions(client: Stream, upstream: Stream, traffic: TunnelTraffic) -> None:
    try:
        while client.buffer or await client.more():
            data = client.take()
            traffic.ask(data, time.monotonic())
            upstream.write(data)
            await upstream.drain()
    except GoneError:
        return
    upstream.say_no_more()


async def _carry_answers(upstream: Stream, out: SpooledWriter, traffic: TunnelTraffic) -> None:
    with suppress(GoneError):
        while upstream.buffer or await upstream.more():
            data = upstream.take()
            traffic.answer(data, time.monotonic())
            out.write(data)
            await out.drain()
