"""The answers that the owner of a data folder has: from the frontier, the graph and the run."""

import asyncio
import json
import os
import shutil
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Final, Protocol

from gossamer.crawling.clerk import Clerk
from gossamer.data import DataFolder
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import HostStage, HostState
from gossamer.frontier.scope_expressions import Kind
from gossamer.index.answer import Answer as GraphAnswer
from gossamer.index.answer import QueryError, QueryLimits
from gossamer.index.changes import Counts
from gossamer.index.dataset import EVERYTHING, Dataset
from gossamer.index.folder import GraphError
from gossamer.index.names import fetch_graph, page_name
from gossamer.model import Refusal
from gossamer.moments import now_utc
from gossamer.node import Place
from gossamer.owner import looking, troubles
from gossamer.owner.fetches import (
    fetch_query,
    fetch_record,
    problems_by_page,
    problems_query,
)
from gossamer.owner.messages import AnswerError, Question, Record, Steer, UnableError
from gossamer.owner.records import (
    cost_record,
    counts_record,
    delay_record,
    disk_record,
    graph_record,
    host_record,
    page_record,
)
from gossamer.owner.unknown_types import unknown_types
from gossamer.owner.words_record import (
    behind_record,
    behind_trouble,
    words_record,
    words_trouble,
)
from gossamer.politeness.clock import HostClock
from gossamer.politeness.delay import pace_for
from gossamer.politeness.host_ledger import HostLedger
from gossamer.processes.sandbox import confinement_record
from gossamer.urls import host_of, seed, site_of
from gossamer.wording import quoted
from gossamer.words import Searchable

COUNT_SECONDS: Final = 10.0  # for the graph to say how much it has; it may be busy or stuck
HOSTS_AT_ONCE: Final = 500  # a frontier that is busy with a crawl is left alone in between
NO_REQUESTS: Final = "This process sends no requests of its own."
NO_BYTES: Final[tuple[bytes, ...]] = ()
Parts = AsyncGenerator[bytes, None]


class Graph(Protocol):
    """What is asked of a graph."""

    async def counts(self) -> Counts:
        """How much there is."""

    def query(
        self,
        text: str,
        formats: str | Sequence[str],
        limits: QueryLimits | None = None,
        dataset: Dataset = EVERYTHING,
    ) -> GraphAnswer:
        """The answer to a SPARQL query, in the first of the formats that suits it."""

    def export(self, format_: str, graph: str | None = None) -> GraphAnswer:
        """Everything, or one graph, in an RDF syntax."""


class LocalAnswer:
    """An answer of our own: bytes, to be iterated once, and then a record."""

    def __init__(self, parts: "Callable[[LocalAnswer], Parts]") -> None:
        self.end: Record = {}
        self._parts = parts

    def __aiter__(self) -> Parts:
        return self._parts(self)


def _not_held(_: str) -> HostLedger | None:
    """Nobody holds a host."""
    return None


