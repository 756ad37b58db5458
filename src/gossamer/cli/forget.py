"""`gossamer forget`: remove hosts and pages from frontier, graph, words, archive, cache and log."""

import asyncio
import json

import click

from gossamer.cli.folder import crawl_config, there_is_a_crawl
from gossamer.cli.options import data_options
from gossamer.cli.second_crawl import without_crawl
from gossamer.cli.text import counted, emit, example
from gossamer.config import Config
from gossamer.crawling.clerk import Clerk
from gossamer.data import DataFolder
from gossamer.fetch.archive.writer import Archive
from gossamer.forget_log import forget_lines, mentions
from gossamer.forgetting import Gone, Target
from gossamer.forgetting import forget as forget_target
from gossamer.frontier.sqlite import rewrite
from gossamer.graph import graph_of
from gossamer.index.folder import GraphFolder
from gossamer.model import Refusal
from gossamer.node import opened
from gossamer.proxy.cache.forgetting import forget_stored, without_proxy
from gossamer.urls import seed
from gossamer.words import forget_too


@click.command(
    short_help="Remove hosts or pages and all that was kept of them.",
    epilog=example(
        "gossamer forget www.example.org",
        "gossamer forget https://example.org/people/7 --data my-crawl",
    ),
)
@click.argument("targets", metavar="HOST|URL...", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@data_options
def forget(targets: tuple[str, ...], as_json: bool, data: DataFolder) -> None:
    """Remove hosts (www.example.org) or pages (with scheme or path) from all that is kept.

    That is frontier, graph, words, archive and log, and the cache of the proxy, which must not run.
    Graphs that `gossamer rebuild` put aside are named, for you to delete.

    Links of other pages may lead a later crawl there again; `gossamer config set
    scope.exclude=…` keeps it away. How long a host wants to rest is not forgotten.
    """
    named = [_target(text) for text in targets]
    there_is_a_crawl(data)
    cache = data.proxy_cache_file
    with without_proxy(cache), without_crawl(data):
        answers = forget_stored(cache, lambda url: any(target.covers(url) for target in named))
        gone = asyncio.run(_forget(named, data, crawl_config(data)))
        lines = forget_lines(data.log_folder, named)
        if data.frontier_file.exists():
            rewrite(data.frontier_file)  # no bytes of it stay in the file
    aside = [str(path) for path in GraphFolder(data.graph_folder).aside]
    if as_json:
        said: dict[str, object] = {
            "pages": gone.pages,
            "records": gone.records,
            "answers": answers,
            "lines": lines,
            "aside": aside,
        }
        emit(json.dumps(said))
    else:
        emit(_sentence(gone, answers, lines))
        for path in aside:
            emit(f"A graph that was put aside may still have it: delete {path} too.")


async def _forget(targets: list[Target], data: DataFolder, config: Config) -> Gone:
    pages = records = 0
    with opened(data, config.frontier) as place, Clerk("frontier") as clerk:
        frontier = place.frontier(config)
        place.take_over(frontier)
        with Archive(data.archive_folder, config.archive, node=place.node.name) as archive:
            async with graph_of(data, config) as graph:
                for target in targets:
                    gone = await forget_target(target, frontier, clerk, graph, archive)
                    pages, records = pages + gone.pages, records + gone.records
                names = mentions(targets)
                await forget_too(data, config, graph, lambda name: names(name.encode()))
    return Gone(pages, records)


def _sentence(gone: Gone, answers: int, lines: int) -> str:
    of_proxy = f", and {counted(answers, 'answer')} that the proxy kept" if answers else ""
    of_log = f", and {counted(lines, 'line')} of the log" if lines else ""
    parts = f"{counted(gone.pages, 'page')} and {counted(gone.records, 'record')} of the archive"
    return f"{parts} are forgotten{of_proxy}{of_log}."


def _target(text: str) -> Target:
    url = seed(text)
    if isinstance(url, Refusal):
        raise click.UsageError(f"{text}: {url.why}")
    return Target.of(url, text)
