"""Workers for callers that do not await: a thread of ours runs their event loop.

So it makes no difference whether the caller has an event loop that runs (a notebook), none (a script)
or is one of many threads. Each page at work has a worker of its own, started when there is none to be
had and kept for the next page; all end with the interpreter, whatever their pages are doing.
"""

import asyncio
import atexit
import os
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field
from threading import Lock, Thread
from typing import Final, TypeVar

from gossamer.config import Transform as Options
from gossamer.reading.jobs import Extracted, PageJob
from gossamer.reading.page_pool import TransformPool, sandbox_of
from gossamer.reading.pool.pool import PoolError, usable_cores

Tag = TypeVar("Tag")
MOST_BYTES: Final = 64 * 1024 * 1024  # of pages that were handed to workers and not yet taken back


def read_isolated(job: PageJob) -> Extracted:
    """What a page says, read by a worker; raises `PoolError` where workers do not start.

    A page that takes too long or too much memory says nothing, and has a problem and a cause.
    """
    future = _WORKERS.submit(job)
    try:
        return future.result()
    finally:
        future.cancel()  # Ctrl-C: nobody waits for it any more


def read_all_isolated(
    jobs: Iterable[tuple[Tag, PageJob]],
) -> Iterator[tuple[Tag, Extracted]]:
    """Each page's tag and what it says, in order; as many at once as there are cores."""
    ahead = 2 * usable_cores()
    window: deque[tuple[Tag, int, Future[Extracted]]] = deque()
    held = 0
    try:
        for tag, job in jobs:
            window.append((tag, len(job.body), _WORKERS.submit(job)))
            held += len(job.body)
            while len(window) > ahead or held > MOST_BYTES:
                tag, size, future = window.popleft()
                held -= size
                yield tag, future.result()
        while window:
            tag, _, future = window.popleft()
            yield tag, future.result()
    finally:
        for _, _, future in window:
            future.cancel()


@dataclass(eq=False, slots=True)
class _Seat:
    """One worker, and the task that keeps it: the task that opens a pool has to close it."""

    limits: tuple[object, ...]
    pool: TransformPool
    done: asyncio.Event = field(default_factory=asyncio.Event)
    keeper: "asyncio.Task[None] | None" = None

    @classmethod
    async def open(cls, options: Options) -> "_Seat":
        seat = cls(_limits(options), TransformPool(options, workers=1))
        is_open = asyncio.Event()

        async def keep() -> None:
            async with seat.pool:
                is_open.set()
                await seat.done.wait()

        seat.keeper = asyncio.get_running_loop().create_task(keep())
        await is_open.wait()
        return seat

    async def close(self) -> None:
        self.done.set()
        if self.keeper is not None:
            await self.keeper


class IsolatedWorkers:
    """Worker processes that are reused from call to call, for any thread that asks."""

    def __init__(self, most: int | None = None) -> None:
        self._most = most or usable_cores()
        self._lock = Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: Thread | None = None
        self._room = asyncio.Semaphore(self._most)
        self._idle: list[_Seat] = []  # the last one was used last
        self._seats: set[_Seat] = set()

    @property
    def pids(self) -> tuple[int, ...]:
        """The worker processes that live now."""
        return tuple(pid for seat in [*self._seats] for pid in seat.pool.pids)

    def submit(self, job: PageJob) -> "Future[Extracted]":
        """What a page says, to be waited for from any thread; cancelled, nobody waits for it."""
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._room = asyncio.Semaphore(self._most)
                self._thread = Thread(
                    target=self._loop.run_forever, name="gossamer-isolated", daemon=True
                )
                self._thread.start()
                atexit.register(self.close)
            return asyncio.run_coroutine_threadsafe(self._read(job), self._loop)

    def close(self) -> None:
        """End all workers and the thread; the next page starts others."""
        with self._lock:
            loop, thread, self._loop, self._thread = self._loop, self._thread, None, None
        if loop is None or thread is None:
            return
        atexit.unregister(self.close)
        asyncio.run_coroutine_threadsafe(self._close_seats(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()

    async def _read(self, job: PageJob) -> Extracted:
        async with self._room:
            seat = await self._take_seat(job.options)
            try:
                extracted = await seat.pool.run(job)
            except PoolError:
                await self._give_up(seat)
                raise
            except asyncio.CancelledError:
                # Its worker may still be at the page: whoever comes next is not to wait for that.
                await self._give_up(seat)
                raise
            self._idle.append(seat)
            return extracted

    async def _take_seat(self, options: Options) -> _Seat:
        wanted = _limits(options)
        for seat in reversed(self._idle):
            if seat.limits == wanted:
                self._idle.remove(seat)
                return seat
        if len(self._seats) >= self._most and self._idle:
            await self._give_up(self._idle.pop(0))
        seat = await _Seat.open(options)
        self._seats.add(seat)
        return seat

    async def _give_up(self, seat: _Seat) -> None:
        self._seats.discard(seat)
        await seat.close()

    async def _close_seats(self) -> None:
        reading = asyncio.all_tasks() - {asyncio.current_task()}
        reading -= {seat.keeper for seat in self._seats}
        for task in reading:
            task.cancel()
        closing = (seat.close() for seat in [*self._seats])
        await asyncio.gather(*closing, *reading, return_exceptions=True)
        self._seats.clear()
        self._idle.clear()


def _limits(options: Options) -> tuple[object, ...]:
    """What a worker is started with: pages with other limits need another one."""
    return options.time_limit, options.memory_bytes, sandbox_of(options)


_WORKERS = IsolatedWorkers()
_PARENTS: Final[list[IsolatedWorkers]] = []  # collected, they would end workers that are not ours


def _start_anew() -> None:
    """A forked process has no thread of ours, and its parent's workers are not its own."""
    global _WORKERS
    atexit.unregister(_WORKERS.close)
    _PARENTS.append(_WORKERS)
    _WORKERS = IsolatedWorkers()


os.register_at_fork(after_in_child=_start_anew)
