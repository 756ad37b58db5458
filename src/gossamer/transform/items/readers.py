"""Item readers by syntax: the keys of `page.items`, in extruct's spelling and order.

A reader is asked only if its syntax is wanted and the page seems to hold it.
"""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final

from gossamer.model import Syntax
from gossamer.transform.document import Document
from gossamer.transform.items.json_ld import json_ld_items
from gossamer.transform.items.meta_elements import dublin_core_items, open_graph_items
from gossamer.transform.items.microdata import microdata_items
from gossamer.transform.items.rdfa import rdfa_items
from gossamer.transform.items.sizes import affordable
from gossamer.transform.microformats.json_model import microformats_items
from gossamer.transform.microformats.presence import may_hold_microformats

Items = dict[str, list[dict[str, Any]]]
"""The items of a page, by the name of their syntax."""

ItemReader = Callable[[Document], list[dict[str, Any]]]


def _microformat_items(document: Document) -> list[dict[str, Any]]:
    if not may_hold_microformats(document):
        return []
    return affordable(microformats_items(document), document)


ITEM_READERS: Final[Mapping[str, tuple[Syntax, ItemReader]]] = MappingProxyType(
    {
        "microdata": (Syntax.MICRODATA, microdata_items),
        "json-ld": (Syntax.JSON_LD, json_ld_items),
        "opengraph": (Syntax.OPEN_GRAPH, open_graph_items),
        "microformat": (Syntax.MICROFORMATS, _microformat_items),
        "rdfa": (Syntax.RDFA, rdfa_items),
        "dublincore": (Syntax.OPEN_GRAPH, dublin_core_items),
    }
)
"""Which syntax each kind of items is in, and who reads it."""


def read_items(
    document: Document, held: Iterable[Syntax], wanted: Iterable[Syntax] | None = None
) -> Items:
    """The items of all wanted syntaxes; a list is empty where the page does not hold the syntax."""
    holds = frozenset(held)
    chosen = None if wanted is None else frozenset(wanted)
    return {
        name: reader(document) if syntax in holds else []
        for name, (syntax, reader) in ITEM_READERS.items()
        if chosen is None or syntax in chosen
    }
