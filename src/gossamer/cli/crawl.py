"""`gossamer crawl`: seeds in, a graph out."""

import asyncio
import json
import socket
import sys
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import asdict
from datetime import timedelta
from functools import partial
from shlex import quote
from typing import Final

import click

from gossamer import __version__, values
from gossamer.cli.farewell import NAMED as PARKED_NAMED
from gossamer.cli.farewell import farewell
from gossamer.cli.folder import cautions
from gossamer.cli.follow_query import follow_query_option
from gossamer.cli.index import index_option
from gossamer.cli.interrupts import Interrupts
from gossamer.cli.live import Live
from gossamer.cli.manners import DONE, FAILED, INTERRUPTED
from gossamer.cli.options import (
    fetch_options,
    only_option,
    setting_option,
    settled,
    usual_folder,
)
from gossamer.cli.owning import crawl_permits
from gossamer.cli.proxying import place_to_proxy, proxy_option, proxying
from gossamer.cli.screen import screen_on
from gossamer.cli.second_crawl import added_to_running, patience_for, sentence
from gossamer.cli.seed_files import seed_texts
from gossamer.cli.serving import USUAL, looks_like_a_place, place_to_serve, serving
from gossamer.cli.shared import Notices, is_away, joined, order_of_all, ordered
from gossamer.cli.text import counted, emit, example
from gossamer.config import Config
from gossamer.crawling.full_disk import PatientLog
from gossamer.crawling.holding import lease_length
from gossamer.crawling.opening import open_crawl
from gossamer.crawling.options import keep_order
from gossamer.crawling.progress import Summary
from gossamer.crawling.running import Running
from gossamer.crawling.stops import hold_to, limits_of
from gossamer.data import DataFolder
from gossamer.errors import StorageAwayError
from gossamer.events import Started, Stopped
from gossamer.fetch.agent import user_agent
from gossamer.frontier.endings import Ending, EndKind
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import HostStage, Trouble
from gossamer.log import HumanLog, JsonLog, both
from gossamer.model import Refusal, Url
from gossamer.moments import now_utc
from gossamer.node import Place
from gossamer.owner.crawl_answers import answering_for
from gossamer.urls import plain_forms, seed
from gossamer.words import why_none

NAMED: Final = 3  # pages, where none was had
OWNER_PATIENCE: Final = timedelta(seconds=3)  # a crawl lasts: who waits for one waits in vain
NO_SEED: Final = "Name a seed, such as example.org; there is no crawl to go on with."
QUIET_SECONDS: Final = 2.0  # in which nobody wonders what we are at
WORDS_TO_COME: Final = (
    "Words for search are made of the last pages, for a minute at most; Ctrl-C leaves that to the "
    "next search."
)
OPTIONS = (
    "crawl.depth",
    "crawl.max_pages",
    "crawl.max_time",
    "scope.kind",
    "scope.include",
    "scope.exclude",
    "politeness.delay",
    "politeness.per_host",
    "crawl.concurrency",
    "crawl.workers",
    "politeness.patience",
    "archive.keep",
    "frontier.address",
    "frontier.local_graph",
    "service.token",
)


@click.command(
    short_help="Crawl sites and keep what they say as a graph.",
    epilog=example(
        "gossamer crawl example.org",
        "gossamer crawl example.org --depth 2 --max-pages 500 --data my-crawl",
        "gossamer crawl --data my-crawl",
    ),
)
@click.argument("seeds", metavar="SEED...", nargs=-1)
@click.option(
    "--again", is_flag=True, help="Ask for known pages again; those unchanged cost little."
)
@click.option(
    "--older-than",
    metavar="AGE",
    help="With --again: only pages asked for before this time (7d, 12h).",
)
@click.option(
    "--serve",
    metavar="[ADDR:PORT]",
    is_flag=False,
    flag_value=USUAL,
    help="Serve it over HTTP meanwhile, as `gossamer serve` does.",
)
@proxy_option
@click.option("--json", "as_json", is_flag=True, help="End with one line of JSON.")
@only_option
@follow_query_option
@index_option
@fetch_options
def crawl(
    seeds: tuple[str, ...],
    again: bool,
    older_than: str | None,
    serve: str | None,
    proxy: str | None,
    as_json: bool,
    data: DataFolder,
) -> int:
    """Crawl until nothing is left, politely, and keep every statement with its source.

    A seed may leave out its scheme, and may be @FILE with a seed a line. Without seeds, the
    crawl in the data folder goes on from where it was.
    """
    if serve and not looks_like_a_place(serve):  # `crawl --serve example.org`: that is a seed
        seeds, serve = (serve, *seeds), USUAL
    if proxy and not looks_like_a_place(proxy):
        seeds, proxy = (proxy, *seeds), USUAL
    texts = [each for text in seeds for each in seed_texts(text)]
    urls = [_seed(text) for text in texts]
    age = _age(again, older_than)
    if not urls and not _may_go_on(data):
        raise click.UsageError(NO_SEED)
    if (added := added_to_running(data, texts, age)) is not None:
        _say(sentence(added))
        if as_json:
            emit(json.dumps(added))
        return DONE
    notices = Notices(_say)
    with (
        place_to_serve(serve, settled(data).config.service) as ours,
        place_to_proxy(proxy, settled(data).config.proxy) as through,
        data.owned(patience_for(data, OWNER_PATIENCE)),
        joined(data, notices) as place,
    ):
        order, config = ordered(place)
        for each in cautions(data):
            _say(each)
        frontier = place.frontier(config, limits_of(config), lease_length(config.fetch))
        place.take_over(frontier)
        if not urls and not frontier.seeds():
            raise click.UsageError(NO_SEED)
        hold_to(frontier, limits_of(config))
        keep_order(place, order)
        if age is not None:
            count = frontier.again(now_utc() - age)
            _say(f"{counted(count, 'page')} {'is' if count == 1 else 'are'} asked for again.")
        interrupts = Interrupts(_say, place.give_up)
        try:
            summary = asyncio.run(
                _run(place, config, frontier, texts, interrupts, notices, (ours, through))
            )
        except (StorageAwayError, BaseExceptionGroup) as error:
            ending = interrupts.stopped_by
            if ending is None or not is_away(error):
                raise
            _say(_stopped_meanwhile(data, ending))
            return INTERRUPTED if ending.kind is EndKind.STOPPED else FAILED
    if as_json:
        emit(json.dumps(asdict(summary)))
    return INTERRUPTED if summary.ended == EndKind.STOPPED else DONE


