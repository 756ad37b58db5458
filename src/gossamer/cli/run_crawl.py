"""What `gossamer crawl` does, from the seeds that were typed to the farewell; interrupts and absent servers included."""

import asyncio
import json
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, closing, nullcontext, suppress
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from functools import partial
from shlex import quote
from typing import Final

import click

from gossamer import __version__
from gossamer.cli.crawl_display import Live
from gossamer.cli.errors import DONE, FAILED, INTERRUPTED
from gossamer.cli.farewell import HOSTS_NAMED, farewell, partial_farewell
from gossamer.cli.folder import (
    ask_to_make_way,
    count_options,
    remembered_options,
    startup_warnings,
)
from gossamer.cli.interrupts import Interrupts
from gossamer.cli.listeners import (
    bind_proxy,
    bind_service,
    crawl_permits,
    is_address,
    proxy_handlers,
    serve_http,
    serve_proxy,
)
from gossamer.cli.node_errands import NodeErrands, crawl_errands
from gossamer.cli.options import (
    GIVEN,
    USUAL,
    effective_settings,
    usual_folder,
    written_settings,
)
from gossamer.cli.reloading import heed_hangups
from gossamer.cli.seeds import add_to_running, minimum_age, read_seed, seed_texts, what_was_added
from gossamer.cli.sinks import given_sinks, refuse_running
from gossamer.cli.terminal import emit, screen_on
from gossamer.cli.text import counted, terminal_width
from gossamer.config import Config
from gossamer.crawl.build import open_crawl
from gossamer.crawl.handle import CrawlHandle
from gossamer.crawl.loop import READER_GONE
from gossamer.crawl.progress import Summary
from gossamer.crawl.run_limits import hold_to, limits_of
from gossamer.errors import StorageAwayError
from gossamer.events import FrontierAway, Started, Stopped
from gossamer.fetch.agent import user_agent
from gossamer.folder.data import DataFolder
from gossamer.folder.full_disk import PatientLog
from gossamer.frontier.endings import Ending, EndKind
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import HostStage, Trouble
from gossamer.frontier.thread import FrontierThread
from gossamer.history.store import ChangeHistory
from gossamer.http.listening import url_of
from gossamer.index.opening import why_none
from gossamer.log import HumanLog, JsonLog, Sink, both
from gossamer.moments import now_utc
from gossamer.owner.cache_answers import cache_handlers, cache_of_urls, caches_of_client
from gossamer.owner.crawl_answers import answer_for_crawl, read_crawl
from gossamer.owner.handlers import Handlers
from gossamer.proxy.permits import Permits
from gossamer.sending.hosts.leased import lease_length
from gossamer.service.history import HistoryKeeper
from gossamer.settings.crawl_options import (
    GRAPH_KEYS,
    CrawlOptions,
    is_shared,
    keep_graph,
    keep_options,
    stored_graph,
    stored_options,
)
from gossamer.settings.node import OpenFolder, open_folder
from gossamer.sinks.opening import SHOWN, STANDARD_OUTPUT
from gossamer.sinks.protocol import PageSink
from gossamer.urls import plain_forms

NEXT: Final = "\n\nNext:"
NAMED: Final = 3  # pages, where none was had
OWNER_PATIENCE: Final = timedelta(seconds=3)  # a crawl lasts: who waits for one waits in vain
NO_SEED: Final = "Name a seed, such as example.org; there is no crawl to go on with."
QUIET_SECONDS: Final = 2.0  # in which nobody wonders what we are at
WORDS_TO_COME: Final = (
    "Words for search are made of the last pages, for a minute at most; Ctrl-C leaves that to the "
    "next search."
)


@dataclass(slots=True)
class Notices:
    """Passes on that the frontier's server is away, from whatever thread finds out."""

    pass_on: Callable[[str], object]

    def __call__(self, text: str) -> None:
        """Pass a sentence on."""
        self.pass_on(text)

    def as_events(self, tell: Sink) -> None:
        """From now on these are events, told in the thread of the event loop."""
        loop = asyncio.get_running_loop()
        self.pass_on = lambda text: loop.call_soon_threadsafe(tell, FrontierAway(message=text))


