"""A tree of the elements of a page that matter to microdata.

All else of the tree is left out, so that walking an item's properties costs what the item
has of them, however deep the markup is. Elements are held in document order.
"""

from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from gossamer.transform.microdata.elements import Attributes, marked_elements
from gossamer.transform.nearest import Nearest

MOST_VISITS: Final = 500_000  # of elements, by all items of a page together


class Marked:
    """An element with microdata attributes, or one that an `itemref` names."""

    __slots__ = ("attributes", "is_item", "is_property", "node", "place", "within")

    def __init__(self, place: int, node: LexborNode, attributes: Attributes) -> None:
        self.place = place  # in document order
        self.node = node
        self.attributes = attributes
        self.is_item = "itemscope" in attributes
        self.is_property = "itemprop" in attributes or "itemprop-reverse" in attributes
        self.within: list[Marked] = []  # in reverse document order


class Skeleton:
    """The marked elements of one page."""

    def __init__(self, html: LexborHTMLParser, most_visits: int = MOST_VISITS) -> None:
        # Many items may refer to one large block, and each of them looks through all of it.
        self._visits_left = most_visits
        referenced = _referenced(html)
        marked = _marked(html, referenced)
        _nest(marked)
        items = [each for each in marked if each.is_item]
        self.top_items = [each for each in items if not each.is_property]
        self.inner_items = [each for each in items if each.is_property]
        self._by_id: dict[str, Marked] = {}
        if referenced:
            for each in marked:
                self._by_id.setdefault(each.attributes.get("id") or "", each)

    @property
    def is_tired(self) -> bool:
        """Whether items refer to more elements than the limit allows."""
        return self._visits_left < 0

    def properties(self, item: Marked) -> tuple[list[Marked], bool]:
        """The properties of an item in document order, and whether one was met twice.

        HTML, "the properties of an item": its own and those of the elements it refers to.
        """
        found: list[Marked] = []
        seen = {item}
        repeats = False
        pending = [*self._named(item), *item.within]
        while pending and self._visits_left >= 0:
            self._visits_left -= 1
            element = pending.pop()
            if element in seen:
                repeats = True
                continue
            seen.add(element)
            if not element.is_item:
                pending += element.within
            if element.is_property:
                found.append(element)
        if "itemref" in item.attributes:
            found.sort(key=lambda element: element.place)
        return found, repeats

    def _named(self, item: Marked) -> list[Marked]:
        names = dict.fromkeys((item.attributes.get("itemref") or "").split())
        return [self._by_id[name] for name in names if name in self._by_id]


def _referenced(html: LexborHTMLParser) -> frozenset[str]:
    references = (node.attributes.get("itemref") for node in html.css("[itemscope][itemref]"))
    return frozenset(name for reference in references for name in (reference or "").split())


def _marked(html: LexborHTMLParser, referenced: frozenset[str]) -> list[Marked]:
    marked: list[Marked] = []
    for node in marked_elements(html, or_named=bool(referenced)):
        attributes = node.attributes
        element = Marked(len(marked), node, attributes)
        if element.is_property or element.is_item or attributes.get("id") in referenced:
            marked.append(element)
    return marked


def _nest(marked: list[Marked]) -> None:
    nearest: Nearest[Marked | None] = Nearest(None)
    around: list[Marked | None] = []
    for each in marked:
        around.append(nearest.of(each.node.parent))
        nearest.note(each.node, each)
    # Last first: by the time an element is placed, it is known whether it holds anything.
    for each, parent in zip(reversed(marked), reversed(around), strict=True):
        if parent is not None and (each.is_property or (each.within and not each.is_item)):
            parent.within.append(each)
