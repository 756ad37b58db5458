"""RDFa 1.1, Core and Lite, in HTML, XHTML, SVG and any other XML.

`rules` holds the processing rules; `html_tree` and `xml_tree` find the few elements that they
are about; `names` gives attribute values their meaning; `patterns` and `vocabularies` add what
follows from the statements of a page as a whole.
"""

from collections.abc import Iterator

from gossamer.transform.document import Document, Item
from gossamer.transform.rdfa.reading import RdfaDocument

__all__ = ["rdfa_statements"]


def rdfa_statements(document: Document) -> Iterator[Item]:
    """The RDFa statements of a page, in document order."""
    page = RdfaDocument(document)
    if not page.may_speak():
        return iter(())
    items = page.statements()
    if document.options.expand_vocabularies:
        from gossamer.transform.rdfa.vocabularies import expanded  # and pyoxigraph: on request

        items = expanded(items, document, page.reports, rdfa_statements)
    return items
