"""CONNECT: bytes both ways that nobody looks into. One a host, in turn with all others there.

What is asked inside is not paced and no robots.txt is heeded for it, so a tunnel counts as one request
that lasts until it closes, and does not last for ever.
"""

import asyncio
import time
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from gossamer.fetch.names import Unreachable
from gossamer.moments import now_utc
from gossamer.polite import NEVER_SENT
from gossamer.politeness.outcome import Reported
from gossamer.proxy.figures import Entry, Stage
from gossamer.proxy.handling import OURSELVES, SERVER, Handled, Parts, refuse
from gossamer.proxy.parting import Parting
from gossamer.proxy.permits import Denied, Permit, Wish
from gossamer.proxy.refusals import Refused, of_denied, of_unreachable
from gossamer.proxy.reply import Reply
from gossamer.proxy.stream import GoneError, Stream
from gossamer.proxy.upstream import Upstream
from gossamer.proxy.wire.target import Authority

PURPOSE: Final = "tunnel"  # as the log has it
LOOK_SECONDS: Final = 0.5
LAST_WORDS_SECONDS: Final = 1.0  # for what a client still sends to a server that says no more


def refused_port(authority: Authority, ports: tuple[str, ...]) -> Refused | None:
    """Why CONNECT may not lead to this port, if so."""
    if "*" in ports or str(authority.port) in ports:
        return None
    why = f"CONNECT does not lead to port {authority.port} here (proxy.connect_ports)."
    return Refused(403, why, cause="port")


@dataclass(slots=True)
class Ways:
    """What went through a tunnel."""

    total: int = 0  # bytes
    moved_at: float = field(default_factory=time.monotonic)
    unsent: int = 0  # bytes that were not taken when we last looked

    def carry(self, data: bytes) -> bytes:
        """Count bytes that go through."""
        self.total += len(data)
        self.moved_at = time.monotonic()
        return data

    def look(self, unsent: int) -> None:
        """See whether what was sent is being taken, which is movement too."""
        if unsent < self.unsent:
            self.moved_at = time.monotonic()
        self.unsent = unsent


async def tunnel(
    parts: Parts,
    client: Parting,
    authority: Authority,
    entry: Entry,
    patience: timedelta,
    reply: Reply,
) -> Handled:
    """Connect a client with a server, and wait until they are done with each other."""
    proxy = parts.config.proxy
    entry.waits()
    wish = Wish(authority.url, patience, entry.client, proxy.tunnel_time, PURPOSE)
    permit = await parts.permits.ask(wish)
    if isinstance(permit, Denied):
        return await refuse(reply, of_denied(permit))
    try:
        entry.goes(Stage.TUNNEL)
        return await _connect(parts, client, authority, permit, reply)
    finally:
        permit.abandon("The tunnel was broken off.")


async def _connect(
    parts: Parts, client: Parting, authority: Authority, permit: Permit, reply: Reply
) -> Handled:
    began = time.monotonic()
    upstream = await parts.upstreams.connect(authority.url, tls=False)
    # How long a tunnel lasts says nothing about how hard the server works.
    took = timedelta(seconds=time.monotonic() - began)
    if isinstance(upstream, Unreachable):
        permit.end(Reported(took=took, sent=upstream.cause not in NEVER_SENT))
        return await refuse(reply, of_unreachable(upstream))
    parts.figures.tunnels += 1
    ways = Ways()
    try:
        reply.establish()
        why = await _both_ways(parts, client, upstream, ways, permit)
    finally:
        upstream.abort()
        permit.end(Reported(status=200, took=took, received=upstream.received))
        reply.sent = upstream.received
        parts.figures.tunnel_bytes += ways.total
    why = why or await _taken(parts, client, ways, permit)
    if why is not None:
        client.abort()
        return Handled(OURSELVES, why)
    client.linger()
    return Handled(SERVER)


async def _both_ways(
    parts: Parts, client: Stream, upstream: Upstream, ways: Ways, permit: Permit
) -> str | None:
    """Carry bytes until the server ends, or a limit is reached; which limit.

    A client that says no more may still wait for its answer.
    """
    to_server = asyncio.create_task(_pump(client, upstream, ways))
    to_client = asyncio.create_task(_pump(upstream, client, ways))
    try:
        while not to_client.done():
            await asyncio.wait([to_client], timeout=LOOK_SECONDS)
            ways.look(client.unsent + upstream.unsent)
            if why := _limit(parts, ways, permit):
                return why
        await asyncio.wait([to_server], timeout=LAST_WORDS_SECONDS)
        return None
    finally:
        to_server.cancel()
        to_client.cancel()
        await asyncio.gather(to_server, to_client, return_exceptions=True)


async def _taken(parts: Parts, client: Stream, ways: Ways, permit: Permit) -> str | None:
    """Wait until a client has what its server said, or a limit is reached; which limit."""
    while client.unsent:
        await asyncio.sleep(LOOK_SECONDS)
        ways.look(client.unsent)
        if why := _limit(parts, ways, permit):
            return why
    return None


def _limit(parts: Parts, ways: Ways, permit: Permit) -> str | None:
    proxy, now = parts.config.proxy, time.monotonic()
    if now_utc() >= permit.ends_by:  # which comes sooner where the folder goes to somebody else
        return "The tunnel lasted as long as it may (proxy.tunnel_time)."
    if now - ways.moved_at >= proxy.tunnel_idle.total_seconds():
        return "Nothing moved in the tunnel (proxy.tunnel_idle)."
    if ways.total > proxy.tunnel_bytes:
        return "The tunnel carried as much as it may (proxy.tunnel_bytes)."
    return None


async def _pump(source: Stream, sink: Stream, ways: Ways) -> None:
    try:
        while source.buffer or await source.more():
            sink.write(ways.carry(source.take()))
            await sink.drain()
    except GoneError:
        return
    sink.say_no_more()
