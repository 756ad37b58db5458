"""Requests that a site's pages have us send to other sites: so many a day, whoever counts them."""

from typing import Final

from gossamer.frontier.sites import DAY
from gossamer.frontier.store import Store, Transaction

# One statement, so that no two nodes take the last one both.
_TAKE: Final = """INSERT INTO sites (site, asked_others, asked_day) VALUES (?, ?, ?)
ON CONFLICT (site) DO UPDATE SET
    asked_others = excluded.asked_others
        + CASE WHEN sites.asked_day = excluded.asked_day THEN sites.asked_others ELSE 0 END,
    asked_day = excluded.asked_day
WHERE sites.asked_day <> excluded.asked_day OR sites.asked_others <= ?
RETURNING site"""


class Asking:
    """Counts the requests that the pages of each site cause at other sites, by days of the store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def take(self, site: str, requests: int, most: int) -> bool:
        """Count requests for a site's pages, if no more than `most` are counted today by that."""
        if requests > most:
            return False

        def run(txn: Transaction) -> bool:
            day = txn.now // DAY
            return bool(txn.rows(_TAKE, site, requests, day, most - requests))

        return self._store.transact(run, durable=False)

    def today(self, site: str) -> int:
        """How many are counted for a site today."""

        def run(txn: Transaction) -> int:
            sql = "SELECT asked_others FROM sites WHERE site = ? AND asked_day = ?"
            rows = txn.rows(sql, site, txn.now // DAY)
            return int(rows[0][0]) if rows else 0

        return self._store.read(run)
