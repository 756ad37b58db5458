"""The literal that an element gives its properties (Core, section 7.5, step 11)."""

from typing import Final

from gossamer.transform.rdfa.host import Host
from gossamer.transform.rdfa.names import Names
from gossamer.transform.rdfa.times import time_type
from gossamer.transform.rdfa.tree import AnyElement
from gossamer.transform.terms import RDF, Term, literal

_XML_LITERAL: Final = f"{RDF}XMLLiteral"
_HTML_LITERAL: Final = f"{RDF}HTML"


def literal_of(element: AnyElement, host: Host, names: Names, language: str | None) -> Term:
    """What the element says, from `content`, a time, its markup or its text."""
    attributes = element.attributes
    named = attributes.get("datatype")
    datatype = _datatype(named, names) if named else None
    content = attributes.get("content")
    if content is None and host.times:
        content = _time(element)
        if content is not None and named is None:
            datatype = time_type(content)
    if content is None:
        content = _content(element, datatype, names)
    return literal(content, None if datatype else language, datatype)


def _datatype(value: str, names: Names) -> str | None:
    found = names.predicates(value)
    return found[0][1:-1] if found else None


def _time(element: AnyElement) -> str | None:
    found = element.attributes.get("datetime")
    return element.text() if found is None and element.name == "time" else found


def _content(element: AnyElement, datatype: str | None, names: Names) -> str:
    if datatype == _XML_LITERAL:
        return element.inner_xml(names.declared)
    if datatype == _HTML_LITERAL:
        return element.inner_html()
    return element.text()
