"""Telling nodes what to do, and seeing how far they are: a wish in the database, which their next beat brings home.

A node that drains or stops is not told anything else, except that one that drains may be stopped. One that
starts again takes part as before.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from gossamer.frontier.schema import HELD
from gossamer.frontier.store import Store, Transaction
from gossamer.frontier.upgrading import SILENT
from gossamer.nodes.report import load_report
from gossamer.nodes.store import NodeCondition, NodeRow, NodeWish, node_rows

_ENDING: Final = (NodeWish.DRAIN, NodeWish.STOP, NodeWish.MAKE_WAY)
# How nodes are that do what they were asked to; one that ends does.
_REACHED: Final = {
    NodeWish.RUN: {NodeCondition.RUNNING, NodeCondition.WAITING, NodeCondition.DRAINING},
    NodeWish.PAUSE: {NodeCondition.PAUSED, NodeCondition.DRAINING},
    NodeWish.DRAIN: set(),
    NodeWish.STOP: set(),
    NodeWish.MAKE_WAY: set(),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeStanding:
    """How a node stands, for whoever told it something."""

    node: str
    state: str
    wish: str | None
    has_left: bool
    silent_for: timedelta | None  # None while it is heard of
    hosts_held: int
    in_flight: int
    waiting: int
    leases_end_in: timedelta | None  # after which others have its hosts, whatever it does

    @property
    def is_gone(self) -> bool:
        """Whether it has no part in the crawl any more: it left, or is silent and its leases are over."""
        return self.has_left or (self.silent_for is not None and self.leases_end_in is None)

    def record(self) -> dict[str, object]:
        """How it stands, as JSON has it."""
        silent = None if self.silent_for is None else round(self.silent_for.total_seconds())
        return {
            "node": self.node,
            "state": self.state,
            "wish": self.wish,
            "left": self.has_left,
            "silent_seconds": silent,
            "hosts_held": self.hosts_held,
            "in_flight": self.in_flight,
            "waiting": self.waiting,
        }

    def follows(self, wish: NodeWish) -> bool:
        """Whether it does what it was asked to."""
        return self.has_left or self.state in _REACHED[wish]


def standings(store: Store) -> list[NodeStanding]:
    """How all nodes stand, by name."""

    def work(txn: Transaction) -> list[NodeStanding]:
        leases = _leases(txn)
        return [_standing(txn.now, row, leases.get(row.node)) for row in node_rows(txn)]

    return store.read(work)


def tell_nodes(store: Store, wish: NodeWish, nodes: Collection[str] | None = None) -> list[str]:
    """Have nodes do something, or all that have not left; those who are told, by name."""
    kept = () if wish is NodeWish.STOP else tuple(each.value for each in _ENDING)
    unless = f" AND coalesce(wish, '') NOT IN ({', '.join('?' for _ in kept)})" if kept else ""

    def work(txn: Transaction) -> list[str]:
        told = [
            row.node
            for row in node_rows(txn)
            if not row.has_left and (nodes is None or row.node in nodes)
        ]
        for node in told:
            txn.rows(
                f"""UPDATE nodes SET wish = ?, wished_at = ? WHERE node = ? AND left_at IS NULL{unless}
                    RETURNING node""",
                *(wish.value, txn.now, node, *kept),
            )
        return told

    return store.transact(work)


def _leases(txn: Transaction) -> dict[str, tuple[int, int]]:
    """How many hosts each node holds by a lease that is in force, and when the last right of it ends."""
    found: dict[str, tuple[int, int]] = {}
    held = f"""SELECT lease_node, count(*), max(lease_until) FROM hosts
        WHERE stage = {HELD} AND lease_node IS NOT NULL AND lease_until > ? GROUP BY lease_node"""
    claimed = "SELECT node, 0, max(until) FROM claims WHERE until > ? GROUP BY node"
    for node, count, until in (*txn.rows(held, txn.now), *txn.rows(claimed, txn.now)):
        hosts, last = found.get(node, (0, 0))
        found[node] = (hosts + int(count), max(last, int(until)))
    return found


def _standing(now: int, row: NodeRow, lease: tuple[int, int] | None) -> NodeStanding:
    silence = timedelta(microseconds=max(now - row.heard_at, 0))
    crawl = load_report(row.report).crawl
    hosts, until = lease or (0, None)
    return NodeStanding(
        node=row.node,
        state=row.state,
        wish=row.wish,
        has_left=row.has_left,
        silent_for=None if row.has_left or silence < SILENT else silence,
        hosts_held=hosts,
        in_flight=0 if crawl is None else crawl.in_flight,
        waiting=0 if crawl is None else crawl.waiting,
        leases_end_in=None if until is None else timedelta(microseconds=until - now),
    )


def names_of(nodes: Sequence[NodeStanding]) -> str:
    """The names of nodes for people."""
    return ", ".join(each.node for each in nodes)
