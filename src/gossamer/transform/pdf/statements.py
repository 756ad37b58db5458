"""Statements of a PDF document about itself: its information dictionary, and its XMP packet, which is RDF/XML.

What it becomes is in docs/vocabularies.md, "PDF". The subject is the document.
"""

import re
from collections.abc import Iterator
from typing import Final

from gossamer.model import Problem, Syntax
from gossamer.transform.document import Document, Item
from gossamer.transform.iris import unusable
from gossamer.transform.pdf.file import BrokenPdfError, PdfFile
from gossamer.transform.pdf.needs import MISSING
from gossamer.transform.terms import RDF, iri, known, literal, triple
from gossamer.transform.text.page_text import one_spaced
from gossamer.transform.times import time_literal

_DCTERMS: Final = "http://purl.org/dc/terms/"
_PREDICATES: Final = {
    "Title": known(f"{_DCTERMS}title"),
    "Author": known(f"{_DCTERMS}creator"),
    "Subject": known(f"{_DCTERMS}description"),
    "Keywords": known(f"{_DCTERMS}subject"),
    "CreationDate": known(f"{_DCTERMS}created"),
    "ModDate": known(f"{_DCTERMS}modified"),
}
_LANGUAGE: Final = known(f"{_DCTERMS}language")
_RDF_START: Final = re.compile(r"<(\w++:)RDF[\s>]")
_RDF_END: Final = re.compile(r"</(\w++:)RDF\s*+>")
# XMP, part 1, 7.4: all descriptions of a packet are about one resource, with its name, another, or none.
_ABOUT: Final = re.compile(r"""(<rdf:Description\s[^<>]*?\brdf:about\s*=\s*)(?:"[^"]*"|'[^']*')""")
_DC: Final = "http://purl.org/dc/elements/1.1/"


def open_pdf(document: Document) -> PdfFile | Problem:
    """The document as a PDF, or why it cannot be read."""
    try:
        return PdfFile.open(document.body)
    except ImportError:
        return Problem(MISSING, Syntax.PDF)
    except BrokenPdfError as error:
        return Problem(str(error), Syntax.PDF)


def pdf_statements(document: Document) -> Iterator[Item]:
    """What a PDF document says of itself."""
    from gossamer.transform.services import endpoint_for  # with the readers of RDF

    if endpoint_for(document.options, document.media_type) is not None:
        return  # the user has a reader of their own
    page, pdf = iri(document.url), document.pdf
    if page is None:
        yield Problem(unusable(document.url), Syntax.PDF)
        return
    if isinstance(pdf, Problem):
        yield pdf
        return
    try:
        xmp, said = xmp_text(pdf.xmp()), dict(pdf.information())
        if language := pdf.language():
            yield triple(page, _LANGUAGE, literal(language.lower()))
    except BrokenPdfError as error:
        yield Problem(str(error), Syntax.PDF)
        return
    if "Title" not in said and (title := _title_in(xmp)):
        said["Title"] = title
    for name, text in said.items():
        value = time_literal(text) if name.endswith("Date") else literal(text)
        yield triple(page, _PREDICATES[name], value)
    if xmp:
        from gossamer.transform.rdf_xml import rdf_xml_statements

        yield from rdf_xml_statements(document.of_markup(xmp.encode()), Syntax.PDF)


def pdf_title(pdf: PdfFile) -> str:
    """The title of a document, by its information dictionary or its XMP packet; empty: none."""
    try:
        return pdf.information().get("Title") or _title_in(xmp_text(pdf.xmp()))
    except BrokenPdfError:
        return ""


def xmp_text(packet: bytes) -> str:
    """The RDF/XML in an XMP packet, about the document; empty where there is none."""
    encoding = "utf-16" if packet[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8"
    text = packet.decode(encoding, errors="replace")
    ends = {found[1]: found.end() for found in _RDF_END.finditer(text)}
    for start in _RDF_START.finditer(text):
        if (end := ends.get(start[1], 0)) > start.end():
            return _ABOUT.sub(r'\1""', text[start.start() : end])
    return ""


def _title_in(xmp: str) -> str:
    """The title in XMP, in the language that comes first."""
    if "title" not in xmp:
        return ""
    from gossamer.transform.safe_xml import safe_parser, tree  # with lxml: on request

    root, _ = tree(xmp, safe_parser())
    found = None if root is None else root.find(f".//{{{_DC}}}title//{{{RDF}}}li")
    return "" if found is None else one_spaced(found.text or "")
