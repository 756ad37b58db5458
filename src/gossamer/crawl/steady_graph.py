"""The graph as a crawl writes it: opened anew when its process dies, its disk was full or its server away.

A page is always replaced as a whole, so what was not answered is simply sent again. A graph that is
empty while the frontier knows of pages that said something was taken away: that is an error.
"""

from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final, Protocol, Self

from gossamer.errors import GraphAwayError, GraphError
from gossamer.events import GraphReopened
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.thread import FrontierThread
from gossamer.index.graph.client import GraphProcess
from gossamer.index.graph.folder import GraphFullError, GraphUnusableError
from gossamer.index.graph.page_diff import GraphCounts
from gossamer.index.graph.pages import PageGraphs, PageRefused
from gossamer.index.graph.query import GraphExport, GraphQuery
from gossamer.index.graph.reader_pool import UNLIMITED, GraphAnswer
from gossamer.index.opening import OpenGraph
from gossamer.index.server.client import ServerGraph
from gossamer.log import Sink

ATTEMPTS: Final = 3  # at one batch: what kills the process each time would do so for ever
MOST_BLAMED: Final = 20  # pages: of more, it is not the pages
GONE: Final = (
    "The graph in {} is gone: it has nothing of the pages that were crawled. `gossamer rebuild` "
    "makes it anew from the archive."
)


class SteadyGraph:
    """A graph, opened by `new`, for one writer. Raises `GraphError` when it is beyond help."""

    def __init__(self, new: Callable[[], OpenGraph], tell: Sink) -> None:
        self._new = new
        self._tell = tell
        self._life = AsyncExitStack()
        self._process: OpenGraph | None = None
        self._was_full = False
        self._blamed = 0

    async def __aenter__(self) -> Self:
        await self._open()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._close()

    def query(self, query: GraphQuery) -> GraphAnswer:
        """The answer to a SPARQL query, in the first of the formats that suits it."""
        return self.present.query(query)

    def export(self, export: GraphExport) -> GraphAnswer:
        """Everything, or one graph, in an RDF syntax."""
        return self.present.export(export)

    @property
    def pid(self) -> int:
        """The process that writes now."""
        return self.present.pid

    @property
    def present(self) -> OpenGraph:
        """The graph as it is open now; raises `GraphError` between two openings."""
        if self._process is None:
            raise GraphError("The graph is not open at the moment. Try again.")
        return self._process

    @property
    def busy_seconds(self) -> float:
        """How long the process has been at one request."""
        process = self._process
        return process.busy_seconds if isinstance(process, GraphProcess) else 0.0

    async def keep(self, pages: Sequence[PageGraphs]) -> tuple[PageRefused, ...]:
        """Have the graph hold this of these pages, on the disk; the pages that it refused.

        A page with which the process dies or is stuck each time is refused, too.
        """
        try:
            return await self._keep(pages, ATTEMPTS)
        except (GraphFullError, GraphAwayError, GraphUnusableError):
            raise
        except GraphError:
            found = [await self._keep_alone(page) for page in pages]
            if all(is_blamed for _, is_blamed in found):
                await (await self._open()).flush()  # else it is not the pages
            self._blamed += sum(is_blamed for _, is_blamed in found)
            if self._blamed > MOST_BLAMED:
                raise
            return tuple(each for refused, _ in found for each in refused)

    async def _keep_alone(self, page: PageGraphs) -> tuple[tuple[PageRefused, ...], bool]:
        """Keep one page; whether it is to blame."""
        try:
            return await self._keep([page], ATTEMPTS - 1), False
        except (GraphFullError, GraphAwayError, GraphUnusableError):
            raise
        except GraphError as error:
            return (PageRefused(page.url, f"the graph could not take it: {error}"),), True

    async def _keep(self, pages: Sequence[PageGraphs], attempts: int) -> tuple[PageRefused, ...]:
        for attempt in range(1, attempts + 1):
            graph = await self._open()
            try:
                refused = await graph.replace(pages)
                await graph.flush()
            except GraphFullError:
                # The engine stays as it is after a write that failed, whatever room there is.
                self._was_full = True
                await self._close()
                raise
            except GraphAwayError:  # its process is well, and is to try again
                raise
            except GraphError as error:
                await self._close()
                if attempt == attempts:
                    raise
                self._tell(GraphReopened(message=str(error)))
            else:
                self._was_full = False
                return refused
        raise AssertionError("the last attempt returns or raises")

    async def counts(self) -> GraphCounts:
        """How much there is."""
        return await (await self._open()).counts()

    async def count_all(self) -> GraphCounts:
        """How much there is, however long it takes a server to count."""
        graph = await self._open()
        return await (graph.counts(UNLIMITED) if isinstance(graph, ServerGraph) else graph.counts())

    async def _open(self) -> OpenGraph:
        if self._process is None:
            try:
                graph: OpenGraph = await self._life.enter_async_context(self._new())
            except GraphError as error:
                if self._was_full:  # and is still: there is no room to open it either
                    raise GraphFullError(str(error)) from None
                raise
            self._process = graph
        return self._process

    async def _close(self) -> None:
        self._process = None
        await self._life.aclose()


class Counted(Protocol):
    """What is asked of a graph."""

    async def counts(self) -> GraphCounts:
        """How much there is."""


async def is_lost(graph: Counted, frontier: SqlFrontier, frontier_thread: FrontierThread) -> bool:
    """Whether an open graph in a folder has nothing of what was crawled.

    Where others share the frontier, it may be they who have all of it.
    """
    if frontier.is_shared or (await graph.counts()).pages:
        return False
    return await frontier_thread.do(frontier.says_something)


async def refuse_lost(
    graph: Counted, frontier: SqlFrontier, frontier_thread: FrontierThread, folder: Path
) -> None:
    """Raise `GraphUnusableError` with the way out: nothing of it must look like an answer."""
    if await is_lost(graph, frontier, frontier_thread):
        raise GraphUnusableError(GONE.format(folder))
