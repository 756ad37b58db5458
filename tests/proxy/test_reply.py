import asyncio
from datetime import timedelta

import pytest
from tests.proxy.proxied import run

from gossamer.proxy.refusals import Refused
from gossamer.proxy.reply import Reply
from gossamer.proxy.sequence import Sequences
from gossamer.proxy.stream import GoneError, Stream
from gossamer.proxy.wire.framing import CHUNKED, UNTIL_CLOSE, Sized


class Sink(Stream):
    """A connection to somebody who takes everything."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.is_closed = False
        self.stuck = False

    def write(self, data: bytes) -> None:
        self.written += data

    def close(self) -> None:
        self.is_closed = True

    def abort(self) -> None:
        self.is_closed = True

    @property
    def is_full(self) -> bool:
        return self.stuck

    @property
    def unsent(self) -> int:
        return len(self.written)

    async def drain(self) -> None:
        if self.stuck:
            await asyncio.sleep(60)


def reply(sink: Sink, *, minor: int = 1, is_head: bool = False) -> Reply:
    return Reply(
        sink,
        b"1.1 us",
        minor=minor,
        is_head=is_head,
        keeps_alive=True,
        most_held=10,
        patience=timedelta(milliseconds=10),
    )


def test_a_body_of_known_length_goes_as_it_is() -> None:
    async def work() -> bytes:
        sink = Sink()
        answer = reply(sink)
        answer.begin(200, b"Content-Length: 3\r\n", Sized(3))
        answer.write(b"abc")
        await answer.end()
        assert not sink.is_closed
        return sink.written

    assert run(work()) == b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nVia: 1.1 us\r\n\r\nabc"


def test_a_body_of_unknown_length_goes_in_chunks_or_ends_with_the_connection() -> None:
    async def work(minor: int) -> tuple[bytes, bool]:
        sink = Sink()
        answer = reply(sink, minor=minor)
        answer.begin(200, b"", UNTIL_CLOSE)
        answer.write(b"abc")
        await answer.end()
        return sink.written.partition(b"\r\n\r\n")[2], sink.is_closed

    assert run(work(1)) == (b"3\r\nabc\r\n0\r\n\r\n", False)
    assert run(work(0)) == (b"abc", True)


def test_an_answer_to_head_has_no_body() -> None:
    async def work() -> bytes:
        sink = Sink()
        answer = reply(sink, is_head=True)
        answer.begin(200, b"", CHUNKED)
        answer.write(b"abc")
        await answer.end()
        return sink.written

    assert run(work()).endswith(b"\r\n\r\n")


def test_an_answer_waits_for_those_before_it() -> None:
    async def work() -> None:
        sequences, sink = Sequences(), Sink()
        first, second = sequences.enter("anna", 60), sequences.enter("anna", 60)
        answer = reply(sink)
        answer.place = second
        answer.begin(200, b"", Sized(3))
        answer.write(b"abc")
        ending = asyncio.create_task(answer.end())
        await asyncio.sleep(0)
        assert sink.written == b""
        sequences.leave("anna", first)
        await ending
        assert sink.written.endswith(b"\r\n\r\nabc")
        assert b"Out-Of-Order" not in sink.written

    run(work())


def test_an_answer_is_not_held_for_ever_nor_beyond_its_buffer() -> None:
    async def work() -> None:
        sequences, sink = Sequences(), Sink()
        sequences.enter("anna", 60)
        answer = reply(sink)
        answer.place = sequences.enter("anna", 0.01)
        answer.begin(200, b"", Sized(20))
        answer.write(b"x" * 20)  # more than is held
        await answer.drain()
        assert b"X-Gossamer-Out-Of-Order: 1\r\n" in sink.written
        answer.write(b"y")
        assert sink.written.endswith(b"xy")

    run(work())


def test_the_time_of_an_answer_begins_with_it_and_ends_while_it_comes() -> None:
    async def work() -> None:
        sequences, sink = Sequences(), Sink()
        sequences.enter("anna", 60)
        answer = reply(sink)
        answer.place = place = sequences.enter("anna", 60)
        assert place.until is None
        answer.begin(200, b"", Sized(4))
        answer.write(b"ab")
        await answer.drain()  # it fits into what may be held
        assert (sink.written, place.is_overdue) == (b"", False)
        place.until = asyncio.get_running_loop().time()
        answer.write(b"cd")
        await answer.drain()
        assert b"X-Gossamer-Out-Of-Order: 1\r\n" in sink.written
        assert sink.written.endswith(b"abcd")

    run(work())


def test_who_takes_nothing_is_left() -> None:
    async def work() -> None:
        sink = Sink()
        sink.stuck = True
        answer = reply(sink)
        answer.begin(200, b"", Sized(3))
        answer.write(b"abc")
        with pytest.raises(GoneError):
            await answer.drain()
        assert sink.is_closed

    run(work())


def test_an_answer_ends_when_there_is_room_for_another() -> None:
    async def work() -> None:
        sink = Sink()
        sink.stuck = True
        with pytest.raises(GoneError):
            await reply(sink).refuse(Refused(429, "Later."))
        assert sink.is_closed

    run(work())


def test_a_refusal_is_an_answer() -> None:
    async def work() -> bytes:
        sink = Sink()
        await reply(sink).refuse(Refused(429, "Later."))
        return sink.written

    written = run(work())
    assert written.startswith(b"HTTP/1.1 429 Too Many Requests\r\n")
    assert written.endswith(b"\r\n\r\nLater.\n")


def test_word_ahead_is_for_those_who_understand_it() -> None:
    for minor, written in (
        (1, b"HTTP/1.1 103 Early Hints\r\nA: 1\r\nVia: 1.1 us\r\n\r\n"),
        (0, b""),
    ):
        sink = Sink()
        reply(sink, minor=minor).interim(103, b"A: 1\r\n")
        assert sink.written == written


def test_what_breaks_off_is_cut() -> None:
    sink = Sink()
    answer = reply(sink)
    answer.begin(200, b"", CHUNKED)
    answer.write(b"abc")
    answer.break_off()
    assert sink.is_closed
    assert not sink.written.endswith(b"0\r\n\r\n")
