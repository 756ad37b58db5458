"""Where the time of a crawl goes: how long each phase works on a page, on average."""

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass(slots=True)
class Phases:
    """Sums of time and pages by phase; phases work side by side, so times add up to more."""

    seconds: Counter[str] = field(default_factory=Counter)
    pages: Counter[str] = field(default_factory=Counter)
    queues: Counter[str] = field(default_factory=Counter)  # pages that wait for it, or are in it

    def add(self, phase: str, seconds: float, pages: int = 1) -> None:
        """Add work that a phase has done."""
        self.seconds[phase] += seconds  # type: ignore[assignment] # a Counter of seconds adds up as well
        self.pages[phase] += pages

    @contextmanager
    def timing(self, phase: str, pages: int = 1) -> Iterator[None]:
        """Add the work that is done meanwhile, unless it comes to nothing."""
        started = time.perf_counter()
        yield
        self.add(phase, time.perf_counter() - started, pages)

    @contextmanager
    def queued(self, phase: str, pages: int) -> Iterator[None]:
        """Count pages as waiting for a phase, or in it, meanwhile."""
        self.queues[phase] += pages
        try:
            yield
        finally:
            self.queues[phase] -= pages

    def totals(self) -> dict[str, dict[str, float]]:
        """Seconds and pages of each phase, in all."""
        return {
            phase: {"seconds": round(self.seconds[phase], 6), "pages": pages}
            for phase, pages in self.pages.items()
        }

    def each(self) -> dict[str, float]:
        """Seconds a page, by phase."""
        return {phase: self.seconds[phase] / pages for phase, pages in self.pages.items() if pages}