def run_crawl(
    seeds: tuple[str, ...],
    *,
    again: bool,
    older_than: str | None,
    serve: str | None,
    proxy: str | None,
    as_service: bool,
    outputs: Sequence[str],
    as_json: bool,
    data: DataFolder,
    is_step: bool = False,
) -> int:
    """Crawl, or add to the crawl that is running; the exit status. What to do next is not told of a step of another command."""
    if serve and not is_address(serve):  # `crawl --serve example.org`: that is a seed
        seeds, serve = (serve, *seeds), USUAL
    if proxy and not is_address(proxy):
        seeds, proxy = (proxy, *seeds), USUAL
    texts = [each for text in seeds for each in seed_texts(text)]
    urls = [read_seed(text) for text in texts]
    age = minimum_age(again, older_than)
    if not urls and not _may_go_on(data):
        raise click.UsageError(NO_SEED)
    if as_json and STANDARD_OUTPUT in outputs:
        raise click.UsageError(
            "-o - and --json both write to standard output: have the pages in a file, or leave --json out."
        )
    if outputs:
        refuse_running(data)
    if (added := add_to_running(data, texts, age)) is not None:
        _say(what_was_added(added))
        if as_json:
            emit(json.dumps(added))
        return DONE
    notices = Notices(_say)
    with (
        bind_service(serve, effective_settings(data).config.service) as ours,
        bind_proxy(proxy, effective_settings(data).config.proxy) as through,
        data.owned(ask_to_make_way(data, OWNER_PATIENCE)),
        given_sinks(outputs) as sinks,
        join_crawl(data, notices) as place,
    ):
        order, config = read_order(place)
        for each in startup_warnings(data):
            _say(each)
        if remembered := remembered_options(data):
            _say(remembered)
        frontier = place.frontier(config, limits_of(config), lease_length(config))
        place.take_over(frontier)
        if not urls and not frontier.seeds():
            raise click.UsageError(NO_SEED)
        hold_to(frontier, limits_of(config))
        keep_options(place, order)
        tell_where_quads_go(place)
        if age is not None:
            # A depth that an earlier command line gave limits new pages, not known ones.
            given = click.get_current_context().meta.get(GIVEN, {})
            count = frontier.refetch(now_utc() - age, within_depth="crawl.depth" in given)
            _say(f"{counted(count, 'page')} {'is' if count == 1 else 'are'} asked for again.")
            if data.changes_file.exists():
                with closing(ChangeHistory.open(data.changes_file)) as history:
                    history.begin_news(now_utc())
        interrupts = Interrupts(_say, place.give_up)
        try:
            # Seeds that are named, or known and asked for again, are what this run is about.
            since = now_utc() if texts or age is not None else None
            summary, no_seed_had = asyncio.run(
                _run(
                    place,
                    config,
                    frontier,
                    texts,
                    interrupts,
                    notices,
                    (ours, through),
                    since,
                    sinks,
                    is_step=is_step,
                )
            )
        except (StorageAwayError, BaseExceptionGroup) as error:
            ending = interrupts.stopped_by
            if ending is None or not is_away(error):
                raise
            known = interrupts.progress
            if known is None:
                _say(_stopped_meanwhile(data, ending))
            else:
                summary = known.partial_summary(ending.kind, now_utc())
                _say(partial_farewell(ending, summary, known.causes, _data_option(data)))
                if as_json:
                    emit(json.dumps(asdict(summary)))
            is_stop = ending.kind is EndKind.STOPPED
            return _stop_status(interrupts, as_service) if is_stop else FAILED
    if as_json:
        emit(json.dumps(asdict(summary)))
    if interrupts.stopped_by is READER_GONE:
        return DONE  # they have seen enough (`| head`)
    if summary.ended == EndKind.STOPPED:
        return _stop_status(interrupts, as_service)
    return FAILED if no_seed_had else DONE


def _stop_status(interrupts: Interrupts, as_service: bool) -> int:
    """The exit status after a stop; to a service manager, one that it asked for is no failure."""
    return DONE if as_service and not interrupts.by_ctrl_c else INTERRUPTED


def _may_go_on(data: DataFolder) -> bool:
    """Whether there may be a crawl; to be told before anything is written."""
    is_here = data.frontier_file.exists() or data.node_file.exists()
    return is_here or effective_settings(data).config.frontier.address is not None


def join_crawl(data: DataFolder, notices: Notices) -> AbstractContextManager[OpenFolder]:
    """The place of a crawl that begins or goes on here."""
    given = effective_settings(data).config.frontier
    return open_folder(data, given, joining=True, patience=given.patience, tell=notices)


