"""Errands of a node at the crawl's database, beside its work: in a thread and on a connection of their own.

    Errands.run, every few seconds ──▶ thread: open the database, each errand in turn ──▶ events, told on the loop

Nothing waits for an errand. Where the database is away, errands are left out until it is back; that it is away
is the one trouble that a node finds out by itself.
"""

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final, Protocol

from gossamer.errors import GossamerError
from gossamer.events import Event, NodeAlarmBegan, NodeAlarmEnded
from gossamer.frontier.store import Store
from gossamer.log import Sink
from gossamer.moments import from_microseconds, iso_moment, now_utc
from gossamer.nodes.alarms import Alarm, AlarmStore
from gossamer.nodes.rules import SILENT_AFTER, AlarmKind, NodeTrouble

SHARED_SECONDS: Final = 2.0  # between two rounds
ALONE_SECONDS: Final = 10.0  # where the database is a file that the crawl itself writes
NO_ANSWER_SECONDS: Final = 10.0  # between two looks at a round that lasts
NO_ANSWER: Final = "The database does not answer, though connections to it stand."
LAST_SECONDS: Final = 5.0  # for the last round, when everything else is done


class DatabaseErrand(Protocol):
    """Something to do at the database from time to time."""

    def run(self, store: Store) -> Sequence[Event]:
        """Do it, in a thread; what is to be told. Raises `GossamerError` where the database is away."""


class AlarmWatch:
    """Applies the rules about nodes, and tells what began and what ended."""

    def run(self, store: Store) -> Sequence[Event]:
        """Look at the reports, unless another node has just done so."""
        looked = AlarmStore(store).look()
        return [*map(begin_of, looked.began), *map(end_of, looked.ended)]


@dataclass(slots=True)
class DatabaseOutage:
    """How long the database has been away, as this node sees it; told by the errands' thread, and by the loop that waits for it."""

    node: str
    clock: Callable[[], float] = time.monotonic
    is_alarm: bool = False
    _since: float | None = None
    _began_at: str = ""
    _why: str = ""
    _answered_at: float | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def is_on(self) -> bool:
        """Whether the last round has failed."""
        return self._since is not None

    def fail(self, why: str, since: float | None = None) -> Sequence[Event]:
        """Take note of a round that failed, or goes on `since` then; an alarm, once that has lasted."""
        with self._lock:
            now = self.clock()
            if since is not None and self._answered_at is not None and since <= self._answered_at:
                return ()  # the round has its answer, and is about to end
            if self._since is None:
                self._since = now if since is None else since
                # The rest of such a sentence says what to do in a terminal.
                self._why = f"{why.partition('. ')[0].removesuffix('.')}."
                self._began_at = iso_moment(now_utc() - timedelta(seconds=now - self._since))
            if self.is_alarm or now - self._since < SILENT_AFTER.total_seconds():
                return ()
            self.is_alarm = True
        return (
            NodeAlarmBegan(
                troubled=self.node,
                kind=AlarmKind.DATABASE.value,
                subject="",
                message=self._why,
                began_at=self._began_at,
            ),
        )

    def succeed(self, store: Store) -> Sequence[Event]:
        """Take note of a round that went well; an alarm that was on is over, and noted for others."""
        with self._lock:
            since, was_alarm = self._since, self.is_alarm
            self._since, self.is_alarm, self._answered_at = None, False, self.clock()
        if not was_alarm or since is None:
            return ()
        lasted = timedelta(seconds=self.clock() - since)
        trouble = NodeTrouble(self.node, AlarmKind.DATABASE, "", self._why)
        AlarmStore(store).add_past(trouble, lasted)
        return (
            NodeAlarmEnded(
                troubled=self.node,
                kind=AlarmKind.DATABASE.value,
                subject="",
                message=trouble.message,
                began_at=self._began_at,
            ),
        )


@dataclass(slots=True, kw_only=True)
class Errands:
    """Runs errands every few seconds, until cancelled."""

    open: Callable[[], Store | None]  # None where there is no database yet
    errands: Sequence[DatabaseErrand]
    outage: DatabaseOutage
    tell: Sink
    every: float = SHARED_SECONDS
    no_answer: float = NO_ANSWER_SECONDS
    keeps_open: bool = True  # else the database is let go of after each round
    heard: list[Callable[[Sequence[Event]], None]] = field(default_factory=list)
    _store: Store | None = None

    async def run(self, thread: ThreadPoolExecutor) -> None:
        """Go round, again and again."""
        while True:
            await self.go_round(thread)
            await asyncio.sleep(self.every)

    async def go_round(self, thread: ThreadPoolExecutor) -> None:
        """Do each errand once, and tell what came of them."""
        began = self.outage.clock()
        going = asyncio.get_running_loop().run_in_executor(thread, self._round)
        while not (await asyncio.wait([going], timeout=self.no_answer))[0]:
            self._tell(self.outage.fail(NO_ANSWER, since=began))
        self._tell(going.result())

    def _tell(self, events: Sequence[Event]) -> None:
        for event in events:
            self.tell(event)
        if events:
            for listener in self.heard:
                listener(events)

    def close(self) -> None:
        """Let go of the database; for the thread to do."""
        store, self._store = self._store, None
        if store is not None:
            with suppress(GossamerError):
                store.close()

    def _round(self) -> Sequence[Event]:
        events: list[Event] = []
        try:
            if self._store is None:
                self._store = self.open()
            if self._store is None:
                return events
            for errand in self.errands:
                events += errand.run(self._store)
            events += self.outage.succeed(self._store)
        except GossamerError as error:
            self.close()
            events += self.outage.fail(str(error))
        except Exception as error:  # whatever is wrong with an errand, the crawl goes on
            self.close()
            events += self.outage.fail(f"{type(error).__name__}: {error}")
        if not self.keeps_open:
            self.close()
        return events


@asynccontextmanager
async def running_errands(errands: Errands) -> AsyncIterator[None]:
    """Run errands while this lasts, and a last time at its end, for what was told meanwhile."""
    thread = ThreadPoolExecutor(1, thread_name_prefix="errands")
    running = asyncio.create_task(errands.run(thread))
    try:
        yield
    finally:
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running
        if not errands.outage.is_on:  # else that would only make the end wait
            with suppress(TimeoutError):
                async with asyncio.timeout(LAST_SECONDS):
                    await errands.go_round(thread)
        thread.submit(errands.close)
        thread.shutdown(wait=False)


def begin_of(alarm: Alarm) -> NodeAlarmBegan:
    """The event of an alarm that began."""
    return NodeAlarmBegan(
        troubled=alarm.node,
        kind=alarm.kind,
        subject=alarm.subject,
        message=alarm.message,
        began_at=iso_moment(from_microseconds(alarm.began_at)),
    )


def end_of(alarm: Alarm) -> NodeAlarmEnded:
    """The event of an alarm that ended."""
    return NodeAlarmEnded(
        troubled=alarm.node,
        kind=alarm.kind,
        subject=alarm.subject,
        message=alarm.message,
        began_at=iso_moment(from_microseconds(alarm.began_at)),
    )
