import asyncio
from datetime import timedelta
from pathlib import Path

import pytest
from tests.proxy.proxied import run, running, until

from gossamer.config import Proxy
from gossamer.http.stream import GoneError, Stream
from gossamer.http.wire.framing import CHUNKED, UNTIL_CLOSE, Sized
from gossamer.proxy.refusals import Refused
from gossamer.proxy.reply import Reply, Sequences


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
        answer.slot = second
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
        answer.slot = sequences.enter("anna", 0.01)
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
        answer.slot = place = sequences.enter("anna", 60)
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


IN_ORDER = "X-Gossamer-Sequential: 1"


def test_answers_come_in_the_order_of_their_requests(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied:
            done: list[str] = []

            async def ask(url: str) -> None:
                await proxied.get(url, IN_ORDER)
                done.append(url)

            slow = asyncio.create_task(ask("http://slow.test/gate"))
            await until(lambda: proxied.web.pages("slow.test"))
            quick = asyncio.create_task(ask("http://quick.test/"))
            await until(lambda: proxied.web.pages("quick.test"))  # it runs meanwhile
            other = await proxied.get("http://other.test/")  # and who wants no order has none
            assert (other.status, done) == (200, [])
            proxied.web.gate.set()
            await asyncio.gather(slow, quick)
            assert done == ["http://slow.test/gate", "http://quick.test/"]

    run(work())


def test_a_client_may_always_want_it(tmp_path: Path) -> None:
    async def work() -> None:
        proxy = Proxy(sequential=("127.0.0.1",), max_hold=timedelta(seconds=0.2))
        async with running(tmp_path, proxy) as proxied:
            slow = asyncio.create_task(proxied.get("http://slow.test/gate"))
            await until(lambda: proxied.web.pages("slow.test"))
            quick = await proxied.get("http://quick.test/")
            assert quick.headers["x-gossamer-out-of-order"] == "1"  # it was held for long enough
            proxied.web.gate.set()
            assert "x-gossamer-out-of-order" not in (await slow).headers

    run(work())


def test_a_refusal_has_its_place_too(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path, Proxy(sequential=("*",))) as proxied:
            slow = asyncio.create_task(proxied.get("http://slow.test/gate"))
            await until(lambda: proxied.web.pages("slow.test"))
            refused = asyncio.create_task(proxied.get("http://a.test/", method="TRACE"))
            await until(lambda: len(proxied.parts.connections) == 2)
            done, _ = await asyncio.wait([refused], timeout=0.1)
            assert not done
            proxied.web.gate.set()
            assert ((await slow).status, (await refused).status) == (200, 405)

    run(work())


def test_an_answer_is_held_from_when_it_is_there_not_from_when_it_was_asked_for() -> None:
    async def work() -> None:
        sequences = Sequences()
        first, late = sequences.enter("anna", 60), sequences.enter("anna", 0)
        overdue = [late.is_overdue]  # there is no answer so far
        late.hold()
        overdue.append(late.is_overdue)
        assert overdue == [False, True]
        assert not await late.wait()
        first.hold()
        assert await first.wait()

    run(work())


def test_a_large_answer_that_is_held_does_not_fill_the_memory(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path, Proxy(buffer_bytes=64 * 1024)) as proxied:
            slow = asyncio.create_task(proxied.get("http://slow.test/gate", IN_ORDER))
            await until(lambda: proxied.web.pages("slow.test"))
            large = asyncio.create_task(proxied.get("http://large.test/large/9000000", IN_ORDER))
            await until(lambda: proxied.web.pages("large.test"))
            proxied.web.gate.set()
            assert len((await large).body) == 9_000_000
            await slow

    run(work())


def test_a_place_that_is_left_makes_way() -> None:
    async def work() -> None:
        sequences = Sequences()
        first, second, third = (sequences.enter("anna", 10) for _ in range(3))
        assert sequences.enter("bert", 10).is_first
        waiting = asyncio.create_task(third.wait())
        sequences.leave("anna", second)
        await asyncio.sleep(0)
        assert not waiting.done()
        sequences.leave("anna", first)
        assert await waiting
        sequences.leave("anna", third)
        assert list(sequences._lines) == ["bert"]

    run(work())
