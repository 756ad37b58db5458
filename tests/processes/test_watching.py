import asyncio
import signal

import pytest
from tests.transform.pool.crew import worker

from gossamer.processes.process import spawned
from gossamer.processes.watching import heard, status_of

pytestmark = pytest.mark.timeout(30)


def test_an_end_is_seen_and_a_life_is_left_alone() -> None:
    async def run() -> tuple[int | None, int | None]:
        with spawned(worker()) as process:
            alive = await status_of(process, grace=0.01)
            process.kill()
            return alive, await status_of(process, grace=10)

    assert asyncio.run(run()) == (None, -signal.SIGKILL)


def test_what_a_process_says_at_its_end_is_heard_on_the_loop() -> None:
    async def run() -> str:
        with spawned(worker(function="page_functions:nothing")) as process:
            with heard(process, asyncio.get_running_loop()):
                assert await status_of(process, grace=20) == 1
            while process.listen():  # what came after the loop looked last
                continue
            return process.last_words

    assert asyncio.run(run()).endswith("has no attribute 'nothing'")
