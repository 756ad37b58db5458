"""What `gossamer export --as-of` does: the graph as pages had it on a day, from the archive."""

import asyncio
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import click

from gossamer.archive.folders import refuse_missing
from gossamer.archive.states import find_states
from gossamer.cli.folder import crawl_config, own_without_crawl
from gossamer.cli.output_file import whole_file
from gossamer.cli.terminal import ProgressLine, emit_bytes
from gossamer.cli.text import counted, plain
from gossamer.config import Config
from gossamer.crawl.admission import Admission
from gossamer.crawl.verdicts import Judge
from gossamer.errors import ArchiveError, InputError
from gossamer.folder.data import DataFolder
from gossamer.frontier.protocol import ArchivedPage
from gossamer.frontier.thread import FrontierThread
from gossamer.history.asking import moment_of
from gossamer.moments import now_utc, told_moment
from gossamer.reading.page_pool import TransformPool
from gossamer.settings.node import open_folder
from gossamer.upkeep.archived_pages import ArchivedPages
from gossamer.upkeep.past import said_as_of
from gossamer.urls import SeedScope

Write = Callable[[bytes], object]


def run_as_of(text: str, file: Path | None, data: DataFolder) -> None:
    """Write what pages said by a moment, as N-Quads."""
    try:
        moment = moment_of(text, now_utc())
    except ValueError as error:
        raise click.UsageError(f"--as-of: {error}.") from None
    with own_without_crawl(data):
        config = crawl_config(data)
        refuse_missing(data.archive_folder, "`gossamer export --as-of`")
        if file is None:
            pages, quads = asyncio.run(_export(moment, data, config, emit_bytes))
        else:
            with whole_file(file) as output:
                pages, quads = asyncio.run(_export(moment, data, config, output.write))
                if not pages:
                    raise _nothing(moment)
    if not pages:
        raise _nothing(moment)
    told = f"{counted(quads, 'quad')} of {counted(pages, 'page')}, as of {told_moment(moment)}"
    click.echo(f"{told}." if file is None else f"{told}: {file}", err=True)


async def _export(
    moment: datetime, data: DataFolder, config: Config, write: Write
) -> tuple[int, int]:
    """How many pages and quads were written."""
    count = quads = 0
    progress = ProgressLine()
    with (
        open_folder(data, config.frontier) as place,
        FrontierThread("frontier") as frontier_thread,
        find_states(
            data.archive_folder, tell=lambda read: progress.show(f"{read:,} records read")
        ) as states,
    ):
        frontier = place.frontier(config)
        async with TransformPool(
            config.transform, workers=config.crawl.workers, patience=config.politeness.patience
        ) as pool:
            pages = ArchivedPages(
                config=config,
                frontier=frontier,
                frontier_thread=frontier_thread,
                archive=data.archive_folder,
                pool=pool,
                judge=Judge(config, Admission(config, SeedScope(config.scope, frontier.seeds()))),
                now=now_utc,
                unreadable=_complain,
            )
            async for _, nquads in said_as_of(states, moment, pages):
                write(nquads)
                count, quads = count + 1, quads + nquads.count(b"\n")
                progress.show(f"{count:,} pages written")
    progress.clear()
    return count, quads


def _nothing(moment: datetime) -> InputError:
    return InputError(f"The archive has no page that said anything by {told_moment(moment)}.")


def _complain(page: ArchivedPage, error: ArchiveError) -> None:
    click.echo(f"{plain(page.url)} cannot be read: {error}", err=True)
