"""A crawl of four pages that was never made, as frontier and graph would have it."""

from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from gossamer.config import Politeness
from gossamer.folder.data import DataFolder
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import Ended, NewUrl, RefusedLink, Settlement
from gossamer.frontier.sqlite import SqliteStore
from gossamer.index.graph.client import GraphProcess
from gossamer.index.graph.fetch_statements import FetchFacts, FetchOutcome, fetch_nquads
from gossamer.index.graph.pages import PageGraphs
from gossamer.model import Problem, Syntax, Url

NOW = datetime(2026, 1, 2, tzinfo=UTC)
SAYS = {"good": ("one", "two"), "odd": ("three",)}
COMMA = Problem("A comma too many.", syntax=Syntax.JSON_LD, line=7)


def url(path: str) -> Url:
    return Url(f"http://a.test/{path}")


async def made(folder: Path) -> DataFolder:
    """The data folder; host b.test has a page that is still to be fetched."""
    data = DataFolder(folder)
    data.make()
    _crawl(data)
    async with GraphProcess(data.graph_folder) as graph:
        assert await graph.replace([_graphs(path) for path in SAYS]) == ()
    return data


def _crawl(data: DataFolder) -> None:
    with closing(SqliteStore(data.frontier_file)) as store:
        frontier = SqlFrontier(store, "one", Politeness(delay=timedelta(0)))
        paths = ("good", "odd", "failed", "refused")
        frontier.add([NewUrl(url(path), seed=True) for path in paths])
        (lease,) = frontier.lease(1, pages=10)
        pages = {page.url.rpartition("/")[2]: page for page in lease.pages}
        outcomes = [
            Settlement(
                page=pages["good"],
                ended=Ended.CONTENT,
                status=200,
                quads=2,
                refused=[RefusedLink(url("nofollow"), "nofollow")],
            ),
            Settlement(page=pages["odd"], ended=Ended.CONTENT, status=200, quads=1, problems=1),
            Settlement(
                page=pages["failed"],
                ended=Ended.FAILED,
                status=500,
                why="status-500: The server answered 500.",
            ),
            Settlement(page=pages["refused"], ended=Ended.REFUSED, why="robots: Line 3."),
        ]
        frontier.settle(outcomes, {})
        frontier.release({lease.token: lease.clock})
        frontier.lease(1)  # and find that nothing of it is left
        frontier.add([NewUrl(Url("http://b.test/later"))])


def _graphs(path: str) -> PageGraphs:
    page = url(path)
    said = "".join(f'<{page}> <http://v.test/says> "{each}" <{page}> .\n' for each in SAYS[path])
    facts = FetchFacts(
        url=page,
        outcome=FetchOutcome.FETCHED,
        started_at=NOW,
        finished_at=NOW,
        status=200,
        syntaxes=("turtle",),
        quads=len(SAYS[path]),
        problems=(COMMA,) if path == "odd" else (),
    )
    return PageGraphs(page, said.encode(), fetch_nquads(facts))
