"""Turns XML and HTML into RDF/XML by the user's own stylesheets; HTML as the XHTML of its HTML5 tree."""

from collections.abc import Iterator
from pathlib import Path

from lxml import etree

from gossamer.config import Transform as Options
from gossamer.model import Problem, Syntax
from gossamer.transform.document import Document, Item
from gossamer.transform.rdf_xml import rdf_xml_statements
from gossamer.transform.safe_xml import Xml, parsed
from gossamer.transform.stylesheet import StylesheetError, compiled
from gossamer.transform.xhtml_tree import DEEPEST, XHTML, xhtml_tree

_HTML = "text/html"
_SYNTAX = Syntax.RDF_XML  # what it becomes; XML as such is no syntax of ours


def stylesheet_key(options: Options, root: etree._Element) -> str | None:
    """The key in `transform.stylesheets` for a root: its namespace, otherwise its name."""
    name = etree.QName(root)
    return _key(options, name.namespace, name.localname)


def _key(options: Options, *names: str | None) -> str | None:
    return next((name for name in names if name and name in options.stylesheets), None)


def xslt_statements(document: Document) -> Iterator[Item]:
    """The statements from the user's stylesheet for the root element; none without one."""
    if not document.options.stylesheets:
        return
    xml = _tree(document)
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


def _tree(document: Document) -> Xml:
    if document.media_type != _HTML:
        return parsed(document, _SYNTAX, keep_comments=True)
    top = document.html.root if _key(document.options, XHTML, "html") else None
    if top is None:
        return Xml(None, ())
    root, is_cut = xhtml_tree(top)
    deep = f"What nests deeper than {DEEPEST} elements is left out for the stylesheet."
    return Xml(root, (Problem(deep, _SYNTAX),) if is_cut else ())


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
