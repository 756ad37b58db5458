"""HTTPS: asked for in plain text, through tunnels, and looked into."""

import asyncio
import ssl
from datetime import timedelta
from pathlib import Path

import pytest
from tests.proxy.origin import PAGE
from tests.proxy.proxied import Client, Proxied, run, running, until

from gossamer.config import Fetch, Politeness
from gossamer.proxy.authority import Authority
from gossamer.proxy.certificates import Certificates

URL = "https://secure.test/"
SHORT = Politeness(delay=timedelta(milliseconds=200), contact="me@example.org")


async def secured(proxied: Proxied, client: Client, authority: Authority) -> Client:
    """The same connection with TLS inside a tunnel."""
    await client.send(b"CONNECT secure.test:443 HTTP/1.1\r\nHost: secure.test:443\r\n\r\n")
    head = await client.reader.readuntil(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 "), head
    context = ssl.create_default_context(cafile=str(authority.file))
    await client.writer.start_tls(context, server_hostname="secure.test")
    return client


async def ask_inside(client: Client, path: str, host: str = "secure.test") -> int:
    await client.send(f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
    return (await client.reply()).status


def test_https_may_be_asked_for_in_plain_text(
    tmp_path: Path, tls: ssl.SSLContext, test_authority: Authority
) -> None:
    async def work() -> None:
        fetch = Fetch(ca=str(test_authority.file))
        async with (
            running(tmp_path, fetch=fetch, tls=tls) as proxied,
            proxied.connected() as client,
        ):
            assert (await client.get(URL)).body == PAGE
            assert (await client.get(URL + "private/x")).status == 403
            assert (await client.get("http://a.test/")).body == PAGE

    run(work())


def test_a_certificate_that_is_not_to_be_trusted_is_no_answer(
    tmp_path: Path, tls: ssl.SSLContext, test_authority: Authority
) -> None:
    async def work() -> None:
        async with running(tmp_path, tls=tls) as proxied:  # which trusts the usual ones
            # Its robots.txt cannot be asked for either, so the host is closed.
            assert (await proxied.get(URL)).status == 403
        fetch = Fetch(ca=str(test_authority.file))
        async with running(tmp_path / "b", fetch=fetch, tls=tls) as proxied:
            other = await proxied.get("https://other.secure.test/")
            assert other.status in (403, 502)
            assert proxied.web.pages() == []

    run(work())


def test_a_tunnel_carries_tls_as_it_is(
    tmp_path: Path, tls: ssl.SSLContext, test_authority: Authority
) -> None:
    async def work() -> None:
        fetch = Fetch(ca=str(test_authority.file))
        async with running(tmp_path, fetch=fetch, tls=tls) as proxied:
            async with proxied.connected() as client:
                inside = await secured(proxied, client, test_authority)
                assert await ask_inside(inside, "/") == 200
                assert await ask_inside(inside, "/private/x") == 200  # nobody looks into it
            await until(lambda: not proxied.parts.figures.entries)
            assert proxied.parts.figures.tunnels == 1

    run(work())


def test_all_manners_hold_where_https_is_looked_into(
    tmp_path: Path, tls: ssl.SSLContext, test_authority: Authority
) -> None:
    async def work() -> None:
        fetch = Fetch(ca=str(test_authority.file))
        async with running(
            tmp_path,
            fetch=fetch,
            tls=tls,
            politeness=SHORT,
            certificates=Certificates(test_authority),
        ) as proxied:
            async with proxied.connected() as client:
                inside = await secured(proxied, client, test_authority)
                assert [await ask_inside(inside, f"/{n}") for n in range(3)] == [200, 200, 200]
                assert await ask_inside(inside, "/private/x") == 403
                await inside.send(b"OPTIONS * HTTP/1.1\r\nHost: secure.test\r\n\r\n")
                assert (await inside.reply()).status == 200
                assert await ask_inside(inside, "*") == 400
                assert await ask_inside(inside, URL + "full") == 200
                assert await ask_inside(inside, "/", "other.test") == 400
            assert proxied.web.smallest_gap("secure.test") >= 0.2
            assert [each.target for each in proxied.web.pages()] == ["/0", "/1", "/2", "*", "/full"]
            assert proxied.parts.figures.tunnels == 0

    run(work())


def test_inside_there_is_no_further_tunnel_and_no_other_host(
    tmp_path: Path, tls: ssl.SSLContext, test_authority: Authority
) -> None:
    async def work() -> None:
        made = Certificates(test_authority)
        async with running(tmp_path, tls=tls, certificates=made) as proxied:
            async with proxied.connected() as client:
                inside = await secured(proxied, client, test_authority)
                await inside.send(b"CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\n\r\n")
                assert (await inside.reply()).status == 400
            async with proxied.connected() as client:
                inside = await secured(proxied, client, test_authority)
                await inside.send(b"GET https://a.test/ HTTP/1.1\r\nHost: a.test\r\n\r\n")
                assert (await inside.reply()).status == 421

    run(work())


def test_a_client_that_does_not_believe_our_certificate_is_let_go(
    tmp_path: Path, tls: ssl.SSLContext, test_authority: Authority
) -> None:
    async def work() -> None:
        made = Certificates(test_authority)
        async with running(tmp_path, tls=tls, certificates=made) as proxied:
            async with proxied.connected() as client:
                await client.send(b"CONNECT secure.test:443 HTTP/1.1\r\nHost: secure.test\r\n\r\n")
                await client.reader.readuntil(b"\r\n\r\n")
                await client.send(b"this is no TLS\r\n\r\n")
                assert await client.is_closed()
            await until(lambda: not proxied.parts.connections)
            assert "did not agree" in str(proxied.events[-1])
            await asyncio.sleep(0)

    run(work())


def test_the_end_of_tls_is_nothing_to_talk_about(
    tmp_path: Path,
    tls: ssl.SSLContext,
    test_authority: Authority,
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def work() -> None:
        fetch, made = Fetch(ca=str(test_authority.file)), Certificates(test_authority)
        async with running(tmp_path, fetch=fetch, tls=tls, certificates=made) as proxied:
            assert (await proxied.get(URL + "until-close")).body == PAGE
            async with proxied.connected() as client:
                inside = await secured(proxied, client, test_authority)
                await inside.send(b"GET /gate HTTP/1.1\r\nHost: secure.test\r\n\r\n")
                await until(lambda: proxied.web.pages("secure.test")[1:])
            await until(lambda: not proxied.parts.connections)
            proxied.web.gate.set()

    run(work())
    assert [each.message for each in caplog.records if each.name == "asyncio"] == []
