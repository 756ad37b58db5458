"""How much a crawl finds of what it wants, of late and on the whole, and when it would be reasonable to stop.

The latest pages are as many as it takes to tell: with none found among three times as many pages as a yield would need for
one, it is nineteen to one that the yield is less (the rule of three).
"""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import ceil, log
from typing import Final, NamedTuple

OF_LATE: Final = 300  # pages, where no yield is asked for
PAGES_FOR_ONE: Final = 3
A_TENTH: Final = 0.1  # of what a page brought on the whole: less than that is little
MOST_SAMPLES: Final = 400


class WantedCounts(NamedTuple):
    """Sums over all runs and nodes."""

    things: int = 0
    pages: int = 0  # with something wanted
    visited: int = 0  # asked for, while something was wanted


class Yield(NamedTuple):
    """New wanted things, and the pages that brought them."""

    things: int
    pages: int

    @property
    def per_page(self) -> float:
        """How many a page brought."""
        return self.things / self.pages if self.pages else 0.0


@dataclass(slots=True)
class Harvest:
    """Looks at the sums from time to time."""

    least: float | None = None  # a yield at which the crawl ends
    _samples: deque[WantedCounts] = field(default_factory=deque)

    def note(self, counts: WantedCounts) -> None:
        """Take up the sums as they are now."""
        samples = self._samples
        if samples and counts.visited < samples[-1].visited:  # something else is wanted by now
            samples.clear()
        if not samples or counts.visited > samples[-1].visited:
            samples.append(counts)
        elif counts.things != samples[-1].things:
            samples[-1] = counts
        while len(samples) > 2 and samples[1].visited <= counts.visited - 2 * self.window:
            samples.popleft()
        if len(samples) > MOST_SAMPLES:  # every second one is enough
            self._samples = deque([*[*samples][:-1][::2], samples[-1]])

    @property
    def window(self) -> int:
        """How many pages the yield of late is of."""
        return ceil(PAGES_FOR_ONE / self.least) if self.least else OF_LATE

    @property
    def all(self) -> WantedCounts:
        """The sums."""
        return self._samples[-1] if self._samples else WantedCounts()

    @property
    def of_late(self) -> Yield:
        """What the latest pages brought: those of a window, or all that this run has seen."""
        return self._between(self.all.visited - self.window, self.all.visited)

    @property
    def is_over(self) -> bool:
        """Whether a whole window of pages brought less than is asked for."""
        late = self.of_late
        return self.least is not None and late.pages >= self.window and late.per_page < self.least

    def outlook(self) -> str:
        """When it would be reasonable to stop, as a sentence."""
        counts, late = self.all, self.of_late
        if late.pages < min(self.window, OF_LATE):
            return "too early to say when to stop"
        whole = counts.things / counts.visited if counts.visited else 0.0
        least = self.least or A_TENTH * whole
        if not whole:
            return f"nothing wanted among {late.pages:,} pages: look whether it is there at all"
        if late.per_page < least:
            return f"reasonable to stop now: less than {least:.3g} a page of late"
        before = self._between(counts.visited - 2 * self.window, counts.visited - self.window)
        if before.pages < self.window / 2 or late.per_page >= before.per_page:
            return "no end in sight: the yield does not fall"
        falls = log(before.per_page / late.per_page) / self.window  # a page
        pages = ceil(log(late.per_page / least) / falls)
        return f"reasonable to stop after about {_rounded(pages):,} more pages"

    def record(self) -> Mapping[str, object]:
        """The harvest as JSON has it."""
        counts, late = self.all, self.of_late
        return {
            "things": counts.things,
            "pages": counts.pages,
            "visited": counts.visited,
            "of_late": {
                "things": late.things,
                "pages": late.pages,
                "per_page": round(late.per_page, 6),
            },
            "outlook": self.outlook(),
        }

    def _between(self, begin: int, end: int) -> Yield:
        """What came between two counts of pages, as far as the samples tell."""
        if not self._samples:
            return Yield(0, 0)
        first = self._samples[0]
        last = first
        for each in self._samples:
            if each.visited <= begin:
                first = each
            if each.visited <= end:
                last = each
        return Yield(max(last.things - first.things, 0), max(last.visited - first.visited, 0))


def _rounded(pages: int) -> int:
    return pages if pages < 100 else round(pages, -2)
