import asyncio

import pytest
from tests.virtual_time import in_virtual_time

from gossamer.crawling.finishing import ended_within


@pytest.mark.parametrize(("lengths", "ended"), [([1, 4, 6], [True, True, False]), ([], [])])
def test_tasks_end_by_themselves_or_are_given_up(lengths: list[float], ended: list[bool]) -> None:
    async def run() -> list[bool]:
        tasks: list[asyncio.Task[None]] = [
            asyncio.create_task(asyncio.sleep(length)) for length in lengths
        ]
        await ended_within(5, tasks)
        return [not task.cancelled() for task in tasks]

    assert in_virtual_time(run()) == ended
