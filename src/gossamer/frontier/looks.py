"""When a page is looked at next: decided as it is settled, from its own row and what is known of pages like it.

What is kept of a page's looks is one small value beside its row (`PageLook`): when its content was seen last, how often it
could not be had since, what its looks have shown, and how it counts. Pages are counted by bins in the frontier's
tallies, and summed up by host and URL template in `look_groups`, so all nodes add to one.
"""

import struct
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from enum import IntEnum
from types import MappingProxyType
from typing import Final, NamedTuple, Self

from gossamer.freshness.bins import bin_of, has_looks
from gossamer.freshness.evidence import Look, RateEvidence
from gossamer.freshness.groups import RateSums, prior_within
from gossamer.freshness.planner import LookPlanner
from gossamer.freshness.prior import Prior
from gossamer.freshness.steering import host_factor
from gossamer.freshness.sums import LookSums
from gossamer.frontier.protocol import Ended, Settlement
from gossamer.frontier.rows import SECOND

DAY: Final = 86_400 * SECOND
CENSUS: Final = (
    "looks "  # begins the names of the tallies that count pages kept fresh; a bin ends it
)
NO_BIN: Final = -1
MISSED_DAYS: Final = (
    1.0  # until a page is asked for again that could not be had; then twice that, …
)
MOST_MISSES: Final = 20
KNOWN_PAGES: Final = 5.0  # of a group that were looked at, before new pages are planned by them
USUAL_POINTS: Final = 250  # of a page's rank: such a page has the weight 1
_LIGHTEST, _HEAVIEST = 0.25, 16.0
_VERSION: Final = 2
_HEAD: Final = struct.Struct("<BBBBiIffff")
_HEAD_1: Final = struct.Struct("<BBhIff")  # as it was before rates were learned


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


class LookReason(IntEnum):
    """Why a page's next look is when it is."""

    FIRST = 0  # nothing is known of it or its like: all such pages in turn
    PLANNED = 1  # the plan says so
    CROWDED = 2  # so does the plan, at the price of a host that has too little time
    SHORTEST = 3  # the user's least time between two looks
    LONGEST = 4  # no page waits longer
    MISSED = 5  # it could not be had


class SiteClaim(IntEnum):
    """What a sitemap or feed says of a page since our last look."""

    NONE = 0
    CHANGED = 1
    QUIET = 2


LOOK_REASONS: Final[Mapping[int, str]] = MappingProxyType(
    {
        LookReason.FIRST: "nothing is known yet of it or of pages like it, so all of these come in turn",
        LookReason.PLANNED: "so its looks gain as much freshness as those of other pages",
        LookReason.CROWDED: "its host has too little time for all that its pages ask for",
        LookReason.SHORTEST: "no page is looked at sooner again (freshness.shortest)",
        LookReason.LONGEST: "no page waits longer (freshness.longest, or sixteen rounds)",
        LookReason.MISSED: "it could not be had; the wait doubles each time",
    }
)


class PageLook(NamedTuple):
    """What is kept of a page's looks."""

    seen: int = 0  # when its content was seen last, in seconds since 1970; 0: never
    misses: int = 0  # visits in a row that brought no content
    bin: int = NO_BIN  # where it counts in the census
    days: float = 0.0  # from its last look to the next
    rate: float = 0.0  # changes a day, by what was known then
    evidence: bytes = b""
    why: int = LookReason.FIRST
    asked: float = 0.0  # looks a day, at the price of all
    fresh: float = 0.0  # its expected freshness
    claim: int = SiteClaim.NONE

    def pack(self) -> bytes:
        """The value as it is kept."""
        head = _HEAD.pack(
            *(_VERSION, self.misses, self.why, self.claim, self.bin, self.seen),
            *(self.days, self.rate, self.asked, self.fresh),
        )
        return head + self.evidence

    @classmethod
    def unpack(cls, packed: bytes | None) -> Self:
        """What was kept; of a page that has nothing, or something newer than we know, nothing."""
        if packed is not None and len(packed) >= _HEAD.size and packed[0] == _VERSION:
            _, misses, why, claim, place, seen, days, rate, asked, fresh = _HEAD.unpack_from(packed)
            return cls(
                *(seen, misses, place, days, rate, packed[_HEAD.size :], why, asked, fresh),
                claim,
            )
        if packed is not None and len(packed) >= _HEAD_1.size and packed[0] == 1:
            _, misses, place, seen, days, rate = _HEAD_1.unpack_from(packed)
            return cls(seen, misses, place, days, rate, packed[_HEAD_1.size :])
        return cls()

    @property
    def is_counted(self) -> bool:
        """Whether the page is in the sums of its groups. Those of older programs are in the census alone."""
        return self.bin > 0


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
    weight: float = 1.0

    @property
    def seen_at(self) -> int:
        """When its content was seen last."""
        settled = self.settled_at or 0
        return max(self.look.seen * SECOND, settled if self.ended == Ended.CONTENT else 0)


class PageGroups(NamedTuple):
    """The groups that a page belongs to, and how many looks a day its host has time for."""

    host: LookSums
    template: LookSums | None = None
    possible: float = float("inf")


