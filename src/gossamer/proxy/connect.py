"""CONNECT: a tunnel, or a conversation in which we are the server that the client wants to speak to."""

import asyncio
from datetime import timedelta
from typing import Final, NamedTuple

from gossamer.errors import GossamerError
from gossamer.proxy.asked import read_patience
from gossamer.proxy.handling import OURSELVES, Handled, refuse
from gossamer.proxy.noting import Note
from gossamer.proxy.parting import Parting
from gossamer.proxy.refusals import Refused, of_malformed
from gossamer.proxy.reply import Reply
from gossamer.proxy.serving import Certificates, Serving
from gossamer.proxy.tunnel import refused_port, tunnel
from gossamer.proxy.wire.fields import Malformed
from gossamer.proxy.wire.request import RequestHead
from gossamer.proxy.wire.target import Authority, read_authority
from gossamer.urls import origin_of

TLS_SECONDS: Final = 10.0  # to agree on a secret
_NESTED: Final = Refused(400, "There is no CONNECT inside CONNECT.")
_TOO_SOON: Final = Refused(400, "What came right behind CONNECT would not be part of TLS.")


class Connected(NamedTuple):
    """What came of a CONNECT."""

    handled: Handled
    inside: str | None = None  # the origin that the client takes us for from here on


async def connect(
    serving: Serving,
    stream: Parting,
    head: RequestHead,
    client: str,
    reply: Reply,
    note: Note,
    origin: str | None,
) -> Connected:
    """Let a client through to a server, or be that server; `origin`: which one we are already."""
    parts, proxy = serving.parts, serving.proxy
    authority = read_authority(head.target, head.hosts, head.minor)
    if isinstance(authority, Malformed):
        return Connected(await refuse(reply, of_malformed(authority)))
    patience = read_patience(head.named, proxy.max_wait)
    port = refused_port(authority, proxy.connect_ports)
    is_open = port is not None and authority.is_plain  # as Node's fetch asks for http
    for refused in (None if is_open else port, None if origin is None else _NESTED, patience):
        if isinstance(refused, Refused):
            return Connected(await refuse(reply, refused))
    assert isinstance(patience, timedelta)
    note.entry = parts.figures.enter(client, head.method, authority.url)
    if is_open:
        reply.establish()
        return _inside(authority, reply)
    certificates = serving.certificates
    is_secure = not authority.is_plain  # as far as a port tells
    if is_secure and certificates is not None and certificates.covers(authority.host):
        return await _look_into(serving, stream, authority, reply, certificates)
    return Connected(await tunnel(parts, stream, authority, note.entry, patience, reply))


async def _look_into(
    serving: Serving,
    stream: Parting,
    authority: Authority,
    reply: Reply,
    certificates: Certificates,
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
    secured.set_write_buffer_limits(high=serving.proxy.buffer_bytes)
    return _inside(authority, reply)


def _inside(authority: Authority, reply: Reply) -> Connected:
    reply.keeps_alive = True
    return Connected(Handled(OURSELVES), origin_of(authority.url))
