"""Blank nodes as IRIs, and back. Pure.

The store keeps a blank node as `gossamer-blank:HASH`, the hash of page and label: so it is the same
in every run, can be compared and deleted like any other term, and never meets a blank node of
another page, whatever both are called. Whoever reads sees the blank node `_:bHASH`. A page that
writes the scheme itself is refused: it could speak about the blank nodes of others.
"""

from collections.abc import Mapping
from hashlib import blake2b
from typing import Any, Final

import pyoxigraph as ox

Term = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple

SCHEME: Final = "gossamer-blank:"
_MAY_BE_BLANK: Final = (ox.BlankNode, ox.Triple)
HASH_BYTES: Final = 16  # two labels with one hash are not to be found, even on purpose


class ReservedError(Exception):
    """A page names an IRI of our scheme."""


class Blanks:
    """The blank nodes of one page."""

    def __init__(self, page: str) -> None:
        self._page = blake2b(page.encode(), digest_size=HASH_BYTES).digest()
        self._known: dict[str, ox.NamedNode] = {}

    def quad(self, quad: ox.Quad) -> ox.Quad:
        """The quad as it is kept; raises `ReservedError` where it names what is ours to name."""
        subject, predicate, object_ = (self.kept(each) for each in quad.triple)
        return ox.Quad(subject, predicate, object_, quad.graph_name)  # type: ignore[arg-type]  # each of its own kind still

    def kept(self, term: Term) -> Term:
        """The term as it is kept; raises the same."""
        match term:
            case ox.BlankNode():
                return self._known.get(term.value) or self._name(term.value)
            case ox.NamedNode() if is_reserved(term):
                raise ReservedError(term.value)
            case ox.Triple():
                return ox.Triple(*(self.kept(each) for each in term))  # type: ignore[arg-type]  # as above
        return term

    def _name(self, label: str) -> ox.NamedNode:
        digest = blake2b(label.encode(), digest_size=HASH_BYTES, key=self._page).hexdigest()
        return self._known.setdefault(label, ox.NamedNode(SCHEME + digest))


def has_blanks(quad: ox.Quad) -> bool:
    """Whether a quad may have a blank node in it."""
    return isinstance(quad.subject, ox.BlankNode) or isinstance(quad.object, _MAY_BE_BLANK)


def is_reserved(iri: ox.NamedNode) -> bool:
    """Whether the IRI is of the scheme that stands for blank nodes, in any spelling of it."""
    return iri.value[: len(SCHEME)].lower() == SCHEME


def iri_of(told: Mapping[str, Any]) -> str:
    """The IRI under which the store has a node of an answer, as SPARQL's JSON tells it."""
    value: str = told["value"]
    return f"{SCHEME}{value[1:]}" if told["type"] == "bnode" else value


def shown(term: Term) -> Term:
    """The term as readers see it."""
    match term:
        case ox.NamedNode() if term.value.startswith(SCHEME):
            return ox.BlankNode(f"b{term.value[len(SCHEME) :]}")
        case ox.Triple():
            return shown_triple(term)
    return term


def shown_triple(triple: ox.Triple) -> ox.Triple:
    """The triple as readers see it."""
    subject, predicate, object_ = (shown(each) for each in triple)
    return ox.Triple(subject, predicate, object_)  # type: ignore[arg-type]  # no predicate was blank


def shown_quad(quad: ox.Quad) -> ox.Quad:
    """The quad as readers see it."""
    triple = shown_triple(quad.triple)
    return ox.Quad(triple.subject, triple.predicate, triple.object, quad.graph_name)
