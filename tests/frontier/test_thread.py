import asyncio
import gc
import threading

import pytest
from tests.slowness import patience

from gossamer.frontier.thread import FrontierThread


def test_calls_are_made_one_after_the_other_in_the_order_they_were_asked_for() -> None:
    done: list[int] = []

    async def run() -> list[int]:
        with FrontierThread("test") as frontier_thread:
            frontier_thread.later(done.append, 0)
            asked = [
                asyncio.create_task(frontier_thread.do(_noted, done, number))
                for number in range(1, 50)
            ]
            return await asyncio.gather(*asked)

    assert asyncio.run(run()) == list(range(1, 50))
    assert done == list(range(50))


def _noted(done: list[int], number: int) -> int:
    done.append(number)
    return number


def test_what_cannot_wait_is_done_between_the_steps_of_a_call_that_takes_long() -> None:
    began, asked, done = threading.Event(), threading.Event(), list[str]()

    async def run() -> None:
        with FrontierThread("test") as frontier_thread:

            def walk() -> None:
                began.set()
                asked.wait(patience(10))
                done.append("a step")
                frontier_thread.between()
                done.append("another")

            walking = asyncio.create_task(frontier_thread.do(walk))
            await asyncio.to_thread(began.wait, 10)
            next_ = asyncio.create_task(frontier_thread.do(done.append, "the next"))
            pressing = [
                asyncio.create_task(frontier_thread.at_once(done.append, "what cannot wait")),
                asyncio.create_task(frontier_thread.at_once(int, "no number")),
            ]
            await asyncio.sleep(0)  # all have asked
            asked.set()
            await asyncio.gather(walking, next_, pressing[0])
            with pytest.raises(ValueError, match="no number"):
                await pressing[1]
            await frontier_thread.at_once(done.append, "and where nobody walks")

    asyncio.run(run())
    assert done == [
        *("a step", "what cannot wait", "another", "the next"),
        "and where nobody walks",
    ]


def test_an_error_reaches_the_one_who_asked() -> None:
    async def run() -> None:
        with FrontierThread("test") as frontier_thread:
            await frontier_thread.do(int, "no number")

    with pytest.raises(ValueError, match="no number"):
        asyncio.run(run())


def test_a_call_whose_caller_is_gone_is_made_to_its_end() -> None:
    began, go_on, done = threading.Event(), threading.Event(), threading.Event()

    def work() -> None:
        began.set()
        go_on.wait(patience(10))
        done.set()

    async def run() -> None:
        with FrontierThread("test") as frontier_thread:
            caller = asyncio.create_task(frontier_thread.do(work))
            await asyncio.to_thread(began.wait, 10)
            caller.cancel()
            with pytest.raises(asyncio.CancelledError):
                await caller
            go_on.set()

    asyncio.run(run())
    assert done.is_set()


def test_an_error_that_nobody_waits_for_any_more_is_not_complained_about() -> None:
    began, go_on = threading.Event(), threading.Event()
    complaints: list[object] = []

    def work() -> None:
        began.set()
        go_on.wait(patience(10))
        raise ValueError

    async def run() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, told: complaints.append(told))
        with FrontierThread("test") as frontier_thread:
            caller = asyncio.create_task(frontier_thread.do(work))
            await asyncio.to_thread(began.wait, 10)
            caller.cancel()
            with pytest.raises(asyncio.CancelledError):
                await caller
            go_on.set()
        await asyncio.sleep(0)  # the loop hears of the thread's end
        gc.collect()

    asyncio.run(run())
    assert complaints == []


def test_whoever_ends_gives_up_waiting_first() -> None:
    given_up = threading.Event()

    async def run() -> None:
        with FrontierThread("test", give_up=given_up.set) as frontier_thread:
            frontier_thread.later(given_up.wait, 10)

    asyncio.run(run())
    assert given_up.is_set()
