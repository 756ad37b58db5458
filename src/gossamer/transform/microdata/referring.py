"""Reads pages with `itemref`: each item gathers its properties from all over the page.

Items refer to each other as the page likes, also in loops. They are described one at a
time, from a stack of our own.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from gossamer.model import Problem, Syntax
from gossamer.transform.document import Document, Item
from gossamer.transform.microdata.naming import Names, complaints, types_of
from gossamer.transform.microdata.nested import ORPHAN, TOO_DEEP
from gossamer.transform.microdata.registry import Registry, Vocabularies
from gossamer.transform.microdata.skeleton import Marked, Skeleton
from gossamer.transform.microdata.values import Value, Values, stated
from gossamer.transform.terms import A, Term, triple

_LOOP: Final = Problem("An item is a property of itself, by way of itemref.", Syntax.MICRODATA)
_TOO_MANY: Final = Problem(
    "Items refer to too many elements by itemref; some are left out.", Syntax.MICRODATA
)
_TWICE: Final = Problem(
    "An itemref leads to elements that the item has already; they count once.", Syntax.MICRODATA
)


def referring_statements(document: Document, registry: Registry) -> Iterator[Item]:
    """The statements of a page's items, each followed by those it refers to."""
    yield from _Reading(document, registry).statements()


class _Visit(NamedTuple):
    """An item to be described, and the type that it takes over where it has none."""

    item: Marked
    inherited: str | None


class _Reading:
    """One page being read: what its items are called, and which are described already."""

    def __init__(self, document: Document, registry: Registry) -> None:
        self._max_depth = document.options.max_depth
        self._keeps_orphans = not document.options.strict
        self._skeleton = Skeleton(document.html)
        self._vocabularies = Vocabularies(registry, document.html_base)
        self._values = Values(document)
        self._names = Names(document, self._values)
        self._subjects: dict[Marked, Term] = {}
        self._open: set[Marked] = set()  # under description now
        self._described: set[_Visit] = set()
        self._met: set[Marked] = set()  # items that were described, whatever type they took over

    def statements(self) -> Iterator[Item]:
        for top in self._skeleton.top_items:
            yield from self._all_of(top)
        for item in self._skeleton.inner_items:
            if self._keeps_orphans and item not in self._met:
                yield ORPHAN
                yield from self._all_of(item)

    def _all_of(self, top: Marked) -> Iterator[Item]:
        """What is said of an item and of those that it leads to."""
        stack: list[_Visit | Marked] = [_Visit(top, None)]
        while stack:
            step = stack.pop()
            if isinstance(step, Marked):
                self._open.remove(step)
            elif step in self._described:
                continue
            elif len(self._open) >= self._max_depth:
                yield TOO_DEEP
                self._keeps_orphans = False  # what is inside is left out as well
            else:
                yield from self._description(step, stack)

    def _description(self, visit: _Visit, stack: list[_Visit | Marked]) -> Iterator[Item]:
        """What is said of one item; the items that it leads to go onto the stack, above it."""
        item, inherited = visit
        self._described.add(visit)
        self._met.add(item)
        self._open.add(item)
        stack.append(item)
        subject, types = self._subject(item), types_of(item.attributes)
        current = types.first or inherited
        yield from (triple(subject, A, each) for each in types.terms)
        yield from complaints(subject, item.attributes, types)
        vocabulary = self._vocabularies[current]
        properties, repeats = self._skeleton.properties(item)
        if repeats:
            yield _TWICE
        if self._skeleton.is_tired:
            yield _TOO_MANY
        for element in properties:
            yield from stated(subject, self._value(element), element.attributes, vocabulary)
        inner = [element for element in properties if element.is_item]
        if not self._open.isdisjoint(inner):
            yield _LOOP
        stack.extend(
            _Visit(element, None if types_of(element.attributes).first else current)
            for element in reversed(inner)
            if element not in self._open
        )

    def _value(self, element: Marked) -> Value:
        if element.is_item:
            return self._subject(element)
        return self._values.of(element.node, element.attributes)

    def _subject(self, item: Marked) -> Term:
        known = self._subjects.get(item)
        if known is None:
            known = self._subjects[item] = self._names.given(item.attributes)
        return known
