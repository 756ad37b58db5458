"""What nodes tell the crawl's database of themselves, and what they are told there: one row a node.

All moments are by the database's clock, so that a node whose own clock is wrong does not look dead. What is
written here is small and not durable: a power cut may undo it, and the next word from the node mends that.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, NamedTuple, TypeVar

from gossamer.frontier.rows import microseconds
from gossamer.frontier.store import Row, Store, Transaction
from gossamer.frontier.upgrading import MAKE_WAY
from gossamer.moments import from_microseconds

MOST_REPORT_BYTES: Final = 64 * 1024
FIGURES_EVERY: Final = timedelta(seconds=30)
FIGURES_AGE: Final = timedelta(days=1)
MOST_POINTS: Final = 3_000  # of one node: a day of them, and a little
FORGOTTEN_AFTER: Final = timedelta(
    days=7
)  # a node that has left, or is silent, is not listed any more
_COLUMNS: Final = (
    "node, joined_at, started_at, heard_at, left_at, version, node_state, wish, wished_at, report"
)
_NOT_DURABLE: Final = "SELECT set_config('synchronous_commit', 'off', true)"


class NodeCondition(StrEnum):
    """What a node does, as it says itself."""

    RUNNING = "running"
    PAUSED = "paused"
    DRAINING = "draining"
    WAITING = "waiting"
    LEFT = "left"


class NodeWish(StrEnum):
    """What a node was asked to do."""

    RUN = "run"
    PAUSE = "pause"
    DRAIN = "drain"
    STOP = "stop"
    MAKE_WAY = MAKE_WAY  # drain: a newer program is to change the tables


class ClockLead(NamedTuple):
    """How far a node's clock is ahead of the database's: at least, and at most, in microseconds."""

    least: int
    most: int


class BeatAnswer(NamedTuple):
    """What a node hears in answer to its report."""

    now: int  # microseconds, by the database's clock
    lead: ClockLead
    wish: NodeWish | None
    wished_at: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeRow:
    """A node as the database has it; moments in microseconds, by the database's clock."""

    node: str
    joined_at: int
    started_at: int
    heard_at: int
    left_at: int | None
    version: str
    state: str
    wish: str | None
    wished_at: int | None
    report: bytes

    @property
    def has_left(self) -> bool:
        """Whether it ended in good order."""
        return self.left_at is not None


class NodeStore:
    """The nodes of a crawl, and their figures of late."""

    def __init__(self, store: Store) -> None:
        self._store = store

    @property
    def is_shared(self) -> bool:
        """Whether several nodes may be in it."""
        return self._store.is_shared

    def join(self, node: str, version: str, report: bytes = b"{}") -> BeatAnswer:
        """Note that a node begins a run; an old wish for it to end counts no more."""

        def work(txn: Transaction) -> BeatAnswer:
            txn.insert(
                "nodes",
                ("node", "joined_at", "started_at", "heard_at", "version", "node_state", "report"),
                [(node, txn.now, txn.now, txn.now, version, NodeCondition.RUNNING.value, report)],
                "ON CONFLICT (node) DO UPDATE SET started_at = excluded.started_at, "
                "heard_at = excluded.heard_at, left_at = NULL, version = excluded.version, "
                "node_state = excluded.node_state, report = excluded.report, "
                "wish = CASE WHEN nodes.wish IN ('drain', 'stop', 'make way') THEN NULL ELSE nodes.wish END",
            )
            forget_old_nodes(txn)
            return _answer(txn, node)

        return self._store.transact(work, durable=False)

    def beat(
        self,
        node: str,
        version: str,
        state: str,
        report: bytes,
        figures: bytes | None = None,
    ) -> BeatAnswer:
        """Take a node's report; what it is wished to do. `figures` are a point for charts."""

        def work(txn: Transaction) -> BeatAnswer:
            make_light(self._store, txn)
            told = (node, txn.now, txn.now, txn.now, version, state, report)
            txn.insert(
                "nodes",
                ("node", "joined_at", "started_at", "heard_at", "version", "node_state", "report"),
                [told],
                "ON CONFLICT (node) DO UPDATE SET heard_at = excluded.heard_at, left_at = NULL, "
                "version = excluded.version, node_state = excluded.node_state, "
                "report = excluded.report",
            )
            if figures is not None:
                _add_figures(txn, node, figures)
            return _answer(txn, node)

        return self._store.transact(work, durable=False)

    def leave(self, node: str, report: bytes | None = None) -> bool:
        """Note that a node ended in good order, with its last report, or is gone for good; False where there is none such."""
        sql = """UPDATE nodes SET left_at = ?, node_state = ?, wish = NULL, wished_at = NULL,
            report = coalesce(?, report) WHERE node = ? AND left_at IS NULL RETURNING node"""
        return bool(
            self._store.transact(
                lambda txn: txn.rows(sql, txn.now, NodeCondition.LEFT.value, report, node),
                durable=False,
            )
        )

    def wish(self, node: str, wish: NodeWish | None) -> bool:
        """Have a node do something; False where there is no such node, or it has left."""
        sql = """UPDATE nodes SET wish = ?, wished_at = ? WHERE node = ? AND left_at IS NULL
            RETURNING node"""
        value = None if wish is None else wish.value
        return bool(self._store.transact(lambda txn: txn.rows(sql, value, txn.now, node)))

    def withdraw(self, node: str, wished_at: int) -> None:
        """Take a wish back that was carried out, or is no longer wanted; not a later one."""
        sql = """UPDATE nodes SET wish = NULL, wished_at = NULL WHERE node = ? AND wished_at = ?
            RETURNING node"""
        self._store.transact(lambda txn: txn.rows(sql, node, wished_at), durable=False)

    def all(self) -> tuple[int, list[NodeRow]]:
        """The present moment by the database's clock, and all nodes by name."""
        return self._store.read(lambda txn: (txn.now, node_rows(txn)))

    def figures(self, since: timedelta = FIGURES_AGE) -> Mapping[str, Sequence[tuple[int, bytes]]]:
        """Points for charts by node, the oldest first."""
        sql = "SELECT node, at, figures FROM node_figures WHERE at >= ? ORDER BY node, at"
        rows = self._store.read(lambda txn: txn.rows(sql, txn.now - microseconds(since)))
        found: dict[str, list[tuple[int, bytes]]] = {}
        for node, at, figures in rows:
            found.setdefault(node, []).append((int(at), bytes(figures)))
        return found


