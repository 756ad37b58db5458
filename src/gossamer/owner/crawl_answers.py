"""Answers of a crawl that is running: those of its folder, those that only it has, and its rules."""

import json
import os
from collections import ChainMap
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial

from gossamer.config import Config
from gossamer.crawl.handle import CrawlHandle
from gossamer.crawl.progress import LastPage, Pulse
from gossamer.crawl.reconfigure import Changes, unlike
from gossamer.crawl.run_limits import limits_of
from gossamer.events import Paused, Resumed
from gossamer.model import Failed, Refusal, Url
from gossamer.moments import now_utc
from gossamer.owner.folder_answers import Activity, FolderAnswers
from gossamer.owner.handlers import Handlers
from gossamer.owner.messages import AnswerError, Record, UnableError
from gossamer.owner.opening import Answers, read_folder
from gossamer.owner.questions import (
    AddSeeds,
    Configure,
    Explain,
    ReloadSettings,
    SettingsInForce,
    SteerCrawl,
    StopOwner,
)
from gossamer.owner.sending_answers import answer_and_lend
from gossamer.owner.told import Configured, Reloaded, Seeded, Steered
from gossamer.politeness.ledger import HostLedger, Ledger, Wait
from gossamer.politeness.robots.record import RobotsRecord, Rules, needs_fetch
from gossamer.sending.explain import explain
from gossamer.sending.hosts.leased import Holdings
from gossamer.sending.robots_rules import RobotsRules
from gossamer.urls import host_of, origin_of, plain_forms, seed

Ask = Callable[[Url, timedelta], Awaitable[Rules | Wait | Failed]]
"""Has a host asked for its rules."""


@dataclass(slots=True)
class CrawlRules:
    """What a running crawl would do with a URL, for one question; also of a host that it does not hold.

    A crawl has the clocks and robots.txt files of the hosts it holds in memory; those of all others
    are in the frontier. Only where no robots.txt is known, or it is too old, is the host asked, in
    turn with the crawl. (`gossamer.sending.check.RulesAndClocks`)
    """

    running: CrawlHandle
    folder: FolderAnswers
    ask: Ask  # the crawl's client, by whatever way
    ledger: Ledger = field(init=False)
    _stored: dict[str, HostLedger] = field(default_factory=dict)

    def __post_init__(self) -> None:
        known: ChainMap[str, HostLedger] = ChainMap(self._held.ledgers, self._stored)
        self.ledger = Ledger(self.running.config.politeness, known)

    @property
    def _held(self) -> Holdings:
        return self.running.crawl.holdings

    def now(self) -> datetime:
        """The present moment."""
        return now_utc()

    async def rules(self, url: Url, patience: timedelta) -> Rules | Wait | Failed:
        """The rules of the URL's origin."""
        record, now = await self._known(origin_of(url)), now_utc()
        if record is None or needs_fetch(record, now):
            rules = await self.ask(url, patience)
        else:
            rules = Rules(record, record.policy(self.running.config.politeness.agent, now))
        await self._look_at(host_of(url))
        return rules

    async def _known(self, origin: str) -> RobotsRecord | None:
        robots = self.running.frontier.robots
        return self._held.of(origin) or await self.running.frontier_thread.do(robots.of, origin)

    async def _look_at(self, host: str) -> None:
        """Have the host's clock at hand; what the client learnt of it is not left behind."""
        if host not in self._held.held:
            self._held.ledgers.pop(host, None)
        ledger = await self.folder.frontier_thread.do(self.folder.ledgers.get, host)
        if ledger is not None:
            self._stored[host] = ledger


@dataclass(slots=True)
class CrawlRun:
    """A crawl under way, as those see it who ask how it stands."""

    running: CrawlHandle
    pulse: Pulse

    def record(self) -> Record:
        """How this run stands; its times are in seconds."""
        progress, crawl = self.running.progress, self.running.crawl
        pages, quads = self.pulse.rates()
        return {
            "seconds": round((now_utc() - progress.started_at).total_seconds(), 3),
            "progress_seconds": round(self.pulse.idle_for().total_seconds(), 3),
            "ended": dict(progress.ended),
            "changes": dict(progress.novelty.record()),
            "causes": dict(progress.causes),
            "quads": progress.quads,
            "problems": progress.problems,
            "bytes": progress.received,
            "pages_per_second": round(pages, 3),
            "quads_per_second": round(quads, 3),
            "phases": {name: round(each, 6) for name, each in progress.phases.each().items()},
            "phase_totals": progress.phases.totals(),
            "visits": len(crawl.under_way.visits),
            "reading": len(crawl.under_way.unread),
            "keeping": crawl.batches.queue.qsize(),
            "queues": self.running.queues(),
            "state": self.state,
            "wanted": None if (harvest := crawl.limits.harvest) is None else harvest.record(),
        }

    @property
    def last(self) -> Iterable[LastPage]:
        """Pages that were settled a moment ago."""
        return self.running.progress.last

    @property
    def state(self) -> str:
        """The state of the crawl, in a word."""
        crawl = self.running.crawl
        if crawl.is_ending:
            return "stopping"
        return "paused" if crawl.is_paused else "running"


