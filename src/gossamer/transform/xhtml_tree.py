"""An HTML5 tree as an XHTML tree for stylesheets, by HTML's own rules for that. Pure.

HTML, section 13.2.9 ("Coercing an HTML DOM into an infoset"), says what becomes of names and characters
that XML does not have. Nothing is written and parsed again, so no page can slip in markup.
"""

import re
from functools import lru_cache
from typing import Any, Final, NamedTuple

from lxml import etree
from selectolax.lexbor import LexborNode

XHTML: Final = "http://www.w3.org/1999/xhtml"
SVG: Final = "http://www.w3.org/2000/svg"
MATHML: Final = "http://www.w3.org/1998/Math/MathML"
DEEPEST: Final = 256  # elements within each other, as in XML: libxslt's templates recurse
_STARTED_BY: Final = {"svg": SVG, "math": MATHML}
_FOREIGN_ATTRIBUTES: Final = {
    "xlink": "http://www.w3.org/1999/xlink",
    "xml": "http://www.w3.org/XML/1998/namespace",
}
# What these hold in a drawing or formula is HTML again.
_HTML_WITHIN: Final = {
    SVG: frozenset(("foreignObject", "desc", "title")),
    MATHML: frozenset(("mi", "mo", "mn", "ms", "mtext", "annotation-xml")),
}
_FORM_FEED: Final = str.maketrans("\f", " ")
_NO_CHARACTER: Final = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NO_NAME: Final = re.compile(r"[^A-Za-z0-9_.\-\xb7\xc0-\xd6\xd8-\xf6\xf8-\u02ff]|^[0-9.\-\xb7]")


class XhtmlTree(NamedTuple):
    """The root element, and whether something was left out because it nests too deeply."""

    root: etree._Element
    is_cut: bool


def xhtml_tree(top: LexborNode) -> XhtmlTree:
    """The tree below an `html` element, with elements in their namespaces; its author chose the depth."""
    root = _element(None, top, XHTML)
    around, within = [root], [_within(XHTML, top)]
    is_cut = False
    node = top.first_child
    while node is not None:
        child = None
        if node.is_text_node:
            _add_text(around[-1], node.text_content or "")
        elif node.is_comment_node:
            around[-1].append(etree.Comment(_comment(node.comment_content or "")))
        elif node.is_element_node:
            is_cut = is_cut or len(around) >= DEEPEST
            if len(around) < DEEPEST:
                namespace = _namespace(within[-1], node)
                element = _element(around[-1], node, namespace)
                if (child := node.first_child) is not None:
                    around.append(element)
                    within.append(_within(namespace, node))
        node = child or _next(node, around, within)
    return XhtmlTree(root, is_cut)


def _next(node: LexborNode, around: list[etree._Element], within: list[str]) -> LexborNode | None:
    """The node after one that is done with, and with all that it holds."""
    while node.next is None:
        parent = node.parent
        around.pop()
        within.pop()
        if parent is None or not around:
            return None
        node = parent
    return node.next


def _namespace(within: str, node: LexborNode) -> str:
    return _STARTED_BY.get(node.tag or "", XHTML) if within == XHTML else within


def _within(namespace: str, node: LexborNode) -> str:
    """The namespace of what an element holds, unless that begins one of its own."""
    return XHTML if node.tag in _HTML_WITHIN.get(namespace, ()) else namespace


def _element(around: etree._Element | None, node: LexborNode, namespace: str) -> etree._Element:
    name = f"{{{namespace}}}{_name(node.tag or '')}"
    prefixes: Any = {None: namespace}  # no prefix; the stubs want one
    if around is None:
        element = etree.Element(name, nsmap=prefixes)
    else:
        element = etree.SubElement(around, name, nsmap=prefixes)
    for attribute, value in node.attributes.items():
        if attribute != "xmlns" and not attribute.startswith("xmlns:"):
            element.set(_attribute(attribute, namespace), _characters(value or ""))
    return element


def _attribute(name: str, namespace: str) -> str:
    prefix, colon, local = name.partition(":")
    if colon and namespace != XHTML and prefix in _FOREIGN_ATTRIBUTES and local:
        return f"{{{_FOREIGN_ATTRIBUTES[prefix]}}}{_name(local)}"
    return _name(name)


@lru_cache(maxsize=1024)  # a page has few names, over and over
def _name(name: str) -> str:
    """A name that XML has; each character that is none of a name is `U` and its six digits."""
    return _NO_NAME.sub(lambda found: f"U{ord(found[0]):06X}", name) or "U000000"


def _characters(text: str) -> str:
    return _NO_CHARACTER.sub("\ufffd", text.translate(_FORM_FEED))


def _comment(text: str) -> str:
    """Text that cannot end its comment."""
    text = _characters(text).replace("--", "- -").replace("--", "- -")
    return f"{text} " if text.endswith("-") else text


def _add_text(element: etree._Element, text: str) -> None:
    text = _characters(text)
    last = next(
        element.iterchildren(reversed=True), None
    )  # to count them takes as long as there are
    if last is None:
        element.text = (element.text or "") + text
    else:
        last.tail = (last.tail or "") + text
