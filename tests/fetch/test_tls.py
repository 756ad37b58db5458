"""TLS, HTTP/2 and tunnels, with certificates made for the run."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta

import pytest
from tests.fetch.authority import Authority
from tests.fetch.name_server import resolver_of
from tests.fetch.servers import (
    AGENT,
    QUICK,
    Conversation,
    Server,
    answered,
    answering,
    failure,
    ok,
    serving,
)

from gossamer.config import Fetch
from gossamer.fetch.http import HttpFetcher
from gossamer.model import BodyState, Cause, Url

PAGE = Url("https://site.test/page")
HELLO = answering(ok(b"hello"), then="keep")
DATA, HEADERS, RST_STREAM, SETTINGS = 0, 1, 3, 4
END_STREAM, END_HEADERS, ACK = 1, 4, 1
HTTP_1_1_REQUIRED = 0x0D


def frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    """One frame of HTTP/2 (RFC 9113 §4.1)."""
    head = len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big")
    return head + payload


async def http2(conversation: Conversation) -> None:
    """The least of an HTTP/2 server: `:status 200` and a body, or a body that breaks off."""
    assert conversation.request == b"PRI * HTTP/2.0\r\n\r\n"
    await conversation.read(len(b"SM\r\n\r\n"))
    await conversation.say(frame(SETTINGS, 0, 0))
    for _ in range(100):
        head = await conversation.read(9)
        await conversation.read(int.from_bytes(head[:3], "big"))
        kind, flags, stream = head[3], head[4], int.from_bytes(head[5:], "big")
        if kind == SETTINGS and not flags & ACK:
            await conversation.say(frame(SETTINGS, ACK, 0))
        elif kind == HEADERS:
            status = frame(HEADERS, END_HEADERS, stream, b"\x88")  # HPACK: entry 8 of its table
            await conversation.say(status + frame(DATA, END_STREAM, stream, b"hello"))


async def http2_broken(conversation: Conversation) -> None:
    await conversation.read(len(b"SM\r\n\r\n"))
    broken = frame(HEADERS, END_HEADERS, 1, b"\x88") + frame(DATA, 0, 1, b"hel")
    cancel = frame(RST_STREAM, 0, 1, (2).to_bytes(4, "big"))
    await conversation.say(frame(SETTINGS, 0, 0) + broken + cancel)
    await conversation.client_gone()


def trusting(authority: Authority, server: Server, limits: Fetch = QUICK) -> HttpFetcher:
    return HttpFetcher(server.fetch(limits, ca=str(authority.file)), AGENT)


def test_a_certificate_is_checked_against_the_name_in_the_url(authority: Authority) -> None:
    names: list[str] = []
    tls = authority.server_side()
    tls.sni_callback = lambda _, name, __: names.append(name)

    async def run() -> None:
        async with serving(HELLO, tls) as server, trusting(authority, server) as http:
            assert answered(await http.get(PAGE)).body == b"hello"
            assert names == ["site.test"]
            other = failure(await http.get(Url("https://other.test/")))
            assert other.cause is Cause.CERTIFICATE
            assert len(server.requests) == 1

    asyncio.run(run())


def test_the_name_is_checked_where_the_address_was_looked_up(authority: Authority) -> None:
    async def run() -> None:
        async with serving(HELLO, authority.server_side()) as server:
            fetch = replace(QUICK, ca=str(authority.file), allow_net=("127.0.0.0/8",))
            resolver = resolver_of(lambda name: ["127.0.0.1"])
            async with HttpFetcher(fetch, AGENT, resolver=resolver) as http:
                by_name = Url(f"https://www.example.org:{server.port}/")
                assert answered(await http.get(by_name)).body == b"hello"
                by_another = Url(f"https://example.org:{server.port}/")
                assert failure(await http.get(by_another)).cause is Cause.CERTIFICATE
                by_address = Url(f"https://127.0.0.1:{server.port}/")
                assert answered(await http.get(by_address)).body == b"hello"

    asyncio.run(run())


def test_an_authority_nobody_named_is_not_trusted(authority: Authority) -> None:
    async def run() -> None:
        async with serving(HELLO, authority.server_side()) as server:
            async with HttpFetcher(server.fetch(), AGENT) as http:
                assert failure(await http.get(PAGE)).cause is Cause.CERTIFICATE
            assert server.requests == []

    asyncio.run(run())


def test_a_server_that_speaks_no_tls_fails_the_handshake(authority: Authority) -> None:
    async def plain(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(100)
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()
        await writer.wait_closed()

    async def run() -> None:
        server = await asyncio.start_server(plain, "127.0.0.1", 0)
        async with server, trusting(authority, Server(server.sockets[0].getsockname()[1])) as http:
            assert failure(await http.get(PAGE)).cause is Cause.TLS

    asyncio.run(run())


def test_a_handshake_that_hangs_is_a_connection_that_does_not_come_about(
    authority: Authority,
) -> None:
    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()
        await writer.wait_closed()

    async def run() -> None:
        server = await asyncio.start_server(silent, "127.0.0.1", 0)
        limits = replace(QUICK, connect_timeout=timedelta(seconds=0.2))
        port = server.sockets[0].getsockname()[1]
        async with server, trusting(authority, Server(port), limits) as http:
            assert failure(await http.get(PAGE)).cause is Cause.TIMEOUT_CONNECT

    asyncio.run(run())


def test_http_2_is_spoken_where_the_server_can(authority: Authority) -> None:
    async def run() -> None:
        tls = authority.server_side("h2", "http/1.1")
        async with serving(http2, tls) as server, trusting(authority, server) as http:
            for _ in range(3):
                got = answered(await http.get(PAGE))
                assert (got.status, got.body, got.http_version) == (200, b"hello", "2")
                assert got.body_state is BodyState.WHOLE
            assert server.connections == 1

    asyncio.run(run())


def test_http_1_is_spoken_where_the_server_cannot(authority: Authority) -> None:
    async def run() -> None:
        tls = authority.server_side("http/1.1")
        async with serving(HELLO, tls) as server, trusting(authority, server) as http:
            assert answered(await http.get(PAGE)).http_version == "1.1"

    asyncio.run(run())


async def no_http2(conversation: Conversation) -> None:
    """A server that lets itself be asked by HTTP/2 and then wants HTTP/1.1 (RFC 9113 §7)."""
    if conversation.request.startswith(b"GET "):
        await conversation.say(ok(b"hello"))
        return
    await conversation.read(len(b"SM\r\n\r\n"))
    wanted = frame(RST_STREAM, 0, 1, HTTP_1_1_REQUIRED.to_bytes(4, "big"))
    await conversation.say(frame(SETTINGS, 0, 0))
    while (head := await conversation.read(9))[3] != HEADERS:
        await conversation.read(int.from_bytes(head[:3], "big"))
    await conversation.say(wanted)
    await conversation.client_gone()


def test_a_server_that_wants_http_1_is_asked_so_at_the_next_attempt(authority: Authority) -> None:
    async def run() -> None:
        tls = authority.server_side("h2", "http/1.1")
        async with serving(no_http2, tls) as server, trusting(authority, server) as http:
            lost = failure(await http.get(PAGE))
            assert (lost.cause, lost.cause.transient) == (Cause.CLOSED, True)
            assert [each[:3] for each in server.requests] == [b"PRI"]  # curl has not sent it twice
            for _ in range(2):
                got = answered(await http.get(PAGE))
                assert (got.body, got.http_version) == (b"hello", "1.1")
            assert [each[:3] for each in server.requests] == [b"PRI", b"GET", b"GET"]

    asyncio.run(run())


def test_a_stream_of_http_2_that_breaks_off_is_marked(authority: Authority) -> None:
    async def run() -> None:
        tls = authority.server_side("h2")
        async with serving(http2_broken, tls) as server, trusting(authority, server) as http:
            got = answered(await http.get(PAGE))
            assert (got.body, got.body_state) == (b"hel", BodyState.TRUNCATED)

    asyncio.run(run())


@asynccontextmanager
async def tunnelling(to: Server) -> AsyncIterator[Server]:
    """A proxy that knows CONNECT and takes every tunnel to one server."""

    async def connect(conversation: Conversation) -> None:
        assert conversation.request.startswith(b"CONNECT ")
        reader, writer = await asyncio.open_connection("127.0.0.1", to.port)
        await conversation.say(b"HTTP/1.1 200 Connection established\r\nVia: us\r\n\r\n")
        try:
            await conversation.relay(reader, writer)
        finally:
            writer.close()

    async with serving(connect) as proxy:
        yield proxy


def test_a_tunnel_through_a_proxy_hides_the_proxys_own_answer(authority: Authority) -> None:
    async def run() -> None:
        async with serving(HELLO, authority.server_side()) as server, tunnelling(server) as proxy:
            upstream = f"http://me:secret@127.0.0.1:{proxy.port}"
            fetch = replace(QUICK, ca=str(authority.file), upstream_proxy=upstream)
            async with HttpFetcher(fetch, AGENT) as http:
                got = answered(await http.get(Url("https://www.example.org/page")))
                assert (got.body, got.header("via"), got.address) == (b"hello", None, None)
            assert proxy.requests[0].startswith(b"CONNECT www.example.org:443 ")
            assert b"Proxy-Authorization: Basic " in proxy.requests[0]
            assert b"Authorization" not in server.requests[0]

    asyncio.run(run())


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def test_both_present_versions_of_tls_are_spoken(
    authority: Authority, version: ssl.TLSVersion
) -> None:
    async def run() -> None:
        tls = authority.server_side()
        tls.minimum_version = tls.maximum_version = version
        async with serving(HELLO, tls) as server, trusting(authority, server) as http:
            assert answered(await http.get(PAGE)).body == b"hello"

    asyncio.run(run())
