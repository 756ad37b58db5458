"""RDFa elements of an XML document: XHTML, SVG or any other."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from lxml import etree

from gossamer.transform.iris import join
from gossamer.transform.rdfa.host import HTML, XHTML_1, XML, Host
from gossamer.transform.rdfa.markup import XHTML, with_namespaces, without_namespaces, xml_text
from gossamer.transform.rdfa.tree import DECLARING, RELEVANT, Element, with_ancestors

_SPEAKING: Final = etree.XPath("//*[@property or @typeof or @vocab or @role or @rel or @rev]")
_WAITING: Final = etree.XPath("boolean(//*[@rel or @rev][not(@href) and not(@src)])")
_SPEAKING_OR_NAMING: Final = etree.XPath(
    "//*[@property or @typeof or @vocab or @role or @rel or @rev"
    " or @about or @resource or @href or @src]"
)
_XML: Final = "{http://www.w3.org/XML/1998/namespace}"
_DOCTYPE: Final = re.compile(r"<!DOCTYPE[^>]*", re.IGNORECASE)
_NO_NAMESPACES: Final[Mapping[str, str]] = {}
_PROLOG: Final = 4_096  # characters in which it is looked for


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


def host_of(root: etree._Element, text: str) -> Host:
    """The host language, by root element and document type."""
    if root.tag != f"{{{XHTML}}}html":
        return XML
    doctype = _DOCTYPE.search(text, 0, _PROLOG)
    kind = f"{root.get('version', '')} {doctype[0] if doctype else ''}"
    return XHTML_1 if "XHTML+RDFa" in kind or "DTD XHTML 1" in kind else HTML


def xml_base(root: etree._Element, host: Host, url: str) -> str:
    """The base of relative references, unless an element inside sets another."""
    if host.xml_base:
        return join(url, root.get(f"{_XML}base", ""))
    for element in root.iter(f"{{{XHTML}}}base"):
        href = element.get("href", "")
        return join(url, href) if href.strip() else url
    return url


def xml_elements(root: etree._Element) -> list[Element[etree._Element]]:
    """The elements that matter to RDFa, in document order."""
    # The stubs do not know that these expressions find elements alone.
    nodes: Any = _SPEAKING_OR_NAMING(root) if _WAITING(root) else _SPEAKING(root)
    declared = _declared(root)

    def element_of(
        node: etree._Element, around: Element[etree._Element] | None
    ) -> XmlElement | None:
        return _element(node, around, declared.get(node, _NO_NAMESPACES))

    return with_ancestors(nodes, _itself, _parent, element_of)


def _itself(node: etree._Element) -> etree._Element:
    return node


def _parent(node: etree._Element) -> etree._Element | None:
    return node.getparent()


def _element(
    node: etree._Element,
    around: Element[etree._Element] | None,
    namespaces: Mapping[str, str],
) -> XmlElement | None:
    attributes = {
        str(name).replace(_XML, "xml:", 1): str(value) for name, value in node.attrib.items()
    }
    carried = RELEVANT.intersection(attributes)
    if namespaces:
        carried |= {DECLARING}
    elif not carried:
        return None
    return XmlElement(node, around, attributes, carried, namespaces)


def _declared(root: etree._Element) -> dict[etree._Element, dict[str, str]]:
    """The prefixes that elements declare, in one walk.

    `nsmap` would tell all that are in force at an element: a thousand prefixes at the root would
    be told a thousand times.
    """
    found: dict[etree._Element, dict[str, str]] = {}
    here: dict[str, str] = {}
    walk: Any = etree.iterwalk(root, events=("start-ns", "start"))
    for event, what in walk:
        if event == "start":
            if here:
                found[what] = here
                here = {}
        elif what[0]:
            here[what[0]] = what[1]
    return found