def read_order(place: OpenFolder) -> tuple[CrawlOptions, Config]:
    """What the crawl is asked to do, with what this command line adds, and its configuration."""
    meta = click.get_current_context().meta
    order, config = _read_order(place)
    if place.is_shared and not _says_where_quads_go(config):
        meta[GIVEN] = {
            **stored_graph(place),
            **meta.get(GIVEN, {}),
        }  # as if told what the others were
        order, config = _read_order(place)
    if place.is_shared and not _says_where_quads_go(config):
        raise click.UsageError(
            "With --frontier, many nodes find quads: name the server that has them all with "
            "--index, or say --local-graph to keep them in each node's own graph."
        )
    if config.frontier.local_graph and config.index.url is not None:
        raise click.UsageError(
            "Quads go to one place: --index is a server's, --local-graph this folder's. "
            "Take one of them back with --index none or --config frontier.local_graph=false."
        )
    return order, config


def _read_order(place: OpenFolder) -> tuple[CrawlOptions, Config]:
    order = stored_options(place).with_options(click.get_current_context().meta.get(GIVEN, {}))
    count_options(place, order)
    return order, effective_settings(place.data).config


def _says_where_quads_go(config: Config) -> bool:
    return config.frontier.local_graph or config.index.url is not None


def tell_where_quads_go(place: OpenFolder) -> None:
    """Have nodes that join later keep their quads where this one does, if it is the first or was told now."""
    if not place.is_shared:
        return
    given, known = click.get_current_context().meta.get(GIVEN, {}), stored_graph(place)
    if known and not any(name in given for name in GRAPH_KEYS):
        return
    values = effective_settings(place.data).each
    told = {name: values[name].value for name in GRAPH_KEYS if values[name].value}
    if told != known:
        keep_graph(place, told)


async def _run(
    place: OpenFolder,
    config: Config,
    frontier: SqlFrontier,
    seeds: Sequence[str],
    interrupts: Interrupts,
    notices: Notices,
    sockets: tuple[socket.socket | None, socket.socket | None],  # of service and proxy
    since: datetime | None,
    sinks: Sequence[PageSink],
    *,
    is_step: bool = False,
) -> tuple[Summary, bool]:
    """Crawl to the end; the summary, and whether no seed (asked for since a moment) could be had."""
    data = place.data
    interrupts.heed()
    with (
        screen_on(sys.stderr) as screen,
        closing(JsonLog(data.log_folder, config.log)) as log,
    ):
        if any(sink.name == SHOWN for sink in sinks) and sys.stdout.isatty():
            screen.is_live = False  # pages are shown there
        tell = both(PatientLog(log), HumanLog(sys.stderr))
        notices.as_events(tell)
        agent = user_agent(config.politeness, __version__)
        tell(Started(command="crawl", agent=agent, version=__version__))
        ended = "broken off"
        async with crawl_errands(place, config, tell) as errands:
            try:
                async with (
                    open_crawl(
                        data,
                        config,
                        frontier,
                        [read_seed(text) for text in seeds],
                        tell,
                        settings=lambda: effective_settings(data),
                        written=lambda: written_settings(data),
                        give_up=place.give_up,
                        order=partial(order_of_all, place),
                        instead=plain_forms(seeds),
                        sinks=sinks,
                        while_built=interrupts.wait_no_longer,
                    ) as running,
                    read_crawl(running) as asked,
                    (
                        crawl_permits(running.crawl.requests.client, asked.folder)
                        if sockets[1]
                        else nullcontext()
                    ) as permits,
                    answer_for_crawl(
                        asked, proxy_handlers(permits), _cache_handlers(running, permits)
                    ) as answers,
                    serve_proxy(sockets[1], data, config, permits, _say) as proxy,
                    serve_http(sockets[0], data, answers, config.service, tell, _say, proxy=proxy),
                ):
                    live = Live(asked, screen, _say)
                    keeper = HistoryKeeper(data.history_file, live.status)
                    running.crawl.services += [live.run, keeper.run]
                    _know_node(running, errands, sockets[0])
                    interrupts.lead_to(running.crawl)
                    heed_hangups(data, answers, interrupts.end, _say)
                    end = await running.crawl.run()
                    await _finish_words(running)
                    summary = await running.summary(end)
                    no_seed_had = await _no_seed_had(running, end, since)
                    words = await _farewell(running, end, summary, no_seed_had=no_seed_had)
                    ended = end.kind
            finally:
                tell(Stopped(command="crawl", ended=ended))
    _say(words.partition(NEXT)[0] if is_step else words)
    return summary, no_seed_had


