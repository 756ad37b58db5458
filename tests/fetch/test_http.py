"""The client against real sockets; broken servers have a table of their own."""

import asyncio
import gzip
import resource
import socket
import threading
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.fetch.name_server import AAAA, A, Name, naming, resolver_of
from tests.fetch.servers import (
    AGENT,
    PAGE,
    QUICK,
    Conversation,
    Script,
    Server,
    answered,
    answering,
    ask,
    failure,
    ok,
    serving,
)
from tests.slowness import patience

from gossamer.errors import ConfigError
from gossamer.fetch.decode import ACCEPT_ENCODING
from gossamer.fetch.http import HttpFetcher
from gossamer.fetch.resolve import MAX_AGE, Resolver
from gossamer.model import BodyState, Cause, Failed, Fetched, ResponseHead, Url

HELLO = answering(ok(b"hello"), then="keep")


@asynccontextmanager
async def fetching(
    script: Script = HELLO, **more: Any
) -> AsyncIterator[tuple[Server, HttpFetcher]]:
    """A server, and a fetcher whose test hosts lead there."""
    async with serving(script) as server, HttpFetcher(server.fetch(**more), AGENT) as http:
        yield server, http


def names(**known: Sequence[str]) -> Resolver:
    """A resolver that knows these names of `.org` alone."""
    return resolver_of(lambda name: known[name.removesuffix(".org")])


def test_a_request_says_who_asks_and_what_can_be_unpacked_and_no_more() -> None:
    async def run() -> None:
        async with fetching() as (server, http):
            await http.get(PAGE, headers=[("Accept", "text/turtle"), ("If-None-Match", '"v1"')])
            assert server.requests[0].decode().split("\r\n") == [
                "GET /page HTTP/1.1",
                "Host: site.test",
                f"User-Agent: {AGENT}",
                f"Accept-Encoding: {ACCEPT_ENCODING}",
                "Accept: text/turtle",
                'If-None-Match: "v1"',
                "",
                "",
            ]

    asyncio.run(run())


@pytest.mark.parametrize("path", ["/a|b?c='d'&e", "/%c3%a9/x", "/a//b", "/%F0%9F%98%80?%zz"])
def test_a_url_is_asked_for_as_it_stands(path: str) -> None:
    async def run() -> None:
        async with fetching() as (server, http):
            answered(await http.get(Url(f"http://site.test{path}")))
            assert server.requests[0].startswith(f"GET {path} HTTP/1.1\r\n".encode())

    asyncio.run(run())


def test_a_connection_serves_one_request_after_the_other() -> None:
    async def run() -> None:
        async with fetching() as (server, http):
            for _ in range(5):
                assert answered(await http.get(PAGE)).body == b"hello"
            assert (server.connections, len(server.requests)) == (1, 5)

    asyncio.run(run())


def test_nothing_is_carried_from_one_request_to_the_next() -> None:
    async def run() -> None:
        set_cookie = answering(ok(b"", b"Set-Cookie: id=1; Path=/"), then="keep")
        async with fetching(set_cookie) as (server, http):
            await http.get(PAGE, headers=[("If-None-Match", '"v1"')])
            await http.get(Url("http://site.test/other"))
            second = server.requests[1].lower()
            assert b"cookie" not in second
            assert b"referer" not in second
            assert b"if-none-match" not in second

    asyncio.run(run())


def test_a_redirect_is_an_answer_and_nobody_follows_it() -> None:
    moved = (
        b"HTTP/1.1 301 Moved\r\nLocation: http://other.test/\xc3\xa9\r\nContent-Length: 0\r\n\r\n"
    )

    async def run() -> None:
        async with fetching(answering(moved)) as (server, http):
            got = answered(await http.get(PAGE))
            assert (got.status, got.location) == (301, "http://other.test/é")
            assert len(server.requests) == 1

    asyncio.run(run())


def test_a_packed_body_is_handed_over_as_it_came() -> None:
    packed = gzip.compress(b"hello")
    got = answered(ask(answering(ok(packed, b"Content-Encoding: gzip"))))
    assert (got.body, got.content_encoding) == (packed, "gzip")


