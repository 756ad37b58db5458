"""Prepares RDF/XML for a strict parser: recovered where broken, qualified where old.

libxml2 goes over the text first, in a mode that builds nothing. It finds what is not well-formed,
and nesting so deep that the reader's work would grow with its square.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from lxml import etree
from pyoxigraph import RdfFormat

from gossamer.model import Problem, Syntax
from gossamer.transform.document import Document, Item
from gossamer.transform.rdf_reading import RdfReader
from gossamer.transform.safe_xml import check, safe_parser, tree, xml_text
from gossamer.transform.terms import RDF

MOST_NAMESPACES: Final = 256  # of one element; each name within is looked for among all of them
# RDF/XML, section 6.1.4: these were once written without. The example in RSS 1.0 does so.
_OLD: Final = ("about", "ID", "resource", "parseType")


def rdf_xml_statements(
    document: Document, syntax: Syntax = Syntax.RDF_XML, label: str = "t"
) -> Iterator[Item]:
    """The statements of an RDF/XML document, in order."""
    text, problems = xml_text(document, syntax)
    yield from problems
    if _declares_too_much(text):
        yield Problem("An element declares too many namespaces; the document is not read.", syntax)
        return
    complaint = check(text)
    if complaint is not None:
        yield replace(complaint, syntax=syntax)
    if complaint is not None or "<!D" in text or "<!d" in text:
        text = _recovered(text)
    yield from RdfReader(text, RdfFormat.RDF_XML, document, syntax, label, _qualified).items()


def _declares_too_much(text: str) -> bool:
    if text.count("xmlns") <= MOST_NAMESPACES:
        return False
    return any(part.count("xmlns") > MOST_NAMESPACES for part in text.split("<"))


def _recovered(text: str) -> str:
    """What libxml2 makes of it: well-formed, not too deep, and without a DOCTYPE."""
    root, _ = tree(text, safe_parser())
    return "" if root is None else etree.tostring(root, encoding="unicode", with_tail=False)


def _qualified(text: str) -> tuple[str, list[Problem]]:
    """A document with attributes that RDF/XML knows; untouched, if these are not what is wrong."""
    root, _ = tree(text, safe_parser())
    if root is None or not root.xpath("//@*[namespace-uri() = '']"):
        return text, []
    problems = _qualify(root)
    return etree.tostring(root, encoding="unicode", with_tail=False), problems


def _qualify(root: etree._Element) -> list[Problem]:
    """Give attributes of the old days their namespace, and take others away."""
    problems: list[Problem] = []
    walk = etree.iterwalk(root, events=("start",))
    for _, element in walk:
        for name in [name for name in element.attrib if not str(name).startswith("{")]:
            value = element.attrib.pop(name)
            if name in _OLD:
                element.set(f"{{{RDF}}}{name!s}", value)
            else:
                message = f"The attribute {name!s} is in no namespace; left out."
                problems.append(Problem(message, line=element.sourceline))
        if element.get(f"{{{RDF}}}parseType") == "Literal":
            walk.skip_subtree()
    return problems
