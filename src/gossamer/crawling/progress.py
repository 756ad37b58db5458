"""What a crawl has done so far: sums for the terminal, the summary and whoever asks."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from gossamer.crawling.phases import Phases
from gossamer.crawling.verdicts import Verdict
from gossamer.events import Event, Requested
from gossamer.frontier.protocol import Assignment, Ended
from gossamer.model import Fetched


@dataclass(slots=True)
class Progress:
    """Sums of this run."""

    started_at: datetime
    ended: Counter[Ended] = field(default_factory=Counter)
    causes: Counter[str] = field(default_factory=Counter)  # of failures and refusals
    quads: int = 0
    problems: int = 0
    bytes: int = 0
    received: int = 0  # bytes that came, for pages that are not settled yet and all else
    phases: Phases = field(default_factory=Phases)

    def hear(self, event: Event) -> None:
        """Add what was received, as soon as it is."""
        if isinstance(event, Requested):
            self.received += event.bytes
            if event.purpose == "page":
                self.phases.add("fetch", (event.ended_at - event.started_at).total_seconds())

    def note(self, batch: Sequence[Verdict], stale: Sequence[Assignment] = ()) -> None:
        """Add pages that were settled; those that came too late are asked for again, and count then."""
        late = {(page.id, page.token) for page in stale}
        for verdict in batch:
            settlement = verdict.settlement
            if late and (settlement.page.id, settlement.page.token) in late:
                continue
            self.ended[settlement.ended] += 1
            self.quads += settlement.quads
            self.problems += settlement.problems
            if isinstance(verdict.answer, Fetched):
                self.bytes += len(verdict.answer.body)
            if settlement.ended in (Ended.FAILED, Ended.REFUSED) and settlement.why:
                self.causes[settlement.why.partition(":")[0]] += 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """How a crawl stands when it ends; counts are of all runs, times of this one."""

    pages: int
    redirected: int
    failed: int
    refused: int
    quads: int
    problems: int
    hosts: int
    seconds: float
    pages_per_second: float
    ended: str
