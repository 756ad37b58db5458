"""Limits that the nodes of a crawl share, in its database: stretches of a rate, and parts of a number.

What `politeness.sharing` decides is decided in a transaction here, one node after the other.
"""

from datetime import datetime, timedelta
from typing import Final, NamedTuple

from gossamer.frontier.rows import microseconds
from gossamer.frontier.store import Store, Transaction
from gossamer.politeness.sharing import allowed_share, charge, take_stretch

NEED_COUNTS: Final = timedelta(seconds=3)  # then a node that asked no more has no need


class TakenStretch(NamedTuple):
    """What a node took of a rate, by its own clock: not before it certainly begins, nor after it may be over."""

    amount: int
    begins: datetime
    ends: datetime


class LimitStore:
    """The limits of a crawl, as one node shares in them."""

    def __init__(self, store: Store, node: str) -> None:
        self._store = store
        self._node = node

    def take(self, name: str, per_second: float, wanted: int, beyond: int) -> TakenStretch:
        """Take a stretch of a rate, and pay for what came beyond earlier ones."""

        def work(txn: Transaction) -> TakenStretch:
            paid = charge(_line(txn, name), txn.now, per_second, beyond)
            needs = {
                node: float(need)
                for node, need in txn.rows(
                    "SELECT node, need FROM limit_parts WHERE name = ? AND until > ?", name, txn.now
                )
            }
            stretch, paid = take_stretch(paid, txn.now, per_second, wanted, needs, self._node)
            txn.rows(
                "UPDATE limit_lines SET paid_until = ? WHERE name = ? RETURNING name", paid, name
            )
            self._keep(txn, name, wanted, 0, txn.now + microseconds(NEED_COUNTS))
            return TakenStretch(
                stretch.amount, txn.here(stretch.begins), txn.deadline(stretch.ends)
            )

        return self._store.transact(work)

    def renew_share(
        self, name: str, limit: int, in_use: int, lasting: timedelta
    ) -> tuple[int, datetime]:
        """Renew what this node has of a number that all share; that, and until when it may count on it."""

        def work(txn: Transaction) -> tuple[int, datetime]:
            _line(txn, name)  # one node after the other
            txn.rows("DELETE FROM limit_parts WHERE until <= ?", txn.now)
            found = "SELECT node, share FROM limit_parts WHERE name = ? AND node <> ?"
            others = {node: int(share) for node, share in txn.rows(found, name, self._node)}
            taken = sum(others.values())
            share = allowed_share(limit, others, self._node, taken, in_use)
            until = txn.now + microseconds(lasting)
            self._keep(txn, name, 0, share, until)
            return share, txn.deadline(until)

        return self._store.transact(work)

    def leave(self) -> None:
        """Give all parts back: nothing is sent any more."""
        sql = "DELETE FROM limit_parts WHERE node = ? RETURNING node"
        self._store.transact(lambda txn: txn.rows(sql, self._node))

    def _keep(self, txn: Transaction, name: str, need: int, share: int, until: int) -> None:
        txn.insert(
            "limit_parts",
            ("node", "name", "need", "share", "until"),
            [(self._node, name, need, share, until)],
            "ON CONFLICT (node, name) DO UPDATE SET need = excluded.need, share = excluded.share, "
            "until = excluded.until",
        )


def _line(txn: Transaction, name: str) -> int:
    """Up to when a rate is paid; whoever asks next waits for us."""
    ((paid,),) = txn.insert(
        "limit_lines",
        ("name", "paid_until"),
        [(name, 0)],
        "ON CONFLICT (name) DO UPDATE SET paid_until = limit_lines.paid_until RETURNING paid_until",
    )
    return int(paid)
