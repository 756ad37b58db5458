import asyncio
import socket
import time

import pytest
from tests.demo.conftest import MALICE, WORLD
from tests.demo.walker import Client
from tests.slowness import patience

from gossamer.demo.accesslog import Access, audit
from gossamer.demo.rendering import rendered
from gossamer.demo.server import Running, now, serve
from gossamer.demo.world import World

SMALL = World(pages=60, hosts=6)


def raw(address: str, *requests: bytes) -> bytes:
    """All that comes back for some bytes, until the server closes or goes quiet."""
    host, _, port = address.partition(":")
    received = b""
    with socket.create_connection((host, int(port)), timeout=patience(60)) as link:
        link.sendall(b"".join(requests))
        while data := link.recv(65_536):
            received += data
    return received


def get(host: str, path: str = "/", *headers: str) -> bytes:
    lines = (f"GET {path} HTTP/1.1", f"Host: {host}", "Connection: close", *headers)
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def test_every_page_is_served_as_it_was_made(client: Client) -> None:
    for number in range(0, WORLD.pages, 3):
        page = WORLD.page(number)
        response, made = client.get(page.url), rendered(WORLD, page)
        assert (response.status, response.body) == (200, made.body)
        assert response.headers["Content-Type"] == made.content_type


def test_gzip_is_sent_to_whoever_accepts_it(client: Client) -> None:
    page = next(page for n in range(WORLD.pages) if (page := WORLD.page(n)).zipped)
    response = client.get(page.url, **{"Accept-Encoding": "gzip"})
    assert response.headers["Content-Encoding"] == "gzip"
    assert response.body == rendered(WORLD, page).body
    assert "Content-Encoding" not in client.get(page.url).headers


def test_known_pages_are_not_sent_again(client: Client) -> None:
    first = client.get(WORLD.front(0))
    for name, value in (
        ("If-None-Match", first.headers["ETag"]),
        ("If-Modified-Since", first.headers["Last-Modified"]),
    ):
        again = client.get(WORLD.front(0), **{name: value})
        assert (again.status, again.body) == (304, b"")


def test_unknown_hosts_and_paths_are_not_found(client: Client) -> None:
    for url in ("http://nobody.test/", f"{WORLD.front(0)}nothing", "http://malice.test/"):
        assert client.get(url).status == 404


def test_a_huge_robots_txt_arrives_whole(client: Client) -> None:
    response = client.get(f"{WORLD.front(8)}robots.txt")
    assert len(response.body) > 640 * 1024
    assert response.body.endswith(b"Disallow: /drafts/\n")


async def asked(running: Running, *requests: bytes) -> bytes:
    return await asyncio.to_thread(raw, running.address, *requests)


def test_the_wire_is_spoken_as_the_standard_says() -> None:
    async def talk() -> None:
        async with serve(SMALL) as running:
            assert running.address.startswith("127.0.0.1:")
            front = await asked(running, get("WWW.SITE0.TEST:8099"))
            assert front.startswith(b"HTTP/1.1 200 OK\r\n")
            absolute = get("x.test").replace(b"GET /", b"GET http://www.site0.test/")
            assert (await asked(running, absolute)) == front
            head = get("www.site0.test").replace(b"GET", b"HEAD")
            assert (await asked(running, head)) == front.partition(b"\r\n\r\n")[0] + b"\r\n\r\n"
            post = get("www.site0.test").replace(b"GET", b"POST")
            assert b" 405 " in (await asked(running, post))
            assert b" 400 " in (await asked(running, b"nonsense\r\n\r\n"))
            upgrade = get("www.site0.test", "/", "Upgrade: h2c").replace(b"close", b"upgrade")
            closing = get("www.site0.test")
            assert (await asked(running, upgrade, closing)).count(b"HTTP/1.1 200 OK") == 2

    asyncio.run(talk())


def test_requests_on_one_connection_are_answered_in_order() -> None:
    async def talk() -> tuple[bytes, list[Access]]:
        async with serve(SMALL) as running:
            first = get("www.site0.test").replace(b"close", b"keep-alive")
            second = get("data.site0.test", "/robots.txt")
            return await asked(running, first, first, second), running.log

    received, log = asyncio.run(talk())
    assert received.count(b"HTTP/1.1 200 OK") == 2
    assert received.count(b"HTTP/1.1 404 ") == 1
    assert [entry.host for entry in log] == ["www.site0.test"] * 2 + ["data.site0.test"]


