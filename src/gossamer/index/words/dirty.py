"""Whom a change of the graph concerns. Pure."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Final

import pyoxigraph as ox

from gossamer.index.changes import Change
from gossamer.index.names import FETCH

TYPE: Final = ox.NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")


def touched(
    changes: Mapping[str, Change], quads_of: Callable[[ox.NamedNode], Iterable[ox.Quad]]
) -> set[str]:
    """All IRIs of which something else is said after these changes, or to which others link.

    What is said about fetches is nobody's description. Classes are linked to by everything that is
    of their kind, which says nothing about them.
    """
    found: set[str] = set()
    for change in changes.values():
        for quad in chain(change.added, change.removed, _in_dropped(change, quads_of)):
            if not is_about_fetch(quad.graph_name):
                found.add(quad.subject.value)  # type: ignore[union-attr]  # no triple is a subject
                linked = quad.object
                if isinstance(linked, ox.NamedNode) and quad.predicate != TYPE:
                    found.add(linked.value)
    return found


def is_about_fetch(graph: ox.NamedNode | ox.BlankNode | ox.DefaultGraph) -> bool:
    """Whether a graph is one of statements about a page's fetch."""
    return isinstance(graph, ox.NamedNode) and graph.value.endswith(FETCH)


def _in_dropped(
    change: Change, quads_of: Callable[[ox.NamedNode], Iterable[ox.Quad]]
) -> Iterator[ox.Quad]:
    for graph in change.dropped:
        if not is_about_fetch(graph):
            yield from quads_of(graph)