@dataclass(slots=True)
class LookMemory:
    """What a node knows of all pages that are kept fresh, as it was counted last."""

    rules: LookRules
    pages: int = 0
    planner: LookPlanner = field(default_factory=LookPlanner)
    rates: RateSums = field(default_factory=RateSums)  # of all pages, of all nodes
    factor: float = 1.0  # on the price, by how far looks are behind

    @property
    def per_day(self) -> float:
        """Looks a day, at most."""
        return self.rules.per_day or float(max(self.pages, 1))

    @property
    def round_days(self) -> float:
        """How long it takes to look at every page once."""
        return max(self.pages, 1) / self.per_day

    def after_visit(
        self, page: VisitedPage, settled: Settlement, now: int, groups: PageGroups
    ) -> NextLook:
        """The next look at a page that was visited."""
        if settled.ended is not Ended.CONTENT:
            misses = min(page.look.misses + 1, MOST_MISSES)
            days = self.rules.clamp(MISSED_DAYS * 2.0 ** (misses - 1))
            look = page.look._replace(
                misses=misses, bin=NO_BIN, days=days, why=LookReason.MISSED, claim=SiteClaim.NONE
            )
            return NextLook(_moment(page.id, now, days), look)
        evidence = RateEvidence.unpack(page.look.evidence)
        if settled.changed is not None and page.seen_at:
            days = (now - page.seen_at) / DAY
            evidence = evidence.after(Look(days, settled.changed))
            packed = evidence.pack()
        else:
            packed = page.look.evidence
        return self._of_content(page, now, bin_of(evidence, page.weight), packed, groups)

    def of_known(self, page: VisitedPage, now: int) -> NextLook:
        """The first look at a page that was visited before pages were kept fresh."""
        visited = page.settled_at or 0
        if page.ended != Ended.CONTENT:
            days = self.rules.clamp(MISSED_DAYS)
            look = PageLook(misses=1, days=days, why=LookReason.MISSED)
            return NextLook(_moment(page.id, visited, days), look)
        evidence = RateEvidence.unpack(page.look.evidence)
        number = bin_of(evidence, page.weight)
        # Not before now: a plan would take us for late otherwise, by the age of the folder.
        began = max(visited, now - round(DAY * self.rules.clamp(self.round_days)))
        alone = PageGroups(LookSums())
        after = self._of_content(page, began, number, page.look.evidence, alone)
        return after._replace(look=after.look._replace(seen=visited // SECOND))

    def _of_content(
        self, page: VisitedPage, now: int, number: int, packed: bytes, groups: PageGroups
    ) -> NextLook:
        prior = self.prior_of(groups)
        expected = self.planner.expect(number, prior)
        if not has_looks(number) and groups.host.rates.pages < KNOWN_PAGES:
            days = self.rules.clamp(self.round_days)
            look = PageLook(now // SECOND, 0, number, days, expected.rate, packed, LookReason.FIRST)
            look = look._replace(asked=1 / days, fresh=expected.fresh)
            soonest = now + round(DAY * self.rules.clamp(0.0))
            return NextLook(max(_moment(page.id, now, days, first=True), soonest), look)
        factor = host_factor(groups.host.asked, groups.possible)
        given = self.planner.expect(number, prior, self.factor * factor)
        days = self.rules.clamp(given.days)
        why = LookReason.CROWDED if factor > 1 else LookReason.PLANNED
        if days > given.days:
            why = LookReason.SHORTEST
        elif days < given.days or given.days >= 0.97 * self.planner.longest:
            why = LookReason.LONGEST
        asked = 1 / self.rules.clamp(expected.days)
        look = PageLook(
            *(now // SECOND, 0, number, days, given.rate, packed, why, asked, given.fresh)
        )
        return NextLook(_moment(page.id, now, days), look)

    def prior_of(self, groups: PageGroups) -> Prior:
        """What is known of a page before it has shown anything, by its host and its URL template."""
        prior = prior_within(self.planner.prior, self.rates, groups.host.rates)
        if groups.template is None:
            return prior
        return prior_within(prior, groups.host.rates, groups.template.rates)


def weight_of(priority: int, extra: int, strategy: str) -> float:
    """How much a page counts, by its rank, or where the strategy ranks by chance or depth, by the user's rules."""
    ranked = priority if strategy in ("breadth", "best") else USUAL_POINTS + extra
    return min(max(ranked / USUAL_POINTS, _LIGHTEST), _HEAVIEST)


def count_look(tally: Counter[str], before: PageLook, after: PageLook | None) -> None:
    """Count a page where it belongs in the census now; None where it is no longer known."""
    if before.bin != NO_BIN:
        tally[f"{CENSUS}{before.bin}"] -= 1
    if after is not None and after.bin != NO_BIN:
        tally[f"{CENSUS}{after.bin}"] += 1


def _moment(page: int, now: int, days: float, *, first: bool = False) -> int:
    """A moment about so many days from now: pages that were visited together are not all due together.

    First looks are spread over the whole time: so all pages have theirs in one round.
    """
    part = (page * 2_654_435_761 + now) % 65_536 / 65_535  # as good as random, and the same again
    return now + round(DAY * days * (part if first else 1 + 0.05 * (2 * part - 1)))
