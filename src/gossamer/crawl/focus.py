"""Has the frontier hand out first what a crawl wants, and tells when so little comes that it may end."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from gossamer.config import Config, Focus
from gossamer.crawl.run_limits import RunLimits
from gossamer.focus.harvest import Harvest
from gossamer.focus.wants import read_wants
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.thread import FrontierThread

LOOK_SECONDS: Final = 1.0


def is_focused(config: Focus) -> bool:
    """Whether something is wanted first."""
    return bool(config.want or config.words)


def hold_to_focus(frontier: SqlFrontier, config: Config) -> None:
    """See that a frontier hands out first what a configuration wants, or nothing in particular."""
    focus = config.focus
    if not is_focused(focus):
        frontier.focus_on(None)
        return
    mark = read_wants(focus.want, focus.words).mark()
    frontier.focus_on(mark, config.politeness.delay.total_seconds())


@dataclass(slots=True)
class HarvestWatch:
    """Looks from time to time how much was found of what is wanted, by all nodes."""

    frontier: SqlFrontier
    frontier_thread: FrontierThread
    limits: RunLimits
    changed: Callable[[], None]  # a limit may be reached

    async def run(self) -> None:
        """Look until cancelled."""
        while True:
            await self.look()
            await asyncio.sleep(LOOK_SECONDS)

    async def look(self) -> None:
        """Take up the sums as they are now."""
        focus = self.limits.config.focus
        if not is_focused(focus):
            self.limits.harvest = None
            return
        harvest = self.limits.harvest
        if harvest is None:
            harvest = self.limits.harvest = Harvest()
        harvest.least = focus.until_yield
        harvest.note(await self.frontier_thread.do(self.frontier.wanted_counts))
        if harvest.is_over:
            self.changed()
