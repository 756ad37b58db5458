"""Items of a page without `itemref`: one pass over the elements, in document order.

Each property belongs to the nearest item around it, which has been met by then. Nearly all
pages are so; those with `itemref` take the longer way of `referring.py`, and the two agree.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from gossamer.model import Problem, Syntax
from gossamer.transform.document import Document, Item
from gossamer.transform.microdata.elements import Attributes, elements
from gossamer.transform.microdata.naming import Names, introduction, type_of
from gossamer.transform.microdata.registry import Registry, Vocabularies, Vocabulary
from gossamer.transform.microdata.values import Values, stated
from gossamer.transform.nearest import Nearest
from gossamer.transform.terms import Term, triple

TOO_DEEP: Final = Problem(
    "Items are nested too deep; the innermost are left out.", Syntax.MICRODATA
)


class _Scope(NamedTuple):
    """An item, as its properties see it."""

    subject: Term
    vocabulary: Vocabulary
    type: str | None  # its own, or else that of the item around it
    depth: int


def nested_statements(document: Document, registry: Registry) -> Iterator[Item]:
    """What the items of such a page say."""
    values = Values(document)
    scopes = _Scopes(document, registry, values)
    nearest: Nearest[_Scope | None] = Nearest(None)
    for node, attributes in elements(document.html):
        around = nearest.of(node.parent)
        if "itemscope" in attributes:
            scope = scopes.entered(attributes, around)
            nearest.note(node, scope)
            yield from _opening(scope, around, attributes)
        elif around is not None:
            value = values.of(node, attributes)
            if isinstance(value, str) and "itemprop-reverse" not in attributes:  # nearly always
                for predicate in around.vocabulary.predicates(attributes["itemprop"] or ""):
                    yield triple(around.subject, predicate, value)
            else:
                yield from stated(around.subject, value, attributes, around.vocabulary)


def _opening(scope: _Scope | None, around: _Scope | None, attributes: Attributes) -> list[Item]:
    """What an item says before its properties do."""
    if scope is None:
        return [] if around is None else [TOO_DEEP]
    own = introduction(scope.subject, attributes)
    if around is None:
        return own
    return stated(around.subject, scope.subject, attributes, around.vocabulary) + own


class _Scopes:
    """Makes the scopes of a page."""

    def __init__(self, document: Document, registry: Registry, values: Values) -> None:
        self._names = Names(document, values)
        self._vocabularies = Vocabularies(registry, document.html_base)
        self._max_depth = document.options.max_depth

    def entered(self, attributes: Attributes, around: _Scope | None) -> _Scope | None:
        """The scope that an item opens; None for a property of nothing, and where it is too deep."""
        is_property = "itemprop" in attributes or "itemprop-reverse" in attributes
        outer = around if is_property else None
        if is_property and outer is None:
            return None
        depth = 1 if outer is None else outer.depth + 1
        if depth > self._max_depth:
            return None
        type_ = type_of(attributes) or (outer and outer.type)
        return _Scope(self._names.given(attributes), self._vocabularies.of(type_), type_, depth)