def test_an_unchanged_page_has_no_body_and_keeps_the_connection() -> None:
    unchanged = b'HTTP/1.1 304 Not Modified\r\nETag: "v1"\r\nContent-Length: 5\r\n\r\n'

    async def run() -> None:
        async with fetching(answering(unchanged, then="keep")) as (server, http):
            for _ in range(2):
                got = answered(await http.get(PAGE, wanted=lambda head: False))
                assert (got.status, got.body_state, got.header("etag")) == (304, "whole", '"v1"')
            assert server.connections == 1

    asyncio.run(run())


def test_an_unwanted_body_is_not_downloaded() -> None:
    gone = asyncio.Event()

    async def film(conversation: Conversation) -> None:
        await conversation.say(b"HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\n\r\n")
        await conversation.client_gone()
        gone.set()

    async def run() -> None:
        async with fetching(film) as (_, http):
            got = answered(await http.get(PAGE, wanted=lambda head: head.media_type != "video/mp4"))
            assert (got.status, got.body, got.body_state) == (200, b"", BodyState.SKIPPED)
            await asyncio.wait_for(gone.wait(), patience(60))

    asyncio.run(run())


def test_a_crash_in_the_callers_question_reaches_the_caller() -> None:
    def crash(head: ResponseHead) -> bool:
        raise KeyError(head.status)

    with pytest.raises(KeyError):
        ask(HELLO, wanted=crash)


def test_the_first_bytes_of_a_body_are_enough_where_the_caller_says_so() -> None:
    got = answered(ask(answering(ok(b"x" * 100_000)), first_bytes=1000))
    assert (got.body, got.body_state) == (b"x" * 1000, BodyState.CUT)
    got = answered(ask(HELLO, first_bytes=5))
    assert (got.body, got.body_state) == (b"hello", BodyState.WHOLE)


def test_the_times_of_an_answer_come_from_the_clock_we_were_given() -> None:
    noon = datetime(2026, 1, 1, 12, tzinfo=UTC)

    async def run() -> None:
        async with (
            serving(HELLO) as server,
            HttpFetcher(server.fetch(), AGENT, now=lambda: noon) as http,
        ):
            got = answered(await http.get(PAGE))
            assert got.started_at == noon
            assert noon < got.first_byte_at <= got.finished_at
            assert got.took == got.finished_at - noon
            lost = failure(await http.get(Url("http://127.0.0.1/")))
            assert lost.started_at == noon

    asyncio.run(run())


def test_the_environment_has_no_say(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for variable in ("http_proxy", "https_proxy", "all_proxy", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(variable, "http://127.0.0.1:9")
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".netrc").write_text("machine site.test login me password secret\n")

    async def run() -> None:
        async with fetching() as (server, http):
            assert answered(await http.get(PAGE)).body == b"hello"
            assert b"Authorization" not in server.requests[0]

    asyncio.run(run())


def test_an_upstream_proxy_is_asked_instead_of_the_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "*")

    async def run() -> None:
        async with serving(HELLO) as proxy:
            fetch = replace(QUICK, upstream_proxy=f"http://me:secret@127.0.0.1:{proxy.port}")
            async with HttpFetcher(fetch, AGENT) as http:
                got = answered(await http.get(Url("http://www.example.org/page")))
                assert (got.body, got.address) == (b"hello", None)
                assert b"GET http://www.example.org/page HTTP/1.1" in proxy.requests[0]
                assert b"Proxy-Authorization: Basic bWU6c2VjcmV0\r\n" in proxy.requests[0]
                refused = failure(await http.get(Url("http://169.254.169.254/")))
                assert refused.cause is Cause.REFUSED_ADDRESS
            assert len(proxy.requests) == 1

    asyncio.run(run())


def test_a_proxy_that_refuses_the_tunnel_is_no_answer_of_the_host() -> None:
    no = answering(b"HTTP/1.1 407 Who are you\r\nContent-Length: 2\r\n\r\nno")

    async def run() -> None:
        async with serving(no) as proxy:
            fetch = replace(QUICK, upstream_proxy=f"http://127.0.0.1:{proxy.port}")
            async with HttpFetcher(fetch, AGENT) as http:
                lost = failure(await http.get(Url("https://www.example.org/")))
                assert lost.cause is Cause.PROXY
                assert proxy.requests[0].startswith(b"CONNECT www.example.org:443 ")

    asyncio.run(run())


