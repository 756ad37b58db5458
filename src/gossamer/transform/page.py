"""Statements about an HTML page itself: title, description, language, links.

What it becomes is in docs/vocabularies.md, "The page itself". The subject is the page.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from selectolax.lexbor import LexborNode

from gossamer.model import Problem, Syntax
from gossamer.transform import kinds
from gossamer.transform.document import Document, Item
from gossamer.transform.iris import unusable
from gossamer.transform.labels import Labels
from gossamer.transform.nearest import Nearest
from gossamer.transform.terms import RDFS, Term, iri, known, literal, triple

_DCTERMS: Final = "http://purl.org/dc/terms/"
_FOAF: Final = "http://xmlns.com/foaf/0.1/"
_REL: Final = "http://www.iana.org/assignments/relation/"
_TITLE, _DESCRIPTION, _LANGUAGE, _CREATOR, _LICENSE, _REFERENCES = (
    known(_DCTERMS + name)
    for name in ("title", "description", "language", "creator", "license", "references")
)
_LABEL: Final = known(f"{RDFS}label")
_MAILBOX: Final = known(f"{_FOAF}mbox")
_DEPICTION: Final = known(f"{_FOAF}depiction")
_ALTERNATE: Final = known(f"{_REL}alternate")
_RELATIONS: Final[Mapping[str, Term]] = {
    "author": _CREATOR,
    "license": _LICENSE,
    **{name: known(_REL + name) for name in ("canonical", "next", "prev")},
}
FEEDS: Final = frozenset(
    (
        "application/rss+xml",
        "application/atom+xml",
        "application/rdf+xml",
        "application/feed+json",
    )
)
_SELECTED: Final = "html[lang],meta[name][content],link[rel][href],img[src]"
# The few that say something of the page even where its links are not asked for.
_TELLING_ANCHORS: Final = 'a:is([href*="mailto:" i],[href][rel*="license" i])'
Attributes = Mapping[str, str | None]


def page_statements(document: Document) -> Iterator[Item]:
    """The statements about the page; with `options.links`, its links as well."""
    page = iri(document.url)
    if page is None:
        yield Problem(unusable(document.url), Syntax.PAGE)
        return
    reading = _Reading(document, page)
    yield from reading.title()
    anchors = "a[href]" if document.options.links else _TELLING_ANCHORS
    for node in document.html.css(f"{_SELECTED},{anchors}"):
        yield from _READERS[node.tag or ""](reading, node, node.attributes)


class _Reading:
    def __init__(self, document: Document, page: Term) -> None:
        self._document = document
        self._page = page
        self._labels = Labels()

    def title(self) -> Iterator[Item]:
        """The first title that is not inside an SVG drawing."""
        head = self._document.html.head
        # No drawing can stand there, and nothing before it.
        node = head.css_first("title") if head is not None else None
        if node is None:
            node = self._undrawn_title()
        if node is not None and (words := kinds.one_line(node.text_lexbor())):
            language = self._document.languages.of(node)
            yield triple(self._page, _TITLE, literal(words, language))

    def _undrawn_title(self) -> LexborNode | None:
        drawn: Nearest[bool] = Nearest(False)
        for drawing in self._document.html.css("svg"):
            drawn.note(drawing, True)
        titles = self._document.html.css("title")
        return next((title for title in titles if not drawn.of(title)), None)

    def root(self, _node: LexborNode, attributes: Attributes) -> Iterator[Item]:
        """The language of the page."""
        if language := (attributes["lang"] or "").strip().lower():
            yield triple(self._page, _LANGUAGE, literal(language))

    def meta(self, node: LexborNode, attributes: Attributes) -> Iterator[Item]:
        """The description and author of the page."""
        name = (attributes["name"] or "").strip().lower()
        content = attributes["content"] or ""
        if name == "description" and (text := kinds.text(content, node, self._document)):
            yield triple(self._page, _DESCRIPTION, text)
        elif name == "author" and (author := kinds.code(content, node, self._document)):
            yield triple(self._page, _CREATOR, author)

    def link(self, node: LexborNode, attributes: Attributes) -> Iterator[Item]:
        """The relations of the page, from its link elements."""
        relations = (attributes["rel"] or "").lower().split()
        for relation in relations:
            if predicate := _RELATIONS.get(relation):
                yield from self._leads(predicate, attributes.get("href"), node)
        if "alternate" in relations and _media_type(attributes.get("type")) in FEEDS:
            yield from self._leads(_ALTERNATE, attributes.get("href"), node)

    def anchor(self, node: LexborNode, attributes: Attributes) -> Iterator[Item]:
        """Mailboxes and licences, and links if they are wanted."""
        # In drawings, the selector finds `xlink:href` under its local name.
        href = (attributes.get("href") or attributes.get("xlink:href") or "").strip()
        if href[:7].lower() == "mailto:":
            yield from self._mailboxes(href[7:])
            return
        if "license" in (attributes.get("rel") or "").lower().split():
            yield from self._leads(_LICENSE, href, node)
        if self._document.options.links:
            yield from self._reference(node, href)

    def image(self, node: LexborNode, attributes: Attributes) -> Iterator[Item]:
        """The images of the page."""
        source = (attributes["src"] or "").strip()
        # A picture within the page is not an address of one.
        if source and source[:5].lower() != "data:":
            yield from self._leads(_DEPICTION, source, node)

    def _mailboxes(self, recipients: str) -> Iterator[Item]:
        for address in recipients.partition("?")[0].split(","):
            if (address := address.strip()) and (mailbox := iri(f"mailto:{address}")):
                yield triple(self._page, _MAILBOX, mailbox)

    def _reference(self, node: LexborNode, href: str) -> Iterator[Item]:
        target = kinds.address(href, node, self._document)
        if target is None or target.startswith("<javascript:"):
            return
        yield triple(self._page, _REFERENCES, target)
        if words := self._labels.of(node):
            language = self._document.languages.of(node)
            yield triple(target, _LABEL, literal(words, language))

    def _leads(self, predicate: Term, href: str | None, node: LexborNode) -> Iterator[Item]:
        target = kinds.address(href or "", node, self._document)
        if target is not None:
            yield triple(self._page, predicate, target)
        elif href and href.strip():
            yield Problem(unusable(href), Syntax.PAGE)


# Not in the reading itself: with methods of its own, it and the tree would be a circle, and stay
# in memory until somebody looks for those.
_READERS: Final[Mapping[str, Callable[[_Reading, LexborNode, Attributes], Iterator[Item]]]] = {
    "html": _Reading.root,
    "meta": _Reading.meta,
    "link": _Reading.link,
    "a": _Reading.anchor,
    "img": _Reading.image,
}


def _media_type(value: str | None) -> str:
    return (value or "").partition(";")[0].strip().lower()
