"""Whether a page may hold RDFa, which host language it is in, and its statements, rule by rule."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from gossamer.model import Syntax
from gossamer.transform.document import Document, Item
from gossamer.transform.rdfa.host import HTML, Host
from gossamer.transform.rdfa.html_tree import html_elements
from gossamer.transform.rdfa.names import Blanks, Names
from gossamer.transform.rdfa.patterns import copied
from gossamer.transform.rdfa.reports import Reports
from gossamer.transform.rdfa.rules import Rules
from gossamer.transform.rdfa.scope import PageNames
from gossamer.transform.rdfa.tree import AnyElement

_SPEAKING: Final = (b"property", b"typeof", b"vocab", b"role")
# Every page has `rel`; without a vocabulary it says something by a prefix or a term alone.
_LINK: Final = re.compile(rb"\bre[lv]\s*=\s*(\"[^\"]{0,99}|'[^']{0,99}|[^\s>\"'][^\s>]{0,99})")
_TELLING: Final = re.compile(rb"[:&]|license|describedby|.{99}", re.DOTALL)  # or too long to tell


class RdfaDocument:
    """One document, looked at first and then read."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._small = _ascii(document).lower()
        self._is_xml = (document.media_type or "").endswith(("/xml", "+xml"))
        self._out: list[Item] = []
        self._blanks = Blanks(document)
        self.reports = Reports(document, self._blanks.fresh, self._out)

    def may_speak(self) -> bool:
        """Whether there may be anything to say: where not, nothing is parsed."""
        if any(word in self._small for word in _SPEAKING):
            return True
        if self._is_xml:  # more terms, and mistakes that the processor graph tells of
            return self._document.options.processor_graph or b"re" in self._small
        return any(_TELLING.search(value) for value in _LINK.findall(self._small))

    def statements(self) -> Iterator[Item]:
        """What the page says, in document order, before vocabularies are expanded."""
        return self._of_xml() if self._is_xml else self._of_html()

    def _of_html(self) -> Iterator[Item]:
        document = self._document
        elements = html_elements(document.html, self._small)
        return self._said(HTML, document.html_base, elements)

    def _of_xml(self) -> Iterator[Item]:
        from gossamer.transform.rdfa.xml_tree import host_of, xml_base, xml_elements
        from gossamer.transform.safe_xml import parsed  # and lxml: on request

        document = self._document
        xml = parsed(document, Syntax.RDFA, keep_comments=True)
        for problem in xml.problems:
            self.reports.not_well_formed(problem)
        if xml.root is None:
            return iter(self._out)
        host = host_of(xml.root, document.text)
        return self._said(host, xml_base(xml.root, host, document.url), xml_elements(xml.root))

    def _said(self, host: Host, base: str, elements: Sequence[AnyElement]) -> Iterator[Item]:
        strict = self._document.options.strict
        names = Names(base, host, self._blanks, self.reports, strict=strict)
        page = names.reference("")
        if page is None:
            return iter(self._out)
        about = PageNames(self._document.url, page, host)
        has_lists = any("inlist" in each.carried for each in elements)
        rules = Rules(self._document, about, names, self._out, inlist=has_lists)
        said = rules.statements(elements)
        may_copy = host.copies and b"pattern" in self._small and b"copy" in self._small
        return copied(said) if may_copy else said


def _ascii(document: Document) -> bytes:
    """The document in some encoding where the letters of attribute names are ASCII."""
    same = "a".encode(document.encoding, errors="replace") == b"a"
    return document.body if same else document.text.encode(errors="replace")
