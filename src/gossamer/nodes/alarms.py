"""Alarms of nodes in the crawl's database: each begins once and ends once, and is told by one teller.

    whoever looks (a crawl, a service), every few seconds
        look ──▶ rules ──▶ what began and what ended since the last look, by whomever that was
        claim ──▶ what is not told outside yet; nobody else tells it meanwhile ──▶ told, or given back

However many look, the reports are read by one of them every few seconds.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from gossamer.frontier.rows import microseconds
from gossamer.frontier.store import Row, Store, Transaction
from gossamer.moments import from_microseconds, iso_moment
from gossamer.nodes.rules import NodeTrouble, TroubleKey, find_troubles, still_unknown
from gossamer.nodes.store import make_light, node_rows

LOOK_EVERY: Final = timedelta(seconds=4)
WATCH_LOST: Final = timedelta(seconds=25)  # without a look: then silence counts from now
CLAIM: Final = timedelta(minutes=2)  # to tell of an alarm; then somebody else may
KEEP_TRYING: Final = timedelta(hours=1)
KEPT: Final = timedelta(days=30)
MOST_KEPT: Final = 10_000
TOLD_BEGIN, TOLD_END = 1, 2  # bits of what was told outside
_WATCH: Final = "alarm watch"
_COLUMNS: Final = "id, node, kind, subject, message, began_at, ended_at, told"
_UNTOLD: Final = f"(told < {TOLD_BEGIN} OR (ended_at IS NOT NULL AND told < {TOLD_END}))"


@dataclass(frozen=True, slots=True)
class Alarm:
    """A trouble of a node, from its begin to its end; moments in microseconds, by the database's clock."""

    id: int
    node: str
    kind: str
    subject: str
    message: str
    began_at: int
    ended_at: int | None
    told: int

    @property
    def key(self) -> TroubleKey:
        """What tells it from all others that are open."""
        return self.node, self.kind, self.subject

    def record(self) -> dict[str, object]:
        """The alarm as JSON has it."""
        return {
            "node": self.node,
            "kind": self.kind,
            "subject": self.subject,
            "message": self.message,
            "began_at": iso_moment(from_microseconds(self.began_at)),
            "ended_at": None
            if self.ended_at is None
            else iso_moment(from_microseconds(self.ended_at)),
        }


@dataclass(frozen=True, slots=True)
class Looked:
    """What a look has found: what began, and what ended."""

    began: Sequence[Alarm] = ()
    ended: Sequence[Alarm] = ()


NOTHING: Final = Looked()


