"""Hours that pass in no time: an event loop whose clock jumps to whatever is waited for next.

Nothing else than timers may be waited for: no sockets, no threads.
"""

import asyncio
import selectors
from collections.abc import Coroutine
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

T = TypeVar("T")
START = datetime(2026, 1, 2, tzinfo=UTC)


class Jumping(selectors.SelectSelector):
    """Lets time pass instead of waiting for it."""

    def __init__(self) -> None:
        super().__init__()
        self.seconds = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            raise AssertionError("somebody waits for what will never come")
        self.seconds += timeout
        return super().select(0)


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop in virtual time."""

    def __init__(self) -> None:
        self.jumping = Jumping()
        super().__init__(self.jumping)

    def time(self) -> float:
        return self.jumping.seconds

    def now(self) -> datetime:
        """The same as a moment; whole microseconds, as all of ours."""
        return START + timedelta(seconds=self.jumping.seconds)


def now() -> datetime:
    """The present moment in the virtual time of whoever asks."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    return loop.now()


def in_virtual_time(work: Coroutine[Any, Any, T]) -> T:
    """Run something to its end."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(work)
