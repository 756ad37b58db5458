"""Meta elements as statements: Open Graph, Twitter cards, Dublin Core and plain names.

What they become is in docs/vocabularies.md, "Meta elements". The subject is the page,
whatever it says of its own address.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from selectolax.lexbor import LexborNode

from gossamer.model import Problem, Syntax
from gossamer.transform import kinds
from gossamer.transform.document import Document, Item
from gossamer.transform.iris import unusable
from gossamer.transform.kinds import Kind
from gossamer.transform.meta_names import DCTERMS, OPEN_GRAPH, dublin_core, meaning_of
from gossamer.transform.terms import Term, iri, known, literal, triple

_GEO: Final = "http://www.w3.org/2003/01/geo/wgs84_pos#"
_SELECTED: Final = "[content]:is(meta),[rel][href]:is(link)"  # attributes first, as for links
_KEYWORDS: Final = frozenset(("keywords", "news_keywords"))
_POSITIONS: Final = frozenset(("geo.position", "icbm"))
_SUBJECT: Final = known(f"{DCTERMS}subject")
DECLARATION: Final = re.compile(r"(?<![^\s:])([^\s:]++):\s++(\S++)")


def open_graph_statements(document: Document) -> Iterator[Item]:
    """The statements of a page's meta elements and Dublin Core links."""
    page = iri(document.url)
    if page is None:
        yield Problem(unusable(document.url), Syntax.OPEN_GRAPH)
        return
    reading = _Reading(document, page)
    for node in document.html.css(_SELECTED):
        attributes = node.attributes
        if node.tag == "link":
            yield from reading.linked(node, attributes)
        else:
            yield from reading.said(node, attributes)


class _Reading:
    def __init__(self, document: Document, page: Term) -> None:
        self._document = document
        self._page = page
        self._prefixes = {**OPEN_GRAPH, **_declared(document)}

    def said(self, node: LexborNode, attributes: Mapping[str, str | None]) -> Iterator[Item]:
        """The statements of one meta element."""
        content = attributes["content"] or ""
        names = (attributes.get("property") or "").split()
        if name := (attributes.get("name") or "").strip():
            names.append(name)
        for each in dict.fromkeys(names):
            prefix, _, local = each.partition(":")
            prefix = prefix.lower()
            if local and prefix in self._prefixes:
                yield from self._property(self._prefixes[prefix] + local, content, node)
            elif each == name or prefix == "twitter":
                yield from self._named(each, content, node)

    def linked(self, node: LexborNode, attributes: Mapping[str, str | None]) -> Iterator[Item]:
        """The statements of a Dublin Core link."""
        for relation in (attributes["rel"] or "").split():
            if meaning := dublin_core(relation):
                href = attributes.get("href") or ""
                yield from self._value(meaning.predicate, kinds.address, href, node)

    def _property(self, predicate: str, content: str, node: LexborNode) -> Iterator[Item]:
        """Open Graph, to the letter of RDFa: neither trimmed nor typed."""
        term = iri(predicate)
        if term is None:
            yield Problem(unusable(predicate), Syntax.OPEN_GRAPH)
        elif content.strip():
            yield triple(self._page, term, literal(content, self._document.languages.of(node)))

    def _named(self, name: str, content: str, node: LexborNode) -> Iterator[Item]:
        lowered = name.lower()
        if lowered in _KEYWORDS:
            for part in content.split(","):
                yield from self._value(_SUBJECT, kinds.text, part, node)
        elif lowered in _POSITIONS:
            yield from self._position(content)
        elif meaning := meaning_of(lowered):
            yield from self._value(*meaning, content, node)

    def _position(self, content: str) -> Iterator[Item]:
        parts = [part.strip() for part in re.split("[;,]", content)]
        if len(parts) == 2 and all(parts):
            for axis, part in zip(("lat", "long"), parts, strict=True):
                yield triple(self._page, known(_GEO + axis), kinds.decimal(part))

    def _value(self, predicate: Term, kind: Kind, value: str, node: LexborNode) -> Iterator[Item]:
        term = kind(value, node, self._document)
        if term is not None:
            yield triple(self._page, predicate, term)
        elif value.strip():
            yield Problem(unusable(value), Syntax.OPEN_GRAPH)


def _declared(document: Document) -> dict[str, str]:
    """Prefixes of a page's own for the namespaces of Open Graph, where RDFa declares them."""
    spaces = frozenset(OPEN_GRAPH.values())
    found: dict[str, str] = {}
    for node in document.html.css("html,head"):
        for name, value in node.attributes.items():
            if name == "prefix":
                found.update(DECLARATION.findall(value or ""))
            elif name.startswith("xmlns:"):
                found[name.removeprefix("xmlns:")] = value or ""
    return {prefix.lower(): space for prefix, space in found.items() if space in spaces}
