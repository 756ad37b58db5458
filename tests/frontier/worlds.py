"""Fresh databases for tests, of either engine, whose time passes only when a test says so."""

import itertools
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Protocol

import psycopg

from gossamer.config import Politeness
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.postgres import PostgresStore
from gossamer.frontier.sqlite import SqliteStore
from gossamer.frontier.store import Store
from gossamer.moments import to_microseconds

PATIENCE = timedelta(seconds=20)
START = datetime(2026, 1, 2, tzinfo=UTC)


class Clock(Protocol):
    """The time of a world: the store's, and that of all its nodes."""

    now: datetime

    def __call__(self) -> datetime: ...


@dataclass
class PlainClock:
    """A moment that stands still until it is set."""

    now: datetime = START

    def __call__(self) -> datetime:
        return self.now


@dataclass
class World:
    """One database, its clock, and those who have it open."""

    engine: str
    clock: Clock
    connect: Callable[[], Store]
    drop: Callable[[], object] = lambda: None
    stores: list[Store] = field(default_factory=list)

    def store(self) -> Store:
        """Open the database; it is closed at the test's end at the latest."""
        self.stores.append(self.connect())
        return self.stores[-1]

    def frontier(
        self, node: str = "one", politeness: Politeness | None = None, **rest: Any
    ) -> SqlFrontier:
        """A frontier of one more node, on a connection of its own."""
        return SqlFrontier(self.store(), node, politeness or Politeness(), **rest)

    def later(self, seconds: float) -> None:
        """Let time pass."""
        self.clock.now += timedelta(seconds=seconds)

    def close(self) -> None:
        """Close all that was opened."""
        for store in self.stores:
            store.close()
        self.drop()


NewWorld = Callable[[], World]


def sqlite_worlds(folder: Path) -> NewWorld:
    """Worlds in files of a folder."""
    numbers = itertools.count()

    def new() -> World:
        path, clock = folder / f"{next(numbers)}.db", PlainClock()
        return World("sqlite", clock, lambda: SqliteStore(path, clock))

    return new


class ServerClock:
    """A moment in a table of the server, which stands still until it is set."""

    def __init__(self, connection: "psycopg.Connection[Any]", world: str) -> None:
        self._connection = connection
        self.sql = f"(SELECT now FROM virtual_time.clocks WHERE world = '{world}')"
        self._world = world
        connection.execute("CREATE SCHEMA IF NOT EXISTS virtual_time")
        connection.execute(
            """CREATE TABLE IF NOT EXISTS virtual_time.clocks
            (world text PRIMARY KEY, now bigint NOT NULL)"""
        )
        self.now = START

    def __call__(self) -> datetime:
        return self._now

    @property
    def now(self) -> datetime:
        """The present moment."""
        return self._now

    @now.setter
    def now(self, moment: datetime) -> None:
        self._now = moment
        self._connection.execute(
            """INSERT INTO virtual_time.clocks (world, now) VALUES (%s, %s)
            ON CONFLICT (world) DO UPDATE SET now = excluded.now""",
            [self._world, to_microseconds(moment)],
        )


def postgres_worlds(dsn: str, connection: "psycopg.Connection[Any]") -> NewWorld:
    """Worlds in schemas of a database."""

    def new() -> World:
        name = f"world_{uuid.uuid4().hex}"
        clock = ServerClock(connection, name)

        def drop() -> None:
            connection.execute(f"DROP SCHEMA IF EXISTS {name} CASCADE")
            connection.execute("DELETE FROM virtual_time.clocks WHERE world = %s", [name])

        def connect() -> PostgresStore:
            return PostgresStore(
                dsn, schema=name, patience=PATIENCE, tell=print, now=clock, clock=clock.sql
            )

        return World("postgres", clock, connect, drop)

    return new
