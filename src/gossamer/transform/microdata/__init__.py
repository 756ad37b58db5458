"""Microdata to RDF, by the W3C note of that name (second edition), with `itemprop-reverse`."""

from collections.abc import Iterator

from gossamer.transform.document import Document, Item
from gossamer.transform.microdata.elements import marked_elements
from gossamer.transform.microdata.nested import nested_statements
from gossamer.transform.microdata.referring import referring_statements
from gossamer.transform.microdata.registry import DEFAULT, Registry

__all__ = ["DEFAULT", "Registry", "microdata_statements"]


def microdata_statements(document: Document, registry: Registry = DEFAULT) -> Iterator[Item]:
    """The statements of a page's microdata."""
    marked = marked_elements(document.html)
    attributes = [node.attributes for node in marked]
    for each in attributes:
        if "itemref" in each and "itemscope" in each:
            return referring_statements(document, registry)
    return nested_statements(document, zip(marked, attributes, strict=True), registry)
