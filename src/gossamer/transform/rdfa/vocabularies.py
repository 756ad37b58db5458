"""Vocabulary expansion of RDFa Core, section 10: what vocabularies say about their own terms.

A vocabulary comes from `document.contexts` or not at all: nothing is fetched here.
"""

from collections.abc import Iterable, Iterator
from typing import Final

import pyoxigraph as ox

from gossamer.transform.document import Document, Item, Transform
from gossamer.transform.rdfa.context import OWL
from gossamer.transform.rdfa.patterns import parts
from gossamer.transform.rdfa.reports import Reports
from gossamer.transform.rdfa.scope import USES_VOCABULARY
from gossamer.transform.terms import RDFS, A, Term, Triple, known, triple
from gossamer.transform.triple_terms import cut_deep

_WIDER: Final = (known(f"{RDFS}subClassOf"), known(f"{RDFS}subPropertyOf"))
_SAME: Final = (known(f"{OWL}equivalentClass"), known(f"{OWL}equivalentProperty"))
_GRAPH_SYNTAXES: Final = (ox.RdfFormat.TURTLE, ox.RdfFormat.RDF_XML)

Wider = dict[Term, list[Term]]


def expanded(
    items: Iterable[Item], document: Document, reports: Reports, read: Transform
) -> Iterator[Item]:
    """The statements, and those that follow from wider and equivalent properties and classes."""
    kept: list[Triple] = []
    for item in items:
        yield item
        if isinstance(item, str):
            kept.append(item)
    wider = _wider(kept, document, reports, read)
    yield from reports.taken()
    if wider:
        for each in kept:
            yield from _following(each, wider)


def _following(statement: Triple, wider: Wider) -> Iterator[Triple]:
    subject, predicate, object_ = parts(statement)
    properties = [predicate, *_reachable(predicate, wider)]
    for each in properties[1:]:
        yield triple(subject, each, object_)
    if A in properties:
        for each in _reachable(object_, wider):
            yield triple(subject, A, each)


def _reachable(term: Term, wider: Wider) -> list[Term]:
    found, todo = {term: None}, [term]
    while todo:
        for each in wider.get(todo.pop(), ()):
            if each not in found:
                found[each] = None
                todo.append(each)
    return list(found)[1:]


def _wider(
    statements: Iterable[Triple], document: Document, reports: Reports, read: Transform
) -> Wider:
    wider: Wider = {}
    addresses = [parts(each)[2][1:-1] for each in statements if f" {USES_VOCABULARY} " in each]
    for address in dict.fromkeys(addresses):
        body = document.contexts.get(address) or document.contexts.get(address.partition("#")[0])
        if body is None:
            reports.no_vocabulary(address)
        else:
            _learn(wider, _vocabulary(address.partition("#")[0], body, read))
    return wider


def _learn(wider: Wider, statements: Iterable[Triple]) -> None:
    for each in statements:
        subject, predicate, object_ = parts(each)
        if predicate in _WIDER or predicate in _SAME:
            wider.setdefault(subject, []).append(object_)
        if predicate in _SAME:
            wider.setdefault(object_, []).append(subject)


def _vocabulary(address: str, body: bytes, read: Transform) -> Iterator[Triple]:
    """The statements of a vocabulary: Turtle or RDF/XML if it can be read as such, else RDFa."""
    text, _ = cut_deep(body.decode(errors="replace"))
    for syntax in _GRAPH_SYNTAXES:
        try:
            quads = list(ox.parse(text, format=syntax, base_iri=address))
        except (SyntaxError, ValueError):
            continue
        yield from (Triple(str(quad.triple)) for quad in quads)
        return
    for item in read(Document(address, body, media_type="text/html")):
        if isinstance(item, str):
            yield item
