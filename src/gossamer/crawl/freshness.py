"""Keeps the pages of a crawl fresh while it runs: those whose look is due go back to the frontier, as the budget allows.

Their hosts become ready as for any other page, so clocks, robots.txt and limits hold for looks as for first visits.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from gossamer.config import Freshness
from gossamer.crawl.run_limits import RunLimits
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.looks import LookRules
from gossamer.frontier.thread import FrontierThread

LEAST_SECONDS: Final = 0.2  # between two steps
MOST_SECONDS: Final = 5.0  # other nodes may have settled pages that are due sooner
PLAN_EVERY: Final = timedelta(minutes=1)


def look_rules(config: Freshness) -> LookRules | None:
    """The rules by which pages are kept fresh; None where they are not."""
    if not config.keep:
        return None
    return LookRules(
        per_day=config.revisits,
        shortest=config.shortest,
        longest=max(config.longest, config.shortest),
    )


def hold_to_freshness(frontier: SqlFrontier, config: Freshness) -> None:
    """See that a frontier keeps its pages fresh as a configuration wants it, or no longer."""
    frontier.keep_fresh(look_rules(config))


@dataclass(slots=True)
class KeepFresh:
    """Takes pages whose look is due, for as long as a crawl runs."""

    frontier: SqlFrontier
    frontier_thread: FrontierThread
    limits: RunLimits
    now: Callable[[], datetime]
    changed: Callable[[], None]  # there is something to fetch
    next_at: datetime | None = None  # when the next page may be taken
    _planned_at: datetime | None = None

    async def run(self) -> None:
        """Take pages until cancelled."""
        while True:
            if self.frontier.keeps_fresh and not self.limits.is_halted:
                await self._step(self.now())
            else:
                self.next_at = None
            await asyncio.sleep(self._pause(self.now()))

    async def _step(self, now: datetime) -> None:
        if self._planned_at is None or now >= self._planned_at + PLAN_EVERY:
            self._planned_at = now
            await self.frontier_thread.do(self.frontier.plan_looks)
        taken = await self.frontier_thread.do(self.frontier.take_due)
        self.next_at = taken.next_at
        if taken.pages:
            self.changed()

    def _pause(self, now: datetime) -> float:
        if self.next_at is None:
            return MOST_SECONDS
        return min(max((self.next_at - now).total_seconds(), LEAST_SECONDS), MOST_SECONDS)
