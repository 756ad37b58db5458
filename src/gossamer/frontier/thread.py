"""The frontier for those who await: its calls wait for a disk or a server, in a thread of their own.

One thread, so one call after the other: what was asked first is done first. Calls that take minutes
are made of steps, and say so between them: what cannot wait is done then.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any, ParamSpec, TypeVar

from gossamer.folder.full_disk import FullDisk

P = ParamSpec("P")
T = TypeVar("T")


class FrontierThread:
    """Runs calls one after the other, off the event loop. Use it as `with FrontierThread(…)`."""

    def __init__(
        self,
        name: str,
        full_disk: FullDisk | None = None,
        give_up: Callable[[], None] = lambda: None,
    ) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._full_disk = full_disk or FullDisk(lambda _: None)
        self._give_up = give_up
        self._pressing: deque[tuple[Future[Any], Callable[[], Any]]] = deque()

    def __enter__(self) -> "FrontierThread":
        return self

    def __exit__(self, *_: object) -> None:
        self.give_up()
        self._thread.shutdown(wait=True)

    async def do(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The result of a call, made again when there is room where the disk is full.

        A caller who is cancelled leaves it running to its end.
        """
        return await self._full_disk.outlasted(partial(self._done, partial(call, *args, **kwargs)))

    async def at_once(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a call between the steps of another call that takes long."""
        return await self._full_disk.outlasted(
            partial(self._pressed, partial(call, *args, **kwargs))
        )

    def between(self) -> None:
        """Do what cannot wait; for a call to say, in our thread, when one of its steps is done."""
        while self._pressing:
            done, call = self._pressing.popleft()
            if done.set_running_or_notify_cancel():
                try:
                    done.set_result(call())
                except BaseException as error:  # of which the one who asked hears
                    done.set_exception(error)

    async def _done(self, call: Callable[[], T]) -> T:
        return await _result(self._thread.submit(call))

    async def _pressed(self, call: Callable[[], T]) -> T:
        done: Future[T] = Future()
        self._pressing.append((done, call))
        self._thread.submit(self.between)
        return await _result(done)

    def give_up(self) -> None:
        """Wait no longer, neither for room nor for a server that is away: that is an error now."""
        self._full_disk.give_up()
        self._give_up()

    def later(self, call: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> None:
        """Have a call made that nobody waits for; all later calls come after it."""
        self._thread.submit(call, *args, **kwargs)


async def _result(work: "Future[T]") -> T:
    done = asyncio.wrap_future(work)
    done.add_done_callback(_noted)
    return await asyncio.shield(done)


def _noted(done: "asyncio.Future[T]") -> None:
    """Take note of an error that nobody may be waiting for any more."""
    if not done.cancelled():
        done.exception()
