"""The robots.txt records of all origins, in the store: a second run does not ask again within the day.

So many bytes of them are kept of each site, as a sum in its row, because names below a domain cost
nothing and each may have a file of half a megabyte. See docs/decisions/0051.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from gossamer.frontier.sites import CrossSiteRequests
from gossamer.frontier.store import Row, Store, Transaction
from gossamer.model import Url
from gossamer.moments import from_microseconds, to_microseconds
from gossamer.politeness.robots.record import Meaning, RobotsRecord, not_kept
from gossamer.urls import host_of, site_of

# One statement, so that no two nodes take the last bytes both.
_TAKE_BYTES: Final = """INSERT INTO sites (site, robots_bytes) VALUES (?, ?)
ON CONFLICT (site) DO UPDATE SET robots_bytes = sites.robots_bytes + excluded.robots_bytes
WHERE sites.robots_bytes + excluded.robots_bytes <= ?
RETURNING site"""
_GIVE_BACK: Final = """UPDATE sites
SET robots_bytes = CASE WHEN robots_bytes > ? THEN robots_bytes - ? ELSE 0 END WHERE site = ?"""
# They are asked for again before anything else of their origins, so they serve nobody any more.
_DROP_EXPIRED: Final = f"""DELETE FROM robots WHERE origin IN (
    SELECT origin FROM robots WHERE site = ? AND kept_bytes > 0 AND ask_at <= ?
    AND meaning = '{Meaning.RULES}' AND origin <> ? ORDER BY ask_at LIMIT 100)
RETURNING kept_bytes"""
NO_LIMIT: Final = 2**62
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

    def keep(self, record: RobotsRecord, most_bytes: int = NO_LIMIT) -> RobotsRecord:
        """Put a record in the place of the one before; the record as it is kept.

        Where the files of its site would take more than `most_bytes`, that is one without the file.
        """
        host = host_of(Url(record.origin + "/"))
        site = site_of(host)

        def run(txn: Transaction) -> RobotsRecord:
            size = len(record.body or b"")
            now = to_microseconds(record.answered_at)
            fits = charge_site(txn, site, record.origin, size, most_bytes, now)
            kept = record if fits else not_kept(record, site, most_bytes)
            row = (*_row(kept), size if fits else 0, host, site)
            txn.insert("robots", _STORED, [row], _REPLACE)
            return kept

        # What a power cut undoes is asked for again; to wait for the disk for every host is dear.
        return self._store.transact(run, durable=False)

    async def put(self, record: RobotsRecord, most_bytes: int) -> RobotsRecord:
        """Keep a record, for callers that await; done at once."""
        return self.keep(record, most_bytes)

    def expire_stored(self, host: str | None, now: datetime) -> int:
        """Have robots.txt of a host, or of all, asked for before its next use; how many that are."""
        at, which = to_microseconds(now), "" if host is None else " AND host = ?"
        values = (at, at) if host is None else (at, at, host)
        update = f"UPDATE robots SET ask_at = ? WHERE ask_at > ?{which} RETURNING origin"
        return len(self._store.transact(lambda txn: txn.rows(update, *values)))

    async def expire(self, host: str | None, now: datetime) -> int:
        """Expire records, for callers that await; done at once."""
        return self.expire_stored(host, now)

    async def count_elsewhere(self, site: str, most: int) -> bool:
        """Count a request that a site causes at another; False if there are so many today."""
        return CrossSiteRequests(self._store).take(site, 1, most)


def records_of(txn: Transaction, hosts: Sequence[str]) -> dict[str, list[RobotsRecord]]:
    """The records of hosts, by host, in the order of their origins."""
    found: dict[str, list[RobotsRecord]] = {}
    rows = txn.any_of(f"{_SELECT} WHERE host {{any}} ORDER BY origin", "host", list(hosts))
    for row in rows:
        record = _record(row)
        found.setdefault(host_of(Url(record.origin + "/")), []).append(record)
    return found


def charge_site(txn: Transaction, site: str, origin: str, size: int, most: int, now: int) -> bool:
    """Charge a site for a file that takes the place of an origin's last one, if there is room for it.

    Where there is none, the last one is to go too, and is taken off already.
    """
    rows = txn.rows("SELECT kept_bytes FROM robots WHERE origin = ?", origin)
    before = rows[0][0] if rows else 0
    if size <= before:
        refund_site(txn, site, before - size)
        return True
    while not _take_bytes(txn, site, size - before, most):
        gone = txn.rows(_DROP_EXPIRED, site, now, origin)
        refund_site(txn, site, sum(each for (each,) in gone))
        if not gone:
            refund_site(txn, site, before)
            return False
    return True


def refund_site(txn: Transaction, site: str, size: int) -> None:
    """Take off what is no longer kept."""
    if size:
        txn.rows(_GIVE_BACK, size, size, site)


def _take_bytes(txn: Transaction, site: str, size: int, most: int) -> bool:
    return size <= most and bool(txn.rows(_TAKE_BYTES, site, size, most))


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
