"""The literal that an element gives its properties (Core, section 7.5, step 11)."""

from typing import Final

from gossamer.transform.rdfa.host import Host
from gossamer.transform.rdfa.names import Names
from gossamer.transform.rdfa.reports import Reports
from gossamer.transform.rdfa.tree import AnyElement
from gossamer.transform.terms import RDF, Term, literal
from gossamer.transform.times import time_type

_XML_LITERAL: Final = f"{RDF}XMLLiteral"
_HTML_LITERAL: Final = f"{RDF}HTML"
_MARKUP: Final = (_XML_LITERAL, _HTML_LITERAL)
REPEATS: Final = (
    16  # properties within properties repeat their text: three or four times, as a rule
)
FREE_TEXT: Final = 1 << 20  # characters
MOST_MARKUP: Final = 4_000_000  # characters in literals of one page; writing XML is slow


class Literals:
    """The literals of one page; nested text and markup is repeated only up to a limit."""

    def __init__(self, host: Host, reports: Reports, page_length: int) -> None:
        self._times = host.times
        self._reports = reports
        self._markup_left = MOST_MARKUP
        self._text_left = REPEATS * page_length + FREE_TEXT

    def of(self, element: AnyElement, names: Names, language: str | None) -> Term:
        """The literal of an element, from `content`, a time, its markup or its text."""
        attributes = element.attributes
        if "datatype" in attributes:
            return self._of_datatype(element, names, language)
        content = attributes.get("content")
        if content is not None:
            return literal(content, language)
        if self._times and (time := self._time(element)) is not None:
            datatype = time_type(time)
            return literal(time, None if datatype else language, datatype)
        return literal(self._text(element), language)

    def _of_datatype(self, element: AnyElement, names: Names, language: str | None) -> Term:
        """The literal where a type is given; one that is empty or unknown makes it a plain one."""
        found = names.predicates(element.attributes["datatype"])
        datatype = found[0][1:-1] if found else None
        content = element.attributes.get("content")
        if content is None and self._times:
            content = self._time(element)
        if content is None and datatype in _MARKUP:
            content = self._markup(element, names, html=datatype == _HTML_LITERAL)
        if content is None:
            content = self._text(element)
        return literal(content, None if datatype else language, datatype)

    def _markup(self, element: AnyElement, names: Names, *, html: bool) -> str:
        if self._markup_left < 0:
            self._reports.too_much_markup()
            return ""
        found = element.inner_html() if html else element.inner_xml(names.declared)
        self._markup_left -= len(found)
        return found

    def _time(self, element: AnyElement) -> str | None:
        found = element.attributes.get("datetime")
        return self._text(element) if found is None and element.name == "time" else found

    def _text(self, element: AnyElement) -> str:
        if self._text_left < 0:
            self._reports.too_much_text()
            return ""
        found = element.text()
        self._text_left -= len(found)
        return found
