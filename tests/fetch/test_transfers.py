import asyncio
from collections.abc import Callable, Coroutine

import pycurl
import pytest
from tests.fetch.servers import answering, ok, serving

from gossamer.fetch.transfers import Over, Transfers


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
