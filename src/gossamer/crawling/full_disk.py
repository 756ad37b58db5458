"""A disk that is full is waited out: what could not be kept is tried again until it can."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, TypeVar

from gossamer.errors import StorageFullError
from gossamer.events import Event, StorageFull, StorageRoom
from gossamer.log import Sink

T = TypeVar("T")
TRY_AGAIN: Final = 2.0  # seconds between two attempts
MOST_EVENTS: Final = 10_000  # that wait to be written to the log


@dataclass(slots=True)
class FullDisk:
    """Tries calls until the disk has room for them; tells once that there is none, and once that there is."""

    tell: Sink
    try_again: float = TRY_AGAIN
    waiting: int = 0  # calls that wait for room
    _given_up: asyncio.Event = field(default_factory=asyncio.Event)

    def give_up(self) -> None:
        """Wait no longer: where there is no room, that is an error from now on."""
        self._given_up.set()

    async def outlasted(self, call: Callable[[], Awaitable[T]]) -> T:
        """The result of a call that can be made again after a `StorageFullError`."""
        try:
            return await call()
        except StorageFullError as error:
            if self._given_up.is_set():
                raise
            first = error
        if not self.waiting:
            self.tell(StorageFull(message=str(first)))
        self.waiting += 1
        try:
            result = await self._tried_again(call)
        finally:
            self.waiting -= 1
        if not self.waiting:
            self.tell(StorageRoom())
        return result

    async def _tried_again(self, call: Callable[[], Awaitable[T]]) -> T:
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(self.try_again):
                    await self._given_up.wait()
            try:
                return await call()
            except StorageFullError:
                if self._given_up.is_set():
                    raise


@dataclass(slots=True)
class PatientLog:
    """A log that keeps in mind, for a while, what its disk has no room for."""

    log: Sink
    _unwritten: deque[Event] = field(default_factory=lambda: deque(maxlen=MOST_EVENTS))

    def __call__(self, event: Event) -> None:
        """Write the event down, after those that wait to be."""
        self._unwritten.append(event)
        try:
            while self._unwritten:
                self.log(self._unwritten[0])
                self._unwritten.popleft()
        except StorageFullError:
            return
