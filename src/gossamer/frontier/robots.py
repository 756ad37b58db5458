"""What origins' robots.txt said, in the store: a second run does not ask again within the day."""

from collections.abc import Sequence
from typing import Final

from gossamer.frontier.store import Row, Store, Transaction
from gossamer.model import Url
from gossamer.politeness.clock_row import from_microseconds, to_microseconds
from gossamer.politeness.robots.record import Meaning, RobotsRecord
from gossamer.urls import host_of

_COLUMNS: Final = (
    "origin",
    "meaning",
    "cause",
    "answered_at",
    "ask_at",
    "body",
    "body_at",
    "failures",
)
_SELECT: Final = f"SELECT {', '.join(_COLUMNS)} FROM robots"
_REPLACE: Final = "ON CONFLICT (origin) DO UPDATE SET " + ", ".join(
    f"{name} = excluded.{name}" for name in _COLUMNS[1:]
)


class RobotsStore:
    """The robots records of all origins met so far."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def of(self, origin: str) -> RobotsRecord | None:
        """What is known of an origin, however old."""
        rows = self._store.read(lambda txn: txn.rows(f"{_SELECT} WHERE origin = ?", origin))
        return _record(rows[0]) if rows else None

    def of_host(self, host: str) -> list[RobotsRecord]:
        """What is known of all origins of a host: they share a clock, not their rules."""
        return self._store.read(lambda txn: records_of(txn, [host])).get(host, [])

    def keep(self, record: RobotsRecord) -> None:
        """Put a record in the place of the one before."""
        row = (*_row(record), host_of(Url(record.origin + "/")))
        # What a power cut undoes is asked for again; to wait for the disk for every host is dear.
        self._store.transact(
            lambda txn: txn.insert("robots", (*_COLUMNS, "host"), [row], _REPLACE), durable=False
        )


def records_of(txn: Transaction, hosts: Sequence[str]) -> dict[str, list[RobotsRecord]]:
    """The records of hosts, by host, in the order of their origins."""
    found: dict[str, list[RobotsRecord]] = {}
    rows = txn.any_of(f"{_SELECT} WHERE host {{any}} ORDER BY origin", "host", list(hosts))
    for row in rows:
        record = _record(row)
        found.setdefault(host_of(Url(record.origin + "/")), []).append(record)
    return found


def _row(record: RobotsRecord) -> Row:
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


def _record(row: Row) -> RobotsRecord:
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