def test_a_socks_proxy_is_told_the_name_and_looks_it_up_itself() -> None:
    told = bytearray()

    async def socks(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        greeting = await reader.readexactly(2)
        await reader.readexactly(greeting[1])
        writer.write(b"\x05\x00")
        head = await reader.readexactly(5)
        told.extend(head[3:4] + await reader.readexactly(head[4] + 2))
        writer.write(b"\x05\x00\x00\x01" + bytes(6))
        await reader.readuntil(b"\r\n\r\n")
        writer.write(ok(b"hello"))
        writer.close()
        await writer.wait_closed()

    async def run() -> None:
        server = await asyncio.start_server(socks, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        async with server:
            fetch = replace(QUICK, upstream_proxy=f"socks5h://127.0.0.1:{port}")
            async with HttpFetcher(fetch, AGENT) as http:
                got = answered(await http.get(Url("http://www.example.org/")))
                assert got.body == b"hello"
        by_name = b"\x03"
        assert told == by_name + b"www.example.org" + (80).to_bytes(2, "big")

    asyncio.run(run())


def test_loopback_is_refused_until_it_is_allowed() -> None:
    async def run() -> None:
        async with serving(HELLO) as server:
            here = Url(f"http://127.0.0.1:{server.port}/")
            async with HttpFetcher(QUICK, AGENT) as http:
                assert failure(await http.get(here)).cause is Cause.REFUSED_ADDRESS
                localhost = Url(f"http://localhost:{server.port}/")
                assert failure(await http.get(localhost)).cause is Cause.REFUSED_ADDRESS
            assert server.connections == 0
            async with HttpFetcher(replace(QUICK, allow_net=("127.0.0.0/8",)), AGENT) as http:
                assert answered(await http.get(here)).address == "127.0.0.1"

    asyncio.run(run())


def test_a_test_host_without_an_address_is_refused_with_advice() -> None:
    async def run() -> None:
        async with HttpFetcher(QUICK, AGENT) as http:
            lost = failure(await http.get(PAGE))
            assert lost.cause is Cause.RESERVED_NAME
            assert "--connect-to 'site.test=ADDR:PORT'" in lost.message

    asyncio.run(run())


def test_the_connection_goes_to_the_very_address_that_was_checked() -> None:
    """A name that moves takes no request to where it was, however fresh that connection."""
    now, where = [0.0], ["127.0.0.1"]
    resolver = resolver_of(lambda name: where, ticks=lambda: now[0])

    async def run() -> None:
        fetch = replace(QUICK, allow_net=("127.0.0.0/8",))
        async with (
            serving(HELLO, host="127.0.0.1") as old,
            serving(HELLO, host="127.0.0.2", port=old.port) as new,
            HttpFetcher(fetch, AGENT, resolver=resolver) as http,
        ):
            url = Url(f"http://www.example.org:{old.port}/")
            for address in ("127.0.0.1", "127.0.0.2", "127.0.0.1"):
                where[0] = address
                now[0] += MAX_AGE.total_seconds()
                assert answered(await http.get(url)).address == address
            where[0], now[0] = "10.0.0.1", now[0] + MAX_AGE.total_seconds()
            assert failure(await http.get(url)).cause is Cause.REFUSED_ADDRESS
            assert (len(old.requests), len(new.requests)) == (2, 1)
            assert b"Host: www.example.org:" in new.requests[0]

    asyncio.run(run())


def test_a_name_that_leads_inwards_a_moment_later_is_connected_to_where_it_was_checked() -> None:
    """DNS rebinding: one look-up, one check, one connection; the next answer changes nothing."""

    async def run() -> None:
        where = {"www.example.org": Name(["127.0.0.1"], ttl=0)}
        async with naming(where) as dns, serving(HELLO) as server:
            fetch = replace(QUICK, allow_net=("127.0.0.1",), name_servers=(dns.address,))
            async with HttpFetcher(fetch, AGENT) as http:
                url = Url(f"http://www.example.org:{server.port}/")
                assert await http.address_of(url) == "127.0.0.1"
                where["www.example.org"] = Name(["10.0.0.1", "::ffff:10.0.0.1"], ttl=0)
                assert answered(await http.get(url)).address == "127.0.0.1"
            assert sorted(dns.asked) == [("www.example.org", A), ("www.example.org", AAAA)]
            async with HttpFetcher(fetch, AGENT) as http:
                assert failure(await http.get(url)).cause is Cause.REFUSED_ADDRESS
            assert server.connections == 1

    asyncio.run(run())


def test_a_reserved_name_is_never_asked_for_whoever_could_answer() -> None:
    async def run() -> None:
        hosts = ["site.test", "a.invalid", "localhost", "127.0.0.1", "[::1]"]
        async with naming({host: Name(["127.0.0.1"]) for host in hosts}) as dns:
            fetch = replace(QUICK, name_servers=(dns.address,))
            async with HttpFetcher(fetch, AGENT) as http:
                http.resolve_ahead(hosts)
                for host in hosts:
                    failure(await http.get(Url(f"http://{host}/")))
            assert dns.asked == []

    asyncio.run(run())


def test_a_host_looked_up_ahead_is_not_looked_up_again() -> None:
    async def run() -> None:
        async with (
            naming({"www.example.org": Name(["127.0.0.1"])}) as dns,
            serving(HELLO) as server,
        ):
            fetch = replace(QUICK, allow_net=("127.0.0.1",), name_servers=(dns.address,))
            async with HttpFetcher(fetch, AGENT) as http:
                http.resolve_ahead(["www.example.org", "gone.example.org"])
                await asyncio.wait_for(dns.heard.wait(), patience(60))
                answered(await http.get(Url(f"http://www.example.org:{server.port}/")))
                lost = failure(await http.get(Url("http://gone.example.org/")))
                assert lost.cause is Cause.NO_SUCH_NAME
            assert len(dns.asked) == len(set(dns.asked)) == 4

    asyncio.run(run())


def test_where_one_address_is_dead_the_next_is_tried() -> None:
    async def run() -> None:
        async with serving(HELLO) as server:
            fetch = replace(QUICK, allow_net=("127.0.0.0/8",))
            resolver = names(www=["127.0.0.9", "127.0.0.8", "127.0.0.1"])
            async with HttpFetcher(fetch, AGENT, resolver=resolver) as http:
                got = answered(await http.get(Url(f"http://www.org:{server.port}/")))
                assert got.address == "127.0.0.1"
            assert len(server.requests) == 1

    asyncio.run(run())


def test_where_all_addresses_of_one_family_are_dead_the_other_is_tried() -> None:
    async def run() -> None:
        async with serving(HELLO, host="::1") as server:
            fetch = replace(QUICK, allow_net=("127.0.0.0/8", "::1"))
            resolver = names(www=[*(f"127.0.0.{number}" for number in (6, 7, 8, 9)), "::1"])
            async with HttpFetcher(fetch, AGENT, resolver=resolver) as http:
                got = answered(await http.get(Url(f"http://www.org:{server.port}/")))
                assert got.address == "::1"

    if not socket.has_dualstack_ipv6():
        pytest.skip("needs IPv6: this machine has none")
    asyncio.run(run())


def test_an_address_written_in_another_way_is_still_the_same() -> None:
    async def run() -> None:
        async with serving(HELLO) as server:
            fetch = replace(QUICK, allow_net=("127.0.0.0/8",))
            async with HttpFetcher(fetch, AGENT) as http:
                got = answered(await http.get(Url(f"http://[::ffff:7f00:1]:{server.port}/")))
                assert got.body == b"hello"

    if not socket.has_dualstack_ipv6():
        pytest.skip("needs IPv6: this machine has none")
    asyncio.run(run())


def test_an_ipv6_address_can_be_asked() -> None:
    async def run() -> None:
        async with serving(HELLO, host="::1") as server:
            async with HttpFetcher(replace(QUICK, allow_net=("::1",)), AGENT) as http:
                got = answered(await http.get(Url(f"http://[::1]:{server.port}/")))
                assert (got.body, got.address) == (b"hello", "::1")
            assert f"Host: [::1]:{server.port}".encode() in server.requests[0]

    if not socket.has_dualstack_ipv6():
        pytest.skip("needs IPv6: this machine has none")
    asyncio.run(run())


def test_closing_while_a_name_is_looked_up_ends_it_as_stopped() -> None:
    looking, go_on = asyncio.Event(), threading.Event()

    async def run() -> None:
        loop = asyncio.get_running_loop()

        def look_up(name: str) -> Sequence[str]:
            loop.call_soon_threadsafe(looking.set)
            go_on.wait(patience(10))
            return ["127.0.0.1"]

        resolver = resolver_of(look_up)
        async with HttpFetcher(QUICK, AGENT, resolver=resolver) as http:
            waiting = asyncio.create_task(http.get(Url("http://www.example.org/")))
            await asyncio.wait_for(looking.wait(), patience(60))
            await http.close()
            assert failure(await waiting).cause is Cause.STOPPED
        go_on.set()

    asyncio.run(run())


def test_an_address_that_took_the_request_is_the_only_one_asked() -> None:
    async def run() -> None:
        async with serving(answering(then="reset")) as server:
            fetch = replace(QUICK, allow_net=("127.0.0.0/8",))
            resolver = names(www=["127.0.0.1", "127.0.0.9"])
            async with HttpFetcher(fetch, AGENT, resolver=resolver) as http:
                lost = failure(await http.get(Url(f"http://www.org:{server.port}/")))
                assert lost.cause is Cause.RESET
            assert len(server.requests) == 1

    asyncio.run(run())


def test_a_closed_port_is_a_failure_to_connect() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]

    async def run() -> None:
        async with HttpFetcher(Server(port).fetch(), AGENT) as http:
            assert failure(await http.get(PAGE)).cause is Cause.CONNECT

    asyncio.run(run())


@contextmanager
def overrun(address: str, port: int = 0) -> Iterator[int]:
    """A port where connections are begun and never taken; its number."""
    with ExitStack() as open_sockets:
        server = open_sockets.enter_context(socket.create_server((address, port), backlog=0))
        for _ in range(4):
            waiting = open_sockets.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(server.getsockname())
        yield server.getsockname()[1]


def test_a_server_that_does_not_take_the_connection_is_given_up() -> None:
    async def run() -> None:
        with overrun("127.0.0.1") as port:
            fetch = Server(port).fetch(connect_timeout=timedelta(seconds=0.2))
            async with HttpFetcher(fetch, AGENT) as http:
                assert failure(await http.get(PAGE)).cause is Cause.TIMEOUT_CONNECT

    asyncio.run(run())


def test_an_address_that_swallows_packets_leaves_time_for_the_next() -> None:
    async def run() -> None:
        async with serving(HELLO) as server:
            fetch = replace(QUICK, allow_net=("127.0.0.0/8",), connect_timeout=timedelta(seconds=3))
            resolver = names(www=["127.0.0.9", "127.0.0.1"])
            with overrun("127.0.0.9", server.port):
                async with HttpFetcher(fetch, AGENT, resolver=resolver) as http:
                    got = answered(await http.get(Url(f"http://www.org:{server.port}/")))
                    assert got.address == "127.0.0.1"

    asyncio.run(run())


def test_a_connection_serves_its_own_host_alone() -> None:
    async def run() -> None:
        async with fetching() as (server, http):
            for host in ("a", "b", "a", "b"):
                answered(await http.get(Url(f"http://{host}.test/")))
            assert server.connections == 2

    asyncio.run(run())


def test_closing_closes_the_connections_that_were_kept() -> None:
    gone = asyncio.Event()

    async def once(conversation: Conversation) -> None:
        await conversation.say(ok(b"hello"))
        await conversation.client_gone()
        gone.set()

    async def run() -> None:
        async with fetching(once) as (_, http):
            answered(await http.get(PAGE))
            assert not gone.is_set()
            await http.close()
            await asyncio.wait_for(gone.wait(), patience(60))

    asyncio.run(run())


def test_a_cancelled_caller_closes_the_connection_and_harms_nobody() -> None:
    asked, gone = asyncio.Event(), asyncio.Event()

    async def silent(conversation: Conversation) -> None:
        if b"/silent" not in conversation.request:
            return await HELLO(conversation)
        asked.set()
        await conversation.client_gone()
        gone.set()
        return None

    async def run() -> None:
        async with fetching(silent) as (_, http):
            waiting = asyncio.create_task(http.get(Url("http://site.test/silent")))
            await asyncio.wait_for(asked.wait(), patience(60))
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            assert answered(await http.get(PAGE)).body == b"hello"
            await asyncio.wait_for(gone.wait(), patience(60))

    asyncio.run(run())


@pytest.mark.parametrize("is_kept", [False, True], ids=["new connection", "kept connection"])
def test_a_request_that_is_given_up_is_not_delivered_later(is_kept: bool) -> None:
    """A closed connection would go on sending it; one that is reset does not."""
    was_reset: list[bool] = []
    asked, gone = asyncio.Event(), asyncio.Event()

    async def silent(conversation: Conversation) -> None:
        if b"/silent" not in conversation.request:
            return await conversation.say(ok(b"hello"))
        asked.set()
        was_reset.append(await conversation.client_reset())
        gone.set()
        return None

    async def run() -> None:
        async with fetching(silent) as (server, http):
            if is_kept:
                assert answered(await http.get(PAGE)).body == b"hello"
            waiting = asyncio.create_task(http.get(Url("http://site.test/silent")))
            await asyncio.wait_for(asked.wait(), patience(60))
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            await asyncio.wait_for(gone.wait(), patience(60))
            assert was_reset == [True]
            for _ in range(2):  # other connections are kept as before
                assert answered(await http.get(PAGE)).body == b"hello"
            assert server.connections == 2

    asyncio.run(run())


def test_closing_ends_what_is_in_flight_as_stopped() -> None:
    all_asked = asyncio.Barrier(4)

    async def silent(conversation: Conversation) -> None:
        await all_asked.wait()
        await conversation.client_gone()

    async def run() -> None:
        async with fetching(silent) as (_, http):
            waiting = [asyncio.create_task(http.get(PAGE)) for _ in range(3)]
            await asyncio.wait_for(all_asked.wait(), patience(60))
            await http.close()
            for each in waiting:
                assert failure(await each).cause is Cause.STOPPED
            await http.close()  # closing twice is closing once

    asyncio.run(run())


@pytest.mark.parametrize(
    "wrong",
    [
        {"connect_to": ("x",)},
        {"allow_net": ("x",)},
        {"ca": "/nowhere.pem"},
        {"upstream_proxy": "x"},
        {"name_servers": ("x",)},
    ],
)
def test_bad_configuration_shows_before_the_first_request(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigError):
        HttpFetcher(replace(QUICK, **wrong), AGENT)


def test_more_connections_are_open_at_once_than_select_could_watch(full_size: bool) -> None:
    count = 2_000 if full_size else 600  # each takes two descriptors: ours and the server's
    room, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if room < 2 * count + 100:
        pytest.skip(f"needs descriptors: {2 * count + 100} of them (ulimit -n)")
    all_here, arrived = asyncio.Event(), []

    async def together(conversation: Conversation) -> None:
        arrived.append(conversation)
        if len(arrived) == count:
            all_here.set()
        await all_here.wait()
        await conversation.say(ok(conversation.request.split()[1]))

    async def run() -> list[Fetched | Failed]:
        limits = {
            "connect_timeout": timedelta(seconds=60),
            "first_byte_timeout": timedelta(seconds=60),
        }
        async with fetching(together, **limits, total_timeout=timedelta(seconds=60)) as (_, http):
            urls = [Url(f"http://h{n}.test/{n}") for n in range(count)]
            return await asyncio.gather(*(http.get(url) for url in urls))

    bodies = [answered(each).body for each in asyncio.run(run())]
    assert bodies == [b"/%d" % n for n in range(count)]
