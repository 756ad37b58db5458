"""From what the graph holds of a page to what it is to hold: the smallest step. Pure.

A page crawled again says mostly what it said before. Only the difference is written: a page that
says the same costs its statements about the fetch, and a page that only says more is added to.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

import pyoxigraph as ox

from gossamer.index.graph.blanks import Term
from gossamer.index.graph.fetch_statements import (
    ABOUT_CONTENT,
    ANSWERED,
    DESCRIPTION,
    site_usage_names,
)
from gossamer.index.graph.names import fetch_graph
from gossamer.index.graph.pages import TRIPLES, Content, PageChanged

INTEGER: Final = ox.NamedNode("http://www.w3.org/2001/XMLSchema#integer")
STRING: Final = ox.NamedNode("http://www.w3.org/2001/XMLSchema#string")
Sizes = Mapping[ox.NamedNode, int]


@dataclass(frozen=True, slots=True)
class GraphCounts:
    """How much there is."""

    pages: int = 0  # known: with statements about a fetch
    graphs: int = 0  # source graphs that hold something
    quads: int = 0  # in source graphs

    def __add__(self, other: "GraphCounts") -> "GraphCounts":
        return GraphCounts(
            self.pages + other.pages, self.graphs + other.graphs, self.quads + other.quads
        )


@dataclass(frozen=True, slots=True)
class Holding:
    """What the graph holds of a page already."""

    fetch: frozenset[ox.Quad]
    source: frozenset[ox.Quad]
    sizes: Sizes  # of its source graphs

    @property
    def counts(self) -> GraphCounts:
        """What the page adds to the counts of the graph."""
        return GraphCounts(1, len(self.sizes), sum(self.sizes.values()))


@dataclass(frozen=True, slots=True)
class Change:
    """A change of the graph, to be made as a whole."""

    added: frozenset[ox.Quad]
    removed: frozenset[ox.Quad] = frozenset()
    dropped: frozenset[ox.NamedNode] = field(default_factory=frozenset)  # graphs, with all in them
    counts: GraphCounts = (
        GraphCounts()
    )  # what comes to the counts of the graph; may be below nothing

    @property
    def only_adds(self) -> bool:
        """Whether nothing has to go."""
        return not self.removed and not self.dropped


def changed(page: str, change: Change) -> PageChanged | None:
    """How much of what a page says a change changes; None where it is nothing."""
    fetch = fetch_graph(page)
    added = sum(getattr(quad.graph_name, "value", "") != fetch for quad in change.added)
    removed = added - change.counts.quads
    return PageChanged(page, added, removed) if added or removed else None


def arrival(content: Content) -> Change:
    """The change by a page that the graph does not know."""
    source = content.source or frozenset()
    sizes = sizes_of(source)
    added = source | content.fetch | said(content.page, sizes)
    return Change(added, counts=GraphCounts(1, len(sizes), len(source)))


def replacement(holding: Holding, content: Content) -> Change:
    """The change by a page that it knows."""
    source = holding.source if content.source is None else content.source
    sizes = holding.sizes if content.source is None else sizes_of(source)
    about = staying(holding.fetch, content) if content.about_stays else ()
    new = source.union(content.fetch, about, said(content.page, sizes))
    old = holding.source | holding.fetch
    fresh = as_kept(new - old)
    dropped = frozenset(holding.sizes.keys() - sizes.keys())
    gone = old - new - fresh
    removed = frozenset(quad for quad in gone if quad.graph_name not in dropped)
    before = holding.counts
    counts = GraphCounts(0, len(sizes) - before.graphs, sum(sizes.values()) - before.quads)
    return Change(fresh - old, removed, dropped, counts)


def staying(fetch: Iterable[ox.Quad], content: Content) -> Iterator[ox.Quad]:
    """What stays of the statements about an earlier fetch, while the page keeps its content."""
    renewed = renewed_names(content)
    for quad in fetch:
        if is_about_content(quad) and not (
            renewed and (quad.subject in renewed or quad.object in renewed)
        ):
            yield quad


def renewed_names(content: Content) -> frozenset[ox.NamedNode]:
    """The names of what is said about the use of a page beside it, where that was read anew.

    It was if the page was answered: then this fetch says all there is to say.
    """
    if not any(quad.predicate.value == ANSWERED for quad in content.fetch):
        return frozenset()
    return frozenset(map(ox.NamedNode, site_usage_names(content.page)))


def is_about_content(quad: ox.Quad) -> bool:
    """Whether a statement about a fetch speaks of the content that came with it."""
    if quad.predicate.value == DESCRIPTION:  # of a problem, or else of how the fetch ended
        return quad.subject != quad.graph_name
    return quad.predicate.value in ABOUT_CONTENT


def as_kept(quads: Collection[ox.Quad]) -> frozenset[ox.Quad]:
    """Quads as the engine gives them back: of a number or date it keeps the value, not the spelling.

    A page that says "1.50" and is read once more has not changed.
    """
    if not any(is_kept_otherwise(quad.object) for quad in quads):
        return frozenset(quads)
    engine = ox.Store()
    engine.extend(quads)
    return frozenset(engine)


def is_kept_otherwise(term: Term) -> bool:
    """Whether the engine may give a term back in another spelling."""
    if isinstance(term, ox.Triple):
        return is_kept_otherwise(term.object)
    return isinstance(term, ox.Literal) and term.language is None and term.datatype != STRING


def farewell(page: str, holding: Holding) -> Change:
    """The change by a page that is to be forgotten."""
    before = holding.counts
    gone = frozenset({*holding.sizes, ox.NamedNode(fetch_graph(page))})
    return Change(frozenset(), dropped=gone, counts=GraphCounts(-1, -before.graphs, -before.quads))


def sizes_said(fetch: Iterable[ox.Quad]) -> dict[ox.NamedNode, int]:
    """The source graphs of a page and their sizes, by the store's own statements in its fetch graph."""
    return {
        quad.subject: int(quad.object.value)
        for quad in fetch
        if quad.predicate == TRIPLES
        and isinstance(quad.subject, ox.NamedNode)
        and isinstance(quad.object, ox.Literal)
    }


def sizes_of(source: frozenset[ox.Quad]) -> dict[ox.NamedNode, int]:
    """The source graphs in what a page says, and their sizes."""
    names = Counter(quad.graph_name for quad in source)
    return {name: size for name, size in names.items() if isinstance(name, ox.NamedNode)}


def said(page: str, sizes: Sizes) -> frozenset[ox.Quad]:
    """The store's own statements about the source graphs of a page."""
    graph = ox.NamedNode(fetch_graph(page))
    # Said about the page even where it is nothing: then no page is without a fetch graph, and
    # one statement a page counts the pages.
    said = {ox.NamedNode(page): 0, **sizes}
    return frozenset(
        ox.Quad(name, TRIPLES, ox.Literal(str(size), datatype=INTEGER), graph)
        for name, size in said.items()
    )


def as_update(change: Change) -> str:
    """The change as one SPARQL update, which the store makes as a whole. No blank nodes in it."""
    drops = [f"DROP SILENT GRAPH {graph}" for graph in change.dropped]
    removes = [f"DELETE DATA {{ {_data(change.removed)} }}"] if change.removed else []
    adds = [f"INSERT DATA {{ {_data(change.added)} }}"] if change.added else []
    return ";\n".join([*drops, *removes, *adds])


def _data(quads: Iterable[ox.Quad]) -> str:
    return "".join(f"GRAPH {quad.graph_name} {{ {quad.triple} }}\n" for quad in quads)
