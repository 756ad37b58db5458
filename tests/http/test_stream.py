import asyncio
from collections.abc import Callable, Coroutine
from socket import SO_LINGER, SOL_SOCKET
from typing import Any

import pytest
from tests.proxy.origin import NOT_AT_ALL
from tests.proxy.proxied import run, until

from gossamer.http.stream import READ_AHEAD, Body, BrokenBodyError, GoneError, Stream
from gossamer.http.wire.framing import CHUNKED, NOTHING, UNTIL_CLOSE, Framing, Sized

Work = Callable[[Stream, asyncio.StreamReader, asyncio.StreamWriter], Coroutine[Any, Any, None]]


def between(work: Work) -> None:
    """Run something with a stream and the other end of its connection."""

    async def both() -> None:
        loop = asyncio.get_running_loop()
        stream = Stream()
        server = await loop.create_server(lambda: stream, "127.0.0.1", 0)
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        await until(lambda: hasattr(stream, "transport"))
        try:
            await work(stream, reader, writer)
        finally:
            writer.close()
            stream.abort()
            server.close()

    run(both())


def test_bytes_wait_until_they_are_taken() -> None:
    async def work(stream: Stream, _: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"abcdef")
        assert await stream.more()
        assert stream.take(2) == b"ab"
        assert stream.take() == b"cdef"
        writer.write_eof()
        assert not await stream.more()
        assert stream.ended

    between(work)


def test_whoever_sends_more_than_is_taken_is_held_up() -> None:
    async def work(stream: Stream, _: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"x" * 30_000_000)
        await until(lambda: len(stream.buffer) > READ_AHEAD)
        await asyncio.sleep(0.05)
        assert len(stream.buffer) < 4 * READ_AHEAD
        received = 0
        while received < 30_000_000:
            if not stream.buffer:
                await stream.more()
            received += len(stream.take())

    between(work)


def test_whoever_takes_less_than_is_sent_holds_us_up() -> None:
    async def work(stream: Stream, reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        stream.write(b"x" * 10_000_000)
        assert stream.is_full
        draining = asyncio.create_task(stream.drain())
        await asyncio.sleep(0)
        assert not draining.done()
        await reader.readexactly(10_000_000)
        await draining

    between(work)


def test_nobody_waits_for_somebody_who_is_gone() -> None:
    async def work(
        stream: Stream, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        stream.write(b"x" * 10_000_000)
        draining = asyncio.create_task(stream.drain())
        await asyncio.sleep(0)
        writer.transport.abort()
        with pytest.raises(GoneError):
            await draining
        assert stream.lost
        stream.write(b"more")  # of which nothing comes
        stream.close()
        assert not stream.say_no_more()
        assert stream.unsent == 0

    between(work)


@pytest.mark.parametrize("is_reset", [False, True])
def test_who_was_cut_has_not_said_all(is_reset: bool) -> None:
    async def work(stream: Stream, _: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"half")
        assert await stream.more()
        if is_reset:
            writer.get_extra_info("socket").setsockopt(SOL_SOCKET, SO_LINGER, NOT_AT_ALL)
        writer.close()
        await until(lambda: stream.ended)
        assert stream.said_all is not is_reset

    between(work)


def test_one_side_may_end_before_the_other() -> None:
    async def work(
        stream: Stream, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        stream.write(b"last words")
        assert stream.say_no_more()
        assert await reader.read() == b"last words"
        writer.write(b"and mine")
        assert await stream.more()
        assert stream.take() == b"and mine"

    between(work)


class Fed(Stream):
    """A stream that has ended, with these bytes."""

    def __init__(self, data: bytes, *, said_all: bool = True) -> None:
        super().__init__()
        self.buffer += data
        self.ended, self.said_all = True, said_all


def read(data: bytes, framing: Framing, *, said_all: bool = True) -> tuple[bytes, bytes, bool]:
    async def work() -> tuple[bytes, bytes, bool]:
        stream = Fed(data, said_all=said_all)
        body = Body(stream, framing)
        pieces = [piece async for piece in body.pieces()]
        return b"".join(pieces), bytes(stream.buffer), body.is_complete

    return asyncio.run(work())


@pytest.mark.parametrize(
    ("data", "framing", "body", "rest"),
    [
        (b"abcdef", Sized(4), b"abcd", b"ef"),
        (b"abc", NOTHING, b"", b"abc"),
        (b"abc", UNTIL_CLOSE, b"abc", b""),
        (b"3\r\nabc\r\n0\r\n\r\nnext", CHUNKED, b"abc", b"next"),
    ],
)
def test_a_body_ends_where_it_says(data: bytes, framing: Framing, body: bytes, rest: bytes) -> None:
    assert read(data, framing) == (body, rest, True)


@pytest.mark.parametrize(
    ("data", "framing", "why"),
    [
        (b"abc", Sized(4), "broke off"),
        (b"3\r\nab", CHUNKED, "broke off"),
        (b"x\r\n", CHUNKED, "size of a chunk"),
    ],
)
def test_a_body_that_ends_too_soon_is_broken(data: bytes, framing: Framing, why: str) -> None:
    with pytest.raises(BrokenBodyError, match=why):
        read(data, framing)


def test_a_body_that_ends_with_its_connection_is_broken_where_that_was_cut() -> None:
    with pytest.raises(BrokenBodyError, match="cut"):
        read(b"abc", UNTIL_CLOSE, said_all=False)
    assert read(b"abc", Sized(3), said_all=False) == (b"abc", b"", True)  # which says its length


def test_a_body_that_is_here_is_taken_at_once() -> None:
    stream = Fed(b"abcdef")
    body = Body(stream, Sized(4))
    assert body.at_hand() == b"abcd"
    assert body.at_hand() == b""
    assert (body.is_complete, bytes(stream.buffer)) == (True, b"ef")
    assert Body(stream, Sized(4)).at_hand() is None
    assert Body(stream, UNTIL_CLOSE).at_hand() is None
