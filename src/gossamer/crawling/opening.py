"""Everything that a crawl needs, built and taken down in order."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from gossamer import __version__
from gossamer.config import MIB, Config
from gossamer.crawl import Crawl
from gossamer.crawling.admission import Admission
from gossamer.crawling.batches import Batches
from gossamer.crawling.changes import Changes
from gossamer.crawling.clerk import Clerk
from gossamer.crawling.closed_hosts import reopen_all
from gossamer.crawling.contexts import Contexts
from gossamer.crawling.full_disk import FullDisk
from gossamer.crawling.graphs import SteadyGraph
from gossamer.crawling.holding import Holdings, longest_request
from gossamer.crawling.interpreter import set_for_crawling
from gossamer.crawling.mending import take_up_moves, tell_of_mending
from gossamer.crawling.places import AnswerPlaces
from gossamer.crawling.plain_seeds import PlainSeeds
from gossamer.crawling.progress import Progress
from gossamer.crawling.reading import Reader
from gossamer.crawling.running import Running
from gossamer.crawling.scoping import Scoping
from gossamer.crawling.sitemaps import SitemapReader
from gossamer.crawling.slow_readings import SlowReadings
from gossamer.crawling.statements import graphs_of
from gossamer.crawling.stops import Stops, hold_to_budget, limits_of
from gossamer.crawling.verdicts import Judge, Verdict
from gossamer.crawling.visiting import Visitor
from gossamer.data import DataFolder
from gossamer.events import LessConfined, SiteOverBudget, WordsTrouble
from gossamer.fetch.agent import user_agent
from gossamer.fetch.archive.writer import Archive
from gossamer.fetch.http import HttpFetcher
from gossamer.fetch.negotiate import accept
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import NewUrl, Settled
from gossamer.frontier.scope_expressions import with_expressions
from gossamer.graph import graph_of, servers_of
from gossamer.index.client import GraphProcess
from gossamer.log import Sink, both
from gossamer.lost_graph import refuse_lost
from gossamer.model import Url
from gossamer.moments import now_utc
from gossamer.page_pool import TransformPool
from gossamer.polite import PoliteClient
from gossamer.politeness.ledger import Ledger
from gossamer.politeness.priority import MOST
from gossamer.processes.sandbox import find_confinement
from gossamer.settings import Settings
from gossamer.syntaxes import wanted_syntaxes
from gossamer.urls.scope import SeedScope
from gossamer.words import NoWords, words_of
from gossamer.worth import worth_downloading

__all__ = ["Running", "limits_of", "open_crawl"]

LOOK_AGAIN: Final = 0.5  # seconds: there may be many who look
PLACES: Final = 1_000  # answers on their way from the network to the disk
PLACES_BYTES: Final = 64 * MIB  # of their bodies; what is made of them is a few times that


@dataclass(frozen=True, slots=True)
class _Parts:
    """What outlives the crawl that is made of it, by a little."""

    data: DataFolder
    config: Config
    frontier: SqlFrontier
    clerk: Clerk
    full_disk: FullDisk
    http: HttpFetcher
    graph: SteadyGraph
    pool: TransformPool
    archive: Archive | None
    progress: Progress
    tell: Sink


async def no_other_order(_: Clerk) -> object:
    """What a crawl of one node hears from others."""
    return None


@asynccontextmanager
async def open_crawl(
    data: DataFolder,
    config: Config,
    frontier: SqlFrontier,
    seeds: Sequence[Url],
    tell: Sink,
    *,
    settings: Callable[[], Settings] | None = None,
    give_up: Callable[[], None] = lambda: None,
    order: Callable[[Clerk], Awaitable[object]] = no_other_order,
    instead: Mapping[Url, Url] | None = None,
) -> AsyncIterator[Running]:
    """A crawl ready to run, in a folder that the caller owns.

    `settings` reads the configuration anew, whenever it may have changed: the folder's, or the
    `order` that nodes share. `give_up` has whoever waits for the frontier's server wait no longer.
    `instead` has the http forms of seeds whose scheme nobody named.
    """
    # Before anything that takes long: who is stopped meanwhile goes on with them.
    frontier.add([NewUrl(seed, priority=MOST, seed=True) for seed in seeds])
    plain_seeds = PlainSeeds(tell)
    plain_seeds.begin(frontier, seeds, instead or {})
    scope_now = with_expressions(config.scope, frontier.scope_expressions.all())
    config = replace(config, scope=scope_now)
    progress = Progress(now_utc())
    async with AsyncExitStack() as life:
        life.enter_context(set_for_crawling())
        tell = both(tell, progress.hear, plain_seeds.hear)
        parts = await _parts(life, data, config, frontier, give_up, progress, tell)
        await parts.clerk.do(hold_to_budget, frontier, config.budget)
        await parts.clerk.do(reopen_all, frontier)
        await parts.clerk.do(frontier.contexts.pack_all, config.crawl.context_bytes)
        scope = SeedScope(config.scope, await parts.clerk.do(frontier.seeds))
        running = _running(parts, scope)
        await running.stops.scoping.catch_up()
        running.crawl.beside = (
            partial(plain_seeds.run, running),
            partial(running.stops.watch, running.crawl.stop),
        )
        running.expect = partial(plain_seeds.expect_more, running)
        if settings is not None:
            expressions = partial(parts.clerk.do, frontier.scope_expressions.all)
            running.changes = Changes(
                data.runtime_file,
                config,
                settings,
                running.configure,
                parts.tell,
                expressions,
                partial(order, parts.clerk),
            )
            running.crawl.beside = (*running.crawl.beside, running.changes.watch)
        if frontier.is_shared:
            running.crawl.look_again = LOOK_AGAIN
            running.crawl.beside = (*running.crawl.beside, running.stops.scoping.listen)
        async with following(parts, running):
            yield running


@asynccontextmanager
async def following(parts: _Parts, running: Running) -> AsyncIterator[None]:
    """Words that follow the graph while the crawl runs, and take up what is left at its end."""
    data, config, graph = parts.data, parts.config, parts.graph

    async def get() -> GraphProcess:
        return graph.in_folder()

    words = words_of(data, config, get, lambda text: parts.tell(WordsTrouble(message=text)))
    running.words = words
    if isinstance(words, NoWords):
        if config.index.url is None:
            await graph.in_folder().follow("")  # nobody would ever read what it notes
        yield
        return
    async with words:
        running.crawl.beside = (*running.crawl.beside, words.run)
        running.finish = partial(words.finish, running.crawl.visitor.stopping)
        yield
        await running.finish()


async def _parts(
    life: AsyncExitStack,
    data: DataFolder,
    config: Config,
    frontier: SqlFrontier,
    give_up: Callable[[], None],
    progress: Progress,
    tell: Sink,
) -> _Parts:
    full_disk = FullDisk(tell, patience=config.index.patience)
    clerk = life.enter_context(Clerk("frontier", full_disk, give_up))
    frontier.between = clerk.between  # so that leases are renewed, however long a walk takes
    agent = user_agent(config.politeness, __version__)
    http = await life.enter_async_context(
        HttpFetcher(config.fetch, agent, keep_off=servers_of(config))
    )
    # Workers load what they need while the graph is opened, which we wait for.
    pool = await life.enter_async_context(
        TransformPool(config.transform, workers=config.crawl.workers)
    )
    if missing := find_confinement().missing:
        tell(LessConfined(missing="; ".join(missing)))
    graph = await life.enter_async_context(SteadyGraph(lambda: graph_of(data, config), tell))
    if config.index.url is None:
        await refuse_lost(graph, frontier, clerk, data.graph_folder)
    archive = None
    if config.archive.keep:
        archive = Archive(data.archive_folder, config.archive, node=frontier.node, agent=agent)
        life.callback(archive.close)
        tell_of_mending(archive, tell)
        await clerk.do(take_up_moves, archive, frontier)
    return _Parts(
        data, config, frontier, clerk, full_disk, http, graph, pool, archive, progress, tell
    )


def _running(parts: _Parts, scope: SeedScope) -> Running:
    config, frontier, clerk = parts.config, parts.frontier, parts.clerk
    admission = Admission(config, scope)
    holdings = Holdings(frontier, clerk, now_utc, longest_request(config.fetch))
    ledger = Ledger(config.politeness, holdings.ledgers)
    client = PoliteClient(
        config, parts.http, ledger, holdings, parts.tell, holding=holdings.holding
    )
    judge = Judge(config, admission)
    scoping = Scoping(frontier, clerk, admission, now_utc)
    sitemaps = SitemapReader(config, frontier, clerk, client, parts.pool, admission, now_utc)
    stops = Stops(config, parts.data, frontier, clerk, scoping, sitemaps, parts.progress, now_utc)
    visitor = Visitor(
        config=config,
        frontier=frontier,
        clerk=clerk,
        holdings=holdings,
        client=client,
        judge=judge,
        sitemaps=sitemaps,
        accept=accept(wanted_syntaxes(config.transform.only)),
        wanted=worth_downloading(config.transform),
        now=now_utc,
        places=AnswerPlaces(PLACES, PLACES_BYTES),
        hand_on=lambda page, answer: crawl.hand_on(page, answer),
        is_behind=parts.pool.is_behind,
    )
    slow_readings = SlowReadings(frontier, clerk, ledger, now_utc, parts.tell)
    parts.pool.heard = slow_readings.note
    # They may take long: limits are looked at on the way.
    sitemaps.halted = lambda: visitor.is_halted or stops.over() is not None

    def kept(batch: Sequence[Verdict], settled: Settled) -> None:
        parts.progress.note(batch, settled.stale)
        for site, key in frontier.newly_over_budget():
            parts.tell(SiteOverBudget(site=site, key=key))
        crawl.kept(batch)

    crawl = Crawl(
        frontier=frontier,
        clerk=clerk,
        holdings=holdings,
        visitor=visitor,
        reader=Reader(config, parts.pool, Contexts(config, frontier, clerk, client, now_utc)),
        judge=judge,
        batches=Batches(
            frontier=frontier,
            clerk=clerk,
            holdings=holdings,
            graph=parts.graph,
            archive=parts.archive,
            graphs_of=lambda verdict: graphs_of(verdict, now_utc()),
            kept=kept,
            full_disk=parts.full_disk,
            tell=parts.tell,
            dry=lambda: crawl.is_dry,
            phases=parts.progress.phases,
        ),
        concurrency=config.crawl.concurrency,
        now=now_utc,
        over=stops.over,
        ending=stops.ending,
        resolve_ahead=parts.http.resolve_ahead,
    )
    return Running(config, parts.data, crawl, frontier, clerk, parts.graph, parts.progress, stops)
