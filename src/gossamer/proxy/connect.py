"""CONNECT: a tunnel (`tunnel.py`), or a conversation in which we are the server that the client wants to speak to."""

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

from gossamer.errors import GossamerError
from gossamer.http.connection import LingeringStream
from gossamer.http.wire.fields import Malformed
from gossamer.http.wire.request import Authority, RequestHead, read_authority
from gossamer.proxy.access_log import OURSELVES, Handled, Note
from gossamer.proxy.destinations import may_intercept, refused_host
from gossamer.proxy.handling import ProxyParts, refuse
from gossamer.proxy.refusals import Refused, of_malformed
from gossamer.proxy.reply import Reply
from gossamer.proxy.request import read_name, read_patience
from gossamer.proxy.tunnel import tunnel
from gossamer.urls import origin_of

if TYPE_CHECKING:
    from gossamer.proxy.certificates import Certificates

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
    name = read_name(head.named)
    for refused in (None if is_open else port, nested, host, patience, name):
        if isinstance(refused, Refused):
            return Connected(await refuse(reply, refused))
    assert isinstance(patience, timedelta)
    assert not isinstance(name, Refused)
    note.entry = parts.figures.enter(client, head.method, authority.url)
    if is_open:
        reply.establish()
        return _inside(authority, reply)
    certificates = parts.certificates
    # As far as a port tells, and the operator wants.
    is_secure = not authority.is_plain and may_intercept(authority.host, proxy)
    if is_secure and certificates is not None and certificates.covers(authority.host):
        return await _look_into(parts, stream, authority, reply, certificates)
    return Connected(await tunnel(parts, stream, authority, note.entry, name, patience, reply))


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
