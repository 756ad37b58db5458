"""Answers that a data folder has for whoever owns it: from the frontier, the graph and the words."""

import asyncio
import json
import os
import shutil
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import cached_property, partial
from typing import Final

from gossamer.archive.folders import all_rooms
from gossamer.config import Config
from gossamer.crawl.run_limits import limits_of
from gossamer.crawl.steady_graph import SteadyGraph
from gossamer.errors import GraphError
from gossamer.focus.harvest import Harvest
from gossamer.folder.data import DataFolder
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.hosts import StoredHosts
from gossamer.frontier.protocol import HostStage, HostState
from gossamer.frontier.thread import FrontierThread
from gossamer.index.graph.names import fetch_graph, page_name
from gossamer.index.graph.query import GraphQuery
from gossamer.index.graph.reader_pool import GraphAnswer, QueryError
from gossamer.index.opening import OpenGraph, Searchable
from gossamer.model import Refusal, Url
from gossamer.moments import now_utc
from gossamer.owner.changes_answers import last_run_record, listed_changes
from gossamer.owner.duplicates_answers import (
    about_duplicates,
    listed_duplicates,
    shown_once,
    stand_ins,
)
from gossamer.owner.freshness_answers import fresh_pages, how_fresh
from gossamer.owner.handlers import Handlers, LocalAnswer, Parts
from gossamer.owner.health import (
    DatabasePing,
    archive_part,
    disk_part,
    health_record,
    part,
    progress_part,
)
from gossamer.owner.log_answers import log_lines
from gossamer.owner.messages import AnswerError, Answering, Record, UnableError, ask
from gossamer.owner.node_answers import NodesPing, covered_nodes, node_reports
from gossamer.owner.node_steering import steer_nodes
from gossamer.owner.page_answers import (
    about_host,
    about_page,
    fetch_query,
    fetch_record,
    known_nodes,
    known_sitemaps,
    linking_pages,
    problem_pages,
    problems_by_page,
    problems_query,
)
from gossamer.owner.questions import (
    AboutHost,
    AboutPage,
    ChangeExpression,
    Configure,
    CoveredNodes,
    Delays,
    ExportGraph,
    Expressions,
    Health,
    Hosts,
    HowFresh,
    LinksTo,
    ListChanges,
    ListDuplicates,
    LogLines,
    NodeReports,
    Nodes,
    Problems,
    Query,
    Question,
    Reindex,
    ReportOn,
    SearchWords,
    SitemapsOf,
    StandIns,
    Status,
    SteerNodes,
    Who,
)
from gossamer.owner.records import (
    cost_record,
    counts_record,
    delay_record,
    disk_record,
    graph_record,
    host_record,
    page_record,
)
from gossamer.owner.report_answers import report_on
from gossamer.owner.told import WhoTold
from gossamer.owner.words_answers import (
    behind_record,
    behind_trouble,
    words_record,
    words_trouble,
)
from gossamer.politeness.budget import allowance, brings_nothing_new
from gossamer.politeness.clock import HostClock
from gossamer.politeness.delay import pace_for
from gossamer.politeness.ledger import HostLedger
from gossamer.processes.sandbox import confinement_record
from gossamer.settings.node import OpenFolder
from gossamer.urls import host_of, seed, site_of
from gossamer.wording import quoted

COUNT_SECONDS: Final = 10.0  # for the graph to say how much it has; it may be busy or stuck
HOSTS_AT_ONCE: Final = 500  # a frontier that is busy with a crawl is left alone in between


def _not_held(_: str) -> HostLedger | None:
    """Nobody holds a host."""
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Activity:
    """What only the process that owns the folder knows: how its crawl or its proxy stands."""

    run: Callable[[], Record] | None = None  # how a crawl under way stands
    ledger: Callable[[str], HostLedger | None] = _not_held  # newer than what is stored
    graph_busy: Callable[[], float] | None = None  # seconds, at the request in hand


IDLE: Final = Activity()
Graph = OpenGraph | SteadyGraph
"""A graph that is open: of a folder, on a server, or one that a crawl fills."""


