"""Names of schema.org in one form, in what the graph holds already. Pure.

Pages that are read today have one form (`transform/schema_forms.py`). What was read before, and has no
archived copy to be read again, is rewritten: statement by statement, so that nothing is lost. Two
statements that differ in nothing but the form are one afterwards.
"""

from collections.abc import Iterable, Iterator
from typing import Final

import pyoxigraph as ox

from gossamer.index.graph.blanks import Term
from gossamer.index.graph.fetch_statements import OURS
from gossamer.index.graph.names import FETCH
from gossamer.index.graph.page_diff import INTEGER
from gossamer.index.graph.pages import TRIPLES, Content
from gossamer.transform.schema_forms import iri_in_one_form, is_of_schema_org

PAGES_AT_ONCE: Final = 100
"""How many pages are rewritten and told of together."""

OTHER_FORMS: Final = ("https://schema.org/", "http://www.schema.org/", "https://www.schema.org/")
_QUADS: Final = ox.NamedNode(f"{OURS}quads")


def pages_to_rewrite(quads: Iterable[ox.Quad]) -> Iterator[str]:
    """The pages, again and again, whose statements have a name in another form."""
    for quad in quads:
        graph = quad.graph_name
        if isinstance(graph, ox.NamedNode) and any(map(_is_other, quad.triple)):
            page = graph.value.partition("#")[0]
            if not graph.value.endswith(FETCH) and not is_of_schema_org(page):
                yield page


def rewritten(page: str, source: frozenset[ox.Quad], fetch: Iterable[ox.Quad]) -> Content | None:
    """What a page is to hold from now on; None where that is what it holds."""
    unified = frozenset(map(in_one_form, source))
    if unified == source:
        return None
    number = ox.Literal(str(len(unified)), datatype=INTEGER)
    about = (
        ox.Quad(quad.subject, _QUADS, number, quad.graph_name) if quad.predicate == _QUADS else quad
        for quad in fetch
        if quad.predicate != TRIPLES  # the graph says that by itself
    )
    return Content(page, unified, frozenset(about))


def in_one_form(quad: ox.Quad) -> ox.Quad:
    """The quad with each name of schema.org in the one form."""
    if not any(map(_is_other, quad.triple)):
        return quad
    subject, predicate, object_ = map(_unified, quad.triple)
    return ox.Quad(subject, predicate, object_, quad.graph_name)  # type: ignore[arg-type]  # each of its own kind still


def _is_other(term: Term) -> bool:
    match term:
        case ox.NamedNode():
            return term.value.startswith(OTHER_FORMS) and iri_in_one_form(term.value) != term.value
        case ox.Literal():
            return term.language is None and _is_other(term.datatype)
        case ox.Triple():
            return any(map(_is_other, term))
    return False


def _unified(term: Term) -> Term:
    match term:
        case ox.NamedNode():
            return ox.NamedNode(iri_in_one_form(term.value))
        case ox.Literal() if _is_other(term):
            return ox.Literal(
                term.value, datatype=ox.NamedNode(iri_in_one_form(term.datatype.value))
            )
        case ox.Triple():
            return ox.Triple(*map(_unified, term))  # type: ignore[arg-type]  # as above
    return term
