"""RDFa elements of an XML document: XHTML, SVG or any other; read without network, entities or DTD."""

import re
from collections.abc import Callable, Iterator, Mapping
from html.entities import html5
from typing import Any, Final

from lxml import etree

from gossamer.transform.iris import join
from gossamer.transform.rdfa.host import HTML, XHTML_1, XML, Host
from gossamer.transform.rdfa.markup import XHTML, with_namespaces, without_namespaces, xml_text
from gossamer.transform.rdfa.reports import Reports
from gossamer.transform.rdfa.tree import DECLARING, RELEVANT, Element, with_ancestors

_SPEAKING: Final = etree.XPath("//*[@property or @typeof or @vocab or @role or @rel or @rev]")
_WAITING: Final = etree.XPath("boolean(//*[@rel or @rev][not(@href) and not(@src)])")
_SPEAKING_OR_NAMING: Final = etree.XPath(
    "//*[@property or @typeof or @vocab or @role or @rel or @rev"
    " or @about or @resource or @href or @src]"
)
_XML: Final = "{http://www.w3.org/XML/1998/namespace}"
_ENTITY: Final = re.compile(r"&([A-Za-z][A-Za-z0-9]*);")


class XmlElement(Element[etree._Element]):
    """An element of an lxml tree."""

    __slots__ = ("_namespaces",)

    def __init__(
        self,
        node: etree._Element,
        parent: Element[etree._Element] | None,
        attributes: Mapping[str, str],
        carried: frozenset[str],
        namespaces: Mapping[str, str],
    ) -> None:
        super().__init__(node, parent, attributes, carried)
        self._namespaces = namespaces

    @property
    def name(self) -> str:
        """The name, without its namespace."""
        return etree.QName(self.node).localname

    @property
    def is_root(self) -> bool:
        """Whether this is the outermost element of the document."""
        return self.node.getparent() is None

    @property
    def namespaces(self) -> Mapping[str, str]:
        """The prefixes that this element declares."""
        return self._namespaces

    def text(self) -> str:
        """The text of the element and all within."""
        return "".join(map(str, self.node.itertext()))

    def inner_html(self) -> str:
        """The markup within, as HTML."""
        return self._inner(without_namespaces)

    def inner_xml(self, prefixes: Mapping[str, str]) -> str:
        """The markup within, as XML that keeps its meaning elsewhere."""
        return self._inner(lambda markup: with_namespaces(markup, prefixes))

    def _inner(self, adapted: Callable[[str], str]) -> str:
        pieces = [xml_text(self.node.text or "")]
        for child in self.node.iterchildren():
            markup = etree.tostring(child, encoding="unicode")
            pieces.append(adapted(markup) if isinstance(child.tag, str) else markup)
        return "".join(pieces)


def parsed(text: str, reports: Reports) -> etree._ElementTree | None:
    """The tree of an XML document, as far as it can be read; what is broken is reported."""
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        recover=True,
        encoding="utf-8",  # the text is decoded already, whatever it says of itself
    )
    try:
        root = etree.fromstring(_with_characters(text).encode(errors="replace"), parser)
    except etree.XMLSyntaxError as error:  # nothing there to recover
        reports.not_well_formed(error.msg or "there is no element.", error.lineno)
        return None
    for first in parser.error_log.filter_from_fatals()[:1]:
        reports.not_well_formed(f"{first.message}.", first.line)
    return None if root is None else root.getroottree()


def host_of(tree: etree._ElementTree) -> Host:
    """The host language, by root element and document type."""
    root = tree.getroot()
    if root.tag not in (f"{{{XHTML}}}html", "html"):
        return XML
    kind = f"{root.get('version', '')} {tree.docinfo.public_id or ''}"
    return XHTML_1 if "XHTML+RDFa" in kind or "DTD XHTML 1" in kind else HTML


def xml_base(tree: etree._ElementTree, host: Host, url: str) -> str:
    """What relative references are joined to, unless an element further in says otherwise."""
    root = tree.getroot()
    if host.xml_base:
        return join(url, root.get(f"{_XML}base", ""))
    for element in root.iter(f"{{{XHTML}}}base", "base"):
        href = element.get("href", "")
        return join(url, href) if href.strip() else url
    return url


def xml_elements(tree: etree._ElementTree) -> Iterator[Element[etree._Element]]:
    """What matters to RDFa, in document order."""
    # The stubs do not know that these expressions find elements alone.
    nodes: Any = _SPEAKING_OR_NAMING(tree) if _WAITING(tree) else _SPEAKING(tree)
    return with_ancestors(nodes, _itself, _parent, _element)


def _itself(node: etree._Element) -> etree._Element:
    return node


def _parent(node: etree._Element) -> etree._Element | None:
    return node.getparent()


def _element(node: etree._Element, around: Element[etree._Element] | None) -> XmlElement | None:
    attributes = {
        str(name).replace(_XML, "xml:", 1): str(value) for name, value in node.attrib.items()
    }
    carried, namespaces = RELEVANT.intersection(attributes), _namespaces(node)
    if namespaces:
        carried |= {DECLARING}
    elif not carried:
        return None
    return XmlElement(node, around, attributes, carried, namespaces)


def _namespaces(node: etree._Element) -> dict[str, str]:
    """What an element declares: lxml tells what is in force, so what is new or different."""
    parent = node.getparent()
    outside = {} if parent is None else parent.nsmap
    return {
        prefix: namespace
        for prefix, namespace in node.nsmap.items()
        if prefix and outside.get(prefix) != namespace
    }


def _with_characters(text: str) -> str:
    """The names of characters that XHTML takes from its DTD, which nobody loads, replaced."""
    return _ENTITY.sub(_character, text) if "&" in text else text


def _character(match: re.Match[str]) -> str:
    found = html5.get(f"{match[1]};", "&")
    # What stands for markup stays as it is.
    return match[0] if "&" in found or "<" in found or found in ">\"'" else found
