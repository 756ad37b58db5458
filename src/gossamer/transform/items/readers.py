"""Item readers by syntax: the keys of `page.items`, in extruct's spelling and order.

A reader is asked only if its syntax is wanted and the page seems to hold it.
"""

import json
from collections.abc import Callable, Container, Mapping
from types import MappingProxyType
from typing import Any, Final

from gossamer.model import Problem, Syntax
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
    items, is_repeated = microformats_items(document)
    return affordable(items, document) if is_repeated else items


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
    document: Document,
    held: Container[Syntax],
    wanted: Container[str] | None = None,
    problems: list[Problem] | None = None,
) -> Items:
    """The items of all wanted kinds; a list is empty where the page does not hold the syntax.

    What had to be left out is added to `problems`. A defect of ours on a hostile page costs that kind alone.
    """
    told = [] if problems is None else problems
    items: Items = {}
    for name, (syntax, reader) in ITEM_READERS.items():
        if wanted is not None and name not in wanted:
            continue
        try:
            items[name] = reader(document) if syntax in held else []
        except MemoryError:
            raise  # whoever limits it knows what that means
        except Exception as error:
            items[name] = []
            told.append(
                Problem(f"Our reader of items failed ({type(error).__name__}: {error}).", syntax)
            )
        if document.items_are_cut:
            document.items_are_cut = False
            told.append(
                Problem(
                    f"The {name} items are out of all proportion to the page; some are left out.",
                    syntax,
                )
            )
    return items


def as_json(items: Items, most_bytes: int, problems: list[Problem]) -> bytes:
    """The items as JSON text; kinds that would make it too long are empty, and a problem."""
    parts: list[str] = []
    left = most_bytes
    for name, found in items.items():
        text = json.dumps(found, ensure_ascii=False, separators=(",", ":"))
        if (left := left - len(text)) < 0:
            why = f"The items of the page take more than {most_bytes:,} bytes; those of {name} are left out."
            problems.append(Problem(why, ITEM_READERS[name][0]))
            left += len(text)
            text = "[]"
        parts.append(f"{json.dumps(name)}:{text}")
    return f"{{{','.join(parts)}}}".encode(errors="replace")
