"""`gossamer rebuild`: the graph anew from the archive."""

import asyncio
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path

import click

from gossamer.cli.folder import crawl_config, there_is_a_crawl
from gossamer.cli.options import data_options, only_option
from gossamer.cli.second_crawl import without_crawl
from gossamer.cli.text import counted, emit, example, plain
from gossamer.config import Config
from gossamer.crawling.admission import Admission
from gossamer.crawling.clerk import Clerk
from gossamer.crawling.mending import take_up_moves
from gossamer.crawling.verdicts import Judge
from gossamer.data import DataFolder
from gossamer.errors import ArchiveError, ConfigError
from gossamer.fetch.archive.writer import Archive
from gossamer.frontier.protocol import ArchivedPage
from gossamer.graph import graph_of
from gossamer.index.client import GraphProcess
from gossamer.index.folder import GraphFolder, GraphUnusableError
from gossamer.index.pages import PageChanged
from gossamer.lost_graph import is_lost
from gossamer.moments import now_utc
from gossamer.node import opened
from gossamer.page_pool import TransformPool
from gossamer.rebuilding import Rebuilding, Rebuilt
from gossamer.urls import SeedScope

Reading = Callable[..., Rebuilding]
Differs = Callable[[PageChanged], None]


@click.command(
    short_help="Make the graph anew from the archive.",
    epilog=example("gossamer rebuild", "gossamer rebuild --data my-crawl --only jsonld,rdfa"),
)
@click.option("--anew", is_flag=True, help="Put the graph aside, even if it seems to be whole.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object at the end.")
@only_option
@data_options
def rebuild(anew: bool, as_json: bool, data: DataFolder) -> None:
    """Read every archived page once more, on all cores, and print the pages that say otherwise now.

    For after an upgrade, a change of options such as transform.drop, or damage. Nothing is fetched;
    pages that were not archived keep what they have. A graph that is damaged, or of another
    version, is put aside, not deleted, and a new one is made.
    """
    there_is_a_crawl(data)
    with without_crawl(data):
        rebuilt = asyncio.run(_rebuild(data, crawl_config(data), anew=anew, quiet=as_json))
    if as_json:
        emit(json.dumps(asdict(rebuilt)))
        return
    emit(
        f"{counted(rebuilt.pages, 'page')} read anew: {rebuilt.changed:,} changed, "
        f"{counted(rebuilt.added, 'quad')} added, {rebuilt.removed:,} removed."
    )
    for line in _afterwards(rebuilt):
        click.echo(line, err=True)


def _afterwards(rebuilt: Rebuilt) -> Iterator[str]:
    if rebuilt.lost:
        yield (
            f"What {counted(rebuilt.lost, 'page')} said could not be made anew: the archive has no "
            "copy. `gossamer crawl --again` asks for pages once more."
        )
    if rebuilt.aside is not None:
        yield f"The graph as it was is in {rebuilt.aside}; delete that when nobody needs it."


async def _rebuild(data: DataFolder, config: Config, *, anew: bool, quiet: bool) -> Rebuilt:
    with opened(data, config.frontier) as place, Clerk("frontier") as clerk:
        frontier = place.frontier(config)
        place.take_over(frontier)
        if data.archive_folder.exists():
            with Archive(data.archive_folder, config.archive, node=place.node.name) as archive:
                take_up_moves(archive, frontier)
        judge = Judge(config, Admission(config, SeedScope(config.scope, frontier.seeds())))
        async with TransformPool(config.transform, workers=config.crawl.workers) as pool:
            reading = partial(
                Rebuilding,
                config=config,
                frontier=frontier,
                clerk=clerk,
                archive=data.archive_folder,
                pool=pool,
                judge=judge,
                now=now_utc,
                unreadable=_complain,
            )
            differs = _ignore if quiet else _tell
            if config.index.url is not None:
                if anew:
                    raise ConfigError("--anew is for a graph in the data folder, and this is none.")
                async with graph_of(data, config) as graph:
                    return await reading(graph=graph, differs=differs).run()
            folder = GraphFolder(data.graph_folder)
            aside = _put_aside(folder) if anew and folder.format.exists() else None
            return await _in_folder(folder, aside, reading, differs)


async def _in_folder(
    folder: GraphFolder, aside: Path | None, reading: Reading, differs: Differs
) -> Rebuilt:
    """Into the graph that is there; one that cannot be used is put aside, and another is made."""
    if folder.path.exists() and not folder.unfinished.exists():
        try:
            async with GraphProcess(folder.path) as graph:
                work = reading(graph=graph, differs=differs)
                if not await is_lost(graph, work.frontier, work.clerk):
                    return await work.run()
        except GraphUnusableError as error:
            click.echo(str(error).partition(" `gossamer rebuild`")[0], err=True)
            aside = _put_aside(folder)
    folder.begin_anew()
    async with GraphProcess(folder.path, unfinished=True) as graph:
        # Every page is new there; that goes without saying.
        rebuilt = await reading(graph=graph, differs=_ignore, anew=True).run()
    folder.end_anew()
    return replace(rebuilt, aside=None if aside is None else str(aside))


def _put_aside(folder: GraphFolder) -> Path:
    aside = folder.put_aside(now_utc())
    click.echo(f"The graph is put aside as {aside}. A new one is made.", err=True)
    return aside


def _tell(change: PageChanged) -> None:
    emit(f"+{change.added} -{change.removed}\t{plain(change.url)}")


def _ignore(_: PageChanged) -> None:
    return


def _complain(page: ArchivedPage, error: ArchiveError) -> None:
    click.echo(f"{plain(page.url)} cannot be read anew: {error}", file=sys.stderr)
