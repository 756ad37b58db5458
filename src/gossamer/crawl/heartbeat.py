"""The heartbeat of a crawl: what its node tells of it, through the frontier's thread."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from gossamer.crawl.handle import CrawlHandle
from gossamer.crawl.progress import Pulse
from gossamer.folder.data import DataFolder
from gossamer.frontier.protocol import Ended
from gossamer.moments import now_utc
from gossamer.nodes.heartbeat import Heartbeat
from gossamer.nodes.report import CrawlFigures
from gossamer.nodes.sampling import Sampler
from gossamer.nodes.store import NodeCondition, NodeStore


@dataclass(slots=True)
class CrawlSigns:
    """How a crawl stands, as its node tells it: speed since the beat before, and what is in hand."""

    running: CrawlHandle
    pulse: Pulse
    _received: tuple[float, int] | None = None  # when, how many bytes

    def figures(self) -> CrawlFigures:
        """The figures of this moment."""
        running, progress = self.running, self.running.progress
        self.pulse.beat()
        pages, quads = self.pulse.rates()
        queues = running.queues()
        ledgers = (running.crawl.holdings.ledgers.get(host) for host in running.crawl.holdings.held)
        return CrawlFigures(
            pages_per_second=round(pages, 3),
            quads_per_second=round(quads, 3),
            bytes_per_second=self._bytes_per_second(),
            pages=progress.ended[Ended.CONTENT],
            hosts_held=len(running.crawl.holdings.held),
            in_flight=sum(1 for each in ledgers if each is not None and each.clock.in_flight),
            waiting=sum(pages for phase, pages in queues.items() if phase != "fetch"),
            slowest=slowest(queues),
            failed=progress.ended[Ended.FAILED],
        )

    def state(self) -> NodeCondition:
        """What the crawl does, in a word."""
        crawl = self.running.crawl
        if crawl.is_ending:
            return NodeCondition.DRAINING
        if crawl.is_paused:
            return NodeCondition.PAUSED
        is_idle = not crawl.under_way.visits and not any(self.running.queues().values())
        return NodeCondition.WAITING if is_idle else NodeCondition.RUNNING

    def _bytes_per_second(self) -> float | None:
        now, count = now_utc().timestamp(), self.running.progress.received
        before, self._received = self._received, (now, count)
        if before is None or now <= before[0]:
            return None
        return round((count - before[1]) / (now - before[0]), 1)


def slowest(queues: Mapping[str, int]) -> str | None:
    """The phase that most pages wait for; of equals, the one that comes first."""
    longest = max(queues, key=lambda phase: queues[phase], default=None)
    return longest if longest is not None and queues[longest] else None


def crawl_heartbeat(running: CrawlHandle) -> Heartbeat:
    """The heartbeat of a crawl that is about to run."""
    signs = CrawlSigns(running, Pulse(running.progress, now_utc))
    sampler = Sampler("crawl", partial(folder_parts, running.data))
    return Heartbeat(
        node=running.frontier.node,
        store=NodeStore(running.frontier.store),
        do=running.frontier_thread.at_once,
        sample=sampler.sample,
        state=signs.state,
        figures=signs.figures,
        least_free=lambda: running.config.crawl.min_free_disk,
    )


def folder_parts(data: DataFolder) -> Mapping[str, Path]:
    """Where the parts of a data folder lie: each may be a link to another disk."""
    return {
        "folder": data.path,
        "archive": data.archive_folder,
        "graph": data.graph_folder,
        "words": data.words_folder,
        "log": data.log_folder,
    }


async def begin_heartbeat(running: CrawlHandle) -> None:
    """Beat from now on, until `end_heartbeat`: a node that has crawled still has words to make and to sum up."""
    assert running.heartbeat is not None
    running.beating = asyncio.create_task(running.heartbeat.run())


async def end_heartbeat(running: CrawlHandle) -> None:
    """Beat no more; a node whose crawl came to its end has left, and asks the database for nothing after that."""
    if running.heartbeat is None or running.beating is None:
        return
    running.beating.cancel()
    with suppress(asyncio.CancelledError):
        await running.beating
    if (ended := running.crawl.ended) is not None:
        await running.heartbeat.leave(ended.kind)
