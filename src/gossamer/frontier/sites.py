"""Sums per site, in the table `sites`: what its pages have taken, who links to it, what it has us ask of others.

By these sums the hosts of a site queue (see `politeness.budget`).
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from gossamer.config import Budget
from gossamer.frontier.store import Row, Store, Transaction
from gossamer.politeness.budget import Charge, allowance, brings_nothing_new, queue_of

AT_ONCE: Final = 2_000  # sites looked at in one transaction
DAY: Final = 86_400_000_000  # microseconds
_JUDGED: Final = "site, content, linking_sites, repeated"
_COUNTED: Final = (
    "site",
    "handed",
    "content",
    "linking_sites",
    "aside_bytes",
    "left_out",
    "repeated",
)
_BYTES: Final = ("waiting_bytes", "elsewhere_bytes", "elsewhere_day")
_WAITING: Final = "sites.waiting_bytes + excluded.waiting_bytes"
_ADD: Final = (
    "ON CONFLICT (site) DO UPDATE SET "
    + ", ".join(f"{name} = sites.{name} + excluded.{name}" for name in _COUNTED[1:])
    # What others made known of a site was not charged to it, and is taken off all the same.
    + f", waiting_bytes = CASE WHEN {_WAITING} > 0 THEN {_WAITING} ELSE 0 END"
    + ", elsewhere_bytes = excluded.elsewhere_bytes + CASE WHEN sites.elsewhere_day = "
    "excluded.elsewhere_day THEN sites.elsewhere_bytes ELSE 0 END"
    ", elsewhere_day = excluded.elsewhere_day RETURNING " + _JUDGED
)
_NOTHING: Final = Charge()
# One statement, so that no two nodes take the last one both.
_COUNT_REQUESTS: Final = """INSERT INTO sites (site, asked_others, asked_day) VALUES (?, ?, ?)
ON CONFLICT (site) DO UPDATE SET
    asked_others = excluded.asked_others
        + CASE WHEN sites.asked_day = excluded.asked_day THEN sites.asked_others ELSE 0 END,
    asked_day = excluded.asked_day
WHERE sites.asked_day <> excluded.asked_day OR sites.asked_others <= ?
RETURNING site"""


def queues(txn: Transaction, budget: Budget, sites: Iterable[str]) -> dict[str, int]:
    """The queues of sites that are known; all others are in the first."""
    rows = txn.any_of(
        f"SELECT {_JUDGED} FROM sites WHERE site {{any}}",
        "site",
        sorted(set(sites)),
    )
    return {str(row[0]): _queue(row, budget) for row in rows}


def count(
    txn: Transaction,
    budget: Budget,
    pages: Mapping[str, tuple[int, int]],
    links: Iterable[tuple[str, str]],
    charges: Mapping[str, Charge] = MappingProxyType({}),
) -> None:
    """Add to what sites have in hand, have taken and have us keep, and to who links to them.

    All of it at once and in order, so that no two who count wait for each other.
    """
    linked = _new_links(txn, links)
    rows, today = [], txn.now // DAY
    for site in sorted({*pages, *linked, *charges}):
        charge = charges.get(site, _NOTHING)
        rows.append(
            (
                *(site, *pages.get(site, (0, 0)), linked.get(site, 0)),
                *(
                    charge.aside,
                    charge.left_out,
                    charge.repeated,
                    charge.waiting,
                    charge.elsewhere,
                    today,
                ),
            )
        )
    after = txn.insert("sites", _COUNTED + _BYTES, rows, _ADD)
    added = {row[0]: (row[2], row[3], row[6]) for row in rows}
    moved: list[Row] = []
    for row in after:
        queue = _queue(row, budget)
        if queue != _queue(_before(row, *added[row[0]]), budget):
            moved.append((row[0], queue))
    # Of the site, not of its URLs: no page's row is touched.
    txn.update("hosts", ("site", "queue"), moved, "queue = :queue", "hosts.site = :site")


def requeue(txn: Transaction, budget: Budget, after: str) -> str | None:
    """Have hosts queue by another budget, site by site from the one after; where to go on."""
    rows = txn.rows(
        f"""SELECT {_JUDGED} FROM sites WHERE site > ?
            ORDER BY site LIMIT {AT_ONCE}""",
        after,
    )
    moved: list[Row] = [(row[0], _queue(row, budget)) for row in rows]
    txn.update(
        "hosts",
        ("site", "queue"),
        moved,
        "queue = :queue",
        "hosts.site = :site AND hosts.queue <> :queue",
    )
    return str(rows[-1][0]) if rows else None


def _new_links(txn: Transaction, links: Iterable[tuple[str, str]]) -> Counter[str]:
    """How many sites link to sites that did not before; each pair counts once."""
    new = txn.insert(
        "site_links",
        ("site", "linked_from"),
        sorted(links),
        "ON CONFLICT (site, linked_from) DO NOTHING RETURNING site",
    )
    return Counter(str(site) for (site,) in new)


def _before(row: Row, content: int, linking: int, repeated: int) -> Row:
    return row[0], row[1] - content, row[2] - linking, row[3] - repeated


def _queue(row: Row, budget: Budget) -> int:
    _, content, linking, repeated = row
    assert isinstance(content, int)
    assert isinstance(linking, int)
    assert isinstance(repeated, int)
    is_new = not brings_nothing_new(content, repeated)
    return queue_of(max(content, 0), allowance(linking, budget, is_new=is_new))


class CrossSiteRequests:
    """Counts the requests that the pages of each site cause at other sites, by days of the store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def take(self, site: str, requests: int, most: int) -> bool:
        """Count requests for a site's pages, if no more than `most` are counted today by that."""
        if requests > most:
            return False

        def run(txn: Transaction) -> bool:
            day = txn.now // DAY
            return bool(txn.rows(_COUNT_REQUESTS, site, requests, day, most - requests))

        return self._store.transact(run, durable=False)

    def today(self, site: str) -> int:
        """How many are counted for a site today."""

        def run(txn: Transaction) -> int:
            sql = "SELECT asked_others FROM sites WHERE site = ? AND asked_day = ?"
            rows = txn.rows(sql, site, txn.now // DAY)
            return int(rows[0][0]) if rows else 0

        return self._store.read(run)
