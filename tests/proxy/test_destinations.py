"""Hosts that are allowed, denied, exempt from robots.txt or not intercepted, by configuration."""

import ssl
from dataclasses import replace
from pathlib import Path

import pytest
from tests.proxy.origin import PAGE
from tests.proxy.proxied import NO_DELAY, Client, run, running, until

from gossamer.config import Fetch, Politeness, Proxy
from gossamer.errors import ConfigError
from gossamer.proxy.authority import Authority
from gossamer.proxy.certificates import Certificates
from gossamer.proxy.destinations import refused_host, told_of_exempt
from gossamer.settings.sources import read_value

LISTS = ("allow_hosts", "deny_hosts", "robots_exempt", "no_intercept", "keep_anyway")


@pytest.mark.parametrize("name", [f"proxy.{each}" for each in LISTS])
def test_what_is_no_host_is_refused_when_it_is_set(name: str) -> None:
    assert read_value(name, "a.test,*.b.test", "here") == ("a.test", "*.b.test")
    with pytest.raises(ConfigError, match=f"{name}: 'http://a.test/' is no host"):
        read_value(name, "http://a.test/", "here")


def test_what_is_no_port_is_refused_when_it_is_set() -> None:
    assert read_value("proxy.connect_ports", "443,8443", "here") == ("443", "8443")
    assert read_value("proxy.connect_ports", "*", "here") == ("*",)
    for bad in ("https", "0", "65536", "9" * 5000, "-1"):
        with pytest.raises(ConfigError, match=r"proxy\.connect_ports: .* is no port"):
            read_value("proxy.connect_ports", bad, "here")


@pytest.mark.parametrize(
    ("proxy", "host", "named"),
    [
        (Proxy(), "a.test", None),
        (Proxy(allow_hosts=("a.test", "*.b.test")), "a.test", None),
        (Proxy(allow_hosts=("a.test", "*.b.test")), "x.b.test", None),
        (Proxy(allow_hosts=("a.test", "*.b.test")), "c.test", "proxy.allow_hosts"),
        (Proxy(deny_hosts=("*.b.test",)), "x.b.test", "proxy.deny_hosts"),
        (Proxy(deny_hosts=("*.b.test",)), "b.test", None),
        (Proxy(allow_hosts=("*.b.test",), deny_hosts=("x.b.test",)), "x.b.test", "deny_hosts"),
    ],
)
def test_a_list_allows_and_another_denies(proxy: Proxy, host: str, named: str | None) -> None:
    refused = refused_host(host, proxy)
    assert (refused is None) == (named is None)
    if refused is not None and named is not None:
        assert (refused.status, refused.cause) == (403, "host")
        assert named in refused.why
        assert host in refused.why


def test_a_denied_host_is_not_asked_in_any_spelling_nor_through_connect(tmp_path: Path) -> None:
    async def work() -> None:
        proxy = Proxy(deny_hosts=("b.test",), connect_ports=("443", "8443"))
        async with running(tmp_path, proxy) as proxied:
            assert (await proxied.get("http://a.test/")).body == PAGE
            for url in ("http://b.test/", "http://B.test./", "http://%62.test:8080/x"):
                refused = await proxied.get(url)
                assert (refused.status, refused.headers["x-gossamer-cause"]) == (403, "host"), url
                assert "b.test" in refused.headers["x-gossamer-reason"]
            for port in (80, 443, 8443):
                line = b"CONNECT B.test.:%d HTTP/1.1\r\nHost: B.test.:%d\r\n\r\n" % (port, port)
                refused = await proxied.raw(line)
                assert (refused.status, refused.headers["x-gossamer-cause"]) == (403, "host"), port
            assert {each.host for each in proxied.web.asked} == {"a.test"}

    run(work())


