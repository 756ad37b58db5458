"""Links that were not followed, and by which rule: each URL once, for whoever asks why.

A URL that is linked in another way too may have become a page: then it is none of these.
"""

from collections.abc import Iterable
from typing import Final

from gossamer.frontier.protocol import RefusedLink
from gossamer.frontier.store import Transaction
from gossamer.frontier.work import Work
from gossamer.model import Url
from gossamer.urls import host_of

_NOT_FOLLOWED: Final = """FROM refusals r
    LEFT JOIN hosts h ON h.host = r.host
    LEFT JOIN pages p ON p.host_id = h.id AND p.key = r.key
    WHERE p.id IS NULL"""


def note(work: Work, links: Iterable[RefusedLink]) -> None:
    """Remember links that are not followed."""
    desk = work.desk
    fresh = {link.url: link for link in links if link.url not in desk.refused}
    keys = desk.keys.of_all(fresh)
    work.txn.insert(
        "refusals",
        ("key", "host", "url", "rule"),
        sorted(
            (key, host_of(link.url), link.url, link.rule)
            for key, link in zip(keys, fresh.values(), strict=True)
        ),
        "ON CONFLICT (key) DO NOTHING",
    )
    work.refused = fresh.keys()


def counts(txn: Transaction) -> dict[str, int]:
    """How many URLs were not followed, by rule."""
    return dict(txn.rows(f"SELECT r.rule, count(*) {_NOT_FOLLOWED} GROUP BY r.rule"))


def rule_for(txn: Transaction, key: int) -> str | None:
    """The rule by which a URL was not followed."""
    rows = txn.rows(f"SELECT r.rule {_NOT_FOLLOWED} AND r.key = ?", key)
    return str(rows[0][0]) if rows else None


def forget(txn: Transaction, host: str, url: Url | None) -> None:
    """Remove what is known of links to a host, or to one URL of it."""
    if url is None:
        txn.rows("DELETE FROM refusals WHERE host = ?", host)
    else:
        txn.rows("DELETE FROM refusals WHERE url = ?", url)
