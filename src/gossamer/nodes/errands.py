"""Errands of a node at the crawl's database, beside its work: in a thread and on a connection of their own.

    Errands.run, every few seconds ──▶ thread: open the database, each errand in turn ──▶ events, told on the loop

Nothing waits for an errand. Where the database is away, errands are left out until it is back; that it is away
is the one trouble that a node finds out by itself.
"""

import asyncio
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
    """How long the database has been away, as this node sees it."""

    node: str
    clock: Callable[[], float] = time.monotonic
    is_alarm: bool = False
    _since: float | None = None
    _began_at: str = ""
    _why: str = ""

    @property
    def is_on(self) -> bool:
        """Whether the last round has failed."""
        return self._since is not None

    def fail(self, why: str) -> Sequence[Event]:
        """Take note of a round that failed; an alarm, once that has lasted."""
        now = self.clock()
        if self._since is None:
            # The rest of such a sentence says what to do in a terminal.
            self._since, self._why = now, f"{why.partition('. ')[0].removesuffix('.')}."
            self._began_at = iso_moment(now_utc())
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
        since, self._since = self._since, None
        if not self.is_alarm or since is None:
            return ()
        self.is_alarm = False
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
        events = await asyncio.get_running_loop().run_in_executor(thread, self._round)
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
