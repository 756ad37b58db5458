"""A graph that is empty while the crawl knows of pages that said something: somebody took it away."""

from pathlib import Path
from typing import Final, Protocol

from gossamer.crawling.clerk import Clerk
from gossamer.frontier.frontier import SqlFrontier
from gossamer.index.changes import Counts
from gossamer.index.folder import GraphUnusableError

GONE: Final = (
    "The graph in {} is gone: it has nothing of the pages that were crawled. `gossamer rebuild` "
    "makes it anew from the archive."
)


class Counted(Protocol):
    """What is asked of a graph."""

    async def counts(self) -> Counts:
        """How much there is."""


async def is_lost(graph: Counted, frontier: SqlFrontier, clerk: Clerk) -> bool:
    """Whether an open graph in a folder has nothing of what was crawled.

    Where others share the frontier, it may be they who have all of it.
    """
    if frontier.is_shared or (await graph.counts()).pages:
        return False
    return await clerk.do(frontier.says_something)


async def refuse_lost(graph: Counted, frontier: SqlFrontier, clerk: Clerk, folder: Path) -> None:
    """Raise `GraphUnusableError` with the way out: nothing of it must look like an answer."""
    if await is_lost(graph, frontier, clerk):
        raise GraphUnusableError(GONE.format(folder))
