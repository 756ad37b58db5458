"""Tasks brought to an end, within so much time."""

import asyncio
from collections.abc import Collection


async def ended_within(seconds: float, tasks: Collection[asyncio.Task[None]]) -> None:
    """Return when tasks have ended, by themselves or because their time is up."""
    late = set(tasks)
    while late:
        _, late = await asyncio.wait(late, timeout=seconds)
        for task in late:
            task.cancel()
