"""The heartbeat of a node: it joins, says every few seconds how it is, hears what it is to do, and leaves.

    join ──▶ beat ──▶ beat ──▶ … ──▶ leave         through the thread of whoever beats
              │ ▲
              │ └── a report: the machine (`sampling`) and what the node is at (`figures`, `state`)
              └───▶ `BeatAnswer`, to every `BeatListener`: a wish, the database's moment, the clock

A beat that cannot be told waits like all else that the database is asked, and one that fails is left out:
the node goes on with its work.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Final, Protocol, TypeVar

from gossamer import __version__
from gossamer.errors import GossamerError
from gossamer.nodes.report import NO_REPORT, CrawlFigures, NodeReport
from gossamer.nodes.store import (
    FIGURES_EVERY,
    BeatAnswer,
    ClockLead,
    NodeCondition,
    NodeStore,
)

BEAT_SECONDS: Final = 5.0
SAMPLE_SECONDS: Final = 2.0  # a disk that does not answer has the beat go without news of it

T = TypeVar("T")


class Do(Protocol):
    """Runs a call that waits for the database, off the event loop."""

    def __call__(self, call: Callable[..., T], *args: Any) -> Awaitable[T]:  # noqa: ANN401
        """The result of the call."""


class BeatListener(Protocol):
    """Hears what a beat brought home; on the event loop, so it must not wait."""

    def __call__(self, answer: BeatAnswer, /) -> None:
        """Take note of a wish, the database's moment and how far our clock is ahead of it."""


def no_figures() -> CrawlFigures | None:
    """The figures of a node that does not crawl."""
    return None


@dataclass(slots=True, kw_only=True)
class Heartbeat:
    """Tells the crawl's database how this node is. `run` while it works, `leave` when it is done."""

    node: str
    store: NodeStore
    do: Do
    sample: Callable[[], NodeReport]  # called in a thread
    state: Callable[[], NodeCondition]
    figures: Callable[[], CrawlFigures | None] = no_figures
    least_free: Callable[[], int | None] = lambda: None
    log_dropped: Callable[[], int] = lambda: 0
    service: str | None = None  # where the node's pages are
    every: float = BEAT_SECONDS
    version: str = __version__
    listeners: list[BeatListener] = field(default_factory=list)
    answer: BeatAnswer | None = None  # the last, once there is one
    _machine: NodeReport = NO_REPORT
    _last: NodeReport = NO_REPORT
    _sampling: "asyncio.Future[NodeReport] | None" = None
    _figures_at: int | None = None

    async def run(self) -> None:
        """Join, and beat until cancelled."""
        joined = False
        while True:
            try:
                report = await self.report()
                if joined:
                    answer = await self._beat(report)
                else:
                    join = self.store.join
                    answer = await self.do(join, self.node, self.version, report.dump())
                    joined = True
            except GossamerError:  # those who cannot go on without the database say so themselves
                pass
            else:
                self.answer = answer
                for listener in self.listeners:
                    listener(answer)
            await asyncio.sleep(self.every)

    async def leave(self, ended: str | None = None) -> None:
        """Say that the node ends in good order, and how its crawl ended, once it no longer runs."""
        last = replace(self._last, crawl=self.figures(), ended=ended)
        try:
            await self.do(self.store.leave, self.node, last.dump())
        except GossamerError:
            return  # it will be taken for silent, which is true

    async def report(self) -> NodeReport:
        """How the node is now."""
        ahead, within = (None, None) if self.answer is None else clock_of(self.answer.lead)
        self._last = replace(
            await self._machine_now(),
            least_free=self.least_free(),
            clock_ahead=ahead,
            clock_within=within,
            crawl=self.figures(),
            service=self.service,
            log_dropped=self.log_dropped(),
        )
        return self._last

    async def _beat(self, report: NodeReport) -> BeatAnswer:
        last, every = self._figures_at, FIGURES_EVERY.total_seconds() * 1e6
        now = None if self.answer is None else self.answer.now
        is_due = last is None or now is None or now + self.every * 1e6 >= last + every
        point = point_of(report) if is_due else None
        state = self.state().value
        told = (self.node, self.version, state, report.dump(), point)
        answer = await self.do(self.store.beat, *told)
        if is_due:
            self._figures_at = answer.now
        return answer

    async def _machine_now(self) -> NodeReport:
        """The machine, or how it was when it was last seen, where a disk does not answer."""
        if self._sampling is None:
            self._sampling = asyncio.ensure_future(asyncio.to_thread(self.sample))
        done, _ = await asyncio.wait([self._sampling], timeout=SAMPLE_SECONDS)
        if done:
            sampling, self._sampling = self._sampling, None
            with suppress(OSError, ValueError):  # what the kernel tells is not what we know
                self._machine = sampling.result()
        return self._machine


def clock_of(lead: ClockLead) -> tuple[float, float]:
    """How many seconds a clock is ahead, and how much more or less that may be."""
    middle, half = (lead.most + lead.least) / 2e6, (lead.most - lead.least) / 2e6
    return round(middle, 6), round(abs(half), 6)


def point_of(report: NodeReport) -> bytes:
    """What charts show of a report, as JSON."""
    memory, crawl = report.memory, report.crawl
    point: dict[str, float | None] = {
        "cpu": report.cpu,
        "memory": None if memory is None else memory.used,
        "free": min((disk.free for disk in report.disks), default=None),
    }
    if crawl is not None:
        names = ("pages_per_second", "bytes_per_second", "hosts_held", "in_flight", "waiting")
        point |= {name: getattr(crawl, name) for name in names}
    told = {name: value for name, value in point.items() if value is not None}
    return json.dumps(told, separators=(",", ":")).encode()