@dataclass(slots=True)
class CrawlAnswers:
    """Answers that only a crawl under way has."""

    run: CrawlRun
    folder: FolderAnswers

    @property
    def running(self) -> CrawlHandle:
        """The crawl."""
        return self.run.running

    def handlers(self) -> Handlers:
        """Handlers for questions that only a crawl can answer."""
        handlers = (
            Handlers()
            .on(StopOwner, self.folder.doing(self.running.crawl.stop))
            .on(SteerCrawl, self._steer)
            .on(Explain, self._explain)
            .on(AddSeeds, self._add)
        )
        if self.running.changes is not None:
            changes = self.running.changes
            handlers.on(Configure, partial(self._configure, changes))
            handlers.on(SettingsInForce, partial(self._in_force, changes))
            handlers.on(ReloadSettings, partial(self._reload, changes))
        return handlers

    async def _steer(self, question: SteerCrawl) -> Steered:
        """Pause, resume or stop it; what it is about now."""
        crawl, was_paused = self.running.crawl, self.running.crawl.is_paused
        {"pause": crawl.pause, "resume": crawl.resume, "stop": crawl.stop}[question.how]()
        if crawl.is_paused != was_paused:
            crawl.batches.tell(Paused() if crawl.is_paused else Resumed())
        return {"process": os.getpid(), "state": self.run.state}

    async def _explain(self, question: Explain) -> Record:
        """Every decision about a URL."""
        rules = CrawlRules(self.running, self.folder, self.running.crawl.requests.client.rules)
        seeds = await self.folder.frontier_thread.do(self.folder.frontier.seeds)
        decided = await explain(rules, question.url, self.running.config, seeds)
        return await self.folder.explained(question.url, decided.record())

    async def _configure(self, changes: Changes, question: Configure) -> Configured:
        """Take up what was changed; which of these keys wait for the next run all the same."""
        await changes.look()
        waits = changes.waits.intersection(question.keys)
        return {
            "process": os.getpid(),
            "waits": sorted(waits),
            "refused": changes.refused,
            "values": {name: changes.shown(name) for name in question.keys if name not in waits},
        }

    async def _in_force(self, changes: Changes, _: SettingsInForce) -> Record:
        """The settings that this crawl goes by."""
        return {"process": os.getpid(), "command": "crawl", **await changes.record()}

    async def _reload(self, changes: Changes, _: ReloadSettings) -> Reloaded:
        """Take up the user's file; raises `ConfigError` where that is wrong."""
        changed = await changes.reload()
        return {
            "process": os.getpid(),
            "command": "crawl",
            "changed": {name: changes.shown(name) for name in changed},
            "waits": sorted(changes.waits),
        }

    async def _add(self, question: AddSeeds) -> Seeded:
        """Crawl from these seeds too, and with an age, ask again for pages that are older."""
        if differing := unlike(self.running.config, json.loads(question.options)):
            raise AnswerError(_cannot_change(differing))
        seeds = [_seed(text) for text in question.seeds]
        self.running.expect(plain_forms(question.seeds))
        new = await self.running.add(seeds)
        again: int | None = 0
        if question.older_than is not None:
            again = await self.running.again(now_utc() - question.older_than)
        if new is None or again is None:
            raise UnableError("The crawl is about to end.")
        return {"process": os.getpid(), "added": new, "known": len(seeds) - new, "again": again}

    def reconfigured(self, config: Config) -> None:
        """Answer by another configuration from now on."""
        self.folder.frontier.read_by(config.politeness, config.budget, limits_of(config))


def _seed(text: str) -> Url:
    url = seed(text)
    if isinstance(url, Refusal):
        raise AnswerError(f"{text}: {url.why}")
    return url


def _cannot_change(differing: Mapping[str, str]) -> str:
    have = ", ".join(f"{name} is {shown}" for name, shown in differing.items())
    return (
        f"A crawl is running here with other options ({have}), and nothing was added. Change "
        "them with `gossamer config set`, leave them out here, or `gossamer stop` it first."
    )


@asynccontextmanager
async def read_crawl(running: CrawlHandle) -> AsyncIterator[CrawlAnswers]:
    """Read what a crawl and its folder have to say while it runs."""
    run = CrawlRun(running, Pulse(running.progress, now_utc))
    activity = Activity(
        run=run.record,
        ledger=running.crawl.holdings.ledgers.get,
        graph_busy=lambda: running.graph.busy_seconds,
    )
    async with read_folder(
        "crawl", running.data, running.config, running.graph, running.words, activity
    ) as folder:
        # Made now: the crawl would wait while it is made for whoever asks first.
        await folder.frontier_thread.do(lambda: folder.frontier)
        crawl = CrawlAnswers(run, folder)
        running.listeners.append(crawl.reconfigured)
        running.crawl.services.append(run.pulse.run)
        yield crawl


@asynccontextmanager
async def answer_for_crawl(crawl: CrawlAnswers, *handlers: Handlers) -> AsyncIterator[Answers]:
    """Answer questions about a crawl, here and at the socket of its folder."""
    running, folder = crawl.running, crawl.folder

    def watched(robots: RobotsRules) -> CrawlRules:
        return CrawlRules(running, folder, robots.rules)

    async with answer_and_lend(
        folder, running.crawl.requests.client, crawl.handlers(), *handlers, watched=watched
    ) as answers:
        yield answers
