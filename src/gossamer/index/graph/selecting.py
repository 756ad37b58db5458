"""Which statements an export has: of the pages of some hosts, of the things of some types, of fetches or not.

Ordered by graph, and for tables with what is known of each page before what it says: status, time and
syntaxes of its fetch, in a graph of a name that no page can have.
"""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Final

import pyoxigraph as ox

from gossamer.index.entities import is_of_type, page_of
from gossamer.index.entities.whereabouts import host_of_iri
from gossamer.index.graph.blanks import SCHEME
from gossamer.index.graph.fetch_statements import HTTP, OURS, PROV, RDF_TYPE
from gossamer.index.graph.names import FETCH, fetch_graph
from gossamer.index.graph.query import BY_PAGE, GraphExport

ABOUT_PAGE: Final = ox.NamedNode(f"{OURS}page")
"""The graph of what is known of the page whose statements follow."""
_SYNTAX: Final = ox.NamedNode(f"{OURS}syntax")
PAGE_FACTS: Final = frozenset(
    {ox.NamedNode(f"{PROV}endedAtTime"), ox.NamedNode(f"{HTTP}statusCodeValue"), _SYNTAX}
)
_TYPE: Final = ox.NamedNode(RDF_TYPE)


def is_wanted(graph: str, wanted: GraphExport) -> bool:
    """Whether an export has a graph of this name."""
    if not wanted.fetches and graph.endswith(FETCH):
        return False
    return not wanted.hosts or host_of_iri(graph.partition("#")[0]) in wanted.hosts


def selected(store: ox.Store, wanted: GraphExport) -> Iterator[ox.Quad]:
    """The statements of an export, one graph after the other."""
    says = _of_types(store, wanted.types) if wanted.types else _all(store)
    told = None
    for graph in store.named_graphs():
        if not isinstance(graph, ox.NamedNode) or not is_wanted(graph.value, wanted):
            continue
        page = page_of(graph.value) or graph.value.removesuffix(FETCH)
        for quad in says(graph):
            if page != told and wanted.format == BY_PAGE:
                yield from _page_facts(store, page)
                told = page
            yield quad


Says = Callable[[ox.NamedNode], Iterator[ox.Quad]]


def _all(store: ox.Store) -> Says:
    return lambda graph: store.quads_for_pattern(None, None, None, graph)


def _of_types(store: ox.Store, types: tuple[str, ...]) -> Says:
    """Of a graph, what it says of things of these types, and of nodes without a name that they lead to."""

    @cache
    def is_asked_for(kind: str) -> bool:
        return any(is_of_type(kind, asked) for asked in types)

    def says(graph: ox.NamedNode) -> Iterator[ox.Quad]:
        waiting = [
            quad.subject
            for quad in store.quads_for_pattern(None, _TYPE, None, graph)
            if isinstance(quad.object, ox.NamedNode) and is_asked_for(quad.object.value)
        ]
        seen = set(waiting)
        while waiting:
            for quad in store.quads_for_pattern(waiting.pop(), None, None, graph):
                yield quad
                found = quad.object
                if (
                    isinstance(found, ox.NamedNode)
                    and found.value.startswith(SCHEME)
                    and found not in seen
                ):
                    seen.add(found)
                    waiting.append(found)

    return says


def _page_facts(store: ox.Store, page: str) -> Iterator[ox.Quad]:
    name, fetch = ox.NamedNode(page), ox.NamedNode(fetch_graph(page))
    for quad in store.quads_for_pattern(None, None, None, fetch):
        # The syntax of a problem is said of the problem.
        is_fact = quad.predicate in PAGE_FACTS and isinstance(quad.object, ox.Literal)
        if is_fact and (quad.predicate != _SYNTAX or quad.subject == fetch):
            yield ox.Quad(name, quad.predicate, quad.object, ABOUT_PAGE)