def test_lists_are_those_in_force_at_the_moment(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied, proxied.connected() as client:
            assert (await client.get("http://a.test/")).status == 200
            denying = replace(proxied.parts.config.proxy, deny_hosts=("a.test",))
            proxied.parts.config = replace(proxied.parts.config, proxy=denying)
            assert (await client.get("http://a.test/")).status == 403
            assert (await client.get("http://b.test/")).status == 200

    run(work())


def test_a_host_that_is_exempt_is_not_asked_for_robots_and_keeps_its_delay(tmp_path: Path) -> None:
    async def work() -> None:
        proxy = Proxy(robots_exempt=("index.test",))
        async with running(tmp_path, proxy) as proxied, proxied.connected() as client:
            private = "/private/x"  # which robots.txt forbids
            for _ in range(2):  # over a new connection, and over one that stands
                assert (await client.get(f"http://index.test{private}")).body == PAGE
            assert (await client.get(f"http://a.test{private}")).status == 403
            assert [each.target for each in proxied.web.asked if each.host == "index.test"] == [
                private,
                private,
            ]
        slow = replace(NO_DELAY, delay=Politeness().delay * 3600)
        async with (
            running(tmp_path / "slow", proxy, politeness=slow) as proxied,
            proxied.connected() as client,
        ):
            assert (await client.get("http://index.test/private/x")).status == 200
            denied = await client.get("http://index.test/private/y", "X-Gossamer-Max-Wait: 0")
            assert (denied.status, denied.headers["x-gossamer-cause"]) == (429, "clock")

    run(work())


def test_an_exempt_host_gets_tunnels_whatever_its_robots_txt_says(
    tmp_path: Path, tls: ssl.SSLContext, test_authority: Authority
) -> None:
    connect = b"CONNECT secure.test:443 HTTP/1.1\r\nHost: secure.test:443\r\n\r\n"

    async def work(proxy: Proxy, status: bytes, asked: list[str]) -> None:
        fetch = Fetch(ca=str(test_authority.file))
        async with running(tmp_path / status.decode(), proxy, fetch=fetch, tls=tls) as proxied:
            proxied.web.robots["secure.test"] = b"User-agent: *\nDisallow: /\n"
            async with proxied.connected() as client:
                await client.send(connect)
                head = await client.reader.readuntil(b"\r\n\r\n")
                assert head.split(b" ")[1] == status
            await until(lambda: not proxied.parts.figures.entries)
            assert [each.target for each in proxied.web.asked] == asked

    run(work(Proxy(), b"403", ["/robots.txt"]))
    run(work(Proxy(robots_exempt=("secure.test",)), b"200", []))


def test_a_host_that_is_not_to_be_intercepted_gets_a_tunnel(
    tmp_path: Path, tls: ssl.SSLContext, test_authority: Authority
) -> None:
    trusting = ssl.create_default_context(cafile=str(test_authority.file))

    async def private(client: Client) -> int:
        await client.send(b"CONNECT secure.test:443 HTTP/1.1\r\nHost: secure.test:443\r\n\r\n")
        assert b" 200 " in await client.reader.readuntil(b"\r\n\r\n")
        await client.writer.start_tls(trusting, server_hostname="secure.test")
        await client.send(b"GET /private/x HTTP/1.1\r\nHost: secure.test\r\n\r\n")
        return (await client.reply()).status

    async def work(proxy: Proxy, status: int, tunnels: int) -> None:
        async with running(
            tmp_path / str(status),
            proxy,
            fetch=Fetch(ca=str(test_authority.file)),
            tls=tls,
            certificates=Certificates(test_authority),
        ) as proxied:
            async with proxied.connected() as client:
                assert await private(client) == status
            await until(lambda: not proxied.parts.figures.entries)
            assert proxied.parts.figures.tunnels == tunnels

    run(work(Proxy(no_intercept=("other.test",)), 403, 0))
    run(work(Proxy(no_intercept=("*.other.test", "secure.test")), 200, 1))


def test_exemptions_are_told_when_the_proxy_starts() -> None:
    assert told_of_exempt(Proxy()) is None
    told = told_of_exempt(Proxy(robots_exempt=("a.test", "*.b.test")))
    assert told is not None
    assert "a.test, *.b.test" in told
