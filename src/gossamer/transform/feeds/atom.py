"""Reads Atom 1.0, and Atom 0.3 where it differs only in names."""

from collections.abc import Iterator, Mapping
from itertools import chain
from types import MappingProxyType
from typing import Final

from lxml import etree

from gossamer.model import Syntax
from gossamer.transform.document import Document, Item
from gossamer.transform.feeds import values, vocabulary
from gossamer.transform.feeds.binary import text_or_binary
from gossamer.transform.feeds.dublin_core import DUBLIN_CORE
from gossamer.transform.feeds.elements import (
    XHTML,
    inside,
    line_of,
    name_of,
    text_of,
    written_out,
)
from gossamer.transform.feeds.extensions import PODCAST, Handler, saying, told
from gossamer.transform.feeds.media import MEDIA, stand_ins
from gossamer.transform.feeds.telling import Agent, Media, Teller
from gossamer.transform.feeds.values import Kind, Scope
from gossamer.transform.safe_xml import parsed
from gossamer.transform.terms import A, Term, iri, triple

_RELATION: Final = "http://www.iana.org/assignments/relation/"


def atom_statements(document: Document) -> Iterator[Item]:
    """The statements of an Atom feed and its entries, or of a lone entry."""
    xml = parsed(document, Syntax.ATOM)
    yield from xml.problems
    if xml.root is None:
        return
    teller = Teller(document, Syntax.ATOM)
    scope = inside(Scope(document.url, None), xml.root)
    if _name(xml.root) == "entry":
        yield from _entry(teller, _named(teller, xml.root, scope), xml.root, scope)
        return
    feed = iri(document.url)
    if _name(xml.root) != "feed" or feed is None:
        yield teller.problem("There is no feed and no entry of Atom in this document.")
        return
    yield from _feed(teller, feed, xml.root, scope)


def _feed(teller: Teller, feed: Term, root: etree._Element, scope: Scope) -> Iterator[Item]:
    yield triple(feed, A, vocabulary.CHANNEL)
    yield from teller.say(feed, vocabulary.LANGUAGE, values.code, scope.language or "", scope)
    yield from _told(FEED, teller, feed, root, scope)
    yield from told(_BESIDE_FEED, teller, feed, root, scope)
    images = [each for name in ("logo", "icon") for each in root if _name(each) == name]
    for image in images[:1]:
        yield from _IMAGE(teller, feed, image, inside(scope, image))
    sequence = teller.sequence(feed)
    yield from sequence.start()
    for element in root.iter():
        if _name(element) == "entry":
            within = inside(scope, element)
            entry = _named(teller, element, within)
            yield sequence.member(entry)
            yield from _entry(teller, entry, element, within)


def _entry(teller: Teller, entry: Term, element: etree._Element, scope: Scope) -> Iterator[Item]:
    yield triple(entry, A, vocabulary.ITEM)
    yield from _told(ENTRY, teller, entry, element, scope)
    yield from told(_BESIDE_ENTRY, teller, entry, element, scope)
    yield from stand_ins(teller, entry, element, scope)


def _told(
    handlers: Mapping[str, Handler],
    teller: Teller,
    about: Term,
    element: etree._Element,
    scope: Scope,
) -> Iterator[Item]:
    for child in element:
        if handler := handlers.get(_name(child)):
            yield from handler(teller, about, child, inside(scope, child))


def _name(element: etree._Element) -> str:
    """The name without namespace: of Atom, or of a feed that forgot to declare it; else empty."""
    name = name_of(element)
    if name.startswith("atom:"):
        return name[5:]
    return "" if ":" in name else name


def _named(teller: Teller, element: etree._Element, scope: Scope) -> Term:
    links = (
        teller.named(address_of(child), inside(scope, child))
        for child in element
        if _name(child) == "link" and relation_of(child) == "alternate"
    )
    ids = (teller.identified(text_of(child)) for child in element if _name(child) == "id")
    return next(filter(None, chain(links, ids)), None) or teller.blank()


def relation_of(link: etree._Element) -> str:
    """How a link is related to its feed or entry: `alternate` unless it says otherwise."""
    return (link.get("rel") or "alternate").strip().removeprefix(_RELATION).lower()


def address_of(link: etree._Element) -> str:
    """The address of a link, which some write as its text."""
    return (link.get("href") or "").strip() or text_of(link).strip()


