"""`gossamer rebuild`: the graph anew from the archive."""

import asyncio
import json
import sys
from dataclasses import asdict

import click

from gossamer.cli.folder import crawl_config, there_is_a_crawl
from gossamer.cli.options import data_options, only_option
from gossamer.cli.second_crawl import without_crawl
from gossamer.cli.text import counted, emit, example, plain
from gossamer.config import Config
from gossamer.crawling.admission import Admission
from gossamer.crawling.clerk import Clerk
from gossamer.crawling.verdicts import Judge
from gossamer.data import DataFolder
from gossamer.errors import ArchiveError
from gossamer.frontier.protocol import ArchivedPage
from gossamer.graph import graph_of
from gossamer.index.pages import PageChanged
from gossamer.moments import now_utc
from gossamer.node import opened
from gossamer.page_pool import TransformPool
from gossamer.rebuilding import Rebuilding, Rebuilt
from gossamer.urls import SeedScope


@click.command(
    short_help="Make the graph anew from the archive.",
    epilog=example("gossamer rebuild", "gossamer rebuild --data my-crawl --only jsonld,rdfa"),
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object at the end.")
@only_option
@data_options
def rebuild(as_json: bool, data: DataFolder) -> None:
    """Read every archived page once more, on all cores, and print the pages that say otherwise now.

    For after an upgrade, or a change of options such as transform.drop. Nothing is fetched; pages
    that were not archived keep what they have.
    """
    there_is_a_crawl(data)
    with without_crawl(data):
        rebuilt = asyncio.run(_rebuild(data, crawl_config(data), quiet=as_json))
    if as_json:
        emit(json.dumps(asdict(rebuilt)))
    else:
        emit(
            f"{counted(rebuilt.pages, 'page')} read anew: {rebuilt.changed:,} changed, "
            f"{counted(rebuilt.added, 'quad')} added, {rebuilt.removed:,} removed."
        )


async def _rebuild(data: DataFolder, config: Config, *, quiet: bool) -> Rebuilt:
    with opened(data, config.frontier) as place, Clerk("frontier") as clerk:
        frontier = place.frontier(config)
        place.take_over(frontier)
        judge = Judge(config, Admission(config, SeedScope(config.scope, frontier.seeds())))
        async with (
            graph_of(data, config) as graph,
            TransformPool(config.transform, workers=config.crawl.workers) as pool,
        ):
            return await Rebuilding(
                config=config,
                frontier=frontier,
                clerk=clerk,
                graph=graph,
                archive=data.archive_folder,
                pool=pool,
                judge=judge,
                now=now_utc,
                differs=_ignore if quiet else _tell,
                unreadable=_complain,
            ).run()


def _tell(change: PageChanged) -> None:
    emit(f"+{change.added} -{change.removed}\t{plain(change.url)}")


def _ignore(_: PageChanged) -> None:
    return


def _complain(page: ArchivedPage, error: ArchiveError) -> None:
    click.echo(f"{plain(page.url)} is left as it is: {error}", file=sys.stderr)
