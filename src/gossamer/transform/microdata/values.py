"""The value of a property by the element it stands on: an IRI, or a literal with its type."""

import re
from typing import Final

from selectolax.lexbor import LexborNode

from gossamer.model import Problem, Syntax
from gossamer.transform.document import Document, Item
from gossamer.transform.iris import join, unusable
from gossamer.transform.microdata.elements import Attributes
from gossamer.transform.microdata.registry import Vocabulary
from gossamer.transform.references import References
from gossamer.transform.terms import XSD, Term, literal, triple
from gossamer.transform.times import time_type

Value = Term | Problem | None
"""None where an element has no value at all: a link without an address."""

_ADDRESSES: Final = {
    **dict.fromkeys(("a", "area", "link"), "href"),
    **dict.fromkeys(("audio", "embed", "iframe", "img", "source", "track", "video"), "src"),
    "object": "data",
}
_NUMBERS: Final = frozenset(("data", "meter"))
_INTEGER: Final = re.compile(r"-?\d+", re.ASCII)
_FLOAT: Final = re.compile(r"-?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_XSD_INTEGER: Final = f"{XSD}integer"
_XSD_DOUBLE: Final = f"{XSD}double"
_BACKWARDS: Final = Problem(
    "An itemprop-reverse needs an item or a link, not text; the statement is left out.",
    Syntax.MICRODATA,
)


class Values:
    """The values of the properties of one page, other than items."""

    __slots__ = ("_base", "_language_of", "_references")

    def __init__(self, document: Document) -> None:
        self._base = document.html_base
        self._references = References(self._base)
        self._language_of = document.languages.of

    def of(self, node: LexborNode, attributes: Attributes) -> Value:
        """The value that an element gives its properties."""
        tag = node.tag or ""
        if tag in _ADDRESSES:
            address = _ADDRESSES[tag]
            return self.address(attributes[address] or "") if address in attributes else None
        if tag in _NUMBERS:
            return _number(attributes.get("value") or "")
        if tag == "time":
            text = (attributes["datetime"] or "") if "datetime" in attributes else node.text()
            if datatype := time_type(text):
                return literal(text, None, datatype)
        # By the note `content` is for meta elements; pages write prices so on any element.
        elif "content" in attributes:
            text = attributes["content"] or ""
        else:
            text = node.text()
        return literal(text, self._language_of(node))

    def address(self, reference: str) -> Term | Problem:
        """The IRI that a reference on the page leads to."""
        found = self._references.term(reference)
        if found is None:
            return Problem(unusable(join(self._base, reference)), Syntax.MICRODATA)
        return found


def stated(
    subject: Term, value: Value, attributes: Attributes, vocabulary: Vocabulary
) -> list[Item]:
    """What a property says of an item, by all its names, in either direction."""
    if value is None:
        return []
    if isinstance(value, Problem):
        return [value]
    predicates = vocabulary.predicates(attributes.get("itemprop") or "")
    found: list[Item] = [triple(subject, predicate, value) for predicate in predicates]
    if "itemprop-reverse" not in attributes:
        return found
    if value.startswith('"'):
        return [*found, _BACKWARDS]
    backwards = vocabulary.predicates(attributes["itemprop-reverse"] or "")
    return found + [triple(value, predicate, subject) for predicate in backwards]


def _number(text: str) -> Term:
    if _INTEGER.fullmatch(text):
        return literal(text, None, _XSD_INTEGER)
    return literal(text, None, _XSD_DOUBLE if _FLOAT.fullmatch(text) else None)
