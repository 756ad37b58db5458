"""The same things written in each syntax, a property a line, so that every mistake has a line of its own."""

import html
import json
from collections.abc import Iterator, Mapping
from typing import Any

Item = Mapping[
    str, Any
]  # `@type`, perhaps `@id`, and properties: texts, things, lists, or addresses as Iri
SYNTAXES = ("jsonld", "microdata", "rdfa", "prefixed")


class Iri(str):
    """A value that is an address."""

    __slots__ = ()


def markup(item: Item, syntax: str) -> str:
    """A thing in a syntax."""
    return {"jsonld": _jsonld, "microdata": _microdata, "rdfa": _rdfa, "prefixed": _prefixed}[
        syntax
    ](item)


def page(*blocks: str) -> str:
    """A page with these blocks of markup."""
    return "\n".join(("<!doctype html>", "<html lang=en>", "<title>A page</title>", *blocks, ""))


def _jsonld(item: Item) -> str:
    document = json.dumps({"@context": "https://schema.org", **item}, ensure_ascii=False, indent=1)
    return f'<script type="application/ld+json">\n{document}\n</script>'


def _microdata(item: Item) -> str:
    return "\n".join(_element(item, None, "itemprop", _microdata_start))


def _rdfa(item: Item) -> str:
    return "\n".join(
        [
            '<div vocab="https://schema.org/">',
            *_element(item, None, "property", _rdfa_start),
            "</div>",
        ]
    )


def _prefixed(item: Item) -> str:
    return "\n".join(_element(_with_prefixes(item), None, "property", _rdfa_start))


def _with_prefixes(item: Item) -> dict[str, Any]:
    """RDFa knows the prefix without a declaration."""
    found = {}
    for key, value in item.items():
        lot = value if isinstance(value, list) else [value]
        lot = [_with_prefixes(each) if isinstance(each, Mapping) else each for each in lot]
        found[key if key.startswith("@") else f"schema:{key}"] = lot
    kinds = item["@type"] if isinstance(item["@type"], list) else [item["@type"]]
    return {**found, "@type": [f"schema:{each}" for each in kinds]}


def _microdata_start(item: Item) -> str:
    types = [item["@type"]] if isinstance(item["@type"], str) else item["@type"]
    names = " ".join(f"https://schema.org/{each}" for each in types)
    name = f' itemid="{item["@id"]}"' if "@id" in item else ""
    return f'itemscope itemtype="{names}"{name}'


def _rdfa_start(item: Item) -> str:
    types = [item["@type"]] if isinstance(item["@type"], str) else item["@type"]
    name = f' resource="{item["@id"]}"' if "@id" in item else ""
    return f'typeof="{" ".join(types)}"{name}'


def _element(item: Item, name: str | None, attribute: str, start: Any) -> Iterator[str]:
    prop = "" if name is None else f'{attribute}="{name}" '
    yield f"<div {prop}{start(item)}>"
    for key, value in item.items():
        for each in value if isinstance(value, list) else [value]:
            if key.startswith("@"):
                continue
            if isinstance(each, Mapping):
                yield from _element(each, key, attribute, start)
            elif isinstance(each, Iri):
                yield f'<link {attribute}="{key}" href="{html.escape(each)}">'
            else:
                text = str(each).lower() if isinstance(each, bool) else str(each)
                yield f'<meta {attribute}="{key}" content="{html.escape(text)}">'
    yield "</div>"
