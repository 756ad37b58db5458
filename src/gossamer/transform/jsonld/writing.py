"""Turns a processor's quads into our terms: IRIs repaired, blank nodes named, bad ones dropped."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from gossamer.model import Problem, Syntax
from gossamer.transform.document import Document, Item
from gossamer.transform.iris import mended, unusable
from gossamer.transform.jsonld.processing import Quad
from gossamer.transform.terms import A, InGraph, Term, Triple

_ABSOLUTE: Final = re.compile(r"<[A-Za-z][A-Za-z0-9+.-]*:")

_GENERALIZED: Final = "A blank node as a property (generalized RDF) cannot be written; left out."


class Writer:
    """Writes the quads of one document; blank nodes are numbered as they appear."""

    def __init__(self, document: Document) -> None:
        self._blank = document.blank("j")
        self._blanks = 0
        self._nodes: dict[str, Term | None] = {}
        self._dropped: list[str] = []

    def items(self, quads: Iterable[Quad]) -> Iterator[Item]:
        """The quads as statements, with a problem for each unusable IRI."""
        node, value = self._nodes.get, self._object
        for subject, predicate, object_, graph in quads:
            first = node(subject) or self.node(subject)
            # A literal without a datatype, which most are, is a term already.
            is_plain = object_[0] == '"' and object_[-1] != ">"
            last = object_ if is_plain else value(predicate, object_)
            if predicate[0] == "_":  # only where generalized RDF was asked for
                yield Problem(_GENERALIZED, Syntax.JSON_LD)
            elif first and last and self.is_name(predicate):
                statement = Triple(f"{first} {predicate} {last}")
                if not graph:
                    yield statement
                elif name := self.node(graph):
                    yield InGraph(name, statement)
            if self._dropped:
                yield from self.problems()

    def problems(self) -> Iterator[Problem]:
        """The collected problems, once."""
        for text in self._dropped:
            yield Problem(unusable(text[1:-1]), Syntax.JSON_LD)
        self._dropped.clear()

    def _object(self, predicate: str, text: str) -> Term | None:
        if text[0] != '"':
            # A class is a name like a property, and no link.
            if predicate == A and text[0] == "<":
                return Term(text) if self.is_name(text) else None
            return self.node(text)
        return Term(text) if self.is_name(text[text.rindex("^^<") + 2 :]) else None

    def node(self, text: str) -> Term | None:
        """The term of an IRI in angle brackets, repaired, or of a blank node; None to drop it."""
        if text not in self._nodes:
            self._nodes[text] = self._mended(text[1:-1]) if text[0] == "<" else self.new_blank()
        return self._nodes[text]

    def _mended(self, text: str) -> Term | None:
        if good := mended(text):
            return Term(f"<{good}>")
        self._drop(f"<{text}>")
        return None

    def new_blank(self) -> Term:
        """A new blank node."""
        self._blanks += 1
        return Term(f"{self._blank}{self._blanks - 1}")

    def is_name(self, text: str) -> bool:
        """Whether a property, class or datatype in angle brackets is usable."""
        if is_good_name(text):
            return True
        self._drop(text)
        return False

    def _drop(self, text: str) -> None:
        # A relative one comes of a term that no context explains: JSON-LD leaves it out in silence.
        if _ABSOLUTE.match(text):
            self._dropped.append(text)


@lru_cache(maxsize=8192)  # properties and classes: the same ones page after page
def is_good_name(name: str) -> bool:
    """Whether a vocabulary name is usable as it is; repairing would invent another."""
    return mended(name[1:-1]) == name[1:-1]
