import asyncio
import os
from collections.abc import Awaitable, Callable

import pytest
from tests.reading.pool.crew import worker

from gossamer.processes.channel import Line, LineEndedError, StepLimit, connect, thread_seconds
from gossamer.processes.process import Loss
from gossamer.processes.protocol import Frame, Kind


def with_a_line(talk: Callable[[Line], Awaitable[None]]) -> None:
    async def run() -> None:
        async with connect(worker()) as line:
            assert await line.receive() == Frame(Kind.READY, 0, b"")
            await talk(line)

    asyncio.run(run())


def test_jobs_go_out_and_answers_come_in() -> None:
    async def talk(line: Line) -> None:
        line.say(7, b"echo ab")
        line.say(8, b"echo " + b"x" * 300_000)
        await line.flow()
        assert await line.receive() == Frame(Kind.ANSWER, 7, b"ba")
        assert (await line.receive()).payload == b"x" * 300_000

    with_a_line(talk)


def test_the_end_of_a_process_is_known_at_once_with_its_reason() -> None:
    async def talk(line: Line) -> None:
        waiting = asyncio.create_task(line.receive())
        await asyncio.sleep(0)
        line.kill()
        with pytest.raises(LineEndedError):
            await waiting
        assert (await line.autopsy()).loss is Loss.KILLED
        line.say(1, b"echo ab")  # into the void
        with pytest.raises(LineEndedError):
            await line.receive()

    with_a_line(talk)


def test_what_is_no_frame_is_an_end_too() -> None:
    async def talk(line: Line) -> None:
        line.say(1, b"liar " + b"nonsense" * 9)
        with pytest.raises(LineEndedError):
            await line.receive()

    with_a_line(talk)


def test_patience_ends_with_the_time_that_one_step_takes() -> None:
    patience = StepLimit(10.0)
    assert not patience.is_over(None, 0.0)
    assert not patience.is_over(1, 5.0)
    assert not patience.is_over(1, 14.9)
    assert patience.is_over(1, 15.0)
    assert not patience.is_over(2, 16.0)
    assert not patience.is_over(None, 100.0)
    assert not patience.is_over(2, 101.0)


def test_the_time_of_a_thread_grows_with_its_work() -> None:
    before = thread_seconds(os.getpid())
    while thread_seconds(os.getpid()) == before:
        sum(range(10_000))
    assert thread_seconds(os.getpid()) > before
