"""The log of all nodes in the crawl's database: lines of JSON, bounded by age and size, the newest kept.

A line is as its node wrote it, and so are the moments in it, by that node's clock. `at` is by the database's clock,
so that lines of all nodes are in order; `ahead` and `within` say how far the node's was off.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, NamedTuple

from gossamer.events import LEVELS
from gossamer.frontier.rows import microseconds
from gossamer.frontier.store import Row, Store, Transaction, Value
from gossamer.nodes.log_tail import LogPlace
from gossamer.nodes.store import lead_of, make_light

TRIMMED: Final = 5_000  # lines at once
LOOKED_AT: Final = 5_000
_SIZE: Final = "log characters"  # a tally of each node
_PLACE: Final = "log of "  # a fact of each node: how far its files are here
_COLUMNS: Final = ("node", "at", "ahead", "within", "level", "event", "host", "line")


class LogLine(NamedTuple):
    """A line of a node's log, as it is sent."""

    at: int  # microseconds, by the node's clock
    level: str
    event: str
    host: str | None
    line: str


@dataclass(frozen=True, slots=True)
class StoredLine:
    """A line of some node's log."""

    id: int
    node: str
    at: int  # microseconds, by the database's clock
    ahead: int  # of that was the node's clock, in microseconds
    within: int  # or so much more or less
    line: str

    def record(self) -> dict[str, Any]:
        """The line as JSON has it: the node, and what the node wrote."""
        told = json.loads(self.line)
        clock = {"clock_ahead": self.ahead / 1e6, "clock_within": self.within / 1e6}
        return {"node": self.node, **(told if isinstance(told, dict) else {}), **clock}


@dataclass(frozen=True, slots=True, kw_only=True)
class LogFilter:
    """Which lines are wanted; all of them, unless something is said."""

    node: str | None = None
    host: str | None = None
    events: Sequence[str] = ()
    level: str | None = None  # the lowest
    since: int | None = None  # microseconds
    before: tuple[int, int] | None = None  # moment and number of a line: only what is older
    after_id: int | None = None  # only what came in later

    def condition(self) -> tuple[str, list[Value]]:
        """The condition in SQL, and its values."""
        parts: list[str] = []
        values: list[Value] = []

        def add(part: str, *given: Value) -> None:
            parts.append(part)
            values.extend(given)

        if self.node is not None:
            add("node = ?", self.node)
        if self.host is not None:
            add("host = ?", self.host)
        if self.events:
            add(f"event IN ({', '.join('?' * len(self.events))})", *self.events)
        if self.level is not None:
            levels = LEVELS[[*LEVELS].index(self.level) :]  # type: ignore[arg-type] # one of them
            add(f"level IN ({', '.join('?' * len(levels))})", *levels)
        if self.since is not None:
            add("at >= ?", self.since)
        if self.before is not None:
            add("(at < ? OR (at = ? AND id < ?))", self.before[0], *self.before)
            add("at <= ?", self.before[0])  # which the index understands
        if self.after_id is not None:
            add("id > ?", self.after_id)
        return " AND ".join(parts) or "TRUE", values


