"""Finds the elements of a page with microformat class names, and how they nest.

A page is looked at once, in the order of the document, and only where it has classes or
rel values; the tree between these elements is climbed once, however deep it is.

Marks point inwards only. A cycle would keep the tree of the page, which is large and not
counted by the garbage collector, long after the page is done.
"""

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from selectolax.lexbor import LexborNode

from gossamer.transform.document import Document
from gossamer.transform.microformats.classes import (
    Around,
    Names,
    RootNames,
    may_have_roles,
    names_of,
)
from gossamer.transform.microformats.classic import CLASSIC_RELS

Attributes = dict[str, str | None]

_NOWHERE: Final = Around(False, ())
# Names within names. Each level reads the text of all levels below it once more; the deepest
# threads of comments in comments stay well below.
MAX_NESTED: Final = 48


@dataclass(slots=True, eq=False)
class Mark:
    """An element that is an item, a property, a value of one, or several of these."""

    element: LexborNode
    tag: str
    attributes: Attributes
    names: Names
    root: "Root | None"
    values: "list[Mark]" = field(default_factory=list)  # value class pattern


@dataclass(slots=True, eq=False)
class Root:
    """An element that is an item."""

    names: RootNames
    properties: list[Mark] = field(default_factory=list)
    children: list[Mark] = field(default_factory=list)  # items that are no property


@dataclass(slots=True)
class Marks:
    """The marked elements of a page."""

    top: list[Mark] = field(default_factory=list)  # items in no other
    roots: list[Mark] = field(default_factory=list)  # all items, in the order of the document
    too_deep: bool = False


def marks_of(document: Document) -> Marks:
    """Find everything on the page that belongs to a microformat."""
    marking = _Marking(document.options.max_depth)
    for element in document.html.css("[class], [rel]"):
        marking.look_at(element)
    return marking.found


class _Place(NamedTuple):
    """Where an element lies."""

    mark: Mark | None  # the nearest on it or around it
    item: Root | None  # the nearest item, likewise
    depth: int  # in elements
    nested: int  # in marks


_OUTSIDE: Final = _Place(None, None, 0, 0)


class _Marking:
    def __init__(self, max_depth: int) -> None:
        self.found = Marks()
        self._max_depth = max_depth
        self._places: dict[int, _Place] = {}  # by element

    def look_at(self, element: LexborNode) -> None:
        attributes = element.attributes
        # Nearly all have classes for style sheets alone.
        if "rel" not in attributes and not may_have_roles(attributes.get("class") or ""):
            return
        if element.mem_id in self._places:
            return  # found by its class and by its rel
        outer = self._around(element)
        item = outer.item
        around = item.names.inside if item else _NOWHERE
        rels = _classic_rels(attributes.get("rel")) if around.classic else ()
        names = names_of(attributes.get("class") or "", rels, around)
        if names and (item or names.root):
            self._mark(element, attributes, names, outer)

    def _around(self, element: LexborNode) -> _Place:
        """What lies around an element; noted for all elements on the way there."""
        passed: list[int] = []
        place = _OUTSIDE
        node = element.parent
        while node is not None:
            known = self._places.get(node.mem_id)
            if known is not None:
                place = known
                break
            passed.append(node.mem_id)
            node = node.parent
        for key in reversed(passed):
            place = _Place(place.mark, place.item, place.depth + 1, place.nested)
            self._places[key] = place
        return place

    def _mark(
        self, element: LexborNode, attributes: Attributes, names: Names, outer: _Place
    ) -> None:
        tag = element.tag or ""
        is_value = bool(names.value and outer.mark and outer.mark.names.properties)
        if tag == "template" or not (names.properties or names.root or is_value):
            return
        if outer.depth >= self._max_depth or outer.nested >= MAX_NESTED:
            self.found.too_deep = True
            return
        root = Root(names.root) if names.root else None
        mark = Mark(element, tag, attributes, names, root)
        self._places[element.mem_id] = _Place(
            mark, root or outer.item, outer.depth + 1, outer.nested + 1
        )
        if is_value and outer.mark:
            outer.mark.values.append(mark)
        if names.properties and outer.item:
            outer.item.properties.append(mark)
        elif root:
            (outer.item.children if outer.item else self.found.top).append(mark)
        if root:
            self.found.roots.append(mark)


def _classic_rels(rel: str | None) -> tuple[str, ...]:
    if not rel:
        return ()
    return tuple(word for word in dict.fromkeys(rel.lower().split()) if word in CLASSIC_RELS)
