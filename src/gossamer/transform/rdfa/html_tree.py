"""RDFa elements of an HTML page, on the Lexbor tree that all its syntaxes share."""

from collections.abc import Iterator, Mapping
from operator import attrgetter
from typing import Any, Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from gossamer.transform.rdfa.context import TERMS
from gossamer.transform.rdfa.markup import XHTML, start_tag, xml_text
from gossamer.transform.rdfa.tree import DECLARING, RELEVANT, Element, with_ancestors

_SPEAKING_BY_VOCABULARY: Final = "[property],[typeof],[role],[vocab],[rel],[rev]"
# Without a vocabulary, `rel` says something by a prefix or one of three terms alone: the
# stylesheets and `nofollow` links of every page need not be looked at.
_SPEAKING: Final = "[property],[typeof],[role]" + "".join(
    f',[{link}]:is([{link}*=":"]' + "".join(f',[{link}~="{term}" i]' for term in TERMS) + ")"
    for link in ("rel", "rev")
)
# `resource` may name nothing, if its prefix is unknown; a path or a fragment always names something.
_NAMED: Final = '[href],[src],[resource^="#"],[resource^="/"]:not([resource^="//"])'
_WAITING: Final = f"[rel]:not({_NAMED}),[rev]:not({_NAMED})"
_NAMING: Final = "[about],[resource],[href],[src]"
_NO_NAMESPACES: Final[Mapping[str, str]] = {}
_KEY: Final = attrgetter("mem_id")
_PARENT: Final = attrgetter("parent")


class HtmlElement(Element[LexborNode]):
    """An element of a Lexbor tree, which declares no prefixes by `xmlns:`."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The name, in small letters."""
        return self.node.tag or ""

    @property
    def is_root(self) -> bool:
        """Whether this is the outermost element of the document."""
        return self.node.tag == "html"

    @property
    def namespaces(self) -> Mapping[str, str]:
        """None."""
        return _NO_NAMESPACES

    def text(self) -> str:
        """The text of the element and all within."""
        return self.node.text_lexbor()

    def inner_html(self) -> str:
        """The markup within, as HTML."""
        return self.node.inner_html or ""

    def inner_xml(self, prefixes: Mapping[str, str]) -> str:
        """The markup within, as XML that keeps its meaning elsewhere."""
        return "".join(_xml_pieces(self.node, prefixes))


class DeclaringElement(HtmlElement):
    """An element with `xmlns:` attributes."""

    __slots__ = ()

    @property
    def namespaces(self) -> Mapping[str, str]:
        """The prefixes that they declare."""
        return {
            name.removeprefix(DECLARING): value
            for name, value in self.attributes.items()
            if _declares(name)
        }


def html_elements(tree: LexborHTMLParser, source: bytes) -> list[Element[LexborNode]]:
    """The elements that matter to RDFa, in document order.

    The source of the page, in small letters, tells what need not be looked for.
    """
    selector = _SPEAKING_BY_VOCABULARY if b"vocab" in source else _SPEAKING
    nodes = tree.css(selector)
    if waiting := tree.css(_WAITING):
        wanted = {node.mem_id for node in nodes} | _naming_within(waiting)
        nodes = [node for node in tree.css(f"{selector},{_NAMING}") if node.mem_id in wanted]
    element_of = _element_with_namespaces if b"xmlns:" in source else _element
    return with_ancestors(nodes, _KEY, _PARENT, element_of)


def _naming_within(waiting: list[LexborNode]) -> set[int]:
    """What may name an object for links that wait for one among their descendants.

    The inside of a link is searched once, however many such links are nested there.
    """
    found: set[int] = set()
    searched: set[int] = set()
    for node in waiting:
        if node.mem_id not in searched:
            found.update(inner.mem_id for inner in node.css(_NAMING))
            searched.update(inner.mem_id for inner in node.css(_WAITING))
    return found


def _element(node: LexborNode, around: Element[LexborNode] | None) -> HtmlElement | None:
    found: dict[str, Any] = node.attributes
    carried = RELEVANT.intersection(found)
    if not carried:
        return None
    if None in found.values():
        found = _with_values(found)
    return HtmlElement(node, around, found, carried)


def _element_with_namespaces(
    node: LexborNode, around: Element[LexborNode] | None
) -> HtmlElement | None:
    found = node.attributes
    if DECLARING not in "\0".join(found):  # as in nearly all, and found fastest so
        return _element(node, around)
    carried = RELEVANT.intersection(found) | {DECLARING}
    return DeclaringElement(node, around, _with_values(found), carried)


def _declares(attribute: str) -> bool:
    return attribute.startswith(DECLARING)


def _with_values(attributes: dict[str, str | None]) -> dict[str, str]:
    """The attributes, where one without a value has an empty one."""
    return {name: value or "" for name, value in attributes.items()}


def _xml_pieces(top: LexborNode, prefixes: Mapping[str, str]) -> Iterator[str]:
    """Walks without recursion: the depth of a page is its author's choice."""
    node, inside = top.first_child, 0
    while node is not None:
        if node.is_element_node:
            scope = {"": XHTML, **prefixes} if not inside else {}
            attributes = {name: value or "" for name, value in node.attributes.items()}
            child = node.first_child
            yield start_tag(node.tag or "", attributes, scope, empty=child is None)
            if child is not None:
                node, inside = child, inside + 1
                continue
        elif node.is_text_node:
            yield xml_text(node.text_content or "")
        while node.next is None:
            parent = node.parent
            if not inside or parent is None:
                return
            yield f"</{parent.tag}>"
            node, inside = parent, inside - 1
        node = node.next
