"""What `gossamer rebuild` does: every archived page is read again, into the graph."""

import asyncio
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path

import click

from gossamer.archive.folders import refuse_missing
from gossamer.archive.writer import Archive
from gossamer.cli.folder import crawl_config, own_without_crawl, require_crawl
from gossamer.cli.terminal import emit
from gossamer.cli.text import counted, plain
from gossamer.config import Config
from gossamer.crawl.admission import Admission
from gossamer.crawl.archive_moves import take_up_moves
from gossamer.crawl.steady_graph import is_lost
from gossamer.crawl.verdicts import Judge
from gossamer.errors import ArchiveError, ConfigError
from gossamer.folder.data import DataFolder
from gossamer.frontier.protocol import ArchivedPage
from gossamer.frontier.thread import FrontierThread
from gossamer.history.store import ChangeHistory
from gossamer.index.graph.client import GraphProcess
from gossamer.index.graph.folder import GraphFolder, GraphUnusableError
from gossamer.index.graph.pages import PageChanged
from gossamer.index.opening import SharedJournal, open_graph
from gossamer.moments import now_utc
from gossamer.reading.page_pool import TransformPool
from gossamer.settings.node import open_folder
from gossamer.upkeep.rebuild import Rebuilding, Rebuilt
from gossamer.urls import SeedScope

Reading = Callable[..., Rebuilding]
Differs = Callable[[PageChanged], None]


def run_rebuild(data: DataFolder, *, anew: bool, as_json: bool) -> None:
    """Rebuild the graph of a folder, and say what came of it."""
    require_crawl(data)
    with own_without_crawl(data):
        config = crawl_config(data)
        data = data.placed(config.index)
        refuse_missing(data.archive_folder, "`gossamer rebuild`")
        rebuilt = asyncio.run(_rebuild(data, config, anew=anew, quiet=as_json))
    if as_json:
        emit(json.dumps(asdict(rebuilt)))
        return
    emit(
        f"{counted(rebuilt.pages, 'page')} read anew: {rebuilt.changed:,} changed, "
        f"{counted(rebuilt.added, 'quad')} added, {rebuilt.removed:,} removed."
    )
    if rebuilt.rewritten:
        emit(
            f"{counted(rebuilt.rewritten, 'page')} without an archived copy: names of schema.org "
            "written as http://schema.org/ (transform.keep_schemes keeps them)."
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
    with (
        open_folder(data, config.frontier) as place,
        FrontierThread("frontier") as frontier_thread,
        ExitStack() as life,
    ):
        frontier = place.frontier(config)
        place.take_over(frontier)
        if data.archive_folder.exists():
            with Archive(data.archive_folder, config.archive, node=place.node.name) as archive:
                take_up_moves(archive, frontier)
        judge = Judge(config, Admission(config, SeedScope(config.scope, frontier.seeds())))
        patience = config.politeness.patience
        history = None
        if config.history.keep:
            history = ChangeHistory.open(data.changes_file)
            life.callback(history.close)
        async with TransformPool(
            config.transform, workers=config.crawl.workers, patience=patience
        ) as pool:
            reading = partial(
                Rebuilding,
                config=config,
                frontier=frontier,
                frontier_thread=frontier_thread,
                archive=data.archive_folder,
                pool=pool,
                judge=judge,
                now=now_utc,
                unreadable=_complain,
                history=history,
            )
            differs = _ignore if quiet else _tell
            if config.index.url is not None:
                if anew:
                    raise ConfigError("--anew is for a graph in the data folder, and this is none.")
                journal = SharedJournal(place.store, place.node.name, frontier_thread.do)
                async with open_graph(data, config, journal=journal) as graph:
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
                if not await is_lost(graph, work.frontier, work.frontier_thread):
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
