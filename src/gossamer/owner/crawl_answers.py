"""The answers of a crawl that is running: those of its folder, and those that only it has."""

import json
import os
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta

from gossamer.config import Config
from gossamer.crawling.changes import unlike
from gossamer.crawling.pulse import Pulse
from gossamer.crawling.running import Running
from gossamer.crawling.stops import limits_of
from gossamer.events import Paused, Resumed
from gossamer.explain import explain
from gossamer.inquiries import Inquiries
from gossamer.model import Refusal, Url
from gossamer.moments import now_utc
from gossamer.owner.answers import Answers
from gossamer.owner.manners import minding_manners
from gossamer.owner.messages import AnswerError, Question, Record, Steer, UnableError
from gossamer.owner.onlooker import Onlooker
from gossamer.owner.opening import answering
from gossamer.urls import plain_forms, seed


@dataclass(slots=True)
class CrawlAnswers:
    """A crawl as those see it who ask about it."""

    running: Running
    answers: Answers
    pulse: Pulse

    def run(self) -> Record:
        """How this run stands; its times are in seconds."""
        progress, crawl = self.running.progress, self.running.crawl
        pages, quads = self.pulse.rates()
        return {
            "seconds": round((now_utc() - progress.started_at).total_seconds(), 3),
            "ended": dict(progress.ended),
            "causes": dict(progress.causes),
            "quads": progress.quads,
            "problems": progress.problems,
            "bytes": progress.received,
            "pages_per_second": round(pages, 3),
            "quads_per_second": round(quads, 3),
            "phases": {name: round(each, 6) for name, each in progress.phases.each().items()},
            "phase_totals": progress.phases.totals(),
            "visits": len(crawl.visits),
            "reading": len(crawl.readings),
            "keeping": crawl.batches.queue.qsize(),
            "queues": self._queues(),
            "state": self.state,
        }

    def _queues(self) -> dict[str, int]:
        """How many pages wait for each phase, or are in it."""
        crawl = self.running.crawl
        kept = self.running.progress.phases.queues
        return {
            "fetch": len(crawl.visits),
            "read": len(crawl.readings),
            "archive": crawl.batches.queue.qsize() + kept["archive"],
            "graph": kept["graph"],
            "settle": kept["settle"],
        }

    @property
    def state(self) -> str:
        """What it is about."""
        crawl = self.running.crawl
        if crawl.visitor.stopping.is_set() or crawl.ending_now:
            return "stopping"
        return "paused" if crawl.is_paused else "running"

    def steer(self, how: Steer) -> Record:
        """Pause, resume or stop it; what it is about now."""
        crawl, was_paused = self.running.crawl, self.running.crawl.is_paused
        {"pause": crawl.pause, "resume": crawl.resume, "stop": crawl.stop}[how]()
        if crawl.is_paused != was_paused:
            crawl.batches.tell(Paused() if crawl.is_paused else Resumed())
        return {"process": os.getpid(), "state": self.state}

    async def explain(self, text: str) -> Record:
        """Every decision about a URL."""
        onlooker = Onlooker(self.running, self.answers, self.running.crawl.visitor.client.rules)
        seeds = await self.answers.clerk.do(self.answers.frontier.seeds)
        return (await explain(onlooker, text, self.running.config, seeds)).record()

    async def configure(self, names: Sequence[str]) -> Record:
        """Take up what was changed; which of these keys wait for the next run all the same."""
        changes = self.running.changes
        if changes is None:
            raise UnableError("This crawl takes up no changes.")
        await changes.look()
        return {
            "process": os.getpid(),
            "waits": sorted(changes.waits.intersection(names)),
            "refused": changes.refused,
        }

    async def add(self, question: Question) -> Record:
        """Crawl from these seeds too, and with an age, ask again for pages that are older."""
        if differing := unlike(self.running.config, json.loads(question.options or "{}")):
            raise AnswerError(_cannot_change(differing))
        seeds = [_seed(text) for text in question.texts]
        self.running.expect(plain_forms(question.texts))
        new = await self.running.add(seeds)
        again: int | None = 0
        if question.seconds is not None:
            again = await self.running.again(now_utc() - timedelta(seconds=question.seconds))
        if new is None or again is None:
            raise UnableError("The crawl is about to end.")
        return {"process": os.getpid(), "added": new, "known": len(seeds) - new, "again": again}

    def reconfigured(self, config: Config) -> None:
        """Answer by another configuration from now on."""
        self.answers.frontier.answer_by(config.politeness, config.budget, limits_of(config))


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
async def answering_for(running: Running) -> AsyncIterator[CrawlAnswers]:
    """Answer questions about a crawl while it runs, here and at the socket of its folder."""
    async with answering(
        "crawl", running.data, running.config, running.graph, running.words
    ) as answers:
        asked = CrawlAnswers(running, answers, Pulse(running.progress, now_utc))
        answers.run, answers.stop = asked.run, running.crawl.stop
        answers.steer = asked.steer
        answers.graph_busy = lambda: running.graph.busy_seconds
        answers.explain, answers.at_hand = asked.explain, running.crawl.holdings.ledgers.get
        answers.configure, answers.add = asked.configure, asked.add
        running.listeners.append(asked.reconfigured)
        running.crawl.beside = (*running.crawl.beside, asked.pulse.run)

        def watched(inquiries: Inquiries) -> Onlooker:
            return Onlooker(running, answers, inquiries.rules)

        async with minding_manners(answers, running.crawl.visitor.client, watched):
            yield asked
