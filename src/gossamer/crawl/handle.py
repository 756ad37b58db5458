"""A crawl and its parts in one value: for whoever runs it, changes it or sums it up."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Final

from gossamer.config import Config
from gossamer.crawl.admission import Admission
from gossamer.crawl.focus import hold_to_focus
from gossamer.crawl.freshness import KeepFresh, hold_to_freshness
from gossamer.crawl.loop import Crawl
from gossamer.crawl.plain_seeds import PlainSeeds
from gossamer.crawl.progress import Progress, Summary
from gossamer.crawl.reconfigure import Changes
from gossamer.crawl.run_limits import (
    change_limits,
    hold_to_budget,
    hold_to_ranking,
    limits_of,
)
from gossamer.crawl.steady_graph import SteadyGraph
from gossamer.crawl.verdicts import Judge
from gossamer.errors import GraphAwayError
from gossamer.folder.data import DataFolder
from gossamer.frontier.endings import Ending
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import Ended, NewUrl
from gossamer.frontier.thread import FrontierThread
from gossamer.index.graph.page_diff import GraphCounts
from gossamer.index.opening import Searchable
from gossamer.index.words.following import Following
from gossamer.model import Url
from gossamer.moments import now_utc
from gossamer.nodes.heartbeat import Heartbeat
from gossamer.politeness.priority import MOST
from gossamer.politeness.ranking import Ranking
from gossamer.urls.forms import forms_by
from gossamer.urls.scope import SeedScope

COUNT_SECONDS: Final = 60.0  # for the last count of the graph: nobody waits longer for a number


async def count_in_time(
    count: Callable[[], Awaitable[GraphCounts]], seconds: float = COUNT_SECONDS
) -> GraphCounts | None:
    """How much is in the graph; None where it does not say so in time, or is away."""
    try:
        async with asyncio.timeout(seconds):
            return await count()
    except (TimeoutError, GraphAwayError):
        return None


@dataclass(slots=True)
class CrawlHandle:
    """A crawl and what it works with."""

    config: Config
    data: DataFolder
    crawl: Crawl
    frontier: SqlFrontier
    frontier_thread: FrontierThread
    graph: SteadyGraph
    progress: Progress
    plain_seeds: PlainSeeds
    fresh: KeepFresh
    words: Searchable | None = None  # that people search while it runs
    changes: Changes | None = None  # where it can be changed while it runs
    heartbeat: Heartbeat | None = None  # by which its node is known
    beating: asyncio.Task[None] | None = None
    listeners: list[Callable[[Config], None]] = field(default_factory=list)  # hear of changes

    def expect(self, instead: Mapping[Url, Url]) -> None:
        """Expect that these seeds may be http in the end; each has that form."""
        form = forms_by(self.config.urls).apply
        formed = {form(seed): form(plain) for seed, plain in instead.items()}
        self.plain_seeds.expect_more(self, formed)

    def queues(self) -> dict[str, int]:
        """How many pages wait for each phase, or are in it."""
        crawl, kept = self.crawl, self.progress.phases.queues
        return {
            "fetch": len(crawl.under_way.visits),
            "read": len(crawl.under_way.unread),
            "archive": crawl.batches.queue.qsize() + kept["archive"],
            "graph": kept["graph"] + kept["history"],
            "settle": kept["settle"],
        }

    @property
    def next_look(self) -> datetime | None:
        """When a known page is looked at next, where nothing else is left to do."""
        return None if self.crawl.remaining.waits is None else self.fresh.next_at

    async def finish(self) -> None:
        """Have words take up what is left, until the crawl is stopped."""
        if isinstance(self.words, Following):
            await self.words.finish(self.crawl.limits.stopping)

    async def configure(self, config: Config) -> None:
        """Take up a changed configuration at once; see `reconfigure.py` for what can be."""
        before, self.config = self.config, config
        self.crawl.limits.config = config
        self.crawl.concurrency = config.crawl.concurrency
        self.crawl.requests.config = config
        self.crawl.requests.tdm_files.config = config
        self.crawl.requests.licences.config = config
        self.crawl.reader.config = config
        self.crawl.reader.contexts.config = config
        self.crawl.requests.client.configure(config)
        self._judge_by(config, await self._scope(before))
        if config.politeness != before.politeness:
            await self.frontier_thread.do(self.frontier.configure, config.politeness)
        if config.budget != before.budget:
            await self.frontier_thread.do(hold_to_budget, self.frontier, config.budget)
        if (ranking := Ranking.of(config.crawl)) != Ranking.of(before.crawl):
            await self.frontier_thread.do(hold_to_ranking, self.frontier, ranking)
        if limits_of(config) != limits_of(before):
            await self.frontier_thread.do(change_limits, self.frontier, limits_of(config))
        if config.urls.learned != before.urls.learned:
            mode = config.urls.learned
            await self.frontier_thread.do(self.frontier.learn_parameters, mode)
        if config.freshness != before.freshness:
            await self.frontier_thread.do(hold_to_freshness, self.frontier, config.freshness)
        if config.focus != before.focus:
            await self.frontier_thread.do(hold_to_focus, self.frontier, config)
        if (config.scope, config.traps) != (before.scope, before.traps):
            await self.crawl.remaining.scoping.take_up()
        for listener in self.listeners:
            listener(config)
        self.crawl.changed.set()

    async def add(self, seeds: Sequence[Url]) -> int | None:
        """Crawl from these too; how many were not known. None where it is about to end."""
        if not self.crawl.call_for_more():
            return None
        seeds = [forms_by(self.config.urls).apply(seed) for seed in seeds]
        new = [NewUrl(seed, priority=MOST, seed=True) for seed in seeds]
        count = await self.frontier_thread.do(self.frontier.add, new)
        scoping = self.crawl.remaining.scoping
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
        count = await self.frontier_thread.do(self.frontier.refetch, older_than)
        await self.crawl.batches.begin_news()
        return count if self.crawl.call_for_more() else None

    async def summary(self, ended: Ending) -> Summary:
        """How the crawl stands; a frontier's server that is away is waited for here too."""
        counts = await self.frontier_thread.do(self.frontier.counts)
        refusals = await self.frontier_thread.do(self.frontier.refusals)
        seconds = (now_utc() - self.progress.started_at).total_seconds()
        count = partial(self.crawl.batches.full_disk.outlasted, self.graph.count_all)
        graph = await count_in_time(count)
        fetched = self.progress.ended[Ended.CONTENT]
        return Summary(
            pages=counts.ended.get(Ended.CONTENT, 0),
            redirected=counts.ended.get(Ended.REDIRECTED, 0),
            failed=counts.ended.get(Ended.FAILED, 0),
            refused=counts.ended.get(Ended.REFUSED, 0) + counts.aside + sum(refusals.values()),
            quads=None if graph is None else graph.quads,
            problems=await self.frontier_thread.do(self.frontier.problems),
            hosts=counts.visited_hosts,
            seconds=round(seconds, 3),
            pages_per_second=round(fetched / seconds, 3) if seconds else 0.0,
            ended=ended.kind,
            changes=self.progress.novelty.record(),
            wanted=await self._harvest(),
        )

    async def _harvest(self) -> Mapping[str, object] | None:
        """What was found of what is wanted, as it is now."""
        if (harvest := self.crawl.limits.harvest) is None:
            return None
        harvest.note(await self.frontier_thread.do(self.frontier.wanted_counts))
        return harvest.record()

    async def _scope(self, before: Config) -> SeedScope:
        if self.config.scope == before.scope:
            return self.crawl.remaining.scoping.admission.scope
        return SeedScope(self.config.scope, await self.frontier_thread.do(self.frontier.seeds))

    def _judge_by(self, config: Config, scope: SeedScope) -> None:
        admission = Admission(config, scope)
        judge = Judge(config, admission)
        self.crawl.remaining.scoping.admission = admission
        self.crawl.judge = self.crawl.requests.judge = judge
        self.crawl.requests.sitemaps.config = config
        self.crawl.requests.sitemaps.admission = admission
        self.crawl.reader.pool.services.patience = config.politeness.patience