def test_the_log_tells_what_was_asked_and_sent() -> None:
    async def talk() -> tuple[bytes, list[Access], float, float]:
        before = now()
        async with serve(SMALL) as running:
            request = get("www.site0.test", "/nothing?at=all", "User-Agent: someone")
            return await asked(running, request), running.log, before, now()

    received, (entry,), before, after = asyncio.run(talk())
    assert (entry.method, entry.host, entry.path) == ("GET", "www.site0.test", "/nothing?at=all")
    assert (entry.agent, entry.status, entry.bytes) == ("someone", 404, len(received))
    assert before <= entry.arrived <= entry.ended <= after


def test_the_audit_sees_requests_that_overlap() -> None:
    world = World(pages=60, hosts=6, malice=True, slow_seconds=0.3)

    async def talk() -> list[Access]:
        async with serve(world) as running:
            late, front = get("slow.malice.test", "/late"), get("slow.malice.test")
            await asyncio.gather(asked(running, late), asked(running, late))
            await asked(running, front)
            return running.log

    said = audit(asyncio.run(talk()))["slow.malice.test"]
    assert said.requests == 3
    assert said.most_in_flight == 2
    assert said.smallest_gap is not None
    assert said.smallest_gap < 0


def test_a_client_that_leaves_early_is_logged_and_harms_nobody() -> None:
    async def talk() -> list[Access]:
        async with serve(World(pages=60, hosts=6, malice=True)) as running:
            host, _, port = running.address.partition(":")
            _, writer = await asyncio.open_connection(host, int(port))
            writer.write(get("broken.malice.test", "/silent"))
            await writer.drain()
            writer.close()
            await writer.wait_closed()
            assert b" 200 " in await asked(running, get("www.site0.test"))
        return running.log  # whatever was under way has ended by now

    silent = next(
        e for e in asyncio.run(asyncio.wait_for(talk(), patience(30))) if e.path == "/silent"
    )
    assert (silent.status, silent.bytes) == (0, 0)


@pytest.mark.parametrize(
    ("host", "path"),
    [("www.site4.test", "/robots.txt"), ("slow.malice.test", "/late"), ("www.site0.test", "/")],
)
def test_an_answer_ends_no_later_than_its_client_leaves_however_late_we_hear_of_it(
    host: str, path: str
) -> None:
    async def talk() -> tuple[float, list[Access]]:
        async with serve(World(pages=60, hosts=20, malice=True)) as running:
            address, _, port = running.address.partition(":")
            with socket.create_connection((address, int(port))) as link:
                link.sendall(get(host, path))
                for _ in range(10):  # in each of which the server hears something
                    await asyncio.sleep(0.005)
            left = now()
            time.sleep(0.05)  # noqa: ASYNC251 (as on a machine that has other things to do)
        return left, running.log

    left, (entry,) = asyncio.run(talk())
    assert entry.path == path
    assert entry.arrived <= entry.ended <= left


def test_a_server_stops_while_answers_are_under_way() -> None:
    async def talk() -> list[Access]:
        async with serve(World(pages=60, hosts=6, malice=True)) as running:
            host, _, port = running.address.partition(":")
            reader, writer = await asyncio.open_connection(host, int(port))
            writer.write(get("broken.malice.test", "/endless-trickle"))
            await reader.readuntil(b"\r\n\r\n")
        with pytest.raises(OSError):
            await asyncio.open_connection(host, int(port))
        writer.close()
        return running.log

    assert [entry.path for entry in asyncio.run(asyncio.wait_for(talk(), patience(30)))] == [
        "/endless-trickle"
    ]


def test_what_goes_wrong_in_the_block_comes_out_as_it_is() -> None:
    async def talk() -> None:
        async with serve(SMALL):
            raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        asyncio.run(talk())


def test_busy_addresses_are_counted_by_each_server_anew() -> None:
    def statuses(responses: list[bytes]) -> list[int]:
        return [int(response.split()[1]) for response in responses]

    async def talk() -> list[bytes]:
        async with serve(MALICE) as running:
            request = get("busy.malice.test", "/limited")
            return [await asked(running, request) for _ in range(4)]

    for _ in range(2):
        responses = asyncio.run(talk())
        assert statuses(responses) == [429, 429, 200, 200]
        assert b"\r\nRetry-After: 1\r\n" in responses[0]
