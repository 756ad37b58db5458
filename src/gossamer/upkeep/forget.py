"""Forget hosts and pages: remove them from graph, archive and frontier, in this order, and from the log.

The frontier is last, since it knows what there is to remove: a `forget` that was interrupted is
repeated, and goes on where it was. A file of the log is written anew beside the old one and takes its
place when it is on the disk: after a crash there is the one or the other. Whoever writes to the log
meanwhile waits, and goes on in the new file.
"""

import fcntl
import json
import os
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from gossamer.archive.writer import Archive
from gossamer.crawl.archive_moves import take_up_moved
from gossamer.crawl.site_files import forget_files
from gossamer.crawl.sitemaps import forget_sitemaps
from gossamer.crawl.troubled_hosts import forget_closed
from gossamer.folder.durable import sync
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.thread import FrontierThread
from gossamer.index.graph.names import page_name
from gossamer.index.graph.pages import PageGraphs
from gossamer.index.graph.query import GraphQuery
from gossamer.index.opening import OpenGraph
from gossamer.log import log_files
from gossamer.model import Url
from gossamer.urls import host_of

AT_ONCE: Final = 1_000  # pages
DRAFT: Final = ".forgetting"
# What the user did and said, and not what came of it; an agent string may name a host of theirs.
OUR_OWN: Final = frozenset(
    {"started", "stopped", "paused", "resumed", "config-changed", "config-ignored"}
)
Mentions = Callable[[bytes], bool]


@dataclass(frozen=True, slots=True)
class Gone:
    """What was removed."""

    pages: int = 0
    records: int = 0  # of the archive
    lines: int = 0  # of the log that nodes share


@dataclass(frozen=True, slots=True)
class Target:
    """A host, or one page."""

    host: str
    url: Url | None = None

    @classmethod
    def of(cls, url: Url, text: str) -> "Target":
        """What a person named: a bare name is a host, anything with a path or scheme a page."""
        bare = "/" not in text.removesuffix("/")
        return cls(host_of(url)) if bare else cls(host_of(url), url)

    def covers(self, url: str) -> bool:
        """Whether a URL is to be forgotten."""
        return url == self.url if self.url is not None else host_of(Url(url)) == self.host


async def forget(
    target: Target,
    frontier: SqlFrontier,
    frontier_thread: FrontierThread,
    graph: OpenGraph,
    archive: Archive,
) -> Gone:
    """Remove all that is known of a host or page."""
    await _from_graph(target, frontier, frontier_thread, graph)
    records = await frontier_thread.do(_from_archive, target, frontier, archive)
    if target.url is None:
        await frontier_thread.do(forget_sitemaps, frontier.facts, target.host)
        await frontier_thread.do(forget_closed, frontier.facts, target.host)
        await frontier_thread.do(forget_files, frontier.facts, target.host)
    named = {"url": target.url} if target.url is not None else {"host": target.host}
    gone = await frontier_thread.do(partial(frontier.forget, **named))
    return Gone(len(gone), records)


async def _from_graph(
    target: Target, frontier: SqlFrontier, frontier_thread: FrontierThread, graph: OpenGraph
) -> None:
    after = 0
    while True:
        urls, after = await frontier_thread.do(_urls, target, frontier, after)
        if not urls:
            break
        names = [page_name(url) for url in urls]
        # First, since the search index asks for the text when it hears that the page is gone.
        await frontier_thread.do(frontier.texts.forget, names)
        await _drop(names, graph)
    if frontier.is_shared and target.url is None:
        # Another node may have forgotten it before us, and with it what the frontier knew.
        names = await _names(target.host, graph)
        for start in range(0, len(names), AT_ONCE):
            some = names[start : start + AT_ONCE]
            await frontier_thread.do(frontier.texts.forget, some)
            await _drop(some, graph)
    await graph.flush()


async def _drop(names: Sequence[str], graph: OpenGraph) -> None:
    await graph.replace([PageGraphs(name, None, b"", drop=True) for name in names])


async def _names(host: str, graph: OpenGraph) -> list[str]:
    """The pages of a host that a graph has something of."""
    pattern = f"^https?://{re.escape(host)}(:[0-9]+)?/".replace("\\", "\\\\")
    query = f"""SELECT DISTINCT ?graph
        WHERE {{ GRAPH ?graph {{ ?s ?p ?o }} FILTER(regex(str(?graph), "{pattern}")) }}"""
    found = json.loads(await graph.query(GraphQuery(query, ("json",))).read())
    graphs = (row["graph"]["value"] for row in found["results"]["bindings"])
    return sorted({graph.partition("#")[0] for graph in graphs})


def _urls(target: Target, frontier: SqlFrontier, after: int) -> tuple[list[Url], int]:
    if target.url is not None:
        return ([target.url], 1) if not after else ([], after)
    found = frontier.urls_of(target.host, after, AT_ONCE)
    return [url for _, url in found], found[-1][0] if found else after


def _from_archive(target: Target, frontier: SqlFrontier, archive: Archive) -> int:
    records = 0
    for rewritten in archive.forget(target.covers):
        take_up_moved(rewritten, frontier)
        records += rewritten.removed
    return records


def forget_lines(folder: Path, targets: Sequence[Target]) -> int:
    """Remove the lines about some hosts and pages from all files of a log, and say how many."""
    names = mentions(targets)
    gone = 0
    for place in (folder, folder / "proxy"):
        for left in place.glob(f"*{DRAFT}"):  # by somebody who was stopped
            left.unlink(missing_ok=True)
        for path in [*log_files(place), *place.glob("*.txt")]:
            with suppress(FileNotFoundError):  # old files go when there are many
                gone += _rewrite(path, names)
    return gone


def mentions(targets: Sequence[Target]) -> Mentions:
    """Whether a line of the log is about one of these: it names the host, or the page, as a whole."""
    expressions = [re.compile(_expression(each), re.IGNORECASE) for each in targets]
    # Most lines are about others: to look for a few bytes tells so, faster than to read JSON.
    needles = [each.host.encode() for each in targets]

    def found(line: bytes) -> bool:
        lowered = line.lower()
        if not any(needle in lowered for needle in needles):
            return False
        texts = _texts(line)
        return any(each.search(text) for each in expressions for text in texts)

    return found


def _expression(target: Target) -> str:
    if target.url is None:
        return rf"(?<![\w.-]){re.escape(target.host)}(?![\w-]|\.\w)"
    # The log may have a URL without its query. In a sentence, punctuation follows.
    path, mark, _ = target.url.partition("?")
    forms = {target.url, path + mark}
    named = "|".join(re.escape(each) for each in sorted(forms))
    return rf"(?:{named})(?=[.,:;!)\]\"']*(?:\s|$)|#)"


def _texts(line: bytes) -> list[str]:
    """Where a line of the log may speak of somebody: its values, or all of it, where it is torn."""
    try:
        record = json.loads(line)
    except ValueError:
        return [line.decode(errors="replace")]
    if not isinstance(record, dict) or record.get("event") in OUR_OWN:
        return []
    return [each for each in record.values() if isinstance(each, str)]


def _rewrite(path: Path, is_gone: Mentions) -> int:
    with path.open("rb") as old:
        fcntl.flock(old.fileno(), fcntl.LOCK_EX)
        if not any(map(is_gone, old)):
            return 0
        old.seek(0)
        draft, gone = path.with_name(path.name + DRAFT), 0
        with draft.open("wb") as new:
            for line in old:
                if is_gone(line):
                    gone += 1
                else:
                    new.write(line)
            new.flush()
            os.fsync(new.fileno())
        draft.replace(path)
        sync(path.parent)
    return gone
