"""How many pages may still be handed out: of all, of a host, of a site."""

from dataclasses import dataclass, field

from gossamer.frontier.protocol import Limits
from gossamer.frontier.rows import HostRow
from gossamer.frontier.schema import NEW_IN_HAND, WITH_CONTENT
from gossamer.frontier.work import Work

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
        return self.work.desk.limits

    @classmethod
    def now(cls, work: Work) -> "Room":
        """The room there is in this transaction, to which nobody else adds meanwhile."""
        limits = work.desk.limits
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
        return _full(self.limits.per_host, row.content) or _full(self.limits.per_site, site[0])

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


def _full(limit: int | None, content: int) -> bool:
    return limit is not None and content >= limit
