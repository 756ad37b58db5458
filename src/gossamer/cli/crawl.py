"""`gossamer crawl`: seeds in, a graph out."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import asdict, dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Final

import click

from gossamer import __version__, values
from gossamer.cli.farewell import farewell
from gossamer.cli.follow_query import follow_query_option
from gossamer.cli.live import Live
from gossamer.cli.manners import DONE, INTERRUPTED
from gossamer.cli.options import (
    GIVEN,
    fetch_options,
    only_option,
    setting_option,
    settled,
    usual_folder,
)
from gossamer.cli.screen import screen_on
from gossamer.cli.second_crawl import added_to_running, sentence
from gossamer.cli.text import emit, example
from gossamer.config import Config
from gossamer.crawl import Crawl
from gossamer.crawling.full_disk import PatientLog
from gossamer.crawling.holding import lease_length
from gossamer.crawling.opening import node_name, open_crawl
from gossamer.crawling.options import keep_order, stored_order
from gossamer.crawling.progress import Summary
from gossamer.crawling.running import Running
from gossamer.crawling.stops import hold_to, limits_of
from gossamer.data import DataFolder
from gossamer.errors import InputError
from gossamer.events import Started, Stopped
from gossamer.fetch.agent import user_agent
from gossamer.frontier.endings import Ending, EndKind
from gossamer.frontier.facts import FactStore
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import HostStage
from gossamer.frontier.sqlite import SqliteStore
from gossamer.log import HumanLog, JsonLog, both
from gossamer.model import Refusal, Url
from gossamer.moments import now_utc
from gossamer.owner.crawl_answers import answering_for
from gossamer.urls import seed

OWNER_PATIENCE: Final = timedelta(seconds=3)  # a crawl lasts: who waits for one waits in vain
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
@click.option("--json", "as_json", is_flag=True, help="End with one line of JSON.")
@only_option
@follow_query_option
@fetch_options
def crawl(
    seeds: tuple[str, ...], again: bool, older_than: str | None, as_json: bool, data: DataFolder
) -> int:
    """Crawl until nothing is left, politely, and keep every statement with its source.

    A seed may leave out its scheme, and may be @FILE with a seed a line. Without seeds, the
    crawl in the data folder goes on from where it was.
    """
    urls = [url for text in seeds for url in _seeds(text)]
    age = _age(again, older_than)
    if (added := added_to_running(data, urls, age)) is not None:
        _say(sentence(added))
        if as_json:
            emit(json.dumps(added))
        return DONE
    with data.owned(OWNER_PATIENCE), closing(SqliteStore(data.frontier_file)) as store:
        facts = FactStore(store)
        order = stored_order(facts).with_options(click.get_current_context().meta.get(GIVEN, {}))
        click.get_current_context().meta[GIVEN] = dict(order.options)
        config = settled(data).config
        limits = limits_of(config)
        frontier = SqlFrontier(
            store,
            node_name(),
            config.politeness,
            budget=config.budget,
            limits=limits,
            lease_length=lease_length(config.fetch),
        )
        frontier.take_over()
        hold_to(frontier, limits)
        if not urls and not frontier.seeds():
            raise click.UsageError(
                "Name a seed, such as example.org; there is no crawl to go on with."
            )
        keep_order(facts, order)
        if age is not None:
            count = frontier.again(now_utc() - age)
            _say(f"{count:,} pages are asked for again.")
        summary = asyncio.run(_run(data, config, frontier, urls))
    if as_json:
        emit(json.dumps(asdict(summary)))
    return INTERRUPTED if summary.ended == EndKind.STOPPED else DONE


for name in reversed(OPTIONS):
    crawl = setting_option(name)(crawl)


@dataclass(slots=True)
class Interrupts:
    """What Ctrl-C and TERM mean: the first an end in good order, the second one at once."""

    crawl: Crawl | None = None
    asked: bool = False

    def heed(self) -> None:
        """Listen from now on."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self._interrupted)

    def lead_to(self, crawl: Crawl) -> None:
        """This is the crawl to be stopped, if need be at once."""
        self.crawl = crawl
        if self.asked:
            crawl.stop()

    def _interrupted(self) -> None:
        if self.asked:
            # What is settled is on the disk, and the processes we started end with us. This is
            # the end that a power cut would make, and nothing is lost by that either.
            _say("Stopped at once. What was in hand is asked for again when the crawl goes on.")
            os._exit(INTERRUPTED)
        self.asked = True
        _say("Stopping: what is in flight is brought to an end. Once more stops at once.")
        if self.crawl is not None:
            self.crawl.stop()


async def _run(
    data: DataFolder, config: Config, frontier: SqlFrontier, urls: Sequence[Url]
) -> Summary:
    interrupts = Interrupts()
    interrupts.heed()
    with (
        screen_on(sys.stderr) as screen,
        closing(JsonLog(data.log_folder, config.log)) as log,
    ):
        tell = both(PatientLog(log), HumanLog(sys.stderr))
        agent = user_agent(config.politeness, __version__)
        tell(Started(command="crawl", agent=agent, version=__version__))
        ended = "broken off"
        try:
            async with (
                open_crawl(
                    data, config, frontier, urls, tell, settings=lambda: settled(data)
                ) as running,
                answering_for(running) as asked,
            ):
                running.crawl.beside = (*running.crawl.beside, Live(asked, screen, _say).run)
                interrupts.lead_to(running.crawl)
                end = await running.crawl.run()
                summary = await running.summary(end)
                words = await _farewell(running, end, summary)
                ended = end.kind
        finally:
            tell(Stopped(command="crawl", ended=ended))
    _say(words)
    return summary


async def _farewell(running: Running, end: Ending, summary: Summary) -> str:
    parked = partial(running.frontier.hosts, stage=HostStage.PARKED)
    return farewell(
        end,
        summary,
        await running.clerk.do(parked),
        running.progress.causes,
        folder=running.data.path,
        is_usual=running.data == usual_folder(),
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


def _seeds(text: str) -> list[Url]:
    """A seed, or those of a file."""
    if text.startswith("@"):
        try:
            lines = Path(text[1:]).read_text(encoding="utf-8").splitlines()
        except OSError as error:
            raise InputError(f"{text[1:]} cannot be read: {error.strerror}.") from None
        return [url for line in lines if line.strip() for url in _seeds(line.strip())]
    url = seed(text)
    if isinstance(url, Refusal):
        raise click.UsageError(f"{text}: {url.why}")
    return [url]
