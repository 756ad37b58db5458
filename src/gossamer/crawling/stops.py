"""When a crawl ends: limits of this run, and nothing left to do."""

import asyncio
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Final

from gossamer.config import Budget, Config
from gossamer.crawling.clerk import Clerk
from gossamer.crawling.folder_size import FolderSize
from gossamer.crawling.progress import Progress
from gossamer.crawling.scoping import Scoping
from gossamer.crawling.sitemaps import SitemapReader
from gossamer.data import DataFolder
from gossamer.frontier.endings import NAMED, Ending, EndKind, ending
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import HostStage, Limits
from gossamer.values import written, written_size

LOOK_SECONDS: Final = 1.0
_LIMITS: Final = "limits"  # the facts which the frontier is in step with
_BUDGET: Final = "budget"


@dataclass(slots=True)
class Stops:
    """Knows the limits of a crawl, as they are now."""

    config: Config
    data: DataFolder
    frontier: SqlFrontier
    clerk: Clerk
    scoping: Scoping
    sitemaps: SitemapReader
    progress: Progress
    now: Callable[[], datetime]
    size: FolderSize = field(init=False)

    def __post_init__(self) -> None:
        """Measure the folder that the crawl is in."""
        self.size = FolderSize(self.data.path)

    def over(self) -> Ending | None:
        """Whether a limit of this run is reached."""
        limits, done = self.config.crawl, self.progress
        if ended := self._time_is_up():
            return ended
        if limits.max_bytes is not None and done.received >= limits.max_bytes:
            most = written_size(limits.max_bytes)
            why = f"The limit of {most} received is reached, with {done.received:,} bytes."
            return Ending(EndKind.BYTES, why)
        if shutil.disk_usage(self.data.path).free < limits.min_free_disk:
            least = written_size(limits.min_free_disk)
            return Ending(EndKind.DISK, f"The disk has less room left than {least}.")
        return self._folder_is_full()

    def _folder_is_full(self) -> Ending | None:
        most = self.config.crawl.max_disk
        if most is None or (size := self.size.bytes()) < most:
            return None
        why = (
            f"The data folder takes {size:,} bytes, and may take {written_size(most)} "
            "(crawl.max_disk). Nothing is lost; raise it, or move files of the archive elsewhere, "
            "and go on."
        )
        return Ending(EndKind.DISK, why)

    def _time_is_up(self) -> Ending | None:
        most = self.config.crawl.max_time
        if most is None or self.now() < self.progress.started_at + most:
            return None
        return Ending(EndKind.TIME, f"The time is up: {written(most)}.")

    async def watch(self, stop: Callable[[Ending], None]) -> None:
        """Stop the crawl when its time is up, even while it waits for a server that is away."""
        while True:
            if ended := self._time_is_up():
                stop(ended)
                return
            await asyncio.sleep(LOOK_SECONDS)

    async def ending(self) -> Ending | None:
        """Whether anything is left to do, now that nothing is under way."""
        if await self.scoping.catch_up() or not await self._is_over():
            return None
        # Whether sitemaps are nearer now may mean to look through all pages of a host: not each
        # time that all hosts rest for a moment.
        return None if await self.sitemaps.catch_up() else await self._is_over()

    async def _is_over(self) -> Ending | None:
        """How the crawl ends, by what is left and the limits."""
        counts = await self.clerk.do(self.frontier.counts)
        some = partial(self.frontier.hosts, stage=HostStage.PARKED, limit=NAMED)
        parked = await self.clerk.do(some)
        patience = self.config.politeness.patience
        found = ending(counts, limits_of(self.config), self.now(), patience, parked=parked)
        return found if found is not None and found.is_final else None


def hold_to(frontier: SqlFrontier, limits: Limits) -> None:
    """See that a frontier which was opened with these limits is in step with them.

    Other limits than before mean a walk through all pages; the same ones cost nothing.
    """
    if frontier.facts.of(_LIMITS) != _mark(limits):
        change_limits(frontier, limits)


def change_limits(frontier: SqlFrontier, limits: Limits) -> None:
    """Have a frontier take up other limits."""
    frontier.facts.keep(_LIMITS, b"")  # a walk that is cut short is made again
    frontier.limit(limits)
    frontier.facts.keep(_LIMITS, _mark(limits))


def hold_to_budget(frontier: SqlFrontier, budget: Budget) -> None:
    """The same for the budget that the frontier's sites queue by."""
    if frontier.facts.of(_BUDGET) != _mark(budget):
        frontier.spend(budget)
        frontier.facts.keep(_BUDGET, _mark(budget))


def _mark(bounds: Limits | Budget) -> bytes:
    return repr(bounds).encode()


def limits_of(config: Config) -> Limits:
    """The limits that the frontier keeps."""
    crawl = config.crawl
    return Limits(
        depth=crawl.depth,
        pages=crawl.max_pages,
        per_host=crawl.pages_per_host,
        per_site=crawl.pages_per_site,
    )
