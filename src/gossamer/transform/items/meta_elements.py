"""Open Graph and Dublin Core as their meta and link elements say them, in document order."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from gossamer.transform.document import Document
from gossamer.transform.items.sizes import ItemBudget
from gossamer.transform.meta_names import DCTERMS, OPEN_GRAPH, dublin_core
from gossamer.transform.opengraph import DECLARATION

DC_ELEMENTS: Final = "http://purl.org/dc/elements/1.1/"
_ELEMENTS: Final = frozenset(
    (
        *("contributor", "coverage", "creator", "date", "description", "format", "identifier"),
        *("language", "publisher", "relation", "rights", "source", "subject", "title", "type"),
    )
)
# A list of selectors gives an element once for each that it matches: here, for one alone.
_SPEAKING_META: Final = "[property][content]:is(meta),[name][content]:not([property]):is(meta)"
_NAMED: Final = "[name][content]:is(meta),[rel][href]:is(link)"
_SCHEMA: Final = "schema."
Records = dict[str, list[dict[str, str]]]


def open_graph_items(document: Document) -> list[dict[str, Any]]:
    """The Open Graph object of a page, if there is one: its prefixes, and pairs of name and content."""
    declared = dict(_declared_prefixes(document))
    namespaces = dict(declared)
    pairs: list[list[str]] = []
    budget = ItemBudget(document)
    for node in document.html.css(_SPEAKING_META):
        attributes = node.attributes
        content = attributes["content"] or ""
        for name in _property_names(attributes):
            prefix = name.partition(":")[0]
            if prefix in OPEN_GRAPH:
                namespaces[prefix] = OPEN_GRAPH[prefix]
            elif prefix not in declared or name == prefix:
                continue
            if not budget.pays(len(name) + len(content)):
                break
            pairs.append([name, content])
    return [{"namespace": namespaces, "properties": pairs}] if pairs else []


def _property_names(attributes: Mapping[str, str | None]) -> list[str]:
    """The names that a meta element gives its content: in `property`, or in `name`, as many pages write it."""
    names = (attributes.get("property") or "").split()
    if not names and (name := (attributes.get("name") or "").strip()):
        names.append(name)
    return [name for name in dict.fromkeys(names) if ":" in name]


def _declared_prefixes(document: Document) -> Iterator[tuple[str, str]]:
    tree = document.html
    for node in (tree.root, tree.head):
        for name, value in ({} if node is None else node.attributes).items():
            if name == "prefix":
                yield from DECLARATION.findall(value or "")


def dublin_core_items(document: Document) -> list[dict[str, Any]]:
    """The Dublin Core record of a page, if there is one: its namespaces, elements and terms.

    Each entry has all attributes of its element, and as `URI` the property that it stands for.
    """
    namespaces: dict[str, str] = {}
    records: Records = {"elements": [], "terms": []}
    budget = ItemBudget(document)
    links: list[dict[str, str | None]] = []
    for node in document.html.css(_NAMED):
        attributes = node.attributes
        if node.tag == "meta":
            _add_record(records, attributes["name"] or "", attributes, budget)
        else:
            links.append(attributes)
    for attributes in links:
        for relation in (attributes["rel"] or "").split():
            if relation.lower().startswith(_SCHEMA):
                address = (attributes["href"] or "").strip()
                if address in (DC_ELEMENTS, DCTERMS):
                    namespaces[relation[len(_SCHEMA) :]] = address
            else:
                _add_record(records, relation, attributes, budget)
    if not any(records.values()):
        return []
    return [{"namespaces": namespaces, **records}]


def _add_record(
    records: Records, name: str, attributes: Mapping[str, str | None], budget: ItemBudget
) -> None:
    meaning = dublin_core(name.strip())
    if meaning is None:
        return
    local = meaning.predicate[1:-1].removeprefix(DCTERMS)
    is_element = local in _ELEMENTS and not name.strip().lower().startswith("dcterms")
    uri = (DC_ELEMENTS if is_element else DCTERMS) + local
    entry = {key: value or "" for key, value in attributes.items()}
    # An element with many relations is written for each of them.
    if budget.pays(sum(map(len, entry)) + sum(map(len, entry.values()))):
        records["elements" if is_element else "terms"].append({**entry, "URI": uri})
