"""CONNECT: a tunnel, or a conversation in which we are the server that the client wants to speak to.

A tunnel carries bytes both ways and is not looked into. What is asked inside is not paced and no robots.txt
is heeded for it, so a tunnel counts as one request that lasts until it closes; there is one a host, in line
with all other requests there, and it does not last for ever.
"""

import asyncio
import time
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

from gossamer.errors import GossamerError
from gossamer.fetch.names import Unreachable
from gossamer.http.connection import LingeringStream
from gossamer.http.stream import GoneError, Stream
from gossamer.http.wire.fields import Malformed
from gossamer.http.wire.request import Authority, RequestHead, read_authority
from gossamer.moments import now_utc
from gossamer.politeness.outcome import Reported
from gossamer.proxy.access_log import OURSELVES, SERVER, Entry, Handled, Note, Stage
from gossamer.proxy.destinations import heeds_robots, may_intercept, refused_host
from gossamer.proxy.handling import ProxyParts, refuse
from gossamer.proxy.permits import Denied, Permit, Wish
from gossamer.proxy.refusals import Refused, of_denied, of_malformed, of_unreachable
from gossamer.proxy.reply import Reply
from gossamer.proxy.request import read_patience
from gossamer.proxy.upstream import Upstream
from gossamer.sending.right import NEVER_SENT
from gossamer.urls import origin_of

if TYPE_CHECKING:
    from gossamer.proxy.certificates import Certificates

PURPOSE: Final = "tunnel"  # as the log has it
LOOK_SECONDS: Final = 0.5
LAST_WORDS_SECONDS: Final = 1.0  # for what a client still sends to a server that says no more
TLS_SECONDS: Final = 10.0  # to agree on a secret
_NESTED: Final = Refused(400, "There is no CONNECT inside CONNECT.")
_TOO_SOON: Final = Refused(400, "What came right behind CONNECT would not be part of TLS.")


class Connected(NamedTuple):
    """What came of a CONNECT."""

    handled: Handled
    inside: str | None = None  # the origin that the client takes us for from here on


async def connect(
    parts: ProxyParts,
    stream: LingeringStream,
    head: RequestHead,
    client: str,
    reply: Reply,
    note: Note,
    origin: str | None,
) -> Connected:
    """Let a client through to a server, or be that server; `origin`: which one we are already."""
    proxy = parts.proxy
    authority = read_authority(head.target, head.hosts, head.minor)
    if isinstance(authority, Malformed):
        return Connected(await refuse(reply, of_malformed(authority)))
    patience = read_patience(head.named, proxy.max_wait)
    port = refused_port(authority, proxy.connect_ports)
    is_open = port is not None and authority.is_plain  # as Node's fetch asks for http
    host = refused_host(authority.host, proxy)
    nested = None if origin is None else _NESTED
    for refused in (None if is_open else port, nested, host, patience):
        if isinstance(refused, Refused):
            return Connected(await refuse(reply, refused))
    assert isinstance(patience, timedelta)
    note.entry = parts.figures.enter(client, head.method, authority.url)
    if is_open:
        reply.establish()
        return _inside(authority, reply)
    certificates = parts.certificates
    # As far as a port tells, and the operator wants.
    is_secure = not authority.is_plain and may_intercept(authority.host, proxy)
    if is_secure and certificates is not None and certificates.covers(authority.host):
        return await _look_into(parts, stream, authority, reply, certificates)
    return Connected(await tunnel(parts, stream, authority, note.entry, patience, reply))


async def _look_into(
    parts: ProxyParts,
    stream: LingeringStream,
    authority: Authority,
    reply: Reply,
    certificates: "Certificates",
) -> Connected:
    """Be the server that the client wants to speak to; the same rules hold inside."""
    try:
        context = await certificates.certificate_for(authority.host)
    except GossamerError as error:  # our authority has ended meanwhile
        return Connected(await refuse(reply, Refused(503, str(error), cause="authority")))
    if stream.buffer:  # somebody on the way may have put it there: it is not to look secure
        reply.keeps_alive = False
        return Connected(await refuse(reply, _TOO_SOON))
    reply.establish()
    try:
        async with asyncio.timeout(TLS_SECONDS):
            secured = await asyncio.get_running_loop().start_tls(
                stream.transport, stream, context, server_side=True
            )
    except (OSError, TimeoutError) as error:
        stream.abort()
        why = f"The client did not agree to our certificate: {error}"
        return Connected(Handled(OURSELVES, why))
    if secured is None:  # it left meanwhile
        return Connected(Handled(OURSELVES, "The client left."))
    stream.transport = secured
    secured.set_write_buffer_limits(high=parts.proxy.buffer_bytes)
    return _inside(authority, reply)


def _inside(authority: Authority, reply: Reply) -> Connected:
    reply.keeps_alive = True
    return Connected(Handled(OURSELVES), origin_of(authority.url))


def refused_port(authority: Authority, ports: tuple[str, ...]) -> Refused | None:
    """Why CONNECT may not lead to this port, if so."""
    if "*" in ports or str(authority.port) in ports:
        return None
    why = f"CONNECT does not lead to port {authority.port} here (proxy.connect_ports)."
    return Refused(403, why, cause="port")


async def tunnel(
    parts: ProxyParts,
    client: LingeringStream,
    authority: Authority,
    entry: Entry,
    patience: timedelta,
    reply: Reply,
) -> Handled:
    """Connect a client with a server, and wait until they are done with each other."""
    proxy = parts.config.proxy
    entry.waits()
    heeds = heeds_robots(authority.host, proxy)
    wish = Wish(authority.url, patience, entry.client, proxy.tunnel_time, PURPOSE, heeds)
    permit = await parts.permits.ask(wish)
    if isinstance(permit, Denied):
        return await refuse(reply, of_denied(permit))
    try:
        entry.goes(Stage.TUNNEL)
        return await _connect(parts, client, authority, permit, reply)
    finally:
        permit.abandon("The tunnel was broken off.")


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


async def _connect(
    parts: ProxyParts, client: LingeringStream, authority: Authority, permit: Permit, reply: Reply
) -> Handled:
    began = time.monotonic()
    upstream = await parts.upstreams.connect(authority.url, tls=False)
    # How long a tunnel lasts says nothing about how hard the server works.
    took = timedelta(seconds=time.monotonic() - began)
    if isinstance(upstream, Unreachable):
        permit.finish(Reported(took=took, sent=upstream.cause not in NEVER_SENT))
        return await refuse(reply, of_unreachable(upstream))
    parts.figures.tunnels += 1
    ways = Ways()
    try:
        reply.establish()
        why = await _both_ways(parts, client, upstream, ways, permit)
    finally:
        upstream.abort()
        permit.finish(Reported(status=200, took=took, received=upstream.received))
        reply.sent = upstream.received
        parts.figures.tunnel_bytes += ways.total
    why = why or await _wait_until_taken(parts, client, ways, permit)
    if why is not None:
        client.abort()
        return Handled(OURSELVES, why)
    client.linger()
    return Handled(SERVER)


async def _both_ways(
    parts: ProxyParts, client: Stream, upstream: Upstream, ways: Ways, permit: Permit
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


async def _wait_until_taken(
    parts: ProxyParts, client: Stream, ways: Ways, permit: Permit
) -> str | None:
    """Wait until a client has what its server said, or a limit is reached; which limit."""
    while client.unsent:
        await asyncio.sleep(LOOK_SECONDS)
        ways.look(client.unsent)
        if why := _limit(parts, ways, permit):
            return why
    return None


def _limit(parts: ProxyParts, ways: Ways, permit: Permit) -> str | None:
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