@dataclass(slots=True, kw_only=True)
class Answers:
    """Answers questions about a data folder that this process owns."""

    data: DataFolder
    command: str  # that owns the folder
    place: Place
    frontier: SqlFrontier  # for reading, on a connection of its own
    clerk: Clerk  # and a thread of its own
    graph: Callable[[], Awaitable[Graph]]
    words: Searchable
    are_words_followed: bool = False  # by whoever crawls: else whoever searches waits for them
    ledgers: Mapping[str, HostLedger]  # as they are stored; for the clerk to read
    run: Callable[[], Record] | None = None  # how a crawl under way stands
    explain: Callable[[str], Awaitable[Record]] | None = None
    check: Callable[[Sequence[str]], Awaitable[Record]] | None = None
    lease: Callable[[Question], Awaitable[Record]] | None = None
    report: Callable[[Question], Awaitable[Record]] | None = None
    at_hand: Callable[[str], HostLedger | None] = _not_held  # newer than what is stored
    stop: Callable[[], None] | None = None
    steer: Callable[[Steer], Record] | None = None  # a crawl under way
    configure: Callable[[Sequence[str]], Awaitable[Record]] | None = None
    add: Callable[[Question], Awaitable[Record]] | None = None
    make_way: Callable[[], None] | None = None  # for somebody who wants the folder
    proxy: Callable[[], Record | None] | None = None  # what a proxy in this process is at
    graph_busy: Callable[[], float] | None = None  # seconds, at the request in hand
    progress_seconds: float = 2.0  # between two words of how far a long piece of work is

    def take_over(self) -> None:
        """Void the leases of whoever owned the folder before us; for the clerk to do."""
        self.place.take_over(self.frontier)

    def answer(self, question: Question) -> LocalAnswer:
        """The answer to a question."""
        streams = {
            "hosts": self._hosts,
            "query": self._query,
            "export": self._export,
            "reindex": self._reindex,
        }
        if question.what in streams:
            return LocalAnswer(partial(streams[question.what], question))
        records: dict[str, Callable[[Question], Awaitable[Record]]] = {
            "status": self._status,
            "host": partial(looking.host, self),
            "page": partial(looking.page, self),
            "linking": partial(looking.linking, self),
            "nodes": partial(looking.nodes, self),
            "problems": partial(troubles.problems, self),
            "explain": self._explain,
            "check": self._check,
            "stop": self._stop,
            "steer": self._steer,
            "who": self._who,
            "health": self._health,
            "add": self._add,
            "configure": self._configure,
            "expressions": self._expressions,
            "search": self._search,
            "lease": self._lease,
            "report": self._report,
            "delays": self._delays,
            "proxy": self._proxy,
            "make way": self._make_way,
        }
        return LocalAnswer(partial(_recorded, records[question.what], question))

    async def _status(self, _: Question) -> Record:
        counts = await self.clerk.do(self.frontier.counts)
        causes = await self.clerk.do(self.frontier.causes)
        not_followed = await self.clerk.do(self.frontier.refusals)
        graph, trouble = await self._counted()
        words = await self.clerk.do(words_record, self.data)
        return {
            "data": str(self.data.path.resolve()),
            "frontier": self.place.where,
            "owner": {"process": os.getpid(), "command": self.command},
            "run": self.run() if self.run else None,
            **counts_record(counts, causes, not_followed),
            "graph": graph,
            "graph_trouble": trouble or self._graph_trouble(),
            "words": words,
            "words_trouble": await self._words_trouble(words),
            "confined": confinement_record(),
            "over_budget": [
                asdict(each) for each in await self.clerk.do(self.frontier.sites_over_budget)
            ],
            "disk": await self.clerk.do(disk_record, self.data.path),
            "disk_free": shutil.disk_usage(self.data.path).free,
        }

    async def _counted(self) -> tuple[Record | None, str | None]:
        """How much is in the graph, or why that cannot be told: it may be damaged, its server away."""
        try:
            async with asyncio.timeout(COUNT_SECONDS):
                return graph_record(await (await self.graph()).counts()), None
        except (GraphError, QueryError) as error:
            return None, str(error)
        except TimeoutError:
            return (
                None,
                f"The graph has not answered for {COUNT_SECONDS:.0f} s: it is busy or stuck.",
            )

    async def _health(self, _: Question) -> Record:
        """Who answers, what is wrong, and how much is still on its way."""
        # In a thread of its own: whoever looks after us waits for nothing that the frontier does.
        words = await asyncio.to_thread(words_record, self.data)
        found = (await self._words_trouble(words), self._graph_trouble())
        queues: Mapping[str, int] = self.run()["queues"] if self.run else {}
        return {
            **await self._who(_),
            "troubles": [each for each in found if each is not None],
            "behind": behind_record(words, queues.get("graph", 0)),
        }

    async def _words_trouble(self, words: Record | None) -> str | None:
        """What is wrong with the words: they are stuck, or far behind."""
        stuck = await asyncio.to_thread(words_trouble, self.data)
        return stuck or behind_trouble(words, is_followed=self.are_words_followed)

    def _graph_trouble(self) -> str | None:
        """Whether the process of the graph is at one request for long; nobody opens it for that."""
        seconds = self.graph_busy() if self.graph_busy else 0.0
        if seconds < COUNT_SECONDS:
            return None
        return f"The process of the graph has been at one request for {seconds:.0f} s."

    async def _hosts(self, question: Question, _: LocalAnswer) -> Parts:
        """A line of JSON a host, of those after one; whoever has enough of them leaves."""
        stage = None if question.stage is None else HostStage(question.stage)
        at_once = min(HOSTS_AT_ONCE, question.limit or HOSTS_AT_ONCE)
        ask = partial(self.frontier.hosts, limit=at_once, stage=stage)
        after = question.host or ""
        while hosts := await self.clerk.do(ask, after=after):
            after, now = hosts[-1].host, now_utc()
            records = (self.host_record(host, now) for host in hosts)
            yield b"".join(json.dumps(each).encode() + b"\n" for each in records)

    def host_record(self, host: HostState, now: datetime) -> Record:
        """One host, as the frontier and who has it in hand know it."""
        ledger = self.at_hand(host.host)
        pace = pace_for(host.host, self.frontier.politeness)
        return host_record(host, None if ledger is None else ledger.clock, pace, now)

    async def ask_graph(self, query: str) -> bytes:
        """The answer to a query of our own, as JSON."""
        return await (await self.graph()).query(query, "json").read()

    def _query(self, question: Question, answer: LocalAnswer) -> Parts:
        (text,) = question.texts
        seconds = question.seconds
        limits = QueryLimits(
            time=None if seconds is None else timedelta(seconds=seconds),
            rows=question.limit,
            timed=question.timed,
        )
        dataset = question.dataset
        return self._parts(
            lambda graph: graph.query(text, question.formats, limits, dataset), answer
        )

    def _export(self, question: Question, answer: LocalAnswer) -> Parts:
        (format_,) = question.formats
        return self._parts(lambda graph: graph.export(format_, question.graph), answer)

    async def _parts(self, ask: Callable[[Graph], GraphAnswer], answer: LocalAnswer) -> Parts:
        """The name of the format, as a line, then the bytes of an answer of the graph.

        Whoever stops taking them stops the query.
        """
        found, told = ask(await self.graph()), False
        try:
            async for part in found:
                if not told:
                    yield f"{found.format}\n".encode()
                    told = True
                yield part
            if not told:  # nothing was to be said, in this format
                yield f"{found.format}\n".encode()
        finally:
            await found.aclose()
        answer.end = {
            "format": found.format,
            "rows": found.rows,
            "cut": found.cut,
            "seconds": round(found.took, 6),
        }
        if found.timing is not None:
            counts = await (await self.graph()).counts()
            answer.end = {**answer.end, "cost": cost_record(found.timing, counts)}

    async def _explain(self, question: Question) -> Record:
        (text,) = question.texts
        if self.explain is None:
            raise UnableError(NO_REQUESTS)
        return {
            **await self.explain(text),
            "page": await self.known_of(text),
            "site_budget": await self._site_budget(text),
        }

    async def _site_budget(self, text: str) -> Record | None:
        """What the site of a URL has us keep, as a person typed it."""
        url = seed(text)
        if isinstance(url, Refusal):
            return None
        return asdict(await self.clerk.do(self.frontier.site_budget, site_of(host_of(url))))

    async def known_of(self, text: str) -> Record | None:
        """What the crawl knows of a URL, as a person typed it."""
        url = seed(text)
        if isinstance(url, Refusal):
            return None
        page = await self.clerk.do(self.frontier.page, url)
        if page is None:
            rule = await self.clerk.do(self.frontier.refusal, url)
            return None if rule is None else {"state": "not followed", "why": rule}
        told = problems_by_page(await self.ask_graph(problems_query([url])))
        return {
            **page_record(page),
            "fetch": fetch_record(await self.ask_graph(fetch_query(url))),
            "told": told.get(fetch_graph(page_name(url)), []),
        }

    async def _check(self, question: Question) -> Record:
        if self.check is None:
            raise UnableError(NO_REQUESTS)
        return await self.check(question.texts)

    async def _lease(self, question: Question) -> Record:
        if self.lease is None:
            raise UnableError(NO_REQUESTS)
        return await self.lease(question)

    async def _report(self, question: Question) -> Record:
        if self.report is None:
            raise UnableError(NO_REQUESTS)
        return await self.report(question)

    async def _delays(self, question: Question) -> Record:
        """A page of hosts, by name, with what each has to be waited for."""
        limit = question.limit or HOSTS_AT_ONCE
        # One more, to see whether there is a next page.
        known = await self.clerk.do(
            partial(self.frontier.clocks, after=question.host or "", limit=limit + 1)
        )
        politeness, now = self.frontier.politeness, now_utc()
        hosts = [
            delay_record(host, _newer(self.at_hand(host), clock), pace_for(host, politeness), now)
            for host, clock in known[:limit]
        ]
        return {"hosts": hosts, "next": hosts[-1]["host"] if len(known) > limit else None}

    async def _proxy(self, _: Question) -> Record:
        return {"proxy": self.proxy() if self.proxy else None}

    async def _search(self, question: Question) -> Record:
        asked = question.search
        assert asked is not None
        search = partial(self.words.search, fresh=not self.are_words_followed)
        found = await search(asked)
        unknown = [] if found["total"] else await unknown_types(asked.types, search)
        return {**found, "unknown_types": unknown}

    async def _reindex(self, _: Question, answer: LocalAnswer) -> Parts:
        """How many subjects are done, as a line, every few seconds; whoever leaves ends the work."""
        started, done = time.monotonic(), 0

        def tell(count: int) -> None:
            nonlocal done
            done = count

        making = asyncio.create_task(self.words.reindex(tell))
        try:
            while not (await asyncio.wait([making], timeout=self.progress_seconds))[0]:
                yield f"{done}\n".encode()
            await making
        finally:
            making.cancel()
            await asyncio.wait([making])
        answer.end = {"subjects": done, "seconds": round(time.monotonic() - started, 3)}

    async def _stop(self, _: Question) -> Record:
        if self.stop is None:
            raise UnableError(f"`gossamer {self.command}` ends by itself.")
        self.stop()
        return await self._who(_)

    async def _steer(self, question: Question) -> Record:
        if self.steer is None:
            raise UnableError(f"`gossamer {self.command}` is no crawl.")
        assert question.steer is not None
        return self.steer(question.steer)

    async def _make_way(self, _: Question) -> Record:
        if self.make_way is None:
            raise UnableError(f"`gossamer {self.command}` keeps the folder until it is done.")
        self.make_way()
        return await self._who(_)

    async def _who(self, _: Question) -> Record:
        state = self.run().get("state") if self.run else None
        return {"process": os.getpid(), "command": self.command, "state": state}

    async def _add(self, question: Question) -> Record:
        """Have a crawl that is running take more upon itself."""
        if self.add is None:
            raise UnableError(f"`gossamer {self.command}` is no crawl.")
        return await self.add(question)

    async def _configure(self, question: Question) -> Record:
        """Have changes of these keys taken up at once, where somebody does."""
        if self.configure is None:
            raise UnableError(f"`gossamer {self.command}` takes up no changes.")
        return await self.configure(question.texts)

    async def _expressions(self, question: Question) -> Record:
        """The scope expressions that were added, once one more is added or removed."""
        stored, taken_up = self.frontier.scope_expressions, None
        if question.change is not None:
            kind: Kind = "include" if question.kinds == ("include",) else "exclude"
            (text,) = question.texts
            change = stored.add if question.change == "add" else stored.remove
            if not await self.clerk.do(change, kind, text):
                raise AnswerError(_nothing_to(question.change, kind, text))
            taken_up = self.configure and await self.configure([f"scope.{kind}"])
        added = await self.clerk.do(stored.all)
        return {"expressions": [each._asdict() for each in added], "crawl": taken_up}


def _newer(ledger: HostLedger | None, stored: HostClock) -> HostClock:
    return stored if ledger is None else ledger.clock


def _nothing_to(change: str, kind: Kind, text: str) -> str:
    if change == "add":
        return f"{quoted(text)} was added to scope.{kind} before."
    return (
        f"{quoted(text)} was not added to scope.{kind}. `gossamer config added` lists what was; "
        "what the configuration says is changed with `gossamer config set`."
    )


async def _recorded(
    work: Callable[[Question], Awaitable[Record]], question: Question, answer: LocalAnswer
) -> Parts:
    """An answer without bytes."""
    answer.end = await work(question)
    for part in NO_BYTES:
        yield part
