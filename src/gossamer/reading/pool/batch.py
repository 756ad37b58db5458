"""A pool for code that does not await: jobs from an iterable, answers in the same order.

Jobs are taken as there is room for them, so that a WARC file of any size needs little memory.
The event loop runs only while we wait for the next answer; the workers run all the time.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from typing import Final, Generic, TypeVar

from gossamer.reading.pool.connection import Answer
from gossamer.reading.pool.pool import WorkerPool

Tag = TypeVar("Tag")

# Enough to keep all workers busy while a slow page holds up the answers behind it.
MOST_JOBS: Final = 1024
MOST_BYTES: Final = 128 * 1024 * 1024  # of jobs and answers


class Window(Generic[Tag]):
    """The jobs that are under way or answered, and not yet handed on."""

    def __init__(self) -> None:
        self._jobs: deque[tuple[Tag, int, asyncio.Future[Answer]]] = deque()
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._jobs)

    @property
    def is_full(self) -> bool:
        """Whether the next job has to wait. One always has room."""
        return len(self) >= MOST_JOBS or (len(self) > 0 and self._bytes >= MOST_BYTES)

    def push(self, tag: Tag, size: int, answer: asyncio.Future[Answer]) -> None:
        """A job of that size, and its answer when it comes."""
        self._jobs.append((tag, size, answer))
        self._bytes += size
        answer.add_done_callback(self._answered)

    def pop(self, loop: asyncio.AbstractEventLoop) -> tuple[Tag, Answer]:
        """The oldest job's tag and answer, as soon as it is there."""
        tag, size, future = self._jobs.popleft()
        answer = loop.run_until_complete(future)
        self._bytes -= size + _size(answer)
        return tag, answer

    async def drop(self) -> None:
        """Wait for no more answers."""
        answers = [answer for _, _, answer in self._jobs]
        for answer in answers:
            answer.cancel()
        await asyncio.gather(*answers, return_exceptions=True)

    def _answered(self, future: asyncio.Future[Answer]) -> None:
        if not future.cancelled() and future.exception() is None:
            self._bytes += _size(future.result())


def _size(answer: Answer) -> int:
    return len(answer) if isinstance(answer, bytes) else 0


def in_order(
    pool: WorkerPool,
    jobs: Iterable[tuple[Tag, bytes]],
    send: Callable[[Tag, bytes], Coroutine[None, None, Answer]] | None = None,
) -> Generator[tuple[Tag, Answer], None, None]:
    """Each job's tag and answer, in the order of the jobs. The pool is opened and closed here.

    `send` is for whoever does more for an answer than to ask the pool once.
    """
    window: Window[Tag] = Window()
    with (
        closing(asyncio.new_event_loop()) as loop,
        _opened(pool, loop),
        _left(window, loop),
    ):
        for tag, job in jobs:
            answer = pool.submit(job) if send is None else loop.create_task(send(tag, job))
            window.push(tag, len(job), answer)
            while window.is_full:
                yield window.pop(loop)
        while window:
            yield window.pop(loop)


@contextmanager
def _left(window: Window[Tag], loop: asyncio.AbstractEventLoop) -> Iterator[None]:
    """At the end, nobody waits for answers that were not taken."""
    try:
        yield
    finally:
        _clear_stop(loop)
        loop.run_until_complete(window.drop())


@contextmanager
def _opened(pool: WorkerPool, loop: asyncio.AbstractEventLoop) -> Iterator[None]:
    """The pool in use, by a task that stays until the end: one task has to enter and leave it."""
    opened, done = asyncio.Event(), asyncio.Event()

    async def stay() -> None:
        async with pool:
            opened.set()
            await done.wait()

    staying = loop.create_task(stay())
    try:
        loop.run_until_complete(opened.wait())
        yield
    finally:
        done.set()
        _clear_stop(loop)
        loop.run_until_complete(staying)


def _clear_stop(loop: asyncio.AbstractEventLoop) -> None:
    """Let a loop run again that Ctrl-C left with a stop to be made, which would end its next work."""
    loop.call_soon(loop.stop)
    loop.run_forever()
