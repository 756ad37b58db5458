"""Tasks brought to an end: within so much time, or as long as they get somewhere."""

import asyncio
from collections.abc import Collection


async def ended_within(seconds: float, tasks: Collection[asyncio.Task[None]]) -> None:
    """Return when tasks have ended, by themselves or because their time is up."""
    late = set(tasks)
    while late:
        _, late = await asyncio.wait(late, timeout=seconds)
        for task in late:
            task.cancel()


async def ended_in_turn(seconds: float, tasks: Collection[asyncio.Task[None]]) -> None:
    """The same for tasks that wait for each other: it is up when none has ended for so long."""
    late, before = set(tasks), len(tasks) + 1
    while 0 < len(late) < before:
        before = len(late)
        _, late = await asyncio.wait(late, timeout=seconds)
    for task in late:
        task.cancel()
    await ended_within(seconds, late)
