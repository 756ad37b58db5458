"""JSON-LD as it is met in the wild: no longer JSON, but its meaning is clear.

Which fault a page has turns with the style of its thing; its statements are those of the repaired block.
"""

from dataclasses import replace
from html import escape
from typing import Final

from gossamer.demo.content import PageSpec, Rendered
from gossamer.demo.formats.jsonld import (
    REMOTE,
    document,
    json_ld_statements,
    members_of,
    needs_ascii,
    page_with_block,
)
from gossamer.demo.formats.page import title_of
from gossamer.demo.formats.statements import SCHEMA, TYPE, iri, literal, subject_of
from gossamer.demo.things import Item, Text, Thing

FAULTS: Final = (
    *("trailing comma", "comments", "raw newline", "entities", "CDATA", "commented CDATA"),
    "two objects",
)


def fault_of(thing: Thing) -> str:
    """What is wrong with the block of a page about that thing."""
    return FAULTS[thing.style % len(FAULTS)]


def broken_json_ld(spec: PageSpec, thing: Thing) -> Rendered:
    """An HTML page whose script block no JSON parser takes."""
    fault = fault_of(thing)
    said = _with_newline(thing) if fault == "raw newline" else thing
    clean = document(members_of(spec, said, REMOTE), ascii_only=needs_ascii(spec))
    found = json_ld_statements(spec, said)
    if fault == "two objects":
        found = found.union(_second_statements(spec, thing))
    return page_with_block(spec, thing, _broken(fault, clean, spec, thing), found)


def _broken(fault: str, clean: str, spec: PageSpec, thing: Thing) -> str:
    match fault:
        case "trailing comma":
            return clean.replace("\n}", ",\n}")
        case "comments":
            return clean.replace("{\n", "{\n  // made by the shop, see http://shop.test/\n", 1) + (
                "\n/* nothing follows */"
            )
        case "raw newline":
            return clean.replace("\\n", "\n")
        case "entities":
            return escape(clean)
        case "CDATA":
            return f"<![CDATA[\n{clean}\n]]>"
        case "commented CDATA":
            return f"//<![CDATA[\n{clean}\n//]]>"
        case _:
            return f"{clean}\n{_second(spec, thing)}"


def _with_newline(thing: Thing) -> Thing:
    """The thing, its description broken over two lines."""
    text = thing.description.replace(". ", ".\n", 1)
    properties = tuple(
        (name, Text(text)) if name == "description" else (name, value)
        for name, value in thing.item.properties
    )
    return replace(thing, item=Item(thing.item.type, properties))


def _second(spec: PageSpec, thing: Thing) -> str:
    """A block about the page itself."""
    members = {
        "@context": REMOTE,
        "@id": "",
        "@type": "WebPage",
        "name": title_of(thing),
        "mainEntity": {"@id": "#it"},
    }
    return document(members, ascii_only=needs_ascii(spec))


def _second_statements(spec: PageSpec, thing: Thing) -> tuple[str, ...]:
    page = iri(spec.url)
    return (
        f"{page} {TYPE} <{SCHEMA}WebPage> .",
        f"{page} <{SCHEMA}name> {literal(title_of(thing))} .",
        f"{page} <{SCHEMA}mainEntity> {subject_of(spec)} .",
    )
