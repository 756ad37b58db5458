"""Forgetting: a host or a page leaves graph, archive and frontier, in this order.

The frontier is last, since it knows what there is to remove: whoever is stopped in between says
the same again, and it goes on.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Protocol

from gossamer.crawling.clerk import Clerk
from gossamer.crawling.closed_hosts import forget_closed
from gossamer.crawling.sitemaps import forget_sitemaps
from gossamer.fetch.archive.writer import Archive
from gossamer.frontier.frontier import SqlFrontier
from gossamer.index.answer import Answer, QueryLimits
from gossamer.index.names import page_name
from gossamer.index.pages import PageGraphs, PageRefused
from gossamer.model import Url
from gossamer.urls import host_of

AT_ONCE: Final = 1_000  # pages


class Graph(Protocol):
    """What is asked of a graph."""

    async def replace(self, pages: Sequence[PageGraphs]) -> tuple[PageRefused, ...]:
        """Have the graph hold this of these pages."""

    async def flush(self) -> None:
        """Return when all that was replaced before is on the disk."""

    def query(
        self, text: str, formats: str | Sequence[str], limits: QueryLimits | None = None
    ) -> Answer:
        """The answer to a SPARQL query."""


@dataclass(frozen=True, slots=True)
class Gone:
    """What was removed."""

    pages: int = 0
    records: int = 0  # of the archive


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
    target: Target, frontier: SqlFrontier, clerk: Clerk, graph: Graph, archive: Archive
) -> Gone:
    """Remove all that is known of a host or page."""
    await _from_graph(target, frontier, clerk, graph)
    records = await clerk.do(_from_archive, target, frontier, archive)
    if target.url is None:
        await clerk.do(forget_sitemaps, frontier.facts, target.host)
        await clerk.do(forget_closed, frontier.facts, target.host)
    named = {"url": target.url} if target.url is not None else {"host": target.host}
    gone = await clerk.do(partial(frontier.forget, **named))
    return Gone(len(gone), records)


async def _from_graph(target: Target, frontier: SqlFrontier, clerk: Clerk, graph: Graph) -> None:
    after = 0
    while True:
        urls, after = await clerk.do(_urls, target, frontier, after)
        if not urls:
            break
        await _drop([page_name(url) for url in urls], graph)
    if frontier.is_shared and target.url is None:
        # Another node may have forgotten it before us, and with it what the frontier knew.
        names = await _names(target.host, graph)
        for start in range(0, len(names), AT_ONCE):
            await _drop(names[start : start + AT_ONCE], graph)
    await graph.flush()


async def _drop(names: Sequence[str], graph: Graph) -> None:
    await graph.replace([PageGraphs(name, None, b"", drop=True) for name in names])


async def _names(host: str, graph: Graph) -> list[str]:
    """The pages of a host that a graph has something of."""
    pattern = f"^https?://{re.escape(host)}(:[0-9]+)?/".replace("\\", "\\\\")
    query = f"""SELECT DISTINCT ?graph
        WHERE {{ GRAPH ?graph {{ ?s ?p ?o }} FILTER(regex(str(?graph), "{pattern}")) }}"""
    found = json.loads(await graph.query(query, "json").read())
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
        moved = {str(old): str(new) for old, new in rewritten.moved.items()}
        frontier.move(rewritten.file, moved)
        records += rewritten.removed
    return records
