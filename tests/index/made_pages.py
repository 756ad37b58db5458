"""Pages for the tests of the graph: what they say, and how to look at what is kept of them."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pyoxigraph as ox

from gossamer.index.graph.fetch_statements import FetchFacts, FetchOutcome, fetch_nquads
from gossamer.index.graph.folder import GraphFolder
from gossamer.index.graph.names import fetch_graph
from gossamer.index.graph.pages import TRIPLES, PageGraphs
from gossamer.model import Problem
from gossamer.politeness.usage import UsageStatement

V = "http://v.test/"
PAGES = 30  # where a test wants a number of them


def url(number: int) -> str:
    return f"http://host{number % 3}.test/page{number}"


def page(number: int, version: int = 0, size: int = 5) -> PageGraphs:
    """A page with blank nodes and a graph of its own inside; versions share half of what they say."""
    name = url(number)
    lines = [f'_:n{at} <{V}is> "{at}" <{name}> .' for at in range(size)]
    lines += [f"<{name}#it> <{V}v{version}> _:n{at} <{name}> ." for at in range(size)]
    lines += [f'<{name}#it> <{V}has> "{version}" <{name}#graph-{version % 2}> .']
    return PageGraphs(name, "\n".join(lines).encode() if size else b"", about(number, version))


PAGE = "http://a.test/"
NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)


def fetched() -> PageGraphs:
    """A page as a crawl brings it, with something wrong in it."""
    problem = Problem("A comma too many.", "jsonld", 7)
    facts = FetchFacts(
        url=PAGE,
        outcome=FetchOutcome.FETCHED,
        started_at=NOON,
        finished_at=NOON,
        status=200,
        media_type="text/html",
        syntaxes=("jsonld", "rdfa"),
        quads=1,
        problems=(problem,),
        usage=(
            UsageStatement("tdm-reservation", "1", "header"),
            UsageStatement("tdm-policy", "http://a.test/policy", "header"),
            UsageStatement("content-usage", "train-ai=n", "robots.txt"),
            UsageStatement("content-usage", "search=y", "robots.txt"),
        ),
    )
    said = f'<{PAGE}> <{V}is> "there" <{PAGE}> .'.encode()
    return PageGraphs(PAGE, said, fetch_nquads(facts))


def visited(outcome: FetchOutcome) -> PageGraphs:
    """The same an hour later, when it keeps what it said."""
    later = NOON + timedelta(hours=1)
    failed = outcome is FetchOutcome.FAILED
    facts = FetchFacts(
        url=PAGE,
        outcome=outcome,
        started_at=later,
        finished_at=later,
        status=503 if failed else 304,
        cause="status-503" if failed else None,
        message="The server answered 503." if failed else None,
        usage=(UsageStatement("content-usage", "train-ai=y", "robots.txt"),),
    )
    return PageGraphs(PAGE, None, fetch_nquads(facts))


def about(number: int, version: int = 0) -> bytes:
    graph = fetch_graph(url(number))
    return f'<{graph}> <{V}version> "{version}" <{graph}> .\n<{graph}> <{V}resp> _:r <{graph}> .'.encode()


def kept(path: Path) -> frozenset[str]:
    """Every quad of a graph that nobody has open, but for the store's own."""
    return shown(ox.Store.read_only(str(GraphFolder(path).quads)))


def shown(store: Iterable[ox.Quad]) -> frozenset[str]:
    return frozenset(str(quad) for quad in store if quad.predicate != TRIPLES)
