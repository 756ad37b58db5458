"""When a page is looked at next: decided as it is settled, from its own row and what the node knows of all.

What is kept of a page's looks is one small value beside its row (`PageLook`): when its content was seen
last, how often it could not be had since, and how it counts in the census of all pages that are kept fresh.
The census is in the frontier's tallies, so all nodes add to one.
"""

import struct
from collections import Counter
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, NamedTuple, Self

from gossamer.frontier.protocol import Ended, Settlement
from gossamer.frontier.rows import SECOND

DAY: Final = 86_400 * SECOND
CENSUS: Final = (
    "looks "  # begins the names of the tallies that count pages kept fresh; a bin ends it
)
NO_BIN: Final = -1
ALL_PAGES: Final = 0  # the one bin there is
MISSED_DAYS: Final = (
    1.0  # until a page is asked for again that could not be had; then twice that, …
)
MOST_MISSES: Final = 20
_VERSION: Final = 1
_HEAD: Final = struct.Struct("<BBhIff")


@dataclass(frozen=True, slots=True, kw_only=True)
class LookRules:
    """How pages are kept fresh, as the user wants it."""

    per_day: float | None = None  # looks; None: as many as there are pages
    shortest: timedelta = timedelta(minutes=10)
    longest: timedelta = timedelta(days=60)

    def clamp(self, days: float) -> float:
        """So many days, within what the user allows."""
        day = timedelta(days=1)
        return min(max(days, self.shortest / day), self.longest / day)


class PageLook(NamedTuple):
    """What is kept of a page's looks."""

    seen: int = 0  # when its content was seen last, in seconds since 1970; 0: never
    misses: int = 0  # visits in a row that brought no content
    bin: int = NO_BIN  # where it counts in the census
    days: float = 0.0  # from its last look to the next
    rate: float = 0.0  # changes a day, by what was known then
    evidence: bytes = b""

    def pack(self) -> bytes:
        """The value as it is kept."""
        head = _HEAD.pack(_VERSION, self.misses, self.bin, self.seen, self.days, self.rate)
        return head + self.evidence

    @classmethod
    def unpack(cls, packed: bytes | None) -> Self:
        """What was kept; of a page that has nothing, or something newer than we know, nothing."""
        if packed is None or len(packed) < _HEAD.size or packed[0] != _VERSION:
            return cls()
        _, misses, place, seen, days, rate = _HEAD.unpack_from(packed)
        return cls(seen, misses, place, days, rate, packed[_HEAD.size :])


class NextLook(NamedTuple):
    """When a page is looked at next, and what is kept of it until then."""

    at: int
    look: PageLook


class VisitedPage(NamedTuple):
    """What a decision about a page's next look is made from: its row before the visit."""

    id: int
    settled_at: int | None
    ended: str | None
    look: PageLook


@dataclass(slots=True)
class LookMemory:
    """What a node knows of all pages that are kept fresh, as it was counted last."""

    rules: LookRules
    pages: int = 0

    @property
    def per_day(self) -> float:
        """Looks a day, at most."""
        return self.rules.per_day or float(max(self.pages, 1))

    def after_visit(self, page: VisitedPage, settled: Settlement, now: int) -> NextLook:
        """The next look at a page that was visited."""
        if settled.ended is Ended.CONTENT:
            return self._of_content(page, now)
        misses = min(page.look.misses + 1, MOST_MISSES)
        days = self.rules.clamp(MISSED_DAYS * 2.0 ** (misses - 1))
        missed = page.look._replace(misses=misses, bin=NO_BIN, days=days)
        return NextLook(_moment(page.id, now, days), missed)

    def of_known(self, page: VisitedPage) -> NextLook:
        """The first look at a page that was visited before pages were kept fresh."""
        visited = page.settled_at or 0
        if page.ended == Ended.CONTENT:
            return self._of_content(page, visited)
        days = self.rules.clamp(MISSED_DAYS)
        return NextLook(_moment(page.id, visited, days), PageLook(misses=1, days=days))

    def _of_content(self, page: VisitedPage, now: int) -> NextLook:
        days = self.rules.clamp(self.pages / self.per_day)
        look = PageLook(now // SECOND, 0, ALL_PAGES, days, 0.0, page.look.evidence)
        return NextLook(_moment(page.id, now, days, wide=page.look.seen == 0), look)


def count_look(tally: Counter[str], before: PageLook, after: PageLook | None) -> None:
    """Count a page where it belongs in the census now; None where it is no longer known."""
    if before.bin != NO_BIN:
        tally[f"{CENSUS}{before.bin}"] -= 1
    if after is not None and after.bin != NO_BIN:
        tally[f"{CENSUS}{after.bin}"] += 1


def _moment(page: int, now: int, days: float, *, wide: bool = False) -> int:
    """A moment about so many days from now: pages that were visited together are not all due together."""
    spread = 0.5 if wide else 0.05
    part = (page * 2_654_435_761 + now) % 65_536 / 65_535  # as good as random, and the same again
    return now + round(DAY * days * (1 + spread * (2 * part - 1)))
