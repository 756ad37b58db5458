"""When a crawl ends: limits of this run, and nothing left to do.

Limits on pages and depth, and the budgets of sites, are kept by the frontier; here it is told of them.
"""

import asyncio
import shutil
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from gossamer.archive.writer import Archive
from gossamer.config import Budget, Config
from gossamer.crawl.admission import Scoping
from gossamer.crawl.progress import Progress
from gossamer.focus.harvest import Harvest
from gossamer.folder.data import DataFolder, bytes_below
from gossamer.frontier.endings import NAMED, Ending, EndKind, ending
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import Counts, HostStage, Limits
from gossamer.frontier.thread import FrontierThread
from gossamer.politeness.ranking import PLAIN, Ranking
from gossamer.values import written, written_size

if TYPE_CHECKING:
    from gossamer.crawl.sitemaps import SitemapReader

LEAST_SECONDS: Final = 1.0  # between two looks
LOOK_SHARE: Final = 200  # a look takes no more than this part of our time
# What ends a crawl that does not keep its pages fresh; one that does waits for the next look.
WAITED_OUT: Final = frozenset(
    {EndKind.DONE, EndKind.PARKED, EndKind.PAGES, EndKind.PER_HOST, EndKind.PER_SITE}
)
SURVEY_EVERY: Final = timedelta(minutes=1)  # while it waits
_LIMITS: Final = "limits"  # the facts which the frontier is in step with
_BUDGET: Final = "budget"
_RANKING: Final = "ranking"


@dataclass(slots=True)
class FolderSize:
    """Knows how large a folder was of late."""

    path: Path
    clock: Callable[[], float] = time.monotonic
    _bytes: int = 0
    _look_at: float | None = None

    def bytes(self) -> int:
        """How many bytes the folder takes, by the last look."""
        started = self.clock()
        if self._look_at is None or started >= self._look_at:
            self._bytes = bytes_below(self.path)
            ended = self.clock()
            self._look_at = ended + max(LEAST_SECONDS, LOOK_SHARE * (ended - started))
        return self._bytes


@dataclass(slots=True)
class RunLimits:
    """Knows whether anything may be asked for: not after `stopping` or `draining`, while `pausing`, or past a limit."""

    config: Config
    data: DataFolder
    progress: Progress
    now: Callable[[], datetime]
    archive: Archive | None = None
    stopping: asyncio.Event = field(default_factory=asyncio.Event)
    pausing: asyncio.Event = field(default_factory=asyncio.Event)
    draining: asyncio.Event = field(default_factory=asyncio.Event)
    harvest: Harvest | None = None  # where something is wanted first
    size: FolderSize = field(init=False)

    def __post_init__(self) -> None:
        """Measure the folder that the crawl is in."""
        self.size = FolderSize(self.data.path)

    @property
    def is_halted(self) -> bool:
        """Whether nobody is to be asked, for now or any more."""
        return any(each.is_set() for each in (self.stopping, self.draining, self.pausing))

    def limit_reached(self) -> Ending | None:
        """Whether a limit of this run is reached."""
        limits, done = self.config.crawl, self.progress
        if ended := self.time_is_up() or self._yields_little():
            return ended
        if limits.max_bytes is not None and done.received >= limits.max_bytes:
            most = written_size(limits.max_bytes)
            why = f"The limit of {most} received is reached, with {done.received:,} bytes."
            return Ending(EndKind.BYTES, why)
        least = written_size(limits.min_free_disk)
        for folder in self.data.disk_folders():
            if shutil.disk_usage(folder).free < limits.min_free_disk:
                of = "" if folder == self.data.path else f" of {folder}"
                return Ending(EndKind.DISK, f"The disk{of} has less room left than {least}.")
        room = None if self.archive is None else self.archive.most_free
        if room is not None and room < limits.min_free_disk:
            why = f"No folder of archive.folders has {least} of room left (crawl.min_free_disk)."
            return Ending(EndKind.DISK, why)
        return self._folder_is_full()

    def _yields_little(self) -> Ending | None:
        if self.harvest is None or not self.harvest.is_over:
            return None
        late = self.harvest.of_late
        things = "nothing" if not late.things else f"{late.things:,} new wanted things"
        why = (
            f"The latest {late.pages:,} pages brought {things}: less than {self.harvest.least:g} a page "
            "(--until-yield)."
        )
        return Ending(EndKind.YIELD, why)

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

    def time_is_up(self) -> Ending | None:
        """How the crawl ends where the time of this run is up."""
        most = self.config.crawl.max_time
        if most is None or self.now() < self.progress.started_at + most:
            return None
        return Ending(EndKind.TIME, f"The time is up: {written(most)}.")


