"""The crawl, watched: one pair of eyes for all who watch.

The owner is asked once a second, however many these are. While nobody watches, a crawl is still looked at
from time to time, for the charts of those who come later; and where none runs, nobody is asked for more
than who they are.
"""

import asyncio
import json
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Final

from gossamer.errors import GossamerError
from gossamer.owner.messages import Answering, Record, ask
from gossamer.owner.questions import Who
from gossamer.owner.unix_socket import NoOwnerError
from gossamer.service.history import EVERY_SECONDS, History, away, point, snapshot, usages

LOOK_SECONDS: Final = 1.0
# Counting a large frontier takes its time: this share of it at most goes into looking.
LOOK_SHARE: Final = 0.1
IDLE_SHARE: Final = 0.02  # while nobody watches
BEAT_SECONDS: Final = 10.0  # between two words to those who would hear nothing else
MOST_WATCHERS: Final = 200
AGAIN_MILLISECONDS: Final = 2_000  # after which a browser that was cut off comes back


@dataclass(slots=True, kw_only=True)
class CrawlWatch:
    """What is seen of a folder. `running` while it is served."""

    answering: Answering
    status: Callable[[], Awaitable[Record]]
    history: History = field(default_factory=History)
    clock: Callable[[], float] = time.time
    look_seconds: float = LOOK_SECONDS
    idle_seconds: float = EVERY_SECONDS
    _seen: Record | None = None
    _event: bytes = b""
    _number: int = 0
    _news: asyncio.Condition = field(default_factory=asyncio.Condition)
    _wanted: asyncio.Event = field(default_factory=asyncio.Event)  # somebody watches
    _watchers: int = 0
    _closed: bool = False

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Look until the block ends; then those who watch are let go."""
        looking = asyncio.create_task(self._run())
        try:
            yield
        finally:
            self._closed = True
            looking.cancel()
            await asyncio.gather(looking, return_exceptions=True)
            async with self._news:
                self._news.notify_all()

    @property
    def is_full(self) -> bool:
        """Whether no more may watch."""
        return self._watchers >= MOST_WATCHERS

    async def events(self) -> AsyncGenerator[bytes, None]:
        """Snapshots as server-sent events; a slow client misses some."""
        self._watchers += 1
        self._wanted.set()
        try:
            yield f"retry: {AGAIN_MILLISECONDS}\n\n".encode()
            number = 0 if self._event else self._number
            while not self._closed:
                if number != self._number:
                    number = self._number
                    yield self._event
                elif not await self._wait_for_change(number):
                    yield b": nothing new\n\n"
        finally:
            self._watchers -= 1
            if not self._watchers:
                self._wanted.clear()

    async def _wait_for_change(self, number: int) -> bool:
        try:
            async with asyncio.timeout(BEAT_SECONDS), self._news:
                await self._news.wait_for(lambda: self._closed or number != self._number)
        except TimeoutError:
            return False
        return True

    async def _run(self) -> None:
        while True:
            started = time.monotonic()
            if self._watchers or await self._is_crawled():
                await self._look()
            took = time.monotonic() - started
            if self._watchers:
                await asyncio.sleep(max(self.look_seconds, took / LOOK_SHARE))
            else:
                await self._until_wanted(max(self.idle_seconds, took / IDLE_SHARE))

    async def _until_wanted(self, seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._wanted.wait()

    async def _is_crawled(self) -> bool:
        with suppress(GossamerError, NoOwnerError):
            who = await ask(self.answering, Who())
            return bool(who["command"] == "crawl")
        return False

    async def _look(self) -> None:
        at = self.clock()
        try:
            status = await self.status()
            seen = snapshot(status, usages(status["owner"]["process"]), at, self._seen)
        except (GossamerError, NoOwnerError):
            seen = away(at)
        self.history.note(seen)
        self._seen = seen
        shown = seen if seen.get("run") is None else {**seen, "point": point(seen)}
        self._event = f"data: {json.dumps(shown, ensure_ascii=False)}\n\n".encode()
        self._number += 1
        async with self._news:
            self._news.notify_all()
