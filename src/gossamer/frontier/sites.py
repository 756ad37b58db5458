"""What sites have taken and who links to them: by that their hosts queue. See `politeness.budget`."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from gossamer.config import Budget
from gossamer.frontier.store import Row, Transaction
from gossamer.politeness.budget import allowance, queue_of

AT_ONCE: Final = 2_000  # sites looked at in one transaction
_COUNTED: Final = ("site", "handed", "content", "linking_sites")
_ADD: Final = (
    "ON CONFLICT (site) DO UPDATE SET "
    + ", ".join(f"{name} = sites.{name} + excluded.{name}" for name in _COUNTED[1:])
    + " RETURNING site, content, linking_sites"
)


def queues(txn: Transaction, budget: Budget, sites: Iterable[str]) -> dict[str, int]:
    """The queues of sites that are known; all others are in the first."""
    rows = txn.any_of(
        "SELECT site, content, linking_sites FROM sites WHERE site {any}",
        "site",
        sorted(set(sites)),
    )
    return {str(row[0]): _queue(row, budget) for row in rows}


def count(
    txn: Transaction,
    budget: Budget,
    pages: Mapping[str, tuple[int, int]],
    links: Iterable[tuple[str, str]],
) -> None:
    """Add to what sites have in hand and have taken, and to who links to them.

    All of it at once and in order, so that no two who count wait for each other.
    """
    linked = _new_links(txn, links)
    rows = [
        (site, *pages.get(site, (0, 0)), linked.get(site, 0)) for site in sorted({*pages, *linked})
    ]
    after = txn.insert("sites", _COUNTED, rows, _ADD)
    added = {site: (content, linking) for site, _, content, linking in rows}
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
        f"""SELECT site, content, linking_sites FROM sites WHERE site > ?
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


def _before(row: Row, content: int, linking: int) -> Row:
    return row[0], row[1] - content, row[2] - linking


def _queue(row: Row, budget: Budget) -> int:
    _, content, linking = row
    assert isinstance(content, int)
    assert isinstance(linking, int)
    return queue_of(max(content, 0), allowance(linking, budget))
