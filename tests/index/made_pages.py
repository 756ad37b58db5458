"""Pages for the tests of the graph: what they say, and how to look at what is kept of them."""

from collections.abc import Iterable
from pathlib import Path

import pyoxigraph as ox

from gossamer.index.folder import GraphFolder
from gossamer.index.names import fetch_graph
from gossamer.index.pages import TRIPLES, PageGraphs

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


def about(number: int, version: int = 0) -> bytes:
    graph = fetch_graph(url(number))
    return f'<{graph}> <{V}version> "{version}" <{graph}> .\n<{graph}> <{V}resp> _:r <{graph}> .'.encode()


def kept(path: Path) -> frozenset[str]:
    """Every quad of a graph that nobody has open, but for the store's own."""
    return shown(ox.Store.read_only(str(GraphFolder(path).quads)))


def shown(store: Iterable[ox.Quad]) -> frozenset[str]:
    return frozenset(str(quad) for quad in store if quad.predicate != TRIPLES)
