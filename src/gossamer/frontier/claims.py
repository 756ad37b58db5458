"""Pages in somebody's hands: claimed with a token, settled by it, or handed back when it lapses."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from gossamer.frontier.packing import pack_ids, unpack_ids
from gossamer.frontier.protocol import Assignment
from gossamer.frontier.rows import PageRow, holds_content
from gossamer.frontier.schema import HANDED, PENDING
from gossamer.frontier.store import Row
from gossamer.frontier.work import Work

MOST_AT_ONCE: Final = 1_000


class Taking(NamedTuple):
    """Pages of a host that go into the hands of a token's holder."""

    host_id: int
    token: int
    pages: Sequence[PageRow]


def claim(work: Work, takings: Sequence[Taking]) -> None:
    """Mark pages as being in the hands of whoever holds the tokens."""
    ids = {taking.token: [page.id for page in taking.pages] for taking in takings}
    work.txn.update(
        "pages",
        ("id", "claim"),
        sorted((page, token) for token, pages in ids.items() for page in pages),
        f"state = {HANDED}, claim = :claim",
        "pages.id = :id",
    )
    before: dict[int, bytes] = dict(
        work.txn.any_of("SELECT token, pages FROM claims WHERE token {any}", "token", sorted(ids))
    )
    until = work.now + work.desk.lease_length
    work.txn.insert(
        "claims",
        ("token", "host_id", "node", "until", "pages"),
        [
            (token, host_id, work.desk.node, until, before.get(token, b"") + pack_ids(ids[token]))
            for host_id, token, _ in takings
        ],
        "ON CONFLICT (token) DO UPDATE SET pages = excluded.pages",
    )
    for host_id, _, pages in takings:
        work.moved(PENDING, [(host_id, 0, HANDED)] * len(pages))
        work.in_hand(host_id, sum(not page.holds_content for page in pages))


def hand_back_lapsed(work: Work) -> None:
    """Return the pages of claims that nobody renewed."""
    lapsed = work.txn.rows(
        f"SELECT token, pages FROM claims WHERE until < ? ORDER BY until LIMIT {MOST_AT_ONCE} {{claim}}",
        work.now,
    )
    hand_back(work, lapsed)


def give_back(work: Work, pages: Sequence[Assignment]) -> None:
    """Return pages that were handed out and not asked for."""
    _return(work, [(page.id, page.token) for page in pages])


def hand_back(work: Work, claims: Sequence[Row]) -> None:
    """Return the pages of claims: rows of token and pages."""
    _return(work, [(each, token) for token, pages in claims for each in unpack_ids(pages)])
    work.txn.any_of("DELETE FROM claims WHERE token {any}", "token", [token for token, _ in claims])


def _return(work: Work, pages: Sequence[tuple[int, int]]) -> None:
    """Have pages, by number and token, back among those that are to be fetched."""
    back = work.txn.update(
        "pages",
        ("id", "claim"),
        sorted(pages),
        f"state = {work.state_by_depth}, claim = NULL",
        f"pages.id = :id AND pages.claim = :claim AND pages.state = {HANDED}",
        "pages.host_id, pages.priority, pages.state, pages.ended, pages.digest",
    )
    work.moved(HANDED, [row[:3] for row in back])
    again = {row[0] for row in back if holds_content(*row[3:])}
    for host_id, _, _, *brought in back:
        work.in_hand(host_id, 0 if holds_content(*brought) else -1)
    work.open_hosts(again)
