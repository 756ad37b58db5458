import asyncio
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.proxy.proxied import SOON, Client, Proxied, run, running, until
from tests.slowness import patience

from gossamer.config import Politeness, Proxy
from gossamer.events import Event
from gossamer.http.wire.request import Authority
from gossamer.log import read_events
from gossamer.politeness.ledger import Wait
from gossamer.politeness.robots.record import Meaning, RobotsRecord
from gossamer.proxy import tunnel as tunnels
from gossamer.proxy.connect import refused_port
from gossamer.proxy.permits import OwnRights
from gossamer.proxy.tunnel import MADE_WAY, TunnelTraffic

OPEN = Proxy(connect_ports=("*",))
SMALL, LARGE = 2**16, 2**22  # bytes that a system keeps for a client, and more than that
GET = b"GET / HTTP/1.1\r\nHost: a.test\r\n\r\n"


async def opened(proxied: Proxied, client: Client, host: str = "a.test", *lines: str) -> int:
    """Ask for a tunnel, to a host whose robots.txt is known: TLS is not spoken here."""
    more = "".join(f"{line}\r\n" for line in lines)
    await client.send(f"CONNECT {host}:443 HTTP/1.1\r\nHost: {host}:443\r\n{more}\r\n".encode())
    head = await client.reader.readuntil(b"\r\n\r\n")
    return int(head.split(b" ")[1])


async def know(proxied: Proxied, host: str, robots: bytes = b"") -> None:
    """Have the rules of an origin that speaks no TLS in this test."""
    now = proxied.client.now()
    record = RobotsRecord(
        origin=f"https://{host}",
        meaning=Meaning.RULES,
        cause="answered 200",
        answered_at=now,
        ask_at=now + timedelta(days=1),
        body=robots,
        body_at=now,
    )
    used = await proxied.keeper.acquire(host, timedelta(seconds=5))
    assert not isinstance(used, Wait)
    await proxied.client.robots._records.put(record, 1024)
    used.let_go()


def test_bytes_go_both_ways_and_the_tunnel_is_counted(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied:
            await know(proxied, "a.test")
            async with proxied.connected() as client:
                assert await opened(proxied, client) == 200
                await client.send(GET)
                assert (await client.reply()).status == 200
                assert proxied.parts.figures.tunnels == 1
            await until(lambda: not proxied.parts.figures.entries)
            assert proxied.parts.figures.tunnel_bytes > 8192

    run(work())
    purposes = [each["purpose"] for each in read_events(tmp_path / "log") if "purpose" in each]
    assert purposes == ["tunnel"]


def test_a_tunnel_is_one_turn_of_its_host(tmp_path: Path) -> None:
    politeness = Politeness(delay=timedelta(milliseconds=300), contact="me@example.org")

    async def work() -> None:
        async with running(tmp_path, politeness=politeness) as proxied:
            await know(proxied, "a.test")
            async with proxied.connected() as first, proxied.connected() as second:
                assert await opened(proxied, first) == 200
                await first.send(GET)
                await first.reply()
                assert await opened(proxied, second, "a.test", "X-Gossamer-Max-Wait: 0.1") == 429
            async with proxied.connected() as third:
                assert await opened(proxied, third) == 200
                await third.send(GET)
                await third.reply()
            assert proxied.web.smallest_gap("a.test") >= 0.3

    run(work())


def test_a_host_rests_for_its_delay_after_a_tunnel_that_was_reset(tmp_path: Path) -> None:
    politeness = Politeness(delay=timedelta(milliseconds=1), contact="me@example.org")

    async def work() -> datetime:
        async with running(tmp_path, politeness=politeness) as proxied:
            await know(proxied, "a.test")
            async with proxied.connected() as client:
                assert await opened(proxied, client) == 200
                await client.send(b"GET /sleep/0.5 HTTP/1.1\r\nHost: a.test\r\n\r\n")
                await client.reply()
                ours = client.writer.get_extra_info("socket")
                ours.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                client.writer.transport.abort()
                await until(lambda: not proxied.parts.figures.entries)
            wait = proxied.client.ledger.wait("a.test", datetime.min.replace(tzinfo=UTC))
            assert wait is not None
            return wait.until

    ready_at = run(work())
    (event,) = (each for each in read_events(tmp_path / "log") if "purpose" in each)
    ended_at = datetime.fromisoformat(str(event["ended_at"]))
    assert ended_at - datetime.fromisoformat(str(event["started_at"])) > timedelta(seconds=0.5)
    assert ready_at - ended_at < timedelta(seconds=0.5)


def test_a_host_that_forbids_everything_has_no_tunnels(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied:
            await know(proxied, "a.test", b"User-agent: *\nDisallow: /\n")
            async with proxied.connected() as client:
                assert await opened(proxied, client) == 403
            assert proxied.web.asked == []

    run(work())


@asynccontextmanager
async def slow_client(proxied: Proxied, path: str = "until-close") -> AsyncIterator[Client]:
    """A client that has asked for a large answer, and has not read any of it."""
    await know(proxied, "a.test")
    ours = socket.create_connection(("127.0.0.1", proxied.port))
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL)
    client = Client(*await asyncio.open_connection(sock=ours, limit=SMALL))
    try:
        assert await opened(proxied, client) == 200
        (connection,) = proxied.parts.connections
        theirs = connection.transport.get_extra_info("socket")
        theirs.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SMALL)
        await client.send(f"GET /{path}/{LARGE} HTTP/1.1\r\nHost: a.test\r\n\r\n".encode())
        yield client
    finally:
        client.close()


