"""Whom a change of the graph concerns. Pure."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain

import pyoxigraph as ox

from gossamer.index.graph.blanks import SCHEME
from gossamer.index.graph.names import FETCH
from gossamer.index.graph.page_diff import Change
from gossamer.index.words.journal import Touched


def touched(
    changes: Mapping[str, Change], quads_of: Callable[[ox.NamedNode], Iterable[ox.Quad]]
) -> Touched:
    """All IRIs of which something else is said after these changes, or to which others link.

    What is said about fetches is nobody's description, and links to blank nodes do not count.
    """
    spoken_of, linked_to = set[str](), set[str]()
    for change in changes.values():
        for quad in chain(change.added, change.removed, _in_dropped(change, quads_of)):
            if not is_about_fetch(quad.graph_name):
                spoken_of.add(quad.subject.value)  # type: ignore[union-attr]  # no triple is a subject
                if isinstance(quad.object, ox.NamedNode):
                    linked_to.add(quad.object.value)
    blank = {iri for iri in linked_to if iri.startswith(SCHEME)}
    return Touched(frozenset(spoken_of), frozenset(linked_to - spoken_of - blank))


def speaks_otherwise(change: Change) -> bool:
    """Whether a page says something else after this change than before it."""
    graphs = chain(
        (quad.graph_name for quad in chain(change.added, change.removed)), change.dropped
    )
    return not all(map(is_about_fetch, graphs))


def is_about_fetch(graph: ox.NamedNode | ox.BlankNode | ox.DefaultGraph) -> bool:
    """Whether a graph is one of statements about a page's fetch."""
    return isinstance(graph, ox.NamedNode) and graph.value.endswith(FETCH)


def _in_dropped(
    change: Change, quads_of: Callable[[ox.NamedNode], Iterable[ox.Quad]]
) -> Iterator[ox.Quad]:
    for graph in change.dropped:
        if not is_about_fetch(graph):
            yield from quads_of(graph)
