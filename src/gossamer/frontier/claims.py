"""Pages in somebody's hands: how many may be (`Room`), who claims them, and how they are handed back.

A claim has a token, by which its pages are settled, and lapses when nobody renews it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from gossamer.frontier.protocol import Assignment, Limits
from gossamer.frontier.rows import HostRow, PageRow, holds_content, pack_ids, unpack_ids
from gossamer.frontier.schema import HANDED, NEW_IN_HAND, PENDING, WITH_CONTENT
from gossamer.frontier.store import Row
from gossamer.frontier.work import Work

MOST_AT_ONCE: Final = 1_000
ENDLESS = 1 << 40


@dataclass(slots=True)
class Room:
    """What limits leave, while pages are being handed out.

    A page in somebody's hands may yet bring content, so it counts; when it brings none, its
    place is free again. So a limit is reached exactly. A page that holds content and is asked for
    again has its place already, and takes no other.
    """

    work: Work
    pages: int
    sites: dict[str, tuple[int, int]] = field(default_factory=dict)  # content and handed out

    @property
    def limits(self) -> Limits:
        """The limits in force."""
        return self.work.memory.limits

    @classmethod
    def now(cls, work: Work) -> "Room":
        """The room there is in this transaction, to which nobody else adds meanwhile."""
        limits = work.memory.limits
        if limits.pages is not None or limits.per_site is not None:
            work.txn.alone("limits")
        if limits.pages is None:
            return cls(work, ENDLESS)
        counted = work.txn.rows(
            "SELECT coalesce(sum(n), 0) FROM tallies WHERE name IN (?, ?)",
            WITH_CONTENT,
            NEW_IN_HAND,
        )
        unsaved = work.tally[WITH_CONTENT] + work.tally[NEW_IN_HAND]
        return cls(work, limits.pages - int(counted[0][0]) - unsaved)

    @property
    def is_none(self) -> bool:
        """Whether nothing new may be handed out at all."""
        return self.pages <= 0

    def reached(self, row: HostRow) -> bool:
        """Whether a limit of the host or its site is reached by what has been fetched."""
        site = self._site(row)
        return _reached(self.limits.per_host, row.content) or _reached(
            self.limits.per_site, site[0]
        )

    def take(self, row: HostRow, wanted: int) -> int:
        """How many new pages of a host may be handed out; they count from now on."""
        content, handed = self._site(row)
        given = min(
            wanted,
            self.pages,
            _left(self.limits.per_host, row.content + row.handed),
            _left(self.limits.per_site, content + handed),
        )
        if given > 0:
            self.pages -= given
            self.sites[row.site] = (content, handed + given)
        return given

    def _site(self, row: HostRow) -> tuple[int, int]:
        if self.limits.per_site is None:
            return 0, 0
        if row.site not in self.sites:
            found = self.work.txn.rows("SELECT content, handed FROM sites WHERE site = ?", row.site)
            self.sites[row.site] = (int(found[0][0]), int(found[0][1])) if found else (0, 0)
        return self.sites[row.site]


def _left(limit: int | None, taken: int) -> int:
    return ENDLESS if limit is None else limit - taken


def _reached(limit: int | None, content: int) -> bool:
    return limit is not None and content >= limit


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
    until = work.now + work.memory.lease_length
    work.txn.insert(
        "claims",
        ("token", "host_id", "node", "until", "pages"),
        [
            (token, host_id, work.memory.node, until, before.get(token, b"") + pack_ids(ids[token]))
            for host_id, token, _ in takings
        ],
        "ON CONFLICT (token) DO UPDATE SET pages = excluded.pages",
    )
    for host_id, _, pages in takings:
        work.count_moved(PENDING, [(host_id, 0, HANDED)] * len(pages))
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
    work.count_moved(HANDED, [row[:3] for row in back])
    again = {row[0] for row in back if holds_content(*row[3:])}
    for host_id, _, _, *brought in back:
        work.in_hand(host_id, 0 if holds_content(*brought) else -1)
    work.open_hosts(again)
