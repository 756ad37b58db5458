"""Turns XML into RDF/XML by the user's own stylesheets."""

from collections.abc import Iterator
from pathlib import Path

from lxml import etree

from gossamer.config import Transform as Options
from gossamer.model import Problem, Syntax
from gossamer.transform.document import Document, Item
from gossamer.transform.rdf_xml import rdf_xml_statements
from gossamer.transform.safe_xml import parsed
from gossamer.transform.stylesheet import StylesheetError, compiled

_SYNTAX = Syntax.RDF_XML  # what it becomes; XML as such is no syntax of ours


def stylesheet_key(options: Options, root: etree._Element) -> str | None:
    """The key in `transform.stylesheets` for a root: its namespace, otherwise its name."""
    name = etree.QName(root)
    keys = (name.namespace, name.localname)
    return next((key for key in keys if key and key in options.stylesheets), None)


def xslt_statements(document: Document) -> Iterator[Item]:
    """The statements from the user's stylesheet for the root element; none without one."""
    if not document.options.stylesheets:
        return
    xml = parsed(document, _SYNTAX, keep_comments=True)
    key = None if xml.root is None else stylesheet_key(document.options, xml.root)
    if xml.root is None or key is None:
        return
    yield from xml.problems
    path = document.options.stylesheets[key]
    try:
        source = Path(path).read_bytes()
    except OSError as error:
        yield _problem(path, f"it cannot be read: {error.strerror or error}")
        return
    yield from transformed(document, xml.root, source, path, "x")


def transformed(
    document: Document, root: etree._Element, source: bytes, name: str, label: str
) -> Iterator[Item]:
    """The output of a stylesheet for a document, read as RDF/XML."""
    try:
        written = compiled(source).apply(root)
    except StylesheetError as error:
        yield _problem(name, str(error))
        return
    result = Document(document.url, written.encode(errors="replace"), options=document.options)
    yield from rdf_xml_statements(result, _SYNTAX, label)


def _problem(name: str, clause: str) -> Problem:
    return Problem(f"The stylesheet {name} is not used: {clause}.", _SYNTAX)
