import asyncio
import threading

import pytest

from gossamer.crawling.clerk import Clerk


def test_calls_are_made_one_after_the_other_in_the_order_they_were_asked_for() -> None:
    done: list[int] = []

    async def run() -> list[int]:
        with Clerk("test") as clerk:
            clerk.later(done.append, 0)
            asked = [asyncio.create_task(clerk.do(_noted, done, number)) for number in range(1, 50)]
            return await asyncio.gather(*asked)

    assert asyncio.run(run()) == list(range(1, 50))
    assert done == list(range(50))


def _noted(done: list[int], number: int) -> int:
    done.append(number)
    return number


def test_an_error_reaches_the_one_who_asked() -> None:
    async def run() -> None:
        with Clerk("test") as clerk:
            await clerk.do(int, "no number")

    with pytest.raises(ValueError, match="no number"):
        asyncio.run(run())


def test_a_call_whose_caller_is_gone_is_made_to_its_end() -> None:
    began, go_on, done = threading.Event(), threading.Event(), threading.Event()

    def work() -> None:
        began.set()
        go_on.wait(10)
        done.set()

    async def run() -> None:
        with Clerk("test") as clerk:
            caller = asyncio.create_task(clerk.do(work))
            await asyncio.to_thread(began.wait, 10)
            caller.cancel()
            with pytest.raises(asyncio.CancelledError):
                await caller
            go_on.set()

    asyncio.run(run())
    assert done.is_set()
