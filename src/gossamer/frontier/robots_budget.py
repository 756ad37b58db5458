"""How many bytes of robots.txt files are kept of each site: a sum in its row. See docs/decisions/0051.

Names below a domain cost nothing, and each may have a file of half a megabyte.
"""

from typing import Final

from gossamer.frontier.store import Transaction
from gossamer.politeness.robots.record import Meaning

# One statement, so that no two nodes take the last bytes both.
_TAKE: Final = """INSERT INTO sites (site, robots_bytes) VALUES (?, ?)
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


def charge(txn: Transaction, site: str, origin: str, size: int, most: int, now: int) -> bool:
    """Charge a site for a file that takes the place of an origin's last one, if there is room for it.

    Where there is none, the last one is to go too, and is taken off already.
    """
    rows = txn.rows("SELECT kept_bytes FROM robots WHERE origin = ?", origin)
    before = rows[0][0] if rows else 0
    if size <= before:
        give_back(txn, site, before - size)
        return True
    while not _take(txn, site, size - before, most):
        gone = txn.rows(_DROP_EXPIRED, site, now, origin)
        give_back(txn, site, sum(each for (each,) in gone))
        if not gone:
            give_back(txn, site, before)
            return False
    return True


def give_back(txn: Transaction, site: str, size: int) -> None:
    """Take off what is no longer kept."""
    if size:
        txn.rows(_GIVE_BACK, size, size, site)


def _take(txn: Transaction, site: str, size: int, most: int) -> bool:
    return size <= most and bool(txn.rows(_TAKE, site, size, most))
