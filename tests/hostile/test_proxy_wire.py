"""Framing that costs its sender nothing and would cost the proxy without end."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tests.fetch.servers import Conversation, serving
from tests.proxy.proxied import Proxied, run, running

from gossamer.config import Fetch

CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
PIECES = 3_000  # more than the buffers of a connection hold, whatever they are
FLOODS = {
    "chunks of one byte": (CHUNKED, b"1\r\nx\r\n" * 1000),
    "extensions": (CHUNKED, (b"1;" + b"x" * 900 + b"\r\nx\r\n") * 100),
    "an extension": (CHUNKED + b"5;", b"x" * 10_000),
    "trailers": (CHUNKED + b"5\r\nhello\r\n0\r\n", b"X: flood\r\n" * 1000),
    "a trailer line": (CHUNKED + b"0\r\nX: ", b"x" * 10_000),
    "interim answers": (b"", b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" * 100),
    "header fields": (b"HTTP/1.1 200 OK\r\n", b"X: flood\r\n" * 1000),
}


@asynccontextmanager
async def flooding(folder: Path, first: bytes, piece: bytes) -> AsyncIterator[tuple[Proxied, str]]:
    """A proxy, and the URL of a server that says the same for as long as anybody listens."""

    async def flood(conversation: Conversation) -> None:
        if conversation.request.startswith(b"GET /robots.txt"):
            await conversation.say(b"HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n")
            return
        await conversation.say(first)
        for _ in range(PIECES):
            await conversation.say(piece)
        took_all.append(True)

    took_all = list[bool]()
    reach = Fetch(allow_net=("127.0.0.0/8",))
    async with serving(flood) as server, running(folder, fetch=reach) as proxied:
        yield proxied, f"http://127.0.0.1:{server.port}/page"
    assert not took_all


@pytest.mark.parametrize("what", FLOODS)
def test_a_server_that_frames_without_end_is_broken_off(tmp_path: Path, what: str) -> None:
    async def work() -> None:
        async with (
            flooding(tmp_path, *FLOODS[what]) as (proxied, url),
            proxied.connected() as client,
        ):
            host, last = url.split("/")[2].encode(), b"Connection: close\r\n\r\n"
            await client.send(b"GET %b HTTP/1.1\r\nHost: %b\r\n%b" % (url.encode(), host, last))
            got = await client.reader.read(-1)
            is_refused = b"HTTP/1.1 502 " in got
            assert is_refused or not got.endswith(b"0\r\n\r\n"), "it looks complete"
            assert len(got) < 200_000
            assert (await proxied.get("http://good.test/")).status == 200

    run(work())


@pytest.mark.parametrize(
    ("flood", "last"),
    [
        (b"1\r\nx\r\n" * 30_000, b"0\r\n\r\n"),
        ((b"1;" + b"x" * 900 + b"\r\nx\r\n") * 100, b"0\r\n\r\n"),
        (b"5\r\nhello\r\n0\r\n" + b"X: flood\r\n" * 1000, b"\r\n"),
    ],
)
def test_a_client_that_frames_more_than_it_says_is_refused(
    tmp_path: Path, flood: bytes, last: bytes
) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied, proxied.connected() as client:
            head = b"POST http://a.test/echo HTTP/1.1\r\nHost: a.test\r\n"
            await client.send(head + b"Transfer-Encoding: chunked\r\n\r\n" + flood + last)
            assert (await client.reply()).status == 400
            assert proxied.web.pages() == []

    run(work())
