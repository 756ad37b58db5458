"""The value of a microdata property, by its element: an IRI, or a typed literal."""

import re
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from gossamer.model import Problem, Syntax
from gossamer.transform.document import Document, Item
from gossamer.transform.iris import join, unusable
from gossamer.transform.microdata.elements import Attributes
from gossamer.transform.microdata.registry import Vocabulary
from gossamer.transform.references import References
from gossamer.transform.terms import PLAIN, XSD, Term, Triple, ending, spelled, triple
from gossamer.transform.times import time_type

Value = Term | Problem | None
"""None where an element has no value at all: a link without an address."""

# Where the elements of these tags have their value; all others have it in their text.
_ATTRIBUTES: Final = {
    **dict.fromkeys(("a", "area", "link"), "href"),
    **dict.fromkeys(("audio", "embed", "iframe", "img", "source", "track", "video"), "src"),
    "object": "data",
    **dict.fromkeys(("data", "meter"), "value"),
    "time": "datetime",
}
# The same by the numbers that the parser knows tags by: a name would be made each time.
PLACES: Final = {
    LexborHTMLParser("").create_node(tag).tag_id: name for tag, name in _ATTRIBUTES.items()
}
_INTEGER: Final = re.compile(r"-?\d+", re.ASCII)
_FLOAT: Final = re.compile(r"-?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_INTEGER_ENDING: Final = ending(None, f"{XSD}integer")
_DOUBLE_ENDING: Final = ending(None, f"{XSD}double")
_BACKWARDS: Final = Problem(
    "An itemprop-reverse needs an item or a link, not text; the statement is left out.",
    Syntax.MICRODATA,
)


REPEATS: Final = (
    16  # properties within properties repeat their text: three or four times, as a rule
)
FREE_TEXT: Final = 1 << 20  # characters
TOO_LONG: Final = Problem(
    "Properties within properties repeat too much text: some is left out.", Syntax.MICRODATA
)


class Values:
    """Reads the property values of one page, except items."""

    __slots__ = ("_base", "_languages", "_only_ending", "_references", "_text_left")

    def __init__(self, document: Document) -> None:
        self._base = document.html_base
        self._references = References(self._base)
        self._languages = document.languages
        self._only_ending = document.languages.only_ending
        self._text_left = REPEATS * len(document.body) + FREE_TEXT

    def of(self, node: LexborNode, attributes: Attributes) -> Value:
        """The property value of an element."""
        place = PLACES.get(node.tag_id)
        if place is None:
            # By the note `content` is for meta elements; pages write prices so on any element.
            if "content" in attributes:
                text = attributes["content"]
            elif self._text_left < 0:
                return TOO_LONG
            else:
                text = node.text_lexbor()
                self._text_left -= len(text)
            return spelled(text or "", self._only_ending or self._languages.ending(node))
        if place == "value":
            return _number(attributes.get("value") or "")
        if place == "datetime":
            return self._time(node, attributes)
        return self.address(attributes[place] or "") if place in attributes else None

    def address(self, reference: str) -> Term | Problem:
        """The IRI of a reference on the page."""
        found = self._references.term(reference)
        if found is None:
            return Problem(unusable(join(self._base, reference)), Syntax.MICRODATA)
        return found

    def _time(self, node: LexborNode, attributes: Attributes) -> Term | Problem:
        if "datetime" in attributes:
            text = attributes["datetime"] or ""
        elif self._text_left < 0:
            return TOO_LONG
        else:
            text = node.text_lexbor()
            self._text_left -= len(text)
        datatype = time_type(text)
        return spelled(text, ending(None, datatype) if datatype else self._languages.ending(node))


def stated(
    subject: Term, value: Value, attributes: Attributes, vocabulary: Vocabulary
) -> list[Item]:
    """The statements of a property of an item, by all its names, in either direction."""
    if value is None:
        return []
    if isinstance(value, Problem):
        return [value]
    found: list[Item] = [
        Triple(f"{subject} {predicate} {value}")
        for predicate in vocabulary[attributes.get("itemprop") or ""]
    ]
    if "itemprop-reverse" not in attributes:
        return found
    if value.startswith('"'):
        return [*found, _BACKWARDS]
    backwards = vocabulary[attributes["itemprop-reverse"] or ""]
    return [*found, *(triple(value, predicate, subject) for predicate in backwards)]


def _number(text: str) -> Term:
    if _INTEGER.fullmatch(text):
        return spelled(text, _INTEGER_ENDING)
    return spelled(text, _DOUBLE_ENDING if _FLOAT.fullmatch(text) else PLAIN)
