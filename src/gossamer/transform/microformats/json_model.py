"""The intermediate model as JSON, in the form of the microformats parsing specification."""

import re
from collections.abc import Iterable
from typing import Any, Final

from selectolax.lexbor import LexborNode

from gossamer.transform.document import Document
from gossamer.transform.microformats.items import Item, Markup, Nested, Picture, Value
from gossamer.transform.microformats.parsing import parsed
from gossamer.transform.microformats.reading import BLANKS, Reader

Json = dict[str, Any]

_REFERENCES: Final = ("href", "src", "cite", "data", "poster")
_WITH_REFERENCE: Final = ",".join(f"[{name}]" for name in _REFERENCES)
_REFERRING: Final = re.compile(rf" (?:{'|'.join(_REFERENCES)})=")  # as the parser writes attributes
_OF_A_VALUE: Final = 32  # characters that writing one is worth
_LINK_DETAILS: Final = ("hreflang", "media", "title", "type")


def microformats_json(document: Document) -> Json:
    """The `items`, `rels` and `rel-urls` of a page."""
    reader = Reader(document)
    items, _ = _items(document, reader)
    rels, rel_urls = _rels(document, reader)
    return {"items": items, "rels": rels, "rel-urls": rel_urls}


def microformats_items(document: Document) -> tuple[list[Json], bool]:
    """The `items` of a page alone, and whether one of them is in several places."""
    reader = Reader(document)
    found = _items(document, reader)
    document.items_are_cut = document.items_are_cut or reader.too_long
    return found


def _items(document: Document, reader: Reader) -> tuple[list[Json], bool]:
    found = parsed(document, reader)
    written: dict[int, Json] = {}
    for item in reversed(found.all_items):
        written[id(item)] = _item(item, written, reader)
    places = sum(
        len(item.children)
        + sum(isinstance(value, Nested) for values in item.properties.values() for value in values)
        for item in found.all_items
    )
    is_repeated = places + len(found.items) > len(found.all_items)
    return [written[id(item)] for item in found.items], is_repeated


def _item(item: Item, written: dict[int, Json], reader: Reader) -> Json:
    properties: dict[str, list[str | Json]] = {}
    for name, values in item.properties.items():
        if reader.too_long:
            break
        properties[name] = [_value(value, written, reader) for value in values]
        # One text may have many names.
        reader.pay(len(name) + sum([_OF_A_VALUE + len(value.text) for value in values]))
    result: Json = {"type": list(item.types), "properties": properties}
    if item.id:
        result["id"] = item.id
    if item.children:
        result["children"] = [written[id(child)] for child in item.children]
    return result


def _value(value: Value, written: dict[int, Json], reader: Reader) -> str | Json:
    match value:
        case Picture(text, alt):
            return {"value": text, "alt": alt}
        case Markup(text, element):
            return {"value": text, "html": _inner_html(element, reader)}
        case Nested(text, item, markup):
            html = {} if markup is None else {"html": _inner_html(markup, reader)}
            return {**written[id(item)], "value": text, **html}
    return reader.absolute(value.text) if value.is_address else value.text


def _inner_html(element: LexborNode, reader: Reader) -> str:
    """The markup within an element, addresses made absolute (in a copy: the page is not ours)."""
    if reader.too_long:
        return ""
    markup = element.inner_html or ""
    if _REFERRING.search(markup):
        copy = element.clone()
        for each in copy.css(_WITH_REFERENCE):
            for name in _REFERENCES:
                if reference := each.attributes.get(name):
                    each.attrs[name] = reader.absolute(reference)
        markup = copy.inner_html or ""
    markup = markup.strip(BLANKS)
    reader.pay(len(markup))
    return markup


def _rels(document: Document, reader: Reader) -> tuple[Json, Json]:
    by_word: dict[str, dict[str, None]] = {}
    by_url: dict[str, set[str]] = {}
    details: dict[str, Json] = {}
    for element in document.html.css(":is(a, area, link)[rel][href]"):
        words = (element.attributes["rel"] or "").split()
        url = reader.absolute(element.attributes["href"] or "")
        for word in words:
            by_word.setdefault(word, {})[url] = None
            by_url.setdefault(url, set()).add(word)
        if words:
            first = details.setdefault(url, {})
            details[url] = {**dict(_details(element)), **first}
    rels = {word: list(urls) for word, urls in by_word.items()}
    return rels, {url: {**details[url], "rels": sorted(by_url[url])} for url in details}


def _details(element: LexborNode) -> Iterable[tuple[str, str]]:
    attributes = element.attributes
    for name in _LINK_DETAILS:
        if name in attributes:
            yield name, attributes[name] or ""
    if text := element.text_lexbor():
        yield "text", text
