"""Hours that pass in no time: an event loop whose clock jumps to whatever is waited for next.

Nothing else may be waited for than timers and sockets whose other end is in the same loop: no
threads, no processes.
"""

import asyncio
import selectors
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
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
        ready = super().select(0)
        if not ready:
            if timeout is None:
                raise AssertionError("somebody waits for what will never come")
            self.seconds += timeout
        return ready


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


class Skipping(selectors.SelectSelector):
    """Waits as usual, or lets time pass instead where somebody says so."""

    def __init__(self) -> None:
        super().__init__()
        self.ahead = 0.0
        self.skips = False

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if not self.skips or timeout is None:
            return super().select(timeout)
        ready = super().select(0)
        if not ready:
            self.ahead += timeout
        return ready


class SkippingLoop(asyncio.SelectorEventLoop):
    """An event loop in real time that can be told to wait for no timer: processes may be used."""

    def __init__(self) -> None:
        self.skipping = Skipping()
        super().__init__(self.skipping)

    def time(self) -> float:
        return super().time() + self.skipping.ahead


@contextmanager
def time_skipped() -> Iterator[None]:
    """Let no timer of a `SkippingLoop` take time."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, SkippingLoop)
    loop.skipping.skips = True
    try:
        yield
    finally:
        loop.skipping.skips = False


def now() -> datetime:
    """The present moment in the virtual time of whoever asks."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    return loop.now()


def in_virtual_time(work: Coroutine[Any, Any, T]) -> T:
    """Run something to its end."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(work)
