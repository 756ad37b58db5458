"""What a crawl has done so far, and how fast it is: sums for the terminal, the summary and the API.

`Progress` sums up a run, `Phases` the time that each phase takes, `Pulse` the speed of late.
"""

import asyncio
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from gossamer.crawl.novelty import NoveltyCounts
from gossamer.crawl.verdicts import PageVerdict
from gossamer.events import Event, Requested
from gossamer.frontier.protocol import Assignment, Ended
from gossamer.model import Fetched

WINDOW: Final = timedelta(seconds=10)
BEAT_SECONDS: Final = 0.5
LAST_PAGES: Final = 5  # that people are shown


class LastPage(NamedTuple):
    """A page that was settled a moment ago."""

    url: str
    ended: Ended
    quads: int
    why: str | None


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """How a crawl stands when it ends; counts are of all runs, times of this one.

    It is partial where a server is away: then all counts are of what this run has settled.
    """

    pages: int
    redirected: int
    failed: int
    refused: int
    quads: int | None  # None where the graph did not say
    problems: int
    hosts: int | None  # None where the frontier did not say
    seconds: float
    pages_per_second: float
    ended: str
    partial: bool = False
    changes: Mapping[str, int] = field(default_factory=dict)  # of this run; `novelty.NoveltyCounts`
    wanted: Mapping[str, object] | None = None  # what was found of it; `focus.harvest`


@dataclass(slots=True)
class Progress:
    """Sums of this run."""

    started_at: datetime
    ended: Counter[Ended] = field(default_factory=Counter)
    causes: Counter[str] = field(default_factory=Counter)  # of failures and refusals
    quads: int = 0
    problems: int = 0
    novelty: NoveltyCounts = field(default_factory=NoveltyCounts)
    bytes: int = 0
    received: int = 0  # bytes that came, for pages that are not settled yet and all else
    phases: Phases = field(default_factory=Phases)
    last: deque[LastPage] = field(default_factory=lambda: deque(maxlen=LAST_PAGES))

    def partial_summary(self, ended: str, now: datetime) -> Summary:
        """The summary of what this run has settled, for when nobody else can be asked."""
        pages, seconds = self.ended[Ended.CONTENT], (now - self.started_at).total_seconds()
        return Summary(
            pages=pages,
            redirected=self.ended[Ended.REDIRECTED],
            failed=self.ended[Ended.FAILED],
            refused=self.ended[Ended.REFUSED],
            quads=self.quads,
            problems=self.problems,
            hosts=None,
            seconds=round(seconds, 3),
            pages_per_second=round(pages / seconds, 3) if seconds > 0 else 0.0,
            ended=ended,
            changes=self.novelty.record(),
            partial=True,
        )

    def hear(self, event: Event) -> None:
        """Add what was received, as soon as it is."""
        if isinstance(event, Requested):
            self.received += event.bytes
            if event.purpose == "page":
                self.phases.add("fetch", (event.ended_at - event.started_at).total_seconds())

    def note(self, batch: Sequence[PageVerdict], stale: Sequence[Assignment] = ()) -> None:
        """Add pages that were settled; those that came too late are asked for again, and count then."""
        late = {(page.id, page.token) for page in stale}
        for verdict in batch:
            settlement = verdict.settlement
            if late and (settlement.page.id, settlement.page.token) in late:
                continue
            self.ended[settlement.ended] += 1
            self.novelty.note(verdict)
            self.last.append(
                LastPage(settlement.page.url, settlement.ended, settlement.quads, settlement.why)
            )
            self.quads += settlement.quads
            self.problems += settlement.problems
            if isinstance(verdict.answer, Fetched):
                self.bytes += len(verdict.answer.body)
            if settlement.ended in (Ended.FAILED, Ended.REFUSED) and settlement.why:
                self.causes[settlement.why.partition(":")[0]] += 1


class Beat(NamedTuple):
    """How much was done by a moment."""

    at: datetime
    pages: int
    quads: int


@dataclass(slots=True)
class Pulse:
    """Looks at the sums of a run from time to time."""

    progress: Progress
    now: Callable[[], datetime]
    _beats: deque[Beat] = field(default_factory=deque)
    _sums: tuple[int, int] = (0, 0)  # when they were looked at last
    _changed_at: datetime | None = None

    async def run(self) -> None:
        """Look until cancelled."""
        while True:
            self.beat()
            await asyncio.sleep(BEAT_SECONDS)

    def beat(self) -> None:
        """Look now."""
        beats, now = self._beats, self.now()
        sums = (sum(self.progress.ended.values()), self.progress.received)
        if sums != self._sums:
            self._sums, self._changed_at = sums, now
        beats.append(Beat(now, self.progress.ended[Ended.CONTENT], self.progress.quads))
        while len(beats) > 2 and beats[1].at <= now - WINDOW:
            beats.popleft()

    def idle_for(self) -> timedelta:
        """The time since anything was received or settled, or since the run began."""
        return max(self.now() - (self._changed_at or self.progress.started_at), timedelta(0))

    def rates(self) -> tuple[float, float]:
        """Pages and quads a second."""
        if len(self._beats) < 2:
            return 0.0, 0.0
        first, last = self._beats[0], self._beats[-1]
        seconds = (last.at - first.at).total_seconds()
        if seconds <= 0:
            return 0.0, 0.0
        return (last.pages - first.pages) / seconds, (last.quads - first.quads) / seconds
