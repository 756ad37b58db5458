"""What could not be kept is tried again until it can: a full disk, or a server away, is waited out."""

import asyncio
from collections import Counter, deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final, TypeVar

from gossamer.errors import GraphAwayError, StorageFullError
from gossamer.events import Event, GraphAway, GraphBack, StorageFull, StorageRoom
from gossamer.log import Sink
from gossamer.moments import now_utc

T = TypeVar("T")
Passing = StorageFullError | GraphAwayError
TRY_AGAIN: Final = 2.0  # seconds between two attempts
FIRST_PAUSE: Final = 0.25  # between two at a server, then twice as long each time
LONGEST_PAUSE: Final = 30.0
MOST_EVENTS: Final = 10_000  # that wait to be written to the log


@dataclass(slots=True)
class FullDisk:
    """Tries calls until the disk has room for them; tells once that there is none, and once that there is.

    The same with a server that is away, for as long as our patience with it lasts.
    """

    tell: Sink
    try_again: float = TRY_AGAIN
    patience: timedelta = timedelta(days=1)
    waiting: int = 0  # calls that wait
    _told: Counter[bool] = field(
        default_factory=Counter
    )  # how many wait for each, by who is at fault
    _given_up: asyncio.Event = field(default_factory=asyncio.Event)

    def give_up(self) -> None:
        """Wait no longer: where there is no room, that is an error from now on."""
        self._given_up.set()

    async def outlasted(self, call: Callable[[], Awaitable[T]]) -> T:
        """The result of a call that can be made again after a `StorageFullError`, or a server's absence."""
        try:
            return await call()
        except (StorageFullError, GraphAwayError) as error:
            if self._given_up.is_set():
                raise
            first = error
        is_away = isinstance(first, GraphAwayError)
        if not self._told[is_away]:
            self.tell(self._pause(first))
        self.waiting += 1
        self._told[is_away] += 1
        try:
            result = await self._tried_again(call, is_away=is_away)
        finally:
            self.waiting -= 1
            self._told[is_away] -= 1
        if not self._told[is_away]:
            self.tell(GraphBack() if is_away else StorageRoom())
        return result

    async def _tried_again(self, call: Callable[[], Awaitable[T]], *, is_away: bool) -> T:
        loop = asyncio.get_running_loop()
        pause = min(FIRST_PAUSE, self.try_again) if is_away else self.try_again
        deadline = loop.time() + self.patience.total_seconds()
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._given_up.wait()
            try:
                return await call()
            except (StorageFullError, GraphAwayError):
                if self._given_up.is_set() or (is_away and loop.time() >= deadline):
                    raise
            pause = min(2 * pause, LONGEST_PAUSE) if is_away else pause

    def _pause(self, error: Passing) -> Event:
        if isinstance(error, StorageFullError):
            return StorageFull(message=str(error))
        every = timedelta(seconds=LONGEST_PAUSE)
        return GraphAway(message=str(error), every=every, until=now_utc() + self.patience)


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
