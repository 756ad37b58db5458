"""The literal that an element gives its properties (Core, section 7.5, step 11)."""

from typing import Final

from gossamer.transform.rdfa.host import Host
from gossamer.transform.rdfa.names import Names
from gossamer.transform.rdfa.tree import AnyElement
from gossamer.transform.terms import RDF, Term, literal
from gossamer.transform.times import time_type

_XML_LITERAL: Final = f"{RDF}XMLLiteral"
_HTML_LITERAL: Final = f"{RDF}HTML"


def literal_of(element: AnyElement, host: Host, names: Names, language: str | None) -> Term:
    """What the element says, from `content`, a time, its markup or its text."""
    attributes = element.attributes
    if "datatype" in attributes:
        return _of_datatype(element, host, names, language)
    content = attributes.get("content")
    if content is not None:
        return literal(content, language)
    if host.times and (time := _time(element)) is not None:
        datatype = time_type(time)
        return literal(time, None if datatype else language, datatype)
    return literal(element.text(), language)


def _of_datatype(element: AnyElement, host: Host, names: Names, language: str | None) -> Term:
    """The literal where a type is given; one that is empty or unknown makes it a plain one."""
    found = names.predicates(element.attributes["datatype"])
    datatype = found[0][1:-1] if found else None
    content = element.attributes.get("content")
    if content is None and host.times:
        content = _time(element)
    if content is None:
        content = _content(element, datatype, names)
    return literal(content, None if datatype else language, datatype)


def _time(element: AnyElement) -> str | None:
    found = element.attributes.get("datetime")
    return element.text() if found is None and element.name == "time" else found


def _content(element: AnyElement, datatype: str | None, names: Names) -> str:
    if datatype == _XML_LITERAL:
        return element.inner_xml(names.declared)
    if datatype == _HTML_LITERAL:
        return element.inner_html()
    return element.text()
