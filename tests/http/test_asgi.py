"""An app at a real socket: what well-behaved clients get, and what the others do."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import pytest
from starlette.types import ASGIApp, Receive, Scope, Send
from tests.slowness import patience

from gossamer.http.asgi import GONE, AsgiServer
from gossamer.http.connection import Bounds
from gossamer.http.listening import listen
from gossamer.http.stream import READ_AHEAD
from gossamer.service.listening import last_problem

PATIENCE = patience(60)
USUAL = Bounds(100, 30.0, 30.0, 30.0)
GET = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with what was sent, and the path."""
    body = scope["path"].encode() + b" "
    while (message := await receive())["type"] == "http.request":
        body += message["body"]
        if not message["more_body"]:
            break
    headers = [(b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def pieces(_: Scope, __: Receive, send: Send) -> None:
    """Answer in pieces, whose length nobody knows beforehand."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    for piece in (b"one ", b"two"):
        await send({"type": "http.response.body", "body": piece, "more_body": True})
    await send({"type": "http.response.body"})


@dataclass
class Served:
    """A server, and what it complained of."""

    server: AsgiServer
    port: int
    faults: list[Exception] = field(default_factory=list)

    async def said(self, sent: bytes) -> bytes:
        """All that comes back until the server hangs up."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(sent)
        try:
            return await asyncio.wait_for(reader.read(), PATIENCE)
        finally:
            writer.close()


@asynccontextmanager
async def serving(app: ASGIApp, bounds: Bounds = USUAL) -> AsyncIterator[Served]:
    with socket.create_server(("127.0.0.1", 0)) as ours:
        faults: list[Exception] = []
        server = AsgiServer(app, bounds, last_problem, faults.append)
        served = Served(server, ours.getsockname()[1], faults)
        try:
            async with listen(server.connect, ours, server.connections, lambda _: None):
                yield served
        finally:
            await server.end(0.1)


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not is_so():  # noqa: ASYNC110 (there is nothing to wait for)
            await asyncio.sleep(0.01)


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


def ask(sent: bytes, app: ASGIApp = echo) -> tuple[int, bytes, bytes]:
    """Status, header and body of the only answer to some bytes."""

    async def work() -> bytes:
        async with serving(app) as served:
            return await served.said(sent)

    head, _, body = asyncio.run(work()).partition(b"\r\n\r\n")
    return int(head.split(b" ")[1]), head.lower(), body


def test_requests_are_answered_in_order_on_one_connection() -> None:
    sent = b"".join(b"GET /%d HTTP/1.1\r\nHost: a\r\n\r\n" % number for number in range(50))
    last = b"GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"

    async def work() -> None:
        async with serving(echo) as served:
            said = await served.said(sent + last)
        places = [said.index(b"/%d " % number) for number in range(50)]
        assert places == sorted(places)
        assert said.endswith(b"/last ")

    run(work())


@pytest.mark.parametrize(
    ("head", "body"),
    [
        (b"Content-Length: 5", b"hello"),
        (b"Transfer-Encoding: chunked", b"2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n"),
        (b"Content-Length: 5\r\nExpect: 100-continue", b"hello"),
    ],
)
def test_bodies_reach_the_app(head: bytes, body: bytes) -> None:
    sent = b"POST /p%20q?x=y HTTP/1.1\r\nHost: a\r\nConnection: close\r\n" + head + b"\r\n\r\n"

    async def work() -> None:
        async with serving(echo) as served:
            said = await served.said(sent + body)
        assert (b"100 Continue" in said) is (b"Expect" in head)
        assert said.endswith(b"/p q hello")

    run(work())


@pytest.mark.parametrize(
    ("line", "told", "body"),
    [
        (b"GET / HTTP/1.1", b"transfer-encoding: chunked", b"4\r\none \r\n3\r\ntwo\r\n0\r\n\r\n"),
        (b"GET / HTTP/1.0", b"connection: close", b"one two"),
        (b"HEAD / HTTP/1.1", b"connection: close", b""),
    ],
)
def test_an_answer_of_unknown_length_ends_where_the_client_sees_it(
    line: bytes, told: bytes, body: bytes
) -> None:
    status, head, said = ask(line + b"\r\nHost: a\r\nConnection: close\r\n\r\n", pieces)
    assert (status, said) == (200, body)
    assert told in head
    assert b"date: " in head


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nhost: evil.test\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\n\r\n", 400),
        (b"GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505),
        (b"GET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: a\r\nX: \0\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400),
        (b"GET / HTTP/1.1\nHost: a\n\n", 400),
        (b"GET http://b/ HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        (b"CONNECT b:443 HTTP/1.1\r\nHost: b:443\r\n\r\n", 400),
        (b"GET * HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx", 400),
        (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\nx", 400),
        (
            b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
            400,
        ),
        (b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501),
        (b"GET / HTTP/1.1\r\nHost: a\r\n" + b"X: y\r\n" * 101 + b"\r\n", 431),
        (b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"y" * 200_000, 431),
        (b"GET /" + b"y" * 200_000, 400),
        (b"GET /" + b"y" * 70_000 + b" HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\r\n\r\n", 400),
    ],
)
def test_what_could_be_read_in_two_ways_or_has_no_end_is_refused(sent: bytes, status: int) -> None:
    found, head, _ = ask(sent)
    assert found == status
    assert b"problem+json" in head
    assert b"connection: close" in head


def test_an_address_with_our_name_is_the_same_as_a_path() -> None:
    close = b"Connection: close\r\n\r\n"
    assert ask(b"GET http://a/x HTTP/1.1\r\nHost: a\r\n" + close)[2] == b"/x "


def test_a_head_has_to_come_in_time_and_an_idle_connection_ends() -> None:
    async def work() -> None:
        async with serving(echo, USUAL._replace(head_seconds=0.1, idle_seconds=0.1)) as served:
            slow, idle, used = await asyncio.gather(
                served.said(b"GET / HTTP/1.1\r\nX-"), served.said(b""), served.said(GET)
            )
        assert slow.startswith(b"HTTP/1.1 408 ")
        assert idle == b""
        assert used.startswith(b"HTTP/1.1 200 ")
        assert not served.server.connections

    run(work())


def test_one_address_cannot_hold_all_connections() -> None:
    async def work() -> None:
        async with serving(echo, USUAL._replace(most=4)) as served:
            held = [await asyncio.open_connection("127.0.0.1", served.port) for _ in range(3)]
            await until(lambda: len(served.server.connections) == 3)
            assert (await served.said(GET)).startswith(b"HTTP/1.1 503 ")
            held[0][1].close()
            await until(lambda: len(served.server.connections) == 2)
            closing = GET[:-2] + b"Connection: close\r\n\r\n"
            assert (await served.said(closing)).startswith(b"HTTP/1.1 200 ")
            for _, writer in held:
                writer.close()

    run(work())


def test_a_flood_of_requests_waits_where_it_comes_from() -> None:
    """Whoever sends without reading fills neither our memory nor the app with work."""
    asked = 0

    async def large(scope: Scope, _: Receive, send: Send) -> None:
        nonlocal asked
        asked += 1
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"x" * 1_000_000})

    async def work() -> None:
        async with serving(large) as served:
            _, writer = await asyncio.open_connection("127.0.0.1", served.port)
            writer.write(GET * 400_000)
            await until(
                lambda: any(len(each.buffer) > READ_AHEAD for each in served.server.connections)
            )
            for _ in range(100):
                await asyncio.sleep(0)
            (connection,) = served.server.connections
            assert len(connection.buffer) + connection.unsent < 4_000_000
            assert asked < 20
            writer.transport.abort()

    run(work())


def test_whoever_takes_nothing_is_let_go() -> None:
    async def endless(_: Scope, __: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        while True:
            await send({"type": "http.response.body", "body": b"x" * 100_000, "more_body": True})

    async def work() -> None:
        async with serving(endless, USUAL._replace(stall_seconds=0.1)) as served:
            with socket.create_connection(("127.0.0.1", served.port)) as talk:
                talk.sendall(GET)
                await until(lambda: len(served.server.connections) == 1)
                await until(lambda: not served.server.connections)

    # The app goes on for nobody: it ends with the server.
    run(work())


def test_a_defect_of_the_app_is_told_and_half_an_answer_is_cut() -> None:
    async def broken(scope: Scope, _: Receive, send: Send) -> None:
        if scope["path"] == "/half":
            headers = [(b"content-length", b"10")]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            await send({"type": "http.response.body", "body": b"half", "more_body": True})
        if scope["path"] == "/split":
            headers = [(b"x", b"a\r\nb: c")]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
        raise ValueError("a defect")

    async def work() -> None:
        async with serving(broken) as served:
            assert (await served.said(GET)).startswith(b"HTTP/1.1 500 ")
            split = await served.said(GET.replace(b"/ ", b"/split ", 1))
            assert split.startswith(b"HTTP/1.1 500 ")
            with suppress(ConnectionError):  # or what came before the cut
                assert not (await served.said(GET.replace(b"/ ", b"/half ", 1))).endswith(
                    b"half" * 2
                )
        assert [type(each) for each in served.faults] == [ValueError, RuntimeError, ValueError]

    run(work())


def test_the_app_hears_that_its_client_is_gone() -> None:
    async def work() -> None:
        begun, heard = asyncio.Event(), asyncio.Event()

        async def waiting(scope: Scope, receive: Receive, __: Send) -> None:
            await receive()
            begun.set()
            assert (await receive())["type"] == "http.disconnect"
            assert scope[GONE].is_set()
            heard.set()

        async with serving(waiting) as served:
            _, writer = await asyncio.open_connection("127.0.0.1", served.port)
            writer.write(GET)
            await asyncio.wait_for(begun.wait(), PATIENCE)
            writer.close()
            await asyncio.wait_for(heard.wait(), PATIENCE)

    run(work())


def test_what_is_being_answered_comes_to_its_end_when_we_close() -> None:
    async def work() -> None:
        begun, go_on = asyncio.Event(), asyncio.Event()

        async def slow(scope: Scope, receive: Receive, send: Send) -> None:
            begun.set()
            await go_on.wait()
            await echo(scope, receive, send)

        async with serving(slow) as served:
            answer = asyncio.create_task(served.said(GET))
            await asyncio.wait_for(begun.wait(), PATIENCE)
            ending = asyncio.create_task(served.server.end(PATIENCE))
            await asyncio.sleep(0)
            go_on.set()
            await ending
            assert (await answer).startswith(b"HTTP/1.1 200 ")

    run(work())