def _link(teller: Teller, about: Term, element: etree._Element, scope: Scope) -> Iterator[Item]:
    address, relation = address_of(element), relation_of(element)
    if relation == "enclosure":
        media = Media(
            url=address,
            media_type=element.get("type") or "",
            size=element.get("length") or "",
            title=element.get("title") or "",
        )
        yield from teller.media(about, media, scope, line_of(element))
    elif relation in _RELATIONS:
        predicate, kind = _RELATIONS[relation]
        yield from teller.say(about, predicate, kind, address, scope, line_of(element))


def _agent(predicate: Term) -> Handler:
    def handler(
        teller: Teller, about: Term, element: etree._Element, scope: Scope
    ) -> Iterator[Item]:
        parts = {_name(child): text_of(child).strip() for child in reversed(element)}
        homepage = parts.get("uri") or parts.get("url", "")
        agent = Agent(parts.get("name", ""), parts.get("email", ""), homepage)
        if not parts:
            agent = Agent.from_text(text_of(element))
        return teller.agent(about, predicate, agent, scope, line_of(element))

    return handler


def _category(teller: Teller, about: Term, element: etree._Element, scope: Scope) -> Iterator[Item]:
    label, term = ((element.get(name) or "").strip() for name in ("label", "term"))
    if label:
        yield from teller.say(about, vocabulary.SUBJECT, values.text, label, scope)
    if term and term != label:
        kind = values.code if label else values.text  # a term with a label is for machines
        yield from teller.say(about, vocabulary.SUBJECT, kind, term, scope)
    if not label and not term:
        yield from teller.say(about, vocabulary.SUBJECT, values.text, text_of(element), scope)


def _content(teller: Teller, about: Term, element: etree._Element, scope: Scope) -> Iterator[Item]:
    if address := element.get("src"):
        media = Media(url=address, media_type=element.get("type") or "")
        yield from teller.media(about, media, scope, line_of(element))
    holder = element
    if len(element) == 1 and element[0].tag == f"{XHTML}div" and not (element.text or "").strip():
        holder = element[0]  # Atom wants this div, and it is no part of the content
    value = written_out(holder) if len(holder) else text_of(holder)
    yield from teller.say(about, vocabulary.ENCODED, text_or_binary(element), value, scope)


def _source(teller: Teller, about: Term, element: etree._Element, scope: Scope) -> Iterator[Item]:
    return _told({"id": saying(vocabulary.SOURCE, values.address)}, teller, about, element, scope)


def _words(predicate: Term) -> Handler:
    def handler(
        teller: Teller, about: Term, element: etree._Element, scope: Scope
    ) -> Iterator[Item]:
        return teller.say(about, predicate, text_or_binary(element), text_of(element), scope)

    return handler


_RELATIONS: Final[Mapping[str, tuple[Term, Kind]]] = MappingProxyType(
    {
        "alternate": (vocabulary.LINK, values.link),
        "replies": (vocabulary.DISCUSSION, values.address),
        "related": (vocabulary.REFERENCES, values.address),
        "via": (vocabulary.REFERENCES, values.address),
    }
)
_IMAGE: Final = saying(vocabulary.IMAGE, values.address)
_SHARED: Final[Mapping[str, Handler]] = MappingProxyType(
    {
        "title": _words(vocabulary.TITLE),
        "id": saying(vocabulary.IDENTIFIER, values.code),
        "updated": saying(vocabulary.MODIFIED, values.time),
        "modified": saying(vocabulary.MODIFIED, values.time),
        "created": saying(vocabulary.CREATED, values.time),
        "author": _agent(vocabulary.CREATOR),
        "contributor": _agent(vocabulary.CONTRIBUTOR),
        "category": _category,
        "link": _link,
        "rights": _words(vocabulary.RIGHTS),
        "copyright": _words(vocabulary.RIGHTS),
    }
)
FEED: Final[Mapping[str, Handler]] = MappingProxyType(
    {
        **_SHARED,
        "subtitle": _words(vocabulary.DESCRIPTION),
        "tagline": _words(vocabulary.DESCRIPTION),
    }
)
ENTRY: Final[Mapping[str, Handler]] = MappingProxyType(
    {
        **_SHARED,
        "summary": _words(vocabulary.DESCRIPTION),
        "content": _content,
        "published": saying(vocabulary.ISSUED, values.time),
        "issued": saying(vocabulary.ISSUED, values.time),
        "source": _source,
    }
)
_BESIDE_FEED: Final[Mapping[str, Handler]] = MappingProxyType(
    {**DUBLIN_CORE, **PODCAST, "dc:date": saying(vocabulary.MODIFIED, values.time)}
)
_BESIDE_ENTRY: Final[Mapping[str, Handler]] = MappingProxyType(
    {**DUBLIN_CORE, **PODCAST, **MEDIA, "dc:date": saying(vocabulary.ISSUED, values.time)}
)
