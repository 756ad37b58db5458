"""What a crawl learns of where wanted things are, in the frontier's tables."""

from collections.abc import Sequence
from typing import Final
from urllib.parse import urlsplit

from gossamer.frontier.work import Work
from gossamer.model import Url

WANTED: Final = "wanted"  # the tally of wanted entities


def forget_pages(work: Work, pages: Sequence[int]) -> None:
    """Forget which wanted entities pages had first."""
    sql = "DELETE FROM wanted_entities WHERE page {any} RETURNING entity"
    work.tally[WANTED] -= len(work.txn.any_of(sql, "page", pages))


def forget_arms(work: Work, host: str, url: Url | None) -> None:
    """Forget what was learned of a host's links, or of those on one page of it."""
    ids = "SELECT id FROM hosts WHERE host = ?"
    if url is not None:
        path = urlsplit(url).path
        work.txn.rows(f"DELETE FROM arms WHERE host_id IN ({ids}) AND listed_on = ?", host, path)
        return
    for table in ("arms", "arm_leads"):
        work.txn.rows(f"DELETE FROM {table} WHERE host_id IN ({ids})", host)
