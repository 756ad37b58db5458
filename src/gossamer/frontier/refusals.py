"""Links that were not followed, and by which rule: each URL once, for whoever asks why.

A URL that is linked in another way too may have become a page: then it is none of these.
"""

from collections.abc import Iterable
from typing import Final

from gossamer.frontier.protocol import NOFOLLOW, RefusedLink
from gossamer.frontier.schema import BEYOND
from gossamer.frontier.store import Transaction
from gossamer.frontier.work import Work
from gossamer.model import Url
from gossamer.urls import host_of

_NOT_FOLLOWED: Final = f"""FROM refusals r
    LEFT JOIN hosts h ON h.host = r.host
    LEFT JOIN pages p ON p.host_id = h.id AND p.key = r.key AND p.state <> {BEYOND}
    WHERE p.id IS NULL"""


def unnoted(work: Work, links: Iterable[RefusedLink]) -> list[RefusedLink]:
    """The links among these that may be news to the store."""
    here, before = work.refused, work.desk.refused
    return [
        link
        for link in links
        if (known := here.get(link.url) or before.get(link.url)) is None
        or known == NOFOLLOW != link.rule
    ]


def note(work: Work, links: Iterable[RefusedLink]) -> None:
    """Remember links that are not followed, each by the strongest rule that was met."""
    fresh: dict[Url, str] = {}
    for url, rule in links:
        known = fresh.get(url) or work.refused.get(url) or work.desk.refused.get(url)
        if known is None or known == NOFOLLOW != rule:
            fresh[url] = rule
    keys = work.desk.keys.of_all(fresh)
    work.txn.insert(
        "refusals",
        ("key", "host", "url", "rule"),
        sorted(
            (key, host_of(url), url, rule)
            for key, (url, rule) in zip(keys, fresh.items(), strict=True)
        ),
        f"ON CONFLICT (key) DO UPDATE SET rule = excluded.rule WHERE refusals.rule = '{NOFOLLOW}'",
    )
    work.refused |= fresh


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