def test_a_slow_client_gets_all_that_a_server_said_before_it_closed(tmp_path: Path) -> None:
    async def work() -> None:
        limits = Proxy(buffer_bytes=2 * LARGE)
        async with running(tmp_path, limits) as proxied, slow_client(proxied) as client:
            own = proxied.parts.permits.own
            assert isinstance(own, OwnRights)
            await until(lambda: not own.way.out)  # the server is done, and its turn is over
            (connection,) = proxied.parts.connections
            assert connection.unsent
            async with asyncio.timeout(patience(60)):
                assert (await client.reader.read()).count(b"x") == LARGE

    run(work())


def test_a_client_that_says_no_more_still_gets_its_answer(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied:
            await know(proxied, "a.test")
            async with proxied.connected() as client:
                assert await opened(proxied, client) == 200
                await client.send(b"GET /sleep/1.2 HTTP/1.1\r\nHost: a.test\r\n\r\n")
                client.writer.write_eof()
                assert (await client.reply()).body == b"slept"

    run(work())


def test_a_client_that_takes_nothing_ends_its_tunnel(tmp_path: Path) -> None:
    limits = Proxy(buffer_bytes=2 * LARGE, tunnel_idle=timedelta(seconds=0.3))

    async def work() -> None:
        async with running(tmp_path, limits) as proxied, slow_client(proxied):
            await until(lambda: not proxied.parts.connections)
            assert "proxy.tunnel_idle" in str(proxied.events[-1])

    run(work())


def test_a_tunnel_does_not_last_for_ever(tmp_path: Path) -> None:
    for limits, word in (
        (Proxy(tunnel_idle=timedelta(seconds=0.3)), "idle"),
        (Proxy(tunnel_time=timedelta(seconds=0.3)), "time"),
        (Proxy(tunnel_bytes=1024), "bytes"),
    ):
        events: list[Event] = []

        async def work(limits: Proxy = limits, events: list[Event] = events) -> None:
            async with running(tmp_path, limits) as proxied:
                await know(proxied, "a.test")
                async with proxied.connected() as client:
                    assert await opened(proxied, client) == 200
                    await client.send(GET)
                    async with asyncio.timeout(patience(60)):
                        await client.reader.read()
                await until(lambda: not proxied.parts.figures.entries)
                events += proxied.events

        run(work())
        assert f"proxy.tunnel_{word}" in str(events[-1]), word


def test_a_tunnel_is_done_soon_where_the_folder_goes_to_somebody_else(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied:
            await know(proxied, "a.test")
            async with proxied.connected() as client:
                assert await opened(proxied, client) == 200
                own = proxied.parts.permits.own
                assert isinstance(own, OwnRights)
                (permit,) = own.way.out
                permit.hand_over(proxied.client.now())
                async with asyncio.timeout(patience(60)):
                    assert await client.reader.read() == b""

    run(work())


def test_tunnels_lead_to_the_ports_that_are_named() -> None:
    assert refused_port(Authority("a.test", 443), ("443",)) is None
    assert refused_port(Authority("a.test", 25), ("*",)) is None
    refused = refused_port(Authority("a.test", 25), ("443", "8443"))
    assert refused is not None
    assert refused.status == 403


def test_nothing_is_held_against_a_host_that_was_not_reached(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied:
            await know(proxied, "a.test")
            proxied.lose_the_way()
            async with proxied.connected() as client:
                assert await opened(proxied, client) == 403
            assert proxied.client.ledger.wait("a.test", proxied.client.now()) is None

    run(work())


HELLO, FINISHED_AND_GET, WINDOW_UPDATE = b"\x16" + 200 * b"c", 150 * b"c", 35 * b"c"
ANSWER = 1000 * b"s"


def test_a_tunnel_is_quiet_a_second_after_its_server_has_answered() -> None:
    traffic = TunnelTraffic(0.0)
    assert not traffic.is_quiet(0.9)
    assert traffic.is_quiet(1.0)  # nobody has said a word
    traffic.ask(HELLO, 1.0)
    traffic.answer(ANSWER, 2.0)
    assert not traffic.is_quiet(99.0)  # hello was said, and the question follows
    traffic.ask(FINISHED_AND_GET, 100.0)
    assert not traffic.is_quiet(999.0)  # a server may take its time
    traffic.answer(ANSWER, 1000.0)
    assert not traffic.is_quiet(1000.9)
    assert traffic.is_quiet(1001.0)
    traffic.ask(WINDOW_UPDATE, 1001.0)  # of HTTP/2, which is no question
    assert not traffic.is_quiet(1001.9)
    assert traffic.is_quiet(1002.0)
    traffic.ask(FINISHED_AND_GET, 1002.0)
    assert not traffic.is_quiet(1999.0)


def test_what_is_asked_without_tls_is_a_question_however_short() -> None:
    traffic = TunnelTraffic(0.0)
    traffic.ask(b"GET /\r\n", 0.0)
    assert not traffic.is_quiet(99.0)
    traffic.answer(ANSWER, 100.0)
    assert traffic.is_quiet(101.0)


def test_an_idle_tunnel_makes_way_for_those_who_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tunnels, "QUIET_SECONDS", 0.05)
    monkeypatch.setattr(tunnels, "LOOK_SECONDS", 0.02)
    patient = Proxy(tunnel_idle=timedelta(hours=1), max_wait=timedelta(hours=1))

    async def work() -> None:
        async with running(tmp_path, patient) as proxied:
            await know(proxied, "a.test")
            async with AsyncExitStack() as life:
                for _ in range(3):  # each keeps its connection open, as programs do
                    client = await life.enter_async_context(proxied.connected())
                    async with asyncio.timeout(SOON):
                        assert await opened(proxied, client) == 200
                    await client.send(GET)
                    assert (await client.reply()).status == 200
                await until(lambda: len(proxied.events) == 2)
            assert proxied.web.most_busy == 1
            assert all(MADE_WAY in str(event) for event in proxied.events[:2])

    run(work())


def test_a_tunnel_that_nobody_waits_for_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tunnels, "QUIET_SECONDS", 0.0)
    monkeypatch.setattr(tunnels, "LOOK_SECONDS", 0.001)

    async def work() -> None:
        async with running(tmp_path) as proxied:
            await know(proxied, "a.test")
            async with proxied.connected() as client:
                assert await opened(proxied, client) == 200
                for _ in range(20):
                    await client.send(GET)
                    assert (await client.reply()).status == 200
            assert proxied.parts.figures.tunnels == 1

    run(work())


def test_a_client_that_is_told_of_the_end_of_an_idle_tunnel_has_all_of_its_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tunnels, "QUIET_SECONDS", 0.05)
    monkeypatch.setattr(tunnels, "LOOK_SECONDS", 0.02)
    hour = timedelta(hours=1)
    limits = Proxy(buffer_bytes=SMALL, max_wait=hour, tunnel_idle=hour)

    async def work() -> None:
        async with (
            running(tmp_path, limits, spools=True) as proxied,
            slow_client(proxied, "large") as client,
        ):
            async with proxied.connected() as other:
                assert await opened(proxied, other) == 200
            async with asyncio.timeout(SOON):
                answer = await client.reader.read()  # to its end, which is none by force
            assert answer.count(b"x") == LARGE

    run(work())
