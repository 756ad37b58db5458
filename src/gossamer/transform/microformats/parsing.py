"""Parses a page to the items of the intermediate model."""

from typing import Final

from gossamer.transform.document import Document
from gossamer.transform.microformats.classic import Property
from gossamer.transform.microformats.implied import imply
from gossamer.transform.microformats.items import Item, Markup, Nested, Parsed, Value
from gossamer.transform.microformats.marks import Mark, Root, marks_of
from gossamer.transform.microformats.reading import Reader
from gossamer.transform.microformats.values import ValueReader

_NAME: Final = Property("p", "name")
_URL: Final = Property("u", "url")


def parsed(document: Document, reader: Reader) -> Parsed:
    """All microformats of a page."""
    marks = marks_of(document)
    parsing = _Parsing(reader)
    # Last first: whatever lies within an item is then ready before it. No recursion, because
    # the page decides how deep it goes.
    for mark in reversed(marks.roots):
        parsing.add_item(mark)
    return Parsed(
        tuple(parsing.item_at(mark) for mark in marks.top),
        tuple(parsing.item_at(mark) for mark in marks.roots),
        marks.too_deep,
        reader.too_long,
    )


class _Parsing:
    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._items: dict[int, Item] = {}  # by element

    def item_at(self, mark: Mark) -> Item:
        return self._items[mark.element.mem_id]

    def add_item(self, mark: Mark) -> None:
        root = mark.root
        assert root is not None
        item = Item(root.names.types, mark.attributes.get("id") or None, mark.element)
        values = ValueReader(self._reader)
        for each in root.properties:
            for property_ in each.names.properties:
                self._add_value(item, property_, self._value(each, property_, values))
        item.children = [self.item_at(each) for each in root.children]
        if _implies(root):
            imply(item, _prefixes(root), self._reader)
        self._items[mark.element.mem_id] = item

    def _value(self, mark: Mark, property_: Property, values: ValueReader) -> Value:
        if mark.root is None:
            return values.value(mark, property_)
        item = self.item_at(mark)
        # Its name or address stands for an item, else what its element says.
        own = {"p": item.name, "u": item.url}.get(property_.prefix)
        if own:
            return Nested(own, item)
        said = values.value(mark, property_)
        text = self._reader.absolute(said.text) if property_.prefix == "u" else said.text
        return Nested(text, item, said.element if isinstance(said, Markup) else None)

    def _add_value(self, item: Item, property_: Property, value: Value) -> None:
        item.properties.setdefault(property_.name, []).append(value)
        if property_ == _NAME:
            item.name = item.name or value.text
        elif property_ == _URL:
            item.url = item.url or self._reader.absolute(value.text)


def _prefixes(root: Root) -> set[str]:
    return {property_.prefix for mark in root.properties for property_ in mark.names.properties}


def _implies(root: Root) -> bool:
    """Classic microformats imply nothing, unless a rule alone made an item of an element."""
    if root.names.inside.classic:
        return not (root.names.authored or root.properties or root.children)
    return not root.children and not any(mark.root for mark in root.properties)
