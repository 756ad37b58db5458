"""What people ask about wanted things, and forgetting: how much was found, what a page is likely to bring, and why."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from gossamer.focus.arms import worths
from gossamer.focus.clues import UNKNOWN
from gossamer.focus.harvest import WantedCounts
from gossamer.frontier.focusing import (
    VISITED,
    WANTED,
    WANTED_PAGES,
    FocusMemory,
    arms_in,
    leads_in,
    unpack_clues,
)
from gossamer.frontier.store import Transaction
from gossamer.model import Url

if TYPE_CHECKING:
    from gossamer.frontier.work import Work


class Prospect(NamedTuple):
    """What a page is likely to bring, and why."""

    template: str  # of the links that are one arm
    tags: str
    listed_on: str
    per_second: float  # wanted things, by itself and through what it leads to
    own: float  # wanted things of a page of this arm
    visits: float  # of the arm, that count
    promise: float  # by the words of this link
    leads: dict[str, float]  # new links of a page, by their templates


def wanted_counts(txn: Transaction) -> WantedCounts:
    """How much was found of what is wanted, by all nodes."""
    sums: dict[str, int] = dict(
        txn.rows(
            "SELECT name, sum(n) FROM tallies WHERE name IN (?, ?, ?) GROUP BY name",
            *(WANTED, WANTED_PAGES, VISITED),
        )
    )
    return WantedCounts(*(int(sums.get(name, 0)) for name in (WANTED, WANTED_PAGES, VISITED)))


def prospect(txn: Transaction, memory: FocusMemory, page: int) -> Prospect | None:
    """What a page is likely to bring, by its arm and the words of its links; None where nothing is known."""
    rows = txn.rows(
        """SELECT p.host_id, p.arm, p.clues, a.parent, a.template, a.tags, a.listed_on FROM pages p
            JOIN arms a ON a.host_id = p.host_id AND a.arm = p.arm WHERE p.id = ?""",
        page,
    )
    if not rows:
        return None
    host_id, arm, clues, _, template, tags, listed_on = rows[0]
    sums, leads = arms_in(txn, host_id), leads_in(txn, host_id)
    worth = worths(sums, leads).get(arm)
    if worth is None:
        return None
    names: dict[int, str] = dict(
        txn.rows("SELECT arm, template FROM arms WHERE host_id = ? AND parent IS NULL", host_id)
    )
    to = sorted(leads.get(arm, {}).items(), key=lambda each: -each[1])[:3]
    return Prospect(
        template=template,
        tags=tags,
        listed_on=listed_on,
        per_second=worth.index,
        own=worth.own,
        visits=worth.visits,
        promise=memory.clues.estimate(unpack_clues(clues)),
        leads={
            names.get(sums[each].parent or each, ""): found / max(worth.visits, 1.0)
            for each, found in to
            if each in sums
        },
    )


def forget_pages(work: "Work", pages: Sequence[int]) -> None:
    """Forget which wanted entities pages had first."""
    sql = "DELETE FROM wanted_entities WHERE page {any} RETURNING entity"
    work.tally[WANTED] -= len(work.txn.any_of(sql, "page", pages))


def forget_arms(work: "Work", host: str, url: Url | None) -> None:
    """Forget what was learned of a host's links, or of those on one page of it."""
    ids = "SELECT id FROM hosts WHERE host = ?"
    if url is not None:
        path = urlsplit(url).path
        work.txn.rows(f"DELETE FROM arms WHERE host_id IN ({ids}) AND listed_on = ?", host, path)
    else:
        for table in ("arms", "arm_leads"):
            work.txn.rows(f"DELETE FROM {table} WHERE host_id IN ({ids})", host)
    if work.memory.focus is not None:
        work.memory.focus.hosts.clear()


def begin_anew(txn: Transaction) -> None:
    """Forget what visits brought: something else is wanted. Where links lead stays as it is."""
    txn.rows(
        f"UPDATE arms SET visits = 0, gained = 0, spent = 0, promised = found / {round(1 / UNKNOWN)}"
    )
    for table in ("clue_sums", "wanted_entities"):
        txn.rows(f"DELETE FROM {table}")
    for name in (WANTED, WANTED_PAGES, VISITED):
        txn.rows("DELETE FROM tallies WHERE name = ?", name)