class NodeLogStore:
    """The log of all nodes."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def place(self, node: str) -> LogPlace | None:
        """How far a node's files are in the database."""
        sql = "SELECT value FROM facts WHERE name = ?"
        rows = self._store.read(lambda txn: txn.rows(sql, _PLACE + node))
        return LogPlace(*json.loads(bytes(rows[0][0]))) if rows else None

    def add(self, node: str, lines: Sequence[LogLine], place: LogPlace) -> None:
        """Add lines of a node, and note how far its files are here, both or none."""

        def work(txn: Transaction) -> None:
            make_light(self._store, txn)
            _note_place(txn, node, place)
            if not lines:
                return
            lead = lead_of(txn)
            ahead, within = (lead.most + lead.least) // 2, abs(lead.most - lead.least) // 2
            rows = [
                (node, line.at - ahead, ahead, within, line.level, line.event, line.host, line.line)
                for line in lines
            ]
            txn.insert("node_log", _COLUMNS, rows)
            _count(txn, node, sum(len(line.line) for line in lines))

        self._store.transact(work, durable=False)

    def skip_to(self, node: str, place: LogPlace) -> None:
        """Note that a node's files are here up to a place, whatever was noted before."""
        self._store.transact(lambda txn: _note_place(txn, node, place), durable=False)

    def trim(self, age: timedelta, most: int) -> int:
        """Remove what is too old, and the oldest where there is too much; how many lines."""

        def work(txn: Transaction) -> int:
            txn.alone("log trim")
            oldest = "SELECT id FROM node_log WHERE at < ? ORDER BY at LIMIT ?"
            gone = _remove(txn, oldest, txn.now - microseconds(age), TRIMMED)
            if not gone and _size(txn) > most:
                gone = _remove(txn, "SELECT id FROM node_log ORDER BY at LIMIT ?", TRIMMED)
            return gone

        total = 0
        while gone := self._store.transact(work, durable=False):
            total += gone
        return total

    def newest(self, wanted: LogFilter, most: int) -> list[StoredLine]:
        """The newest lines that are wanted, the newest first."""
        condition, values = wanted.condition()
        sql = f"""SELECT id, node, at, ahead, within, line FROM node_log WHERE {condition}
            ORDER BY at DESC, id DESC LIMIT ?"""
        rows = self._store.read(lambda txn: txn.rows(sql, *values, most))
        return [_stored(row) for row in rows]

    def all(self, wanted: LogFilter) -> Iterator[StoredLine]:
        """All lines that are wanted, the newest first, however many."""
        before = wanted.before
        while True:
            some = self.newest(_before(wanted, before), LOOKED_AT)
            yield from some
            if len(some) < LOOKED_AT:
                return
            before = (some[-1].at, some[-1].id)

    def last_id(self) -> int:
        """The number of the line that came in last."""
        rows = self._store.read(lambda txn: txn.rows("SELECT coalesce(max(id), 0) FROM node_log"))
        return int(rows[0][0])

    def span(self) -> Mapping[str, tuple[int, int]]:
        """The nodes with lines here: the moments of their first and last."""
        sql = "SELECT node, min(at), max(at) FROM node_log GROUP BY node ORDER BY node"
        rows = self._store.read(lambda txn: txn.rows(sql))
        return {node: (int(first), int(last)) for node, first, last in rows}

    def forget(self, hosts: Sequence[str], is_gone: Callable[[bytes], bool]) -> int:
        """Remove lines about some hosts or their pages, as `is_gone` tells; how many."""
        return sum(self._forget(host, is_gone) for host in dict.fromkeys(hosts))

    def _forget(self, host: str, is_gone: Callable[[bytes], bool]) -> int:
        after, total = 0, 0
        named = f"%{host.lower()}%"
        sql = """SELECT id, line FROM node_log WHERE id > ? AND lower(line) LIKE ?
            ORDER BY id LIMIT ?"""

        def work(txn: Transaction) -> tuple[int | None, int]:
            found = txn.rows(sql, after, named, LOOKED_AT)
            gone = [int(number) for number, line in found if is_gone(line.encode())]
            removed = txn.any_of(
                "DELETE FROM node_log WHERE id {any} RETURNING node, length(line)", "id", gone
            )
            _uncount(txn, removed)
            return (int(found[-1][0]) if len(found) == LOOKED_AT else None), len(removed)

        while True:
            last, gone = self._store.transact(work)
            total += gone
            if last is None:
                return total
            after = last


def _before(wanted: LogFilter, before: tuple[int, int] | None) -> LogFilter:
    return LogFilter(
        node=wanted.node,
        host=wanted.host,
        events=wanted.events,
        level=wanted.level,
        since=wanted.since,
        before=before,
        after_id=wanted.after_id,
    )


def _note_place(txn: Transaction, node: str, place: LogPlace) -> None:
    txn.rows(
        """INSERT INTO facts (name, value) VALUES (?, ?)
            ON CONFLICT (name) DO UPDATE SET value = excluded.value""",
        _PLACE + node,
        json.dumps(place).encode(),
    )


def _remove(txn: Transaction, chosen: str, *values: Value) -> int:
    removed = txn.rows(
        f"DELETE FROM node_log WHERE id IN ({chosen}) RETURNING node, length(line)", *values
    )
    _uncount(txn, removed)
    return len(removed)


def _uncount(txn: Transaction, removed: Sequence[Row]) -> None:
    sizes: dict[str, int] = {}
    for node, size in removed:
        sizes[node] = sizes.get(node, 0) + int(size)
    for node in sorted(sizes):
        _count(txn, node, -sizes[node])


def _count(txn: Transaction, node: str, more: int) -> None:
    txn.rows(
        """INSERT INTO tallies (node, name, n) VALUES (?, ?, ?)
            ON CONFLICT (node, name) DO UPDATE SET n = tallies.n + excluded.n""",
        node,
        _SIZE,
        more,
    )


def _size(txn: Transaction) -> int:
    rows = txn.rows("SELECT coalesce(sum(n), 0) FROM tallies WHERE name = ?", _SIZE)
    return int(rows[0][0])


def _stored(row: Row) -> StoredLine:
    number, node, at, ahead, within, line = row
    return StoredLine(int(number), node, int(at), int(ahead), int(within), line)
