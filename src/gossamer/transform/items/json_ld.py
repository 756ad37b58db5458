"""JSON-LD objects as their authors wrote them: mended, not expanded, order and repetition kept."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from gossamer.transform.document import Document
from gossamer.transform.jsonld.blocks import is_json, script_texts
from gossamer.transform.jsonld.habits import as_meant
from gossamer.transform.jsonld.reading import read


def json_ld_items(document: Document) -> list[dict[str, Any]]:
    """The JSON-LD objects of a page or document; members of an outermost array are objects of their own."""
    strict = document.options.strict or not document.json_ld.is_plain
    in_html = not is_json(document)
    found: list[dict[str, Any]] = []
    for text in _texts(document, in_html=in_html):
        for parsed in read(text, document.options.max_depth).values:
            meant = (
                parsed if strict else as_meant(parsed, document.contexts, in_html=in_html).parsed
            )
            value = meant.value
            members = value if isinstance(value, list) else [value]
            found += [member for member in members if isinstance(member, dict) and member]
    return found


def _texts(document: Document, *, in_html: bool) -> Iterator[str]:
    if not in_html:
        yield document.text
        return
    first_alone = document.json_ld.extract_all_scripts is False
    for text in islice(script_texts(document), 1 if first_alone else None):
        if isinstance(text, str):
            yield text
