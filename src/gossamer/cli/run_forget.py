"""What `gossamer forget` does: hosts and pages leave frontier, graph, words, archive, cache and log."""

import asyncio
import json
from contextlib import closing
from functools import partial
from pathlib import Path

import click

from gossamer.archive.folders import refuse_missing
from gossamer.archive.writer import Archive
from gossamer.cli.folder import crawl_config, own_without_crawl, require_crawl
from gossamer.cli.terminal import emit
from gossamer.cli.text import counted
from gossamer.config import Config
from gossamer.folder.data import DataFolder
from gossamer.frontier.sqlite import rewrite
from gossamer.frontier.thread import FrontierThread
from gossamer.history.store import ChangeHistory
from gossamer.index.graph.folder import GraphFolder
from gossamer.index.opening import SharedJournal, forget_words, open_graph
from gossamer.model import Refusal
from gossamer.nodes.log_store import NodeLogStore
from gossamer.nodes.log_tail import LogTail
from gossamer.proxy.cache.forgetting import forget_stored, without_proxy
from gossamer.proxy.cache.shared_pages import forget_shared
from gossamer.settings.node import open_folder
from gossamer.site_report.store import ReportStore
from gossamer.upkeep.forget import Gone, Target, forget_lines, mentions
from gossamer.upkeep.forget import forget as forget_target
from gossamer.urls import seed


def run_forget(targets: tuple[str, ...], data: DataFolder, *, as_json: bool) -> None:
    """Remove what these name, and say how much that was."""
    named = [_target(text) for text in targets]
    require_crawl(data)
    cache = data.proxy_cache_file
    with without_proxy(cache), own_without_crawl(data):
        config = crawl_config(data)
        covers = partial(_covers, named)
        if config.proxy.cache_shared is not None:  # first, since it may be away
            asyncio.run(forget_shared(config.proxy.cache_shared, covers))
        answers = forget_stored(cache, covers)
        data = data.placed(config.index)
        refuse_missing(data.archive_folder, "`gossamer forget`")
        gone = asyncio.run(_forget(named, data, config))
        changes = _forget_changes(named, data.changes_file)
        _forget_reports(named, data.report_file)
        lines = gone.lines + forget_lines(data.log_folder, named)
        _note_log_read(data, config)
        if data.frontier_file.exists():
            rewrite(data.frontier_file)  # no bytes of it stay in the file
    aside = [str(path) for path in GraphFolder(data.graph_folder).aside]
    if as_json:
        said: dict[str, object] = {
            "pages": gone.pages,
            "records": gone.records,
            "answers": answers,
            "lines": lines,
            "changes": changes,
            "aside": aside,
        }
        emit(json.dumps(said))
    else:
        emit(_sentence(gone, answers, lines))
        for path in aside:
            emit(f"A graph that was put aside may still have it: delete {path} too.")


def _covers(targets: list[Target], url: str) -> bool:
    return any(target.covers(url) for target in targets)


async def _forget(targets: list[Target], data: DataFolder, config: Config) -> Gone:
    pages = records = 0
    with open_folder(data, config.frontier) as place, FrontierThread("frontier") as frontier_thread:
        frontier = place.frontier(config)
        place.take_over(frontier)
        with Archive(data.archive_folder, config.archive, node=place.node.name) as archive:
            journal = SharedJournal(place.store, place.node.name, frontier_thread.do)
            async with open_graph(data, config, journal=journal) as graph:
                for target in targets:
                    gone = await forget_target(target, frontier, frontier_thread, graph, archive)
                    pages, records = pages + gone.pages, records + gone.records
                names = mentions(targets)
                await forget_words(data, config, graph, journal, lambda name: names(name.encode()))
        # Of all nodes, where they share a database: each has its own log in its folder besides.
        shared_log = NodeLogStore(place.store)
        lines = await frontier_thread.do(
            shared_log.forget, [target.host for target in targets], names
        )
    return Gone(pages, records, lines)


def _note_log_read(data: DataFolder, config: Config) -> None:
    """Have the files of the log, as they are now, taken for sent: places in them have moved."""
    with open_folder(data, config.frontier) as place:
        if place.is_shared and (end := LogTail(data.log_folder).end()) is not None:
            NodeLogStore(place.store).skip_to(place.node.name, end)


def _forget_changes(targets: list[Target], file: Path) -> int:
    """Have the history forget them; how many changes and states these were."""
    if not file.exists():
        return 0
    with closing(ChangeHistory.open(file)) as history:
        gone = sum(
            history.forget(host=each.host) if each.url is None else history.forget(page=each.url)
            for each in targets
        )
        history.compact()
    return gone


def _forget_reports(targets: list[Target], file: Path) -> None:
    """Have reports forget them: findings, facts and how they were answered."""
    if file.exists():
        with closing(ReportStore.open(file)) as store:
            for each in targets:
                if each.url is None:
                    store.forget(host=each.host)
                else:
                    store.forget(page=each.url)
            store.compact()


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
