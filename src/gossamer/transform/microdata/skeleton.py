"""The elements of a page that microdata cares about, and how they nest.

All else of the tree is left out, so that walking an item's properties costs what the item
has of them, however deep the markup is. Elements are held in document order.
"""

from collections.abc import Mapping

from selectolax.lexbor import LexborHTMLParser, LexborNode

from gossamer.transform.microdata.nested import MARKED
from gossamer.transform.nearest import Nearest


class Marked:
    """An element with microdata attributes, or one that an `itemref` names."""

    __slots__ = ("attributes", "is_item", "is_property", "node", "place", "within")

    def __init__(self, place: int, node: LexborNode, attributes: Mapping[str, str | None]) -> None:
        self.place = place  # in document order
        self.node = node
        self.attributes = attributes
        self.is_item = "itemscope" in attributes
        self.is_property = "itemprop" in attributes or "itemprop-reverse" in attributes
        self.within: list[Marked] = []  # in reverse document order

    def tokens(self, attribute: str) -> list[str]:
        """The words of an attribute, each once."""
        words = (self.attributes.get(attribute) or "").split()
        return words if len(words) < 2 else list(dict.fromkeys(words))


class Skeleton:
    """The marked elements of one page."""

    def __init__(self, html: LexborHTMLParser) -> None:
        referenced = _referenced(html)
        marked = _marked(html, referenced)
        _nest(marked)
        self.top_items = [each for each in marked if each.is_item and not each.is_property]
        self._by_id: dict[str, Marked] = {}
        if referenced:
            for each in marked:
                self._by_id.setdefault(each.attributes.get("id") or "", each)

    def properties(self, item: Marked) -> tuple[list[Marked], bool]:
        """The properties of an item in document order, and whether it came upon one twice.

        HTML, "the properties of an item": its own and those of the elements it refers to.
        """
        found: list[Marked] = []
        seen = {item}
        repeats = False
        pending = [*self._named(item), *item.within]
        while pending:
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
        if "itemref" not in item.attributes:
            return []
        named = (self._by_id.get(name) for name in item.tokens("itemref"))
        return [element for element in named if element is not None]


def _referenced(html: LexborHTMLParser) -> frozenset[str]:
    references = (node.attributes.get("itemref") for node in html.css("[itemscope][itemref]"))
    return frozenset(name for reference in references for name in (reference or "").split())


def _marked(html: LexborHTMLParser, referenced: frozenset[str]) -> list[Marked]:
    marked: list[Marked] = []
    last = 0
    for node in html.css(f"{MARKED},[id]" if referenced else MARKED):
        # An element comes once for each selector that it matches, one after the other.
        if (key := node.mem_id) == last:
            continue
        last = key
        element = Marked(len(marked), node, node.attributes)
        if element.is_property or element.is_item or element.attributes.get("id") in referenced:
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
