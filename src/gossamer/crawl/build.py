"""Build a crawl of its parts, and take them down in order; nothing runs through here in between."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from gossamer import __version__
from gossamer.archive.writer import Archive
from gossamer.config import MIB, Config
from gossamer.crawl.admission import Admission, Scoping
from gossamer.crawl.archive_moves import take_up_moves
from gossamer.crawl.backlog import Backlog
from gossamer.crawl.batches import Batches, UnderWay
from gossamer.crawl.focus import HarvestWatch, hold_to_focus
from gossamer.crawl.freshness import KeepFresh, hold_to_freshness
from gossamer.crawl.handle import CrawlHandle
from gossamer.crawl.heartbeat import begin_heartbeat, crawl_heartbeat, end_heartbeat
from gossamer.crawl.learned_parameters import hear_of_rules
from gossamer.crawl.loop import Crawl
from gossamer.crawl.page_requests import PageRequests
from gossamer.crawl.plain_seeds import PlainSeeds
from gossamer.crawl.progress import Progress
from gossamer.crawl.reader import Contexts, PageReader
from gossamer.crawl.reconfigure import Changes
from gossamer.crawl.report_keeper import ReportKeeper
from gossamer.crawl.run_limits import Remaining, RunLimits, hold_to_budget, hold_to_ranking
from gossamer.crawl.site_files import LICENCE, TDM_FILE, SiteFiles
from gossamer.crawl.sitemaps import SitemapReader
from gossamer.crawl.steady_graph import SteadyGraph, refuse_lost
from gossamer.crawl.troubled_hosts import BotWalls, SlowReadings, reopen_all
from gossamer.crawl.unsettled import UnsettledPages
from gossamer.crawl.verdicts import Judge
from gossamer.crawl.wishes import WishFollower
from gossamer.events import (
    ArchiveDamaged,
    ArchiveMended,
    ChangesNotPosted,
    LessConfined,
    ServiceAway,
    WordsTrouble,
)
from gossamer.fetch.agent import accept, user_agent
from gossamer.fetch.http import HttpFetcher
from gossamer.fetch.webhook import Webhook
from gossamer.folder.data import DataFolder
from gossamer.folder.full_disk import FullDisk
from gossamer.frontier.facts import with_expressions
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import NewUrl
from gossamer.frontier.thread import FrontierThread
from gossamer.history.posting import ChangePosts, posting_changes
from gossamer.history.store import ChangeHistory
from gossamer.history.undelivered import UndeliveredChanges
from gossamer.identity import signature_by
from gossamer.index.graph.client import GraphProcess
from gossamer.index.opening import (
    NoWords,
    OpenGraph,
    SharedJournal,
    open_graph,
    open_words,
    servers_of,
)
from gossamer.log import Sink, both
from gossamer.model import Url
from gossamer.moments import now_utc
from gossamer.politeness.ledger import Ledger
from gossamer.politeness.priority import MOST
from gossamer.politeness.ranking import Ranking
from gossamer.processes.interpreter import set_for_crawling
from gossamer.processes.sandbox import find_confinement
from gossamer.reading.page_pool import TransformPool
from gossamer.reading.wanted import wanted_syntaxes, worth_downloading
from gossamer.sending.client import PoliteClient
from gossamer.sending.common_limits import limits_among_nodes
from gossamer.sending.hosts.leased import Holdings, longest_request
from gossamer.settings.sources import Settings
from gossamer.sinks.protocol import PageSink
from gossamer.site_report.options import report_options
from gossamer.urls.forms import forms_by
from gossamer.urls.scope import SeedScope

LOOK_AGAIN: Final = 0.5  # seconds: there may be many who look
MOST_PAGES: Final = 1_000  # answers on their way from the network to the disk
MOST_PAGES_BYTES: Final = 64 * MIB  # of their bodies; what is made of them is a few times that


@dataclass(frozen=True, slots=True)
class _Parts:
    """What outlives the crawl that is made of it, by a little."""

    data: DataFolder
    config: Config
    frontier: SqlFrontier
    frontier_thread: FrontierThread
    full_disk: FullDisk
    http: HttpFetcher
    graph: SteadyGraph
    journal: SharedJournal
    pool: TransformPool
    archive: Archive | None
    history: ChangeHistory | None
    reports: ReportKeeper | None
    progress: Progress
    tell: Sink


async def no_other_order(_: FrontierThread) -> object:
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
    written: Callable[[], Settings] | None = None,
    give_up: Callable[[], None] = lambda: None,
    order: Callable[[FrontierThread], Awaitable[object]] = no_other_order,
    instead: Mapping[Url, Url] | None = None,
    sinks: Sequence[PageSink] = (),
    while_built: Callable[[FullDisk], None] = lambda _: None,
) -> AsyncIterator[CrawlHandle]:
    """A crawl ready to run, in a folder that the caller owns.

    `settings` reads the configuration anew, whenever it may have changed: the folder's, or the
    `order` that nodes share; `written` does so by the user's file as it is now. `give_up` has whoever waits for the frontier's server wait no longer.
    `instead` has the http forms of seeds whose scheme nobody named. `sinks` are handed each page before
    it is settled; they stay the caller's. `while_built` gets what waits for room on the disk before there
    is a crawl to be stopped.
    """
    data = data.placed(config.index)
    form = forms_by(config.urls).apply
    seeds = [form(seed) for seed in seeds]
    instead = {form(seed): form(plain) for seed, plain in (instead or {}).items()}
    # Before anything that takes long: who is stopped meanwhile goes on with them.
    frontier.add([NewUrl(seed, priority=MOST, seed=True) for seed in seeds])
    plain_seeds = PlainSeeds(tell)
    plain_seeds.begin(frontier, seeds, instead)
    scope_now = with_expressions(config.scope, frontier.scope_expressions.all())
    config = replace(config, scope=scope_now)
    progress = Progress(now_utc())
    async with AsyncExitStack() as life:
        life.enter_context(set_for_crawling())
        tell = both(tell, progress.hear, plain_seeds.hear)
        full_disk = FullDisk(tell, patience=config.index.patience)
        while_built(full_disk)
        parts = await _parts(life, data, config, frontier, full_disk, give_up, progress, tell)
        await parts.frontier_thread.do(hold_to_budget, frontier, config.budget)
        await parts.frontier_thread.do(hold_to_ranking, frontier, Ranking.of(config.crawl))
        await parts.frontier_thread.do(hold_to_freshness, frontier, config.freshness)
        await parts.frontier_thread.do(frontier.learn_parameters, config.urls.learned)
        await parts.frontier_thread.do(hold_to_focus, frontier, config)
        await parts.frontier_thread.do(reopen_all, frontier)
        await parts.frontier_thread.do(frontier.contexts.pack_all, config.crawl.context_bytes)
        scope = SeedScope(config.scope, await parts.frontier_thread.do(frontier.seeds))
        running = _handle(parts, scope, plain_seeds)
        crawl = running.crawl
        await crawl.remaining.scoping.catch_up()
        crawl.services.append(partial(plain_seeds.run, running))
        crawl.batches.sinks, crawl.reader.find_items = sinks, bool(sinks)
        crawl.services += [partial(sink.run, crawl) for sink in sinks]
        if settings is not None:
            expressions = partial(parts.frontier_thread.do, frontier.scope_expressions.all)
            running.changes = Changes(
                data,
                config,
                settings(),
                settings,
                written or settings,
                running.configure,
                parts.tell,
                expressions,
                partial(order, parts.frontier_thread),
            )
            crawl.services.append(running.changes.watch)
        running.heartbeat = crawl_heartbeat(running)
        running.heartbeat.listeners.append(WishFollower(running))
        crawl.services.append(partial(begin_heartbeat, running))
        if frontier.is_shared:
            crawl.look_again = LOOK_AGAIN
            crawl.services.append(crawl.remaining.scoping.listen)
            if config.index.url is None:  # each node has a graph of its own
                crawl.batches.unsettled = life.enter_context(
                    closing(UnsettledPages(data.unsettled_file))
                )
                crawl.services.append(crawl.batches.follow_left_over)
        try:
            async with following(parts, running), telling_changes(parts):
                yield running
        finally:
            await end_heartbeat(running)


@asynccontextmanager
async def following(parts: _Parts, running: CrawlHandle) -> AsyncIterator[None]:
    """Words that follow the graph while the crawl runs, and take up what is left at its end."""
    data, config, graph = parts.data, parts.config, parts.graph

    async def get() -> OpenGraph:
        return graph.present

    def tell(text: str) -> None:
        parts.tell(WordsTrouble(message=text))

    words = open_words(data, config, get, tell, parts.journal)
    running.words = words
    if isinstance(words, NoWords):
        if isinstance(present := graph.present, GraphProcess):
            await present.follow("")  # nobody would ever read what it notes
        yield
        return
    async with words:
        running.crawl.services.append(words.run)
        yield
        await running.finish()


@asynccontextmanager
async def telling_changes(parts: _Parts) -> AsyncIterator[None]:
    """Post what changes while the crawl runs, where somebody wants to be told."""
    config = parts.config
    webhook = Webhook.of(config.changes.webhook, config.changes.secret, config.fetch)
    if webhook is None:
        yield
    elif parts.history is None:
        parts.tell(ChangesNotPosted(why="history.keep is 0, so nothing is compared"))
        yield
    else:
        queue = UndeliveredChanges.open(parts.data.changes_file)
        async with posting_changes(ChangePosts(queue, webhook, parts.tell)):
            yield


async def _parts(
    life: AsyncExitStack,
    data: DataFolder,
    config: Config,
    frontier: SqlFrontier,
    full_disk: FullDisk,
    give_up: Callable[[], None],
    progress: Progress,
    tell: Sink,
) -> _Parts:
    frontier_thread = life.enter_context(FrontierThread("frontier", full_disk, give_up))
    frontier.between = (
        frontier_thread.between
    )  # so that leases are renewed, however long a walk takes
    agent = user_agent(config.politeness, __version__)
    http = await life.enter_async_context(
        HttpFetcher(
            config.fetch,
            agent,
            now=now_utc,
            keep_off=servers_of(config),
            sign=signature_by(data, config.identity, now_utc),
        )
    )
    # Workers load what they need while the graph is opened, which we wait for.
    pool = await life.enter_async_context(
        TransformPool(
            config.transform,
            workers=config.crawl.workers,
            patience=config.politeness.patience,
        )
    )
    if missing := find_confinement().missing:
        tell(LessConfined(missing="; ".join(missing)))
    journal = SharedJournal(frontier.store, frontier.node, frontier_thread.do)
    graph = await life.enter_async_context(
        SteadyGraph(lambda: open_graph(data, config, journal=journal), tell)
    )
    if config.index.url is None:
        await refuse_lost(graph, frontier, frontier_thread, data.graph_folder)
    archive = None
    if config.archive.keep != "none":
        archive = Archive(
            data.archive_folder,
            config.archive,
            node=frontier.node,
            agent=agent,
            least_free=config.crawl.min_free_disk,
        )
        life.callback(archive.close)
        for news in archive.take_news():
            tell(news)
        tell_of_mending(archive, tell)
        await frontier_thread.do(take_up_moves, archive, frontier)
    history = None
    if config.history.keep:
        history = ChangeHistory.open(data.changes_file)
        life.callback(history.close)
    reports = None
    if config.report.keep:
        reports = ReportKeeper.open(data, config)
        life.callback(reports.close)
    return _Parts(
        data,
        config,
        frontier,
        frontier_thread,
        full_disk,
        http,
        graph,
        journal,
        pool,
        archive,
        history,
        reports,
        progress,
        tell,
    )


def _handle(parts: _Parts, scope: SeedScope, plain_seeds: PlainSeeds) -> CrawlHandle:
    config, frontier, frontier_thread = parts.config, parts.frontier, parts.frontier_thread
    admission = Admission(config, scope)
    judge = Judge(config, admission)
    holdings = Holdings(frontier, frontier_thread, now_utc, longest_request(config.fetch))
    ledger = Ledger(config.politeness, holdings.ledgers)
    common = limits_among_nodes(frontier, frontier_thread, config, now_utc)
    client = PoliteClient(
        config,
        parts.http,
        ledger,
        holdings,
        parts.tell,
        now=now_utc,
        hosts=holdings,
        common=common,
    )
    parts.pool.services.tell = lambda message: parts.tell(ServiceAway(message=message))
    parts.pool.heard = SlowReadings(frontier, frontier_thread, ledger, now_utc, parts.tell).note
    limits = RunLimits(config, parts.data, parts.progress, now_utc, archive=parts.archive)
    sitemaps = SitemapReader(
        config, frontier, frontier_thread, client, parts.pool, admission, now_utc, limits
    )
    under_way = UnderWay()
    crawl = Crawl(
        frontier=frontier,
        frontier_thread=frontier_thread,
        holdings=holdings,
        http=parts.http,
        requests=PageRequests(
            config=config,
            frontier=frontier,
            frontier_thread=frontier_thread,
            client=client,
            judge=judge,
            sitemaps=sitemaps,
            tdm_files=SiteFiles(TDM_FILE, config, frontier, frontier_thread, client, now_utc),
            licences=SiteFiles(LICENCE, config, frontier, frontier_thread, client, now_utc),
            accept=accept(wanted_syntaxes(config.transform.only)),
            wanted=worth_downloading(config.transform),
            now=now_utc,
            limits=limits,
            walls=BotWalls(frontier, frontier_thread, ledger, now_utc, parts.tell),
        ),
        reader=PageReader(
            config,
            parts.pool,
            Contexts(config, frontier, frontier_thread, client, now_utc),
            report=report_options(config, parts.data),
        ),
        judge=judge,
        batches=Batches(
            frontier=frontier,
            frontier_thread=frontier_thread,
            holdings=holdings,
            graph=parts.graph,
            archive=parts.archive,
            full_disk=parts.full_disk,
            tell=parts.tell,
            progress=parts.progress,
            under_way=under_way,
            now=now_utc,
            history=parts.history,
            kept_history=config.history,
            reports=parts.reports,
            counts_hidden=config.crawl.hidden_links or config.crawl.forms > 0,
        ),
        backlog=Backlog(MOST_PAGES, MOST_PAGES_BYTES),
        under_way=under_way,
        limits=limits,
        remaining=Remaining(
            frontier,
            frontier_thread,
            limits,
            Scoping(frontier, frontier_thread, admission, now_utc),
            sitemaps,
        ),
        concurrency=config.crawl.concurrency,
        now=now_utc,
    )
    if common is not None:
        crawl.services.append(common.run)
    if frontier.is_shared:
        crawl.services.append(partial(hear_of_rules, frontier, frontier_thread))
    fresh = KeepFresh(frontier, frontier_thread, limits, now_utc, crawl.changed.set)
    crawl.services.append(fresh.run)
    sitemaps.heard = None if parts.reports is None else crawl.batches.note_listed
    watch = HarvestWatch(frontier, frontier_thread, limits, crawl.changed.set)
    crawl.batches.settled_more = watch.look
    crawl.services.append(watch.run)
    crawl.remaining.began_to_wait = crawl.batches.begin_news
    return CrawlHandle(
        config,
        parts.data,
        crawl,
        frontier,
        frontier_thread,
        parts.graph,
        parts.progress,
        plain_seeds,
        fresh,
    )


def tell_of_mending(archive: Archive, tell: Sink) -> None:
    """Say what was found in files that nobody had closed."""
    for each in archive.mended:
        if each.left_alone is not None:
            tell(ArchiveDamaged(file=each.file, why=each.left_alone))
        else:
            tell(ArchiveMended(file=each.file, records=each.records, cut_bytes=each.cut_bytes))
