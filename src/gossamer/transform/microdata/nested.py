"""Reads pages without `itemref`: one pass over the elements, in document order.

Each property belongs to the nearest item around it, which has been met by then. Nearly all
pages are so; those with `itemref` take the longer way of `referring.py`, and the two agree.
"""

from collections.abc import Iterator
from typing import Final

from gossamer.model import Problem, Syntax
from gossamer.transform.document import Document, Item
from gossamer.transform.microdata.elements import marked_elements
from gossamer.transform.microdata.naming import Names, complaints, types_of
from gossamer.transform.microdata.registry import Registry, Vocabularies, Vocabulary
from gossamer.transform.microdata.values import Values, stated
from gossamer.transform.nearest import Nearest
from gossamer.transform.terms import A, Term, Triple

TOO_DEEP: Final = Problem(
    "Items are nested too deep; the innermost are left out.", Syntax.MICRODATA
)


ORPHAN: Final = Problem(
    "An item is a property of nothing; it is read as an item of its own.", Syntax.MICRODATA
)


class _Scope:
    """An item, as its properties see it."""

    __slots__ = ("depth", "subject", "type", "vocabulary")

    def __init__(
        self, subject: Term, vocabulary: Vocabulary, type_: str | None, depth: int
    ) -> None:
        self.subject = subject
        self.vocabulary = vocabulary
        self.type = type_  # its own, or else that of the item around it
        self.depth = depth


def nested_statements(document: Document, registry: Registry) -> Iterator[Item]:
    """The statements of a page's items, from its elements with microdata.

    One long loop, because a page goes round it a hundred times: every call that it does not
    make is a hundredth of the work.
    """
    values = Values(document)
    names = Names(document, values)
    vocabularies = Vocabularies(registry, document.html_base)
    nearest: Nearest[_Scope | None] = Nearest(None)
    known = nearest.known
    keeps_orphans = not document.options.strict
    for node in marked_elements(document.html):
        attributes = node.attributes
        parent = node.parent
        key = 0 if parent is None else parent.mem_id
        around = known[key] if key in known else nearest.around(node)
        item: _Scope | None = None
        if "itemscope" in attributes:
            types = types_of(attributes)
            type_, depth = types.first, 1
            if "itemprop" in attributes or "itemprop-reverse" in attributes:
                if around is not None and around.depth < document.options.max_depth:
                    type_, depth = type_ or around.type, around.depth + 1
                elif around is None and keeps_orphans:
                    yield ORPHAN
                else:
                    nearest.note(node, None)
                    if around is not None:
                        yield TOO_DEEP
                        keeps_orphans = False  # what is inside is left out as well
                    continue
            item = _Scope(names.given(attributes), vocabularies[type_], type_, depth)
            known[node.mem_id] = item
        if around is not None:  # else this is a property of nothing
            value = values.of(node, attributes) if item is None else item.subject
            if isinstance(value, str) and "itemprop-reverse" not in attributes:  # nearly always
                for predicate in around.vocabulary[attributes.get("itemprop") or ""]:
                    yield Triple(f"{around.subject} {predicate} {value}")
            else:
                yield from stated(around.subject, value, attributes, around.vocabulary)
        if item is not None:
            for each in types.terms:
                yield Triple(f"{item.subject} {A} {each}")
            if types.problems or "itemid" in attributes:
                yield from complaints(item.subject, attributes, types)
