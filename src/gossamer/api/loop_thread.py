"""An event loop in a thread of its own: whoever asks waits for it, with or without a loop of their own."""

import asyncio
import os
import threading
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from typing import Any, Final, TypeVar

from gossamer.errors import GossamerError

T = TypeVar("T")
CLOSED: Final = "It is closed, or was opened in another process. Open it again."


class ClosedError(GossamerError):
    """What was closed, or belongs to another process, is asked."""


class LoopThread:
    """Runs coroutines, from any thread and also beside a loop that runs there (a notebook)."""

    def __init__(self, name: str) -> None:
        self._loop = asyncio.new_event_loop()
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._under_way: set[Future[Any]] = set()
        self._is_closed = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of the work; an interruption (Ctrl-C) of whoever waits ends the work."""
        with self._lock:
            if self._is_closed or self._process != os.getpid():
                work.close()
                raise ClosedError(CLOSED)
            future = asyncio.run_coroutine_threadsafe(work, self._loop)
            self._under_way.add(future)
        try:
            return future.result()
        except CancelledError:
            raise ClosedError(CLOSED) from None
        except BaseException:
            future.cancel()
            raise
        finally:
            self._under_way.discard(future)

    def each(self, items: AsyncGenerator[T, None]) -> Generator[T, None, None]:
        """Items as they come; no more of them are made than are taken."""
        end = object()

        async def following() -> object:
            return await anext(items, end)

        try:
            while (item := self.run(following())) is not end:
                yield item  # type: ignore[misc]  # all but the end are items
        finally:
            with suppress(ClosedError):
                self.run(items.aclose())

    def close(self, last: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """End what runs, do one last thing in good order, and end the loop."""
        if self._process != os.getpid():
            return  # the thread is in the process that was forked
        with self._lock:
            is_first, self._is_closed = not self._is_closed, True
            if is_first:
                for future in list(self._under_way):
                    future.cancel()
                asyncio.run_coroutine_threadsafe(self._end(last), self._loop)
        if threading.current_thread() is not self._thread:  # as where it is collected as garbage
            self._thread.join()

    async def _end(self, last: Callable[[], Coroutine[Any, Any, None]]) -> None:
        try:
            await last()
        finally:
            self._loop.stop()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
        finally:
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
            self._loop.close()