@dataclass(kw_only=True)
class FolderAnswers:
    """Answers that a data folder has for whoever owns it: from the frontier, the graph and the words."""

    data: DataFolder
    command: str  # that owns the folder
    place: OpenFolder  # on a connection of its own
    config: Config
    frontier_thread: FrontierThread  # and with a thread of its own
    graph: Callable[[], Awaitable[Graph]]
    words: Searchable
    are_words_followed: bool = False  # by whoever crawls: else whoever searches waits for them
    activity: Activity = IDLE
    ping: DatabasePing
    nodes_ping: NodesPing  # what that found out about the nodes
    progress_seconds: float = 2.0  # between two words of how far a long piece of work is

    @cached_property
    def frontier(self) -> SqlFrontier:
        """The frontier, for reading; made when it is first needed: who queries the graph needs none."""
        return self.place.frontier(self.config, limits_of(self.config))

    @cached_property
    def ledgers(self) -> Mapping[str, HostLedger]:
        """The hosts' ledgers as they are stored; for the frontier_thread to read."""
        # By way of the frontier: once its thread reads the store, nobody else may.
        return StoredHosts(self.frontier.store)

    def handlers(self, answering: Answering) -> Handlers:
        """Handlers for questions that every owner can answer; `answering` is asked what only some can."""
        return (
            Handlers()
            .on(Status, self._status)
            .on(Who, self.who)
            .on(Health, self._health)
            .on_stream(Hosts, self._hosts)
            .on(AboutHost, partial(about_host, self))
            .on(SitemapsOf, partial(known_sitemaps, self))
            .on(AboutPage, partial(about_page, self))
            .on(LinksTo, partial(linking_pages, self))
            .on(Nodes, partial(known_nodes, self))
            .on(CoveredNodes, partial(covered_nodes, self))
            .on(SteerNodes, partial(steer_nodes, self))
            .on(NodeReports, partial(node_reports, self))
            .on(LogLines, partial(log_lines, self))
            .on(Problems, partial(problem_pages, self))
            .on(ListChanges, partial(listed_changes, self))
            .on(ListDuplicates, partial(listed_duplicates, self))
            .on(StandIns, partial(stand_ins, self))
            .on(ReportOn, partial(report_on, self))
            .on(HowFresh, partial(how_fresh, self))
            .on(Delays, self._delays)
            .on_stream(Query, self._query)
            .on_stream(ExportGraph, self._export)
            .on(SearchWords, self._search)
            .on_stream(Reindex, self._reindex)
            .on(Expressions, self._expressions)
            .on(ChangeExpression, partial(self._change_expression, answering))
        )

    def take_over(self) -> None:
        """Void the leases of whoever owned the folder before us; for the frontier_thread to do."""
        self.place.take_over(self.frontier)

    def doing(self, act: Callable[[], object]) -> Callable[[Question], Awaitable[WhoTold]]:
        """A handler that acts, and says who does."""

        async def handle(_: Question) -> WhoTold:
            act()
            return await self.who()

        return handle

    async def _status(self, _: Status) -> Record:
        counts = await self.frontier_thread.do(self.frontier.counts)
        causes = await self.frontier_thread.do(self.frontier.causes)
        not_followed = await self.frontier_thread.do(self.frontier.refusals)
        graph, trouble = await self._count_graph()
        words = await self.frontier_thread.do(words_record, self.data)
        return {
            "data": str(self.data.path.resolve()),
            "frontier": self.place.where,
            "owner": {"process": os.getpid(), "command": self.command},
            "run": self._run(),
            **counts_record(counts, causes, not_followed),
            "graph": graph,
            "graph_trouble": trouble or self._graph_trouble(),
            "changes": await asyncio.to_thread(last_run_record, self.data),
            "wanted": await self._wanted(),
            "fresh": await fresh_pages(self),
            "words": words,
            "words_trouble": await self._words_trouble(words),
            "confined": confinement_record(),
            "over_budget": [
                asdict(each)
                for each in await self.frontier_thread.do(self.frontier.sites_over_budget)
            ],
            "hidden_links": {
                way.name.lower(): each._asdict()
                for way, each in (
                    await self.frontier_thread.do(self.frontier.hidden_yields)
                ).items()
            },
            "disk": await self.frontier_thread.do(disk_record, self.data),
            "disk_free": shutil.disk_usage(self.data.path).free,
            "archive_folders": [
                each.record()
                for each in await asyncio.to_thread(all_rooms, self.data.archive_folder)
            ],
        }

    async def _count_graph(self) -> tuple[Record | None, str | None]:
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

    async def _health(self, _: Health) -> Record:
        """The health of the owner: what is wrong, and how much is still on its way."""
        # In a thread of its own: whoever looks after us waits for nothing that the frontier does.
        words = await asyncio.to_thread(words_record, self.data)
        run = self._run()
        queues: Mapping[str, int] = run["queues"] if run else {}
        parts = {
            "database": {**await self.ping.look(), "where": self.place.where or "the folder"},
            "nodes": part(self.nodes_ping.trouble),
            "graph": part(self._graph_trouble(), busy_seconds=round(self._graph_busy(), 3)),
            "words": part(await self._words_trouble(words)),
            "disk": disk_part(self.data.disk_folders(), self.config.crawl.min_free_disk),
            "archive": await asyncio.to_thread(
                archive_part, self.data.archive_folder, self.config.crawl.min_free_disk
            ),
        }
        behind = behind_record(words, queues.get("graph", 0))
        return health_record(parts, progress_part(run), behind, await self.who())

    async def _words_trouble(self, words: Record | None) -> str | None:
        """What is wrong with the words: they are stuck, or far behind."""
        stuck = await asyncio.to_thread(words_trouble, self.data)
        return stuck or behind_trouble(words, is_followed=self.are_words_followed)

    def _graph_trouble(self) -> str | None:
        """Whether the process of the graph is at one request for long; nobody opens it for that."""
        seconds = self._graph_busy()
        if seconds < COUNT_SECONDS:
            return None
        return f"The process of the graph has been at one request for {seconds:.0f} s."

    def _graph_busy(self) -> float:
        return self.activity.graph_busy() if self.activity.graph_busy else 0.0

    async def _hosts(self, question: Hosts, _: LocalAnswer) -> Parts:
        """A line of JSON a host, of those after one; whoever has enough of them leaves."""
        stage = None if question.stage is None else HostStage(question.stage)
        at_once = min(HOSTS_AT_ONCE, question.limit or HOSTS_AT_ONCE)
        ask = partial(self.frontier.hosts, limit=at_once, stage=stage)
        after = question.after or ""
        while hosts := await self.frontier_thread.do(ask, after=after):
            after, now = hosts[-1].host, now_utc()
            records = (self.host_record(host, now) for host in hosts)
            yield b"".join(json.dumps(each).encode() + b"\n" for each in records)

    def host_record(self, host: HostState, now: datetime) -> Record:
        """One host, as the frontier and who has it in hand know it."""
        ledger = self.activity.ledger(host.host)
        pace = pace_for(host.host, self.frontier.politeness)
        return host_record(host, None if ledger is None else ledger.clock, pace, now)

    async def ask_graph(self, query: str) -> bytes:
        """The answer to a query of our own, as JSON."""
        return await (await self.graph()).query(GraphQuery(query, ("json",))).read()

    def _query(self, asked: Query, answer: LocalAnswer) -> Parts:
        return self._parts(lambda graph: graph.query(asked), answer)

    def _export(self, asked: ExportGraph, answer: LocalAnswer) -> Parts:
        return self._parts(lambda graph: graph.export(asked), answer)

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
            "about_fetches": found.about_fetches,
            "left_out": found.left_out,
            "hints": list(found.hints),
            "cut": found.cut,
            "seconds": round(found.took, 6),
        }
        if found.timing is not None:
            counts = await (await self.graph()).counts()
            answer.end = {**answer.end, "cost": cost_record(found.timing, counts)}

    async def explained(self, url: str, decided: Record) -> Record:
        """What is decided about a URL, with what the crawl knows of it and of its site."""
        return {
            **decided,
            # What was known before its form was asked for stays known.
            "page": await self.known_of(decided.get("url") or url) or await self.known_of(url),
            "site_budget": await self._site_budget(url),
            **await self._duplicates(decided.get("url") or url),
            "prospect": await self._prospect(url),
        }

    async def _duplicates(self, text: str) -> Record:
        """The group of a page, and what is known of its URL's parameters."""
        url = seed(text)
        if isinstance(url, Refusal):
            return {"duplicates": None, "parameters": []}
        return await self.frontier_thread.do(about_duplicates, self.frontier, url)

    async def _wanted(self) -> Record | None:
        """What was found of what is wanted: as the crawl that runs sees it, or its sums."""
        run, focus = self._run(), self.config.focus
        if run is not None and run.get("wanted"):
            return dict(run["wanted"])
        if not (focus.want or focus.words):
            return None
        harvest = Harvest()
        harvest.note(await self.frontier_thread.do(self.frontier.wanted_counts))
        return dict(harvest.record())

    async def _prospect(self, text: str) -> Record | None:
        """What a URL is likely to bring of what is wanted, where something is."""
        url, focus = seed(text), self.config.focus
        if isinstance(url, Refusal) or not (focus.want or focus.words):
            return None
        found = await self.frontier_thread.do(self.frontier.prospect, url)
        return None if found is None else found._asdict()

    async def _site_budget(self, text: str) -> Record | None:
        """What the site of a URL has us keep, as a person typed it."""
        url = seed(text)
        if isinstance(url, Refusal):
            return None
        site = site_of(host_of(url))
        kept = await self.frontier_thread.do(self.frontier.site_budget, site)
        is_new = not brings_nothing_new(kept.content, kept.repeated)
        less = None if is_new else allowance(0, self.config.budget, is_new=False)
        return {**asdict(kept), "less": less}

    async def known_of(self, text: str) -> Record | None:
        """What the crawl knows of a URL, as a person typed it."""
        url = seed(text)
        if isinstance(url, Refusal):
            return None
        page = await self.frontier_thread.do(self.frontier.page, url)
        if page is None:
            rule = await self.frontier_thread.do(self.frontier.refusal, url)
            return None if rule is None else {"state": "not followed", "why": rule}
        told = problems_by_page(await self.ask_graph(problems_query([url])))
        return {
            **page_record(page),
            "fetch": fetch_record(await self.ask_graph(fetch_query(url))),
            "told": told.get(fetch_graph(page_name(url)), []),
        }

    async def _delays(self, question: Delays) -> Record:
        """A page of hosts, by name, with what each has to be waited for."""
        limit = question.limit or HOSTS_AT_ONCE
        # One more, to see whether there is a next page.
        known = await self.frontier_thread.do(
            partial(self.frontier.clocks, after=question.after or "", limit=limit + 1)
        )
        politeness, now = self.frontier.politeness, now_utc()
        hosts = [
            delay_record(
                host, _newer(self.activity.ledger(host), clock), pace_for(host, politeness), now
            )
            for host, clock in known[:limit]
        ]
        return {"hosts": hosts, "next": hosts[-1]["host"] if len(known) > limit else None}

    async def _search(self, question: SearchWords) -> Record:
        found = await self.words.search(question.search, fresh=not self.are_words_followed)
        if question.search.fold:
            pages = [Url(page) for result in found["results"] for page in result["pages"]]
            instead = await self.frontier_thread.do(self.frontier.stand_ins, pages)
            found = {**found, "results": shown_once(found["results"], instead)}
        return {**found, **await covered_nodes(self)}

    async def _reindex(self, _: Reindex, answer: LocalAnswer) -> Parts:
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

    async def who(self, _: Who | None = None) -> WhoTold:
        """Which process this is, and what it is about."""
        run = self._run()
        state = run.get("state") if run else None
        return {"process": os.getpid(), "command": self.command, "state": state}

    def _run(self) -> Record | None:
        return self.activity.run() if self.activity.run else None

    async def _expressions(self, _: Expressions) -> Record:
        added = await self.frontier_thread.do(self.frontier.scope_expressions.all)
        return {"expressions": [each._asdict() for each in added], "crawl": None}

    async def _change_expression(self, answering: Answering, asked: ChangeExpression) -> Record:
        """The expressions after the change, and what whoever crawls makes of it."""
        stored = self.frontier.scope_expressions
        change = stored.add if asked.change == "add" else stored.remove
        if not await self.frontier_thread.do(change, asked.kind, asked.expression):
            raise AnswerError(_nothing_to(asked))
        taken_up: Record | None = None
        with suppress(UnableError):
            taken_up = await ask(answering, Configure((f"scope.{asked.kind}",)))
        return {**await self._expressions(Expressions()), "crawl": taken_up}


def _newer(ledger: HostLedger | None, stored: HostClock) -> HostClock:
    return stored if ledger is None else ledger.clock


def _nothing_to(asked: ChangeExpression) -> str:
    text, key = quoted(asked.expression), f"scope.{asked.kind}"
    if asked.change == "add":
        return f"{text} was added to {key} before."
    return (
        f"{text} was not added to {key}. `gossamer config added` lists what was; "
        "what the configuration says is changed with `gossamer config set`."
    )
