"""Microdata to RDF, by the W3C note of that name (second edition), with `itemprop-reverse`."""

from collections.abc import Iterator

from gossamer.transform.document import Document, Item
from gossamer.transform.microdata.nested import nested_statements
from gossamer.transform.microdata.referring import referring_statements
from gossamer.transform.microdata.registry import DEFAULT, Registry

__all__ = ["DEFAULT", "Registry", "microdata_statements"]


def microdata_statements(document: Document, registry: Registry = DEFAULT) -> Iterator[Item]:
    """What the microdata of a page says."""
    refers = document.html.css_first("[itemscope][itemref]") is not None
    return (referring_statements if refers else nested_statements)(document, registry)
