"""Implied properties of an item: its name, photo and URL."""

from collections.abc import Iterator
from typing import Final

from selectolax.lexbor import LexborNode

from gossamer.transform.microformats.items import Item, Picture, Plain
from gossamer.transform.microformats.reading import BLANKS, Reader
from gossamer.transform.microformats.values import attribute_by_tag, linked_value

_NAMES: Final = {"img": "alt", "area": "alt", "abbr": "title"}
_PHOTOS: Final = ("img", "object")
_ADDRESSES: Final = ("a", "area")


def imply(item: Item, prefixes: set[str], reader: Reader) -> None:
    """Add the implied properties of an item; `prefixes` are those of its explicit ones."""
    if "name" not in item.properties and not prefixes & {"p", "e"}:
        name = _name(item.element, reader)
        item.properties["name"] = [name]
        item.name = name.text
    if "u" not in prefixes:
        _imply_link(item, "photo", _PHOTOS, reader)
        if url := _imply_link(item, "url", _ADDRESSES, reader):
            item.url = url.text


def _imply_link(
    item: Item, name: str, tags: tuple[str, ...], reader: Reader
) -> Plain | Picture | None:
    if name in item.properties:
        return None
    found = _linked(item.element, tags, reader)
    if found:
        item.properties[name] = [found]
    return found


def _name(element: LexborNode, reader: Reader) -> Plain:
    """Of the element itself, or the only one in it, or the only one in that; else its text."""
    for each in (element, *_only_children(element)):
        name = attribute_by_tag(each.tag or "", each.attributes, _NAMES)
        if name or (name is not None and each is element):
            return Plain(name.strip(BLANKS), each)
    return Plain(reader.text(element, sources=False), element)


def _linked(element: LexborNode, tags: tuple[str, ...], reader: Reader) -> Plain | Picture | None:
    if element.tag in tags and (found := _linked_value(element, reader)):
        return found
    for parent in (element, *_only_children(element, levels=1)):
        for tag in tags:
            same = [child for child in parent.iter() if child.tag == tag]
            if len(same) == 1 and (found := _linked_value(same[0], reader)):
                return found
    return None


def _linked_value(element: LexborNode, reader: Reader) -> Plain | Picture | None:
    return linked_value(element, element.tag or "", element.attributes, reader)


def _only_children(element: LexborNode, levels: int = 2) -> Iterator[LexborNode]:
    for _ in range(levels):
        children = element.iter()
        only = next(children, None)
        if only is None or next(children, None) is not None:
            return
        element = only
        yield element
