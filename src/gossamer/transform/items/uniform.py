"""Items of all syntaxes in one form: flat objects with `@context` and `@type`. Pure.

JSON-LD and RDFa are so already. Repeated Open Graph names have a list, as repeated properties of microdata do.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import urlsplit

from gossamer.transform.items.readers import Items

SCHEMA_ORG: Final = "http://schema.org"
MICROFORMATS: Final = "http://microformats.org/wiki/"
Entry = dict[str, Any]


def uniform_items(items: Items) -> Items:
    """Flatten the items of a page; the ones given are left as they are."""
    return {
        name: [_FLATTENED[name](each) if name in _FLATTENED else each for each in found]
        for name, found in items.items()
    }


def _flat_microdata(item: Entry) -> Entry:
    return _flat_tree(item, SCHEMA_ORG)


def _flat_microformat(item: Entry) -> Entry:
    return _flat_tree(item, MICROFORMATS)


def _flat_tree(item: Entry, context: str) -> Entry:
    """An item with its properties beside its type, and so all items inside it; no recursion over their depth."""
    context, first, waiting = _flat(item, context)
    while waiting:
        holder, key = waiting.pop()
        _, holder[key], inner = _flat(holder[key], context)
        waiting += inner
    return {**first, "@context": context}


Place = tuple[Any, Any]
"""A list or dictionary, and where in it an item still has to be flattened."""


def _flat(item: Entry, context: str) -> tuple[str, Entry, list[Place]]:
    out = {
        name: list(value) if isinstance(value, list) else value
        for name, value in item.items()
        if name not in ("type", "properties")
    }
    types = item.get("type")
    if isinstance(types, str):
        context, out["@type"] = _inferred(types, context)
    elif types:
        out["@type"] = types
    for name, value in item.get("properties", {}).items():
        out[name] = list(value) if isinstance(value, list) else value
    waiting: list[Place] = []
    for name, value in out.items():
        if _is_item(value):
            waiting.append((out, name))
        elif isinstance(value, list):
            waiting += [(value, at) for at, each in enumerate(value) if _is_item(each)]
    return context, out, waiting


def _is_item(value: Any) -> bool:  # noqa: ANN401 (whatever a property has)
    return isinstance(value, dict) and "properties" in value


def _inferred(type_: str, context: str) -> tuple[str, str]:
    """The context and the short name of a type: `http://schema.org` and `Product`."""
    try:
        parts = urlsplit(type_)
    except ValueError:
        return context, type_
    if not parts.netloc:
        return context, type_
    base = f"{parts.scheme}://{parts.netloc}"
    if parts.path and parts.fragment:
        return base + parts.path, parts.fragment.strip("/")
    name = parts.path.strip("/")
    return (base, name) if name else (context, type_)


def _flat_open_graph(item: Entry) -> Entry:
    out: Entry = {}
    for name, value in item["properties"]:
        key = "@type" if name == "og:type" else name
        if key not in out:
            out[key] = value
        elif isinstance(out[key], list):
            out[key].append(value)
        else:
            out[key] = [out[key], value]
    return {**out, "@context": item["namespace"]}


def _flat_dublin_core(item: Entry) -> Entry:
    types = [each for each in item["elements"] if each["URI"].endswith("/type")]
    out: Entry = {
        "elements": [each for each in item["elements"] if each not in types[:1]],
        "terms": item["terms"],
        "@context": item["namespaces"],
    }
    if types:
        out["@type"] = types[0].get("content") or types[0].get("href") or ""
    return out


_FLATTENED: Final[Mapping[str, Callable[[Entry], Entry]]] = MappingProxyType(
    {
        "microdata": _flat_microdata,
        "microformat": _flat_microformat,
        "opengraph": _flat_open_graph,
        "dublincore": _flat_dublin_core,
    }
)
