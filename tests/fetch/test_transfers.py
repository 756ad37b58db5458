import asyncio
from collections.abc import Callable, Coroutine

import pycurl
import pytest
from tests.fetch.servers import answering, ok, serving

from gossamer.fetch.transfer import Patience, Stop, Transfer, TransferLimits
from gossamer.fetch.transfers import Over, Transfers, TransferWatch
from gossamer.model import Cause, Url


def request(port: int, body: Callable[[bytes], None]) -> pycurl.Curl:
    curl = pycurl.Curl()
    curl.setopt(pycurl.URL, f"http://127.0.0.1:{port}/")
    curl.setopt(pycurl.WRITEFUNCTION, body)
    return curl


def run(
    test: Callable[[Transfers, int], Coroutine[None, None, None]],
    then: str = "keep",
    body: str = "",
) -> None:
    """With a server that answers so, and some transfers."""

    async def around() -> None:
        async with serving(answering(ok(body.encode()), then=then)) as server:
            transfers = Transfers(10)
            try:
                await test(transfers, server.port)
            finally:
                transfers.close()

    asyncio.run(around())


@pytest.mark.parametrize("count", [1, 50])
def test_transfers_that_begin_together_all_come_to_their_ends(count: int) -> None:
    async def test(transfers: Transfers, port: int) -> None:
        bodies: list[bytes] = []
        ends = [transfers.begin(request(port, bodies.append)) for _ in range(count)]
        assert await asyncio.gather(*ends) == [None] * count
        assert b"".join(bodies) == b"hello" * count

    run(test, body="hello")


def test_a_handle_can_be_used_again_and_keeps_its_connection() -> None:
    async def around() -> int:
        async with serving(answering(ok(b"hello"), then="keep")) as server:
            transfers, bodies = Transfers(10), list[bytes]()
            curl = request(server.port, bodies.append)
            for _ in range(3):
                assert await transfers.begin(curl) is None
            transfers.close()
            assert bodies == [b"hello"] * 3
            return server.connections

    assert asyncio.run(around()) == 1


def test_what_curl_says_went_wrong_is_told() -> None:
    async def test(transfers: Transfers, port: int) -> None:
        curl = request(port, lambda _: None)
        curl.setopt(pycurl.MAXFILESIZE, 1)
        error = await transfers.begin(curl)
        assert error is not None
        assert error.code == pycurl.E_FILESIZE_EXCEEDED

    run(test, body="hello")


def test_curls_own_time_limit_ends_a_transfer_that_nothing_else_ends() -> None:
    async def silence(_: object) -> None:
        await asyncio.Event().wait()

    async def around() -> None:
        async with serving(silence) as server:
            transfers = Transfers(10)
            curl = request(server.port, lambda _: None)
            curl.setopt(pycurl.TIMEOUT_MS, 50)
            error = await transfers.begin(curl)
            transfers.close()
            assert error is not None
            assert error.code == pycurl.E_OPERATION_TIMEDOUT

    asyncio.run(around())


def test_a_transfer_that_is_stopped_is_over_without_an_error() -> None:
    async def test(transfers: Transfers, port: int) -> None:
        curl = request(port, lambda _: None)
        over = transfers.begin(curl)
        assert transfers.stop(curl)
        assert await over is None
        assert not transfers.stop(curl)
        assert await transfers.begin(curl) is None

    run(test)


def test_whoever_is_cancelled_may_stop_what_it_waited_for() -> None:
    async def test(transfers: Transfers, port: int) -> None:
        curl = request(port, lambda _: None)

        async def wait(over: Over) -> None:
            await over

        waiting = asyncio.create_task(wait(transfers.begin(curl)))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.wait([waiting])
        assert transfers.stop(curl)

    run(test)


def test_closing_ends_what_is_under_way() -> None:
    async def test(transfers: Transfers, port: int) -> None:
        over = transfers.begin(request(port, lambda _: None))
        transfers.close()
        transfers.close()
        assert transfers.closed
        assert await over is None

    run(test)


def test_transfers_that_nobody_began_need_no_event_loop() -> None:
    transfers = Transfers(10)
    transfers.close()
    assert transfers.closed


def transfer(total_by: float, connect_by: float = 1e9) -> Transfer:
    patience = Patience(connect_by, total_by, first_byte=60, low_speed_bytes=0, low_speed_time=60)
    return Transfer(Url("http://site.test/"), TransferLimits(1000, 1000), patience, lambda: 0.0)


class Busy(dict[str, Transfer]):
    """Transfers under way, and an event for whoever waits until one is ended."""

    def __init__(self) -> None:
        super().__init__()
        self.ended: asyncio.Queue[str] = asyncio.Queue()

    def end(self, key: str) -> bool:
        self.ended.put_nowait(key)
        return self.pop(key, None) is not None


def test_a_transfer_that_takes_too_long_is_ended_with_its_cause() -> None:
    async def run() -> None:
        busy = Busy()
        watch = TransferWatch(busy, busy.end)
        now = asyncio.get_running_loop().time()
        late = busy["late"] = transfer(now + 1000, connect_by=now + 0.01)
        watch.mind("late", late)
        assert await busy.ended.get() == "late"
        assert late.stopped == Stop(Cause.TIMEOUT_CONNECT, "Connecting took too long.")

    asyncio.run(run())


def test_one_whose_time_is_up_before_it_begins_is_ended_at_once() -> None:
    async def run() -> None:
        busy = Busy()
        watch = TransferWatch(busy, busy.end)
        late = busy["late"] = transfer(asyncio.get_running_loop().time() - 1)
        watch.mind("late", late)
        assert busy.ended.get_nowait() == "late"
        assert late.stopped is not None
        assert late.stopped.reason is Cause.TIMEOUT_TOTAL

    asyncio.run(run())


def test_each_is_ended_in_its_own_time_and_the_others_go_on() -> None:
    async def run() -> None:
        busy = Busy()
        watch = TransferWatch(busy, busy.end)
        now = asyncio.get_running_loop().time()
        moments = {"third": 0.3, "first": 0.01, "never": 1000.0, "second": 0.1}
        for key, seconds in moments.items():
            busy[key] = transfer(now + seconds)
            watch.mind(key, busy[key])
        assert [await busy.ended.get() for _ in range(3)] == ["first", "second", "third"]
        assert list(busy) == ["never"]
        assert busy["never"].stopped is None
        watch.close()

    asyncio.run(run())


def test_one_that_is_over_by_itself_is_not_said_to_be_late() -> None:
    async def run() -> None:
        busy = Busy()
        watch = TransferWatch(busy, busy.end)
        over = transfer(asyncio.get_running_loop().time() - 1)
        watch.mind("over", over)
        assert over.stopped is None

    asyncio.run(run())


def test_nothing_is_looked_at_after_the_end() -> None:
    async def run() -> None:
        busy = Busy()
        watch = TransferWatch(busy, busy.end)
        busy["late"] = transfer(asyncio.get_running_loop().time() + 0.01)
        watch.mind("late", busy["late"])
        watch.close()
        later = transfer(asyncio.get_running_loop().time() + 0.02)
        other = TransferWatch({"later": later}, busy.end)
        other.mind("later", later)
        assert await busy.ended.get() == "later"

    asyncio.run(run())
