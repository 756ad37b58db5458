import asyncio
from collections.abc import Callable, Coroutine, Sequence

import pytest
from tests.virtual_time import in_virtual_time

from gossamer.crawling.finishing import ended_in_turn, ended_within

HOUR = 3600.0
Ending = Callable[[float, Sequence[asyncio.Task[None]]], Coroutine[None, None, None]]


@pytest.mark.parametrize(
    ("end", "lengths", "ended"),
    [
        (ended_within, [1, 4, 6], [True, True, False]),
        (ended_within, [], []),
        (ended_in_turn, [4, 8, 12, 16], [True] * 4),
        (ended_in_turn, [1, 4, HOUR, HOUR], [True, True, False, False]),
        (ended_in_turn, [], []),
    ],
)
def test_tasks_end_by_themselves_or_are_given_up(
    end: Ending, lengths: list[float], ended: list[bool]
) -> None:
    async def run() -> list[bool]:
        tasks: list[asyncio.Task[None]] = [
            asyncio.create_task(asyncio.sleep(length)) for length in lengths
        ]
        await end(5, tasks)
        return [not task.cancelled() for task in tasks]

    assert in_virtual_time(run()) == ended
