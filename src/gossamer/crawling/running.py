"""A crawl with all its parts, as those have it who run it: to be summed up, and to be changed."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from gossamer.config import Config
from gossamer.crawl import Crawl
from gossamer.crawling.admission import Admission
from gossamer.crawling.changes import Changes
from gossamer.crawling.clerk import Clerk
from gossamer.crawling.graphs import SteadyGraph
from gossamer.crawling.progress import Progress, Summary
from gossamer.crawling.stops import Stops, change_limits, hold_to_budget, limits_of
from gossamer.crawling.verdicts import Judge
from gossamer.data import DataFolder
from gossamer.frontier.endings import Ending
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import Ended, NewUrl
from gossamer.model import Url
from gossamer.moments import now_utc
from gossamer.politeness.priority import MOST
from gossamer.urls.scope import SeedScope
from gossamer.words import Searchable


async def _nothing_is_left() -> None:
    """There are no words."""


def _nothing_is_expected(_: Mapping[Url, Url]) -> None:
    """Seeds have the scheme that they have."""


@dataclass(slots=True)
class Running:
    """A crawl and what it works with."""

    config: Config
    data: DataFolder
    crawl: Crawl
    frontier: SqlFrontier
    clerk: Clerk
    graph: SteadyGraph
    progress: Progress
    stops: Stops
    words: Searchable | None = None  # that people search while it runs
    changes: Changes | None = None  # where it can be changed while it runs
    listeners: list[Callable[[Config], None]] = field(default_factory=list)  # hear of changes
    # Hears of seeds that may be http in the end, each with that form.
    expect: Callable[[Mapping[Url, Url]], None] = _nothing_is_expected
    # Has words take up what is left, once.
    finish: Callable[[], Awaitable[None]] = _nothing_is_left

    async def configure(self, config: Config) -> None:
        """Take up a changed configuration at once; see `changes.py` for what can be."""
        before, self.config = self.config, config
        self.stops.config = config
        self.crawl.concurrency = config.crawl.concurrency
        self.crawl.visitor.config = config
        self.crawl.reader.config = config
        self.crawl.reader.contexts.config = config
        self.crawl.visitor.client.configure(config)
        self._judge_by(config, await self._scope(before))
        if config.politeness != before.politeness:
            await self.clerk.do(self.frontier.configure, config.politeness)
        if config.budget != before.budget:
            await self.clerk.do(hold_to_budget, self.frontier, config.budget)
        if limits_of(config) != limits_of(before):
            await self.clerk.do(change_limits, self.frontier, limits_of(config))
        if (config.scope, config.traps) != (before.scope, before.traps):
            await self.stops.scoping.take_up()
        for listener in self.listeners:
            listener(config)
        self.crawl.changed.set()

    async def add(self, seeds: Sequence[Url]) -> int | None:
        """Crawl from these too; how many were not known. None where it is about to end."""
        if not self.crawl.call_for_more():
            return None
        new = [NewUrl(seed, priority=MOST, seed=True) for seed in seeds]
        count = await self.clerk.do(self.frontier.add, new)
        scoping = self.stops.scoping
        size = scoping.admission.scope.size
        for seed in seeds:
            scoping.admission.scope.add_seed(seed)
        if scoping.admission.scope.size > size:
            await scoping.take_up()
        return count if self.crawl.call_for_more() else None

    async def again(self, older_than: datetime) -> int | None:
        """Ask once more for pages that were settled before; how many. None as above."""
        if not self.crawl.call_for_more():
            return None
        count = await self.clerk.do(self.frontier.again, older_than)
        return count if self.crawl.call_for_more() else None

    async def summary(self, ended: Ending) -> Summary:
        """How the crawl stands; a server that is away is waited for here too."""
        counts = await self.clerk.do(self.frontier.counts)
        refusals = await self.clerk.do(self.frontier.refusals)
        graph = await self.crawl.batches.full_disk.outlasted(self.graph.counted_up)
        seconds = (now_utc() - self.progress.started_at).total_seconds()
        fetched = self.progress.ended[Ended.CONTENT]
        return Summary(
            pages=counts.ended.get(Ended.CONTENT, 0),
            redirected=counts.ended.get(Ended.REDIRECTED, 0),
            failed=counts.ended.get(Ended.FAILED, 0),
            refused=counts.ended.get(Ended.REFUSED, 0) + counts.aside + sum(refusals.values()),
            quads=graph.quads,
            problems=await self.clerk.do(self.frontier.problems),
            hosts=counts.visited_hosts,
            seconds=round(seconds, 3),
            pages_per_second=round(fetched / seconds, 3) if seconds else 0.0,
            ended=ended.kind,
        )

    async def _scope(self, before: Config) -> SeedScope:
        if self.config.scope == before.scope:
            return self.stops.scoping.admission.scope
        return SeedScope(self.config.scope, await self.clerk.do(self.frontier.seeds))

    def _judge_by(self, config: Config, scope: SeedScope) -> None:
        admission = Admission(config, scope)
        judge = Judge(config, admission)
        self.stops.scoping.admission = admission
        self.crawl.judge = self.crawl.visitor.judge = judge
        self.crawl.visitor.sitemaps.config = config
        self.crawl.visitor.sitemaps.admission = admission
