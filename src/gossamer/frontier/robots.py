"""What origins' robots.txt said, in the store: a second run does not ask again within the day."""

from collections.abc import Sequence
from typing import Final

from gossamer.frontier import robots_budget
from gossamer.frontier.asking_others import Asking
from gossamer.frontier.store import Row, Store, Transaction
from gossamer.model import Url
from gossamer.politeness.clock_row import from_microseconds, to_microseconds
from gossamer.politeness.robots.record import Meaning, RobotsRecord, not_kept
from gossamer.urls import host_of, site_of

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
_STORED: Final = (*_COLUMNS, "kept_bytes", "host", "site")
_REPLACE: Final = "ON CONFLICT (origin) DO UPDATE SET " + ", ".join(
    f"{name} = excluded.{name}" for name in _STORED[1:]
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

    def keep(self, record: RobotsRecord, most_bytes: int = robots_budget.NO_LIMIT) -> RobotsRecord:
        """Put a record in the place of the one before; the record as it is kept.

        Where the files of its site would take more than `most_bytes`, that is one without the file.
        """
        host = host_of(Url(record.origin + "/"))
        site = site_of(host)

        def run(txn: Transaction) -> RobotsRecord:
            size = len(record.body or b"")
            now = to_microseconds(record.answered_at)
            fits = robots_budget.charge(txn, site, record.origin, size, most_bytes, now)
            kept = record if fits else not_kept(record, site, most_bytes)
            row = (*_row(kept), size if fits else 0, host, site)
            txn.insert("robots", _STORED, [row], _REPLACE)
            return kept

        # What a power cut undoes is asked for again; to wait for the disk for every host is dear.
        return self._store.transact(run, durable=False)

    async def put(self, record: RobotsRecord, most_bytes: int) -> RobotsRecord:
        """Keep a record, for callers that await; done at once."""
        return self.keep(record, most_bytes)

    async def count_elsewhere(self, site: str, most: int) -> bool:
        """Count a request that a site causes at another; False if there are so many today."""
        return Asking(self._store).take(site, 1, most)


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