def node_rows(txn: Transaction) -> list[NodeRow]:
    """All nodes by name."""
    return [_row(row) for row in txn.rows(f"SELECT {_COLUMNS} FROM nodes ORDER BY node")]


def forget_old_nodes(txn: Transaction) -> None:
    """List nodes no more that were last heard of long ago."""
    before = txn.now - microseconds(FORGOTTEN_AFTER)
    txn.rows("DELETE FROM nodes WHERE heard_at < ?", before)
    txn.rows("DELETE FROM node_figures WHERE at < ?", txn.now - microseconds(FIGURES_AGE))


def lead_of(txn: Transaction) -> ClockLead:
    """How far our clock is ahead of the database's, as this transaction has measured it."""
    moment = from_microseconds(txn.now)
    return ClockLead(
        *(_difference(at, moment) for at in (txn.deadline(txn.now), txn.here(txn.now)))
    )


T = TypeVar("T")


def make_light(store: Store, txn: Transaction) -> None:
    """Have this transaction not wait for a disk: a server that crashes may forget it."""
    if store.is_shared:
        txn.rows(_NOT_DURABLE)


def _difference(at: datetime, moment: datetime) -> int:
    return microseconds(at - moment)


def _answer(txn: Transaction, node: str) -> BeatAnswer:
    ((wish, wished_at),) = txn.rows("SELECT wish, wished_at FROM nodes WHERE node = ?", node)
    known = wish if wish in set(NodeWish) else None
    return BeatAnswer(txn.now, lead_of(txn), known and NodeWish(known), wished_at)


def _add_figures(txn: Transaction, node: str, figures: bytes) -> None:
    """Add a point, and drop those that are too old or too many."""
    txn.insert(
        "node_figures",
        ("node", "at", "figures"),
        [(node, txn.now, figures)],
        "ON CONFLICT (node, at) DO NOTHING",
    )
    txn.rows(
        "DELETE FROM node_figures WHERE node = ? AND at < ?",
        node,
        txn.now - microseconds(FIGURES_AGE),
    )
    txn.rows(
        f"""DELETE FROM node_figures WHERE node = ? AND at < (SELECT at FROM node_figures
            WHERE node = ? ORDER BY at DESC LIMIT 1 OFFSET {MOST_POINTS - 1})""",
        node,
        node,
    )


def _row(row: Row) -> NodeRow:
    node, joined, started, heard, left, version, state, wish, wished, report = row
    return NodeRow(
        node=node,
        joined_at=int(joined),
        started_at=int(started),
        heard_at=int(heard),
        left_at=left,
        version=version,
        state=state,
        wish=wish,
        wished_at=wished,
        report=bytes(report),
    )