class AlarmStore:
    """The alarms of a crawl's nodes."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def look(self) -> Looked:
        """Apply the rules to all reports, unless somebody has just done so."""

        def work(txn: Transaction) -> Looked:
            make_light(self._store, txn)
            if _is_recent(_last_look(txn), txn.now):
                return NOTHING
            txn.alone("alarms")
            last = _last_look(txn)
            if _is_recent(last, txn.now):  # it was done while we waited
                return NOTHING
            since = _watched_since(last, txn.now)
            _note_look(txn, since)
            return _apply(txn, since)

        return self._store.transact(work, durable=False)

    def add_past(self, trouble: NodeTrouble, lasted: timedelta) -> None:
        """Note a trouble that ended now and could not be noted before; it was told already."""

        def work(txn: Transaction) -> None:
            row = (
                *(trouble.node, trouble.kind.value, trouble.subject, trouble.message),
                *(txn.now - microseconds(lasted), txn.now, TOLD_BEGIN | TOLD_END),
            )
            names = ("node", "kind", "subject", "message", "began_at", "ended_at", "told")
            txn.insert("node_alarms", names, [row])

        self._store.transact(work, durable=False)

    def open(self) -> list[Alarm]:
        """Alarms that have not ended, the oldest first."""
        return self._store.read(open_alarms)

    def recent(self, most: int) -> list[Alarm]:
        """The newest alarms, the newest first."""
        return self._store.read(lambda txn: recent_alarms(txn, most))

    def drop_stale(self) -> int:
        """Give up alarms that nobody could tell of for so long that it helps nobody; how many."""
        sql = f"""UPDATE node_alarms SET told = CASE WHEN ended_at IS NULL THEN {TOLD_BEGIN}
            ELSE {TOLD_BEGIN | TOLD_END} END WHERE {_UNTOLD}
            AND coalesce(ended_at, began_at) < ? RETURNING id"""
        return len(
            self._store.transact(
                lambda txn: txn.rows(sql, txn.now - microseconds(KEEP_TRYING)), durable=False
            )
        )

    def claim(self, teller: str, most: int) -> list[Alarm]:
        """Alarms to tell of outside; they are ours alone for a while."""

        def work(txn: Transaction) -> list[Alarm]:
            free = f"{_UNTOLD} AND (teller IS NULL OR teller_until < ?)"
            if not txn.rows(f"SELECT 1 FROM node_alarms WHERE {free} LIMIT 1", txn.now):
                return []
            txn.alone("alarms")
            rows = txn.rows(
                f"""UPDATE node_alarms SET teller = ?, teller_until = ? WHERE id IN (SELECT id
                    FROM node_alarms WHERE {free} ORDER BY id LIMIT {int(most)})
                    RETURNING {_COLUMNS}""",
                teller,
                txn.now + microseconds(CLAIM),
                txn.now,
            )
            return sorted(map(_alarm, rows), key=lambda alarm: alarm.id)

        return self._store.transact(work, durable=False)

    def note_told(self, teller: str, alarms: Iterable[Alarm]) -> None:
        """Note that a teller has told of alarms as they were when it claimed them."""
        rows = [
            (each.id, TOLD_BEGIN if each.ended_at is None else TOLD_BEGIN | TOLD_END, teller)
            for each in alarms
        ]
        self._store.transact(
            lambda txn: txn.update(
                "node_alarms",
                ("id", "told", "teller"),
                rows,
                "told = :told, teller = NULL, teller_until = NULL",
                "node_alarms.id = :id AND node_alarms.teller = :teller",
            ),
            durable=False,
        )


def open_alarms(txn: Transaction) -> list[Alarm]:
    """Alarms that have not ended, the oldest first."""
    sql = f"SELECT {_COLUMNS} FROM node_alarms WHERE ended_at IS NULL ORDER BY began_at, id"
    return [_alarm(row) for row in txn.rows(sql)]


def recent_alarms(txn: Transaction, most: int) -> list[Alarm]:
    """The newest alarms, the newest first."""
    sql = f"SELECT {_COLUMNS} FROM node_alarms ORDER BY id DESC LIMIT ?"
    return [_alarm(row) for row in txn.rows(sql, most)]


def _apply(txn: Transaction, watched_since: int) -> Looked:
    rows, known = node_rows(txn), {alarm.key: alarm for alarm in open_alarms(txn)}
    now = {each.key: each for each in find_troubles(rows, txn.now, known.keys(), watched_since)}
    unknown = still_unknown(rows, txn.now)
    new = [each for key, each in now.items() if key not in known]
    over = [
        alarm
        for key, alarm in known.items()
        if key not in now and not (alarm.node in unknown and alarm.kind != "silent")
    ]
    began = txn.insert(
        "node_alarms",
        ("node", "kind", "subject", "message", "began_at"),
        [(each.node, each.kind.value, each.subject, each.message, txn.now) for each in new],
        f"RETURNING {_COLUMNS}",
    )
    ended = txn.update(
        "node_alarms",
        ("id", "ended_at"),
        [(alarm.id, txn.now) for alarm in over],
        "ended_at = :ended_at",
        "node_alarms.id = :id",
        ", ".join(f"node_alarms.{name}" for name in _COLUMNS.split(", ")),
    )
    if new:
        _forget_old(txn)
    return Looked([_alarm(row) for row in began], [_alarm(row) for row in ended])


def _forget_old(txn: Transaction) -> None:
    txn.rows("DELETE FROM node_alarms WHERE ended_at < ?", txn.now - microseconds(KEPT))
    txn.rows(
        f"""DELETE FROM node_alarms WHERE ended_at IS NOT NULL AND id <=
            (SELECT id FROM node_alarms ORDER BY id DESC LIMIT 1 OFFSET {MOST_KEPT})"""
    )


def _last_look(txn: Transaction) -> tuple[int, int] | None:
    """Since when it is watched without a gap, and the moment of the last look."""
    rows = txn.rows("SELECT value FROM facts WHERE name = ?", _WATCH)
    if not rows:
        return None
    since, at = json.loads(bytes(rows[0][0]))
    return since, at


def _is_recent(last: tuple[int, int] | None, now: int) -> bool:
    return last is not None and now - microseconds(LOOK_EVERY) < last[1] <= now


def _watched_since(last: tuple[int, int] | None, now: int) -> int:
    """Nobody is silent who could not be heard: where the database was away, or nobody looked."""
    if last is None or not now - microseconds(WATCH_LOST) <= last[1] <= now:
        return now
    return last[0]


def _note_look(txn: Transaction, since: int) -> None:
    txn.rows(
        """INSERT INTO facts (name, value) VALUES (?, ?)
            ON CONFLICT (name) DO UPDATE SET value = excluded.value""",
        _WATCH,
        json.dumps([since, txn.now]).encode(),
    )


def _alarm(row: Row) -> Alarm:
    number, node, kind, subject, message, began, ended, told = row
    return Alarm(int(number), node, kind, subject, message, int(began), ended, int(told))
