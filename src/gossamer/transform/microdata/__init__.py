"""Microdata to RDF, by the W3C note of that name (second edition), with `itemprop-reverse`."""

from collections.abc import Iterator

from gossamer.transform.document import Document, Item
from gossamer.transform.microdata.elements import has_references
from gossamer.transform.microdata.nested import nested_statements
from gossamer.transform.microdata.referring import referring_statements
from gossamer.transform.microdata.registry import DEFAULT, Registry

__all__ = ["DEFAULT", "Registry", "microdata_statements"]


def microdata_statements(document: Document, registry: Registry = DEFAULT) -> Iterator[Item]:
    """The statements of a page's microdata."""
    if has_references(document.html):
        return referring_statements(document, registry)
    return nested_statements(document, registry)