@dataclass(slots=True)
class Remaining:
    """Knows whether anything is left to do."""

    frontier: SqlFrontier
    frontier_thread: FrontierThread
    limits: RunLimits
    scoping: Scoping
    sitemaps: "SitemapReader"
    began_to_wait: Callable[[], Awaitable[object]] | None = (
        None  # is called when nothing is left but looks
    )
    waits: Ending | None = None  # what would have ended a crawl that does not keep its pages fresh
    _surveyed: tuple[datetime, Counts] | None = None

    async def nothing_left(self) -> Ending | None:
        """Whether anything is left to do, now that nothing is under way."""
        if await self.scoping.catch_up():
            self.waits = None
            return None
        counts = await self.frontier_thread.do(self.frontier.counts)
        if not await self._is_over(counts):
            self.waits = None
            return None
        if self.waits is not None and self._is_as_surveyed(counts):
            return None
        # Whether sitemaps are nearer now may mean to look through all pages of a host: not each
        # time that all hosts rest for a moment.
        if await self.sitemaps.catch_up():
            return None
        counts = await self.frontier_thread.do(self.frontier.counts)
        ended = await self._is_over(counts)
        if ended is None or not self._waits_for_looks(ended, counts):
            return ended
        self._surveyed = self.limits.now(), counts
        if self.waits is None and self.began_to_wait is not None:
            await self.began_to_wait()
        self.waits = ended
        return None

    def _is_as_surveyed(self, counts: Counts) -> bool:
        """Whether nothing has come of late since all was looked through."""
        if self._surveyed is None:
            return False
        at, before = self._surveyed
        is_late = self.limits.now() < at + SURVEY_EVERY
        return is_late and (counts.known, counts.ended) == (before.known, before.ended)

    def _waits_for_looks(self, ended: Ending, counts: Counts) -> bool:
        """Whether pages that are there are looked at again; where there are none, nobody waits for ever."""
        return self.frontier.keeps_fresh and ended.kind in WAITED_OUT and counts.with_content > 0

    async def _is_over(self, counts: Counts) -> Ending | None:
        """How the crawl ends, by what is left and the limits."""
        some = partial(self.frontier.hosts, stage=HostStage.PARKED, limit=NAMED)
        parked = await self.frontier_thread.do(some)
        config, now = self.limits.config, self.limits.now()
        patience = config.politeness.patience
        found = ending(counts, limits_of(config), now, patience, parked=parked)
        return found if found is not None and found.is_final else None


def limits_of(config: Config) -> Limits:
    """The limits that the frontier keeps."""
    crawl = config.crawl
    return Limits(
        depth=crawl.depth,
        pages=crawl.max_pages,
        per_host=crawl.pages_per_host,
        per_site=crawl.pages_per_site,
    )


def hold_to(frontier: SqlFrontier, limits: Limits) -> None:
    """See that a frontier which was opened with these limits is in step with them.

    Other limits than before mean a walk through all pages; the same ones cost nothing.
    """
    if frontier.facts.of(_LIMITS) != _mark(limits):
        change_limits(frontier, limits)


def change_limits(frontier: SqlFrontier, limits: Limits) -> None:
    """Have a frontier take up other limits."""
    frontier.facts.keep(_LIMITS, b"")  # a walk that is cut short is made again
    frontier.set_limits(limits)
    frontier.facts.keep(_LIMITS, _mark(limits))


def hold_to_budget(frontier: SqlFrontier, budget: Budget) -> None:
    """Give the frontier the budget by which sites are queued."""
    if frontier.facts.of(_BUDGET) != _mark(budget):
        frontier.set_budget(budget)
        frontier.facts.keep(_BUDGET, _mark(budget))


def hold_to_ranking(frontier: SqlFrontier, ranking: Ranking) -> None:
    """See that the pages of a frontier are ranked by a strategy and its rules.

    Another ranking than before means a walk through all pages; the same one costs nothing.
    """
    # Folders of before, and those that never asked for one, are in the usual order.
    if (frontier.facts.of(_RANKING) or PLAIN.fingerprint()) == ranking.fingerprint():
        frontier.set_ranking(ranking, known=False)
    else:
        frontier.facts.keep(_RANKING, b"-")  # a walk that is cut short is made again
        frontier.set_ranking(ranking)
        frontier.facts.keep(_RANKING, ranking.fingerprint())


def _mark(bounds: Limits | Budget) -> bytes:
    return repr(bounds).encode()
