"""What origins' robots.txt said, on disk: a second run does not ask again within the day."""

import sqlite3

from gossamer.model import Url
from gossamer.politeness.clock_row import from_microseconds, to_microseconds
from gossamer.politeness.robots.record import Meaning, RobotsRecord
from gossamer.urls import host_of

_NAMES = "origin, meaning, cause, answered_at, ask_at, body, body_at, failures"
SELECT = f"SELECT {_NAMES} FROM robots"  # noqa: S608 (names of our own)
INSERT = f"INSERT OR REPLACE INTO robots ({_NAMES}, host) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608


class SqliteRobots:
    """The robots records of all origins met so far."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database

    def of(self, origin: str) -> RobotsRecord | None:
        """What is known of an origin, however old."""
        row = self._database.execute(f"{SELECT} WHERE origin = ?", (origin,)).fetchone()
        return None if row is None else _record(row)

    def of_host(self, host: str) -> list[RobotsRecord]:
        """What is known of all origins of a host: they share a clock, not their rules."""
        rows = self._database.execute(f"{SELECT} WHERE host = ? ORDER BY origin", (host,))
        return [_record(row) for row in rows]

    def keep(self, record: RobotsRecord) -> None:
        """Put a record in the place of the one before."""
        self._database.execute(INSERT, (*_row(record), host_of(Url(record.origin + "/"))))


def _row(record: RobotsRecord) -> tuple[object, ...]:
    return (
        record.origin,
        record.meaning.value,
        record.cause,
        to_microseconds(record.answered_at),
        to_microseconds(record.ask_at),
        record.body,
        None if record.body_at is None else to_microseconds(record.body_at),
        record.failures,
    )


def _record(row: tuple[str, str, str, int, int, bytes | None, int | None, int]) -> RobotsRecord:
    origin, meaning, cause, answered_at, ask_at, body, body_at, failures = row
    return RobotsRecord(
        origin=origin,
        meaning=Meaning(meaning),
        cause=cause,
        answered_at=from_microseconds(answered_at),
        ask_at=from_microseconds(ask_at),
        body=body,
        body_at=None if body_at is None else from_microseconds(body_at),
        failures=failures,
    )
