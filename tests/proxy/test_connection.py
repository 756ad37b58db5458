import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from socket import SO_RCVBUF, SOL_SOCKET

import pytest
from tests.proxy.origin import PAGE
from tests.proxy.proxied import Proxied, run, running, until

from gossamer.config import Politeness, Proxy
from gossamer.events import Proxied as ProxiedEvent
from gossamer.http.wire.fields import Fields, Malformed
from gossamer.proxy.access_log import Stage
from gossamer.proxy.cache.cache import open_cache
from gossamer.proxy.cache.none import NoCache, Passing, Unkept
from gossamer.proxy.cache.protocol import CacheAnswer, Flight, Request
from gossamer.proxy.connection import PendingRequest

LONG = Politeness(delay=timedelta(seconds=60), contact="me@example.org")


def get(path: str, *lines: str, version: str = "1.1") -> bytes:
    more = "".join(f"{line}\r\n" for line in lines)
    return f"GET http://a.test{path} HTTP/{version}\r\nHost: a.test\r\n{more}\r\n".encode()


def test_requests_that_come_together_are_answered_in_order(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied, proxied.connected() as client:
            await client.send(get("/sleep/0.1") + get("/") + get("/echo"))
            bodies = [(await client.reply()).body for _ in range(3)]
            assert bodies == [b"slept", PAGE, b""]

    run(work())


@asynccontextmanager
async def small_buffers(folder: Path) -> AsyncIterator[Proxied]:
    """A proxy with a cache that reads little ahead of its clients."""
    proxy = Proxy(buffer_bytes=64 * 1024)
    async with running(folder, proxy, cache=lambda: open_cache(folder / "c.db", proxy)) as proxied:
        yield proxied
        await proxied.parts.cache.close()


@pytest.mark.parametrize("path", ["/kept/100000", "/large/100000"])
def test_whoever_asks_much_and_reads_little_does_not_fill_the_memory(
    tmp_path: Path, path: str
) -> None:
    count = 200

    async def work() -> None:
        async with small_buffers(tmp_path) as proxied, proxied.connected() as client:
            first, most = await client.get(f"http://a.test{path}"), 0
            asking = asyncio.create_task(client.send(get(path) * count))
            (connection,) = proxied.parts.connections
            await until(lambda: connection.is_full)
            for _ in range(count):
                most = max(most, connection.unsent)
                assert (await client.reply()).body == first.body
            await asking
            assert most < 400_000

    run(work())


def test_who_takes_the_end_of_a_last_answer_slowly_gets_it(tmp_path: Path) -> None:
    size, now = 30_000_000, time.monotonic()

    async def work() -> None:
        large = Proxy(buffer_bytes=2 * size)
        async with running(tmp_path, large) as proxied, proxied.connected() as client:
            await client.send(get(f"/large/{size}", "Connection: close"))
            (connection,) = proxied.parts.connections
            await until(lambda: hasattr(connection, "transport"))
            await until(lambda: connection.transport.is_closing())
            proxied.parts.connections.clear()  # nobody looks but we
            connection.look(now + 1)
            left, taken = connection.unsent, 0
            while connection.unsent == left:
                taken += len(await client.reader.read(100_000))
            connection.look(now + 100)
            while piece := await client.reader.read(100_000):
                taken += len(piece)
            assert taken > size

    run(work())


def test_who_says_no_more_still_gets_an_answer_that_has_begun(tmp_path: Path) -> None:
    async def work() -> None:
        async with small_buffers(tmp_path) as proxied, proxied.connected() as client:
            # With a fixed window: one that grows with the first answer can take all of the second.
            client.writer.get_extra_info("socket").setsockopt(SOL_SOCKET, SO_RCVBUF, 64 * 1024)
            size = 9_000_000  # which does not fit into the system's buffers
            assert len((await client.get(f"http://a.test/kept/{size}")).body) == size
            await client.send(get(f"/kept/{size}"))
            (connection,) = proxied.parts.connections
            await until(lambda: connection.is_full)
            client.writer.write_eof()
            await until(lambda: connection.ended)
            assert len((await client.reply()).body) == size

    run(work())


@pytest.mark.parametrize(
    ("path", "length", "status"), [("/echo", "3, 3", 400), ("/private", "9000000", 403)]
)
def test_whoever_is_refused_while_it_sends_hears_why(
    tmp_path: Path, path: str, length: str, status: int
) -> None:
    post = get(path, f"Content-Length: {length}").replace(b"GET", b"POST")

    async def work() -> None:
        async with running(tmp_path) as proxied, proxied.connected() as client:
            client.writer.write(post + b"x" * 9_000_000)
            await client.writer.drain()  # all of it is taken, and nothing of it undoes the answer
            assert (await client.reply()).status == status
            assert await client.is_closed()

    run(work())


def test_an_old_client_that_sends_something_is_answered_and_let_go(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied, proxied.connected() as client:
            head = get("/echo", "Content-Length: 4", version="1.0").replace(b"GET", b"POST")
            await client.send(head)
            await client.send(b"body")
            assert (await client.reply()).body == b"body"
            assert await client.is_closed()

    run(work())


def test_a_connection_goes_on_and_ends_as_the_client_wants(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied:
            async with proxied.connected() as client:
                assert (await client.get("http://a.test/")).status == 200
                last = await client.get("http://a.test/", "Connection: close")
                assert last.headers["connection"] == "close"
                assert await client.is_closed()
            async with proxied.connected() as client:
                await client.send(get("/", version="1.0"))
                assert (await client.reply()).body == PAGE
                assert await client.is_closed()
            async with proxied.connected() as client:
                await client.send(get("/", "Connection: keep-alive", version="1.0"))
                assert (await client.reply()).headers["connection"] == "keep-alive"
                assert (await client.get("http://a.test/")).status == 200

    run(work())


def test_empty_lines_before_a_request_are_no_matter(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied:
            assert (await proxied.raw(b"\r\n\r\n" + get("/"))).status == 200

    run(work())


def test_a_head_may_come_byte_by_byte(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied, proxied.connected() as client:
            for byte in get("/"):
                await client.send(bytes([byte]))
                await asyncio.sleep(0)
            assert (await client.reply()).status == 200

    run(work())


def statuses(proxied: Proxied) -> list[int]:
    """Of all answers in the access log."""
    return [each.status for each in proxied.events if isinstance(each, ProxiedEvent)]


class Faulty(NoCache):
    """A cache with a defect, that shows when an answer has begun."""

    def ask(self, request: Request, *, waited: bool = False) -> Unkept:
        return FaultyUnkept(request.fields)


class FaultyUnkept(Unkept):
    def answered(self, status: int, fields: Fields) -> Passing:
        return FaultyPassing(status, ())


@dataclass(slots=True)
class FaultyPassing(Passing):
    written: int = 0

    def write(self, piece: bytes) -> None:
        self.written += 1
        if self.written > 1:
            raise ArithmeticError("a defect")


def test_a_client_that_leaves_gives_its_place_back(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path, politeness=LONG) as proxied:
            async with proxied.connected() as client:
                await client.send(get("/", "X-Gossamer-Max-Wait: 300"))
                await until(lambda: proxied.client.ledger.next_turn("a.test", proxied.client.now()))
            await until(
                lambda: not (proxied.client.ledger.next_turn("a.test", proxied.client.now()))
            )
            await until(lambda: not (proxied.parts.figures.entries))
            (noted,) = proxied.events
            assert isinstance(noted, ProxiedEvent)
            assert (noted.status, noted.reason) == (0, "The client left.")
            assert proxied.web.pages() == []

    run(work())


def test_a_client_that_leaves_ends_its_request(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied:
            async with proxied.connected() as client:
                await client.send(get("/gate"))
                await until(
                    lambda: any(e.stage is Stage.ASKING for e in proxied.parts.figures.entries)
                )
                client.writer.transport.abort()
            await until(lambda: not (proxied.parts.figures.entries))
            assert (await proxied.get("http://a.test/")).status == 200

    run(work())


def test_a_client_that_is_too_slow_with_its_request_is_told(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied, proxied.connected() as client:
            await client.send(b"GET http://a.test/ HTTP/1.1\r\n")
            await until(lambda: any(each.buffer for each in proxied.parts.connections))
            for connection in proxied.parts.connections:
                connection.look(time.monotonic() + 31)
            assert (await client.reply()).status == 408
            assert await client.is_closed()
            assert statuses(proxied) == [408]

    run(work())


def test_connections_without_requests_are_closed_in_the_end(tmp_path: Path) -> None:
    async def work() -> None:
        async with (
            running(tmp_path) as proxied,
            proxied.connected() as idle,
            proxied.connected() as used,
        ):
            await used.get("http://a.test/")
            for connection in proxied.parts.connections:
                connection.look(time.monotonic() + 80)
            assert (await used.get("http://a.test/")).status == 200
            for connection in proxied.parts.connections:
                connection.look(time.monotonic() + 100)
            assert await idle.is_closed()
            assert await used.is_closed()

    run(work())


def test_so_many_connections_and_no_more(tmp_path: Path) -> None:
    async def work() -> None:
        async with (
            running(tmp_path, Proxy(max_connections=2)) as proxied,
            proxied.connected() as one,
            proxied.connected() as two,
        ):
            assert (await one.get("http://a.test/")).status == 200
            async with proxied.connected() as three:
                assert (await three.reply()).status == 503
            assert statuses(proxied) == [200, 503]
            assert proxied.parts.figures.statuses[503] == 1
            assert (await two.get("http://a.test/")).status == 200

    run(work())


def test_a_thousand_idle_connections_do_not_matter(tmp_path: Path, full_size: bool) -> None:
    count = 1000 if full_size else 300

    async def work() -> None:
        async with running(tmp_path) as proxied:
            idle = [await asyncio.open_connection("127.0.0.1", proxied.port) for _ in range(count)]
            assert (await proxied.get("http://a.test/")).status == 200
            assert len(proxied.parts.connections) >= count
            assert not [each for each in proxied.parts.connections if each._task]
            for _, writer in idle:
                writer.close()
            await until(lambda: not (proxied.parts.connections))

    run(work())


def test_a_defect_of_ours_ends_one_connection_and_is_told(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied:
            cache = proxied.parts.cache
            proxied.parts.cache = None  # type: ignore[assignment]  # as no cache ever is
            reply = await proxied.get("http://a.test/")
            assert reply.status == 500
            assert [event.name for event in proxied.events] == ["proxy-fault", "proxied"]
            assert statuses(proxied) == [500]
            proxied.parts.cache = cache
            assert (await proxied.get("http://a.test/")).status == 200

    run(work())


@pytest.mark.parametrize("path", ["/large/400000", "/chunked/80"])
def test_a_defect_of_ours_does_not_look_like_the_end_of_an_answer(
    tmp_path: Path, path: str
) -> None:
    async def work() -> None:
        async with running(tmp_path, cache=Faulty) as proxied, proxied.connected() as client:
            await client.send(get(path))
            heard = await client.reader.read()
            assert heard.startswith(b"HTTP/1.1 200 OK\r\n")
            assert b"HTTP/1.1 500" not in heard
            assert len(heard) < 400_000
            assert not heard.endswith(b"0\r\n\r\n")
            assert [event.name for event in proxied.events] == ["proxied", "proxy-fault"]

    run(work())


def test_every_answer_is_in_the_access_log(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied:
            await proxied.get("http://a.test/")
            await proxied.get("http://a.test/private/x")
            await proxied.raw(b"nonsense\r\n\r\n")
            found = [
                (each.method, each.url, each.status, each.bytes, each.by)
                for each in proxied.events
                if isinstance(each, ProxiedEvent)
            ]
            assert found[:1] == [("GET", "http://a.test/", 200, len(PAGE), "server")]
            assert found[1][:3] == ("GET", "http://a.test/private/x", 403)
            assert (found[2][0], found[2][2]) == ("", 400)
            assert dict(proxied.parts.figures.answers) == {"server": 1, "ourselves": 2}

    run(work())


def test_a_client_that_closes_its_side_with_its_request_has_left(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied, proxied.connected() as client:
            client.writer.write(get("/"))
            client.writer.write_eof()
            assert await client.is_closed()
            assert proxied.web.pages() == []
            assert (await proxied.get("http://a.test/")).status == 200

    run(work())


def test_a_request_that_is_dropped_keeps_nobody_waiting_and_nothing_held(tmp_path: Path) -> None:
    async def work() -> None:
        cache = open_cache(tmp_path / "cache.db", Proxy())
        request = Request("GET", "http://a.test/", ())
        found = cache.ask(request)
        flight = cache.ask(request)
        assert isinstance(flight, Flight)
        begun = PendingRequest(Malformed(400, ""), found=found)
        for _ in range(2):  # as happens where its task ends
            begun.drop()
            assert flight.has_landed
        released: list[bool] = []
        answer = CacheAnswer(200, b"", release=lambda: released.append(True))
        PendingRequest(Malformed(400, ""), found=answer).drop()
        assert released == [True]
        await cache.close()

    run(work())