for name in reversed(OPTIONS):
    crawl = setting_option(name)(crawl)


def _may_go_on(data: DataFolder) -> bool:
    """Whether there may be a crawl; to be told before anything is written."""
    is_here = data.frontier_file.exists() or data.node_file.exists()
    return is_here or settled(data).config.frontier.address is not None


async def _run(
    place: Place,
    config: Config,
    frontier: SqlFrontier,
    seeds: Sequence[str],
    interrupts: Interrupts,
    notices: Notices,
    sockets: tuple[socket.socket | None, socket.socket | None],  # of service and proxy
) -> Summary:
    data = place.data
    interrupts.heed()
    with (
        screen_on(sys.stderr) as screen,
        closing(JsonLog(data.log_folder, config.log)) as log,
    ):
        tell = both(PatientLog(log), HumanLog(sys.stderr))
        notices.as_events(tell)
        agent = user_agent(config.politeness, __version__)
        tell(Started(command="crawl", agent=agent, version=__version__))
        ended = "broken off"
        try:
            async with (
                open_crawl(
                    data,
                    config,
                    frontier,
                    [_seed(text) for text in seeds],
                    tell,
                    settings=lambda: settled(data),
                    give_up=place.give_up,
                    order=partial(order_of_all, place),
                    instead=plain_forms(seeds),
                ) as running,
                answering_for(running) as asked,
                crawl_permits(running.crawl.visitor.client, asked.answers) as permits,
                proxying(sockets[1], data, config, permits, _say) as proxy,
                serving(sockets[0], data, asked.answers, config.service, tell, _say, proxy=proxy),
            ):
                running.crawl.beside = (*running.crawl.beside, Live(asked, screen, _say).run)
                interrupts.lead_to(running.crawl)
                end = await running.crawl.run()
                await _finished(running)
                summary = await running.summary(end)
                words = await _farewell(running, end, summary)
                ended = end.kind
        finally:
            tell(Stopped(command="crawl", ended=ended))
    _say(words)
    return summary


async def _finished(running: Running) -> None:
    """Have words take up what is left, while people can still ask, and stop us."""
    telling = asyncio.get_running_loop().call_later(QUIET_SECONDS, _say, WORDS_TO_COME)
    try:
        await running.finish()
    finally:
        telling.cancel()


async def _farewell(running: Running, end: Ending, summary: Summary) -> str:
    parked = partial(running.frontier.hosts, stage=HostStage.PARKED, limit=PARKED_NAMED)
    # Where there is no page at all, people want to know why before anything else.
    kinds = (Trouble.REFUSED, Trouble.FAILED)
    why = partial(running.frontier.troubled, kinds=kinds, limit=NAMED)
    counts = await running.clerk.do(running.frontier.counts)
    not_followed = await running.clerk.do(running.frontier.refusals)
    return farewell(
        end,
        summary,
        await running.clerk.do(parked),
        running.progress.causes,
        all_parked=counts.hosts.get(HostStage.PARKED, 0),
        folder=running.data.path,
        is_usual=running.data == usual_folder(),
        has_words=why_none(running.config) is None,
        troubled=() if summary.pages else await running.clerk.do(why),
        not_followed={"out of scope": counts.aside, **not_followed},
    )


def _stopped_meanwhile(data: DataFolder, ending: Ending) -> str:
    folder = "" if data == usual_folder() else f" --data {quote(str(data.path))}"
    return (
        f"{ending.why} A server is still away, so nothing can be summed up. What was settled is "
        f"there, what was in hand is asked for again: go on with `gossamer crawl{folder}` when it "
        "is back."
    )


def _age(again: bool, older_than: str | None) -> timedelta | None:
    """How old a page must be to be asked for again; None where none is."""
    if older_than is None:
        return timedelta(0) if again else None
    if not again:
        raise click.UsageError("--older-than says which pages --again asks for; give both.")
    try:
        age = values.read(timedelta, older_than, at_least=0)
    except ValueError as error:
        raise click.UsageError(f"--older-than: {error}.") from None
    assert isinstance(age, timedelta)
    return age


def _say(text: str) -> None:
    with suppress(OSError):  # a full disk, or nobody there: then nobody can be told
        print(text, file=sys.stderr, flush=True)  # noqa: T201 (talk of this command)


def _seed(text: str) -> Url:
    url = seed(text)
    if isinstance(url, Refusal):
        raise click.UsageError(f"{text}: {url.why}")
    return url