def _know_node(running: CrawlHandle, errands: NodeErrands, ours: socket.socket | None) -> None:
    """Have the node's heartbeat tell where its pages are, and what the database lacks of its log."""
    assert running.heartbeat is not None
    running.heartbeat.service = None if ours is None else url_of(ours)
    running.heartbeat.log_dropped = errands.log_dropped


def _cache_handlers(running: CrawlHandle, permits: Permits | None) -> Handlers:
    own = (
        *caches_of_client(running.crawl.requests.client),
        cache_of_urls(running.frontier, running.frontier_thread),
    )
    return cache_handlers(lambda: (*own, *(permits.caches if permits else ())))


async def _no_seed_had(running: CrawlHandle, end: Ending, since: datetime | None) -> bool:
    """Whether the crawl came to its end, as far as patience goes, without any seed."""
    if end.kind not in (EndKind.DONE, EndKind.PARKED):
        return False  # a stop or a limit came first
    do, no_seed_had = running.frontier_thread.do, running.frontier.no_seed_had
    return await do(no_seed_had) or (since is not None and await do(no_seed_had, since))


async def _finish_words(running: CrawlHandle) -> None:
    """Have words take up what is left, while people can still ask, and stop us."""
    telling = asyncio.get_running_loop().call_later(QUIET_SECONDS, _say, WORDS_TO_COME)
    try:
        await running.finish()
    finally:
        telling.cancel()


async def _farewell(
    running: CrawlHandle, end: Ending, summary: Summary, *, no_seed_had: bool
) -> str:
    parked = partial(running.frontier.hosts, stage=HostStage.PARKED, limit=HOSTS_NAMED)
    # Where there is no page or no seed at all, people want to know why before anything else.
    kinds = (Trouble.REFUSED, Trouble.FAILED)
    why = partial(running.frontier.troubled, kinds=kinds, limit=NAMED)
    counts = await running.frontier_thread.do(running.frontier.counts)
    not_followed = await running.frontier_thread.do(running.frontier.refusals)
    return farewell(
        end,
        summary,
        await running.frontier_thread.do(parked),
        running.progress.causes,
        all_parked=counts.hosts.get(HostStage.PARKED, 0),
        folder=running.data.path,
        is_usual=running.data == usual_folder(),
        has_words=why_none(running.config) is None,
        troubled=await running.frontier_thread.do(why) if no_seed_had or not summary.pages else (),
        not_followed={"out of scope": counts.aside, **not_followed},
        no_seed_had=no_seed_had,
        width=terminal_width(sys.stderr),
    )


async def order_of_all(place: OpenFolder, frontier_thread: FrontierThread) -> object:
    """What all nodes are asked to do by now; the configuration is read by it from now on.

    What is said to one node that starts, all hear.
    """
    if not place.is_shared:
        return None
    order = await frontier_thread.do(stored_options, place)
    count_options(place, order)
    meta = click.get_current_context().meta
    given = meta.get(GIVEN, {}).items()
    meta[GIVEN] = {name: raw for name, raw in given if not is_shared(name)}
    return order


def is_away(error: BaseException) -> bool:
    """Whether nothing else went wrong than that a server is away."""
    if isinstance(error, BaseExceptionGroup):
        return all(map(is_away, error.exceptions))
    return isinstance(error, StorageAwayError)


def _stopped_meanwhile(data: DataFolder, ending: Ending) -> str:
    return (
        f"{ending.why} A server is still away, and nothing was crawled yet: go on with `gossamer "
        f"crawl{_data_option(data)}` when it is back."
    )


def _data_option(data: DataFolder) -> str:
    """The option that names the folder, where commands do not find it without."""
    return "" if data == usual_folder() else f" --data {quote(str(data.path))}"


def _say(text: str) -> None:
    with suppress(OSError):  # a full disk, or nobody there: then nobody can be told
        print(text, file=sys.stderr, flush=True)  # noqa: T201 (talk of this command)
