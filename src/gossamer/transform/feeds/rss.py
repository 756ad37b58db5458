"""Reads RSS 0.9x and 2.0, with podcast and media elements, and RSS 1.0, which is RDF."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain
from types import MappingProxyType
from typing import Final

from lxml import etree

from gossamer.model import Syntax
from gossamer.transform.document import Document, Item
from gossamer.transform.feeds import atom, values, vocabulary
from gossamer.transform.feeds.dublin_core import DUBLIN_CORE
from gossamer.transform.feeds.elements import (
    PODCASTS,
    inside,
    line_of,
    name_of,
    prefix_of,
    text_of,
)
from gossamer.transform.feeds.extensions import (
    PODCAST,
    Handler,
    enclosure,
    keywords,
    saying,
    saying_agent,
    saying_attribute,
    told,
)
from gossamer.transform.feeds.media import MEDIA, stand_ins
from gossamer.transform.feeds.telling import Teller
from gossamer.transform.feeds.values import Scope
from gossamer.transform.rdf_xml import rdf_xml_statements
from gossamer.transform.safe_xml import parsed
from gossamer.transform.terms import RDF, A, Term, iri, triple

_RDF_ROOT: Final = f"{{{RDF}}}RDF"
_RSS_1: Final = "{http://purl.org/rss/1.0/}"


def rss_statements(document: Document) -> Iterator[Item]:
    """The statements of an RSS feed and its items."""
    xml = parsed(document, Syntax.RSS)
    if xml.root is not None and xml.root.tag == _RDF_ROOT and _is_rss_1(xml.root):
        yield from rdf_xml_statements(document, Syntax.RSS, "d")
        return
    yield from xml.problems
    if xml.root is not None:
        yield from _Feed(document, xml.root).items()


def _is_rss_1(root: etree._Element) -> bool:
    """Whether it is RSS 1.0, and not 0.90, which looks the same and names nothing."""
    return any(True for child in root if str(child.tag).startswith(_RSS_1))


class _Feed:
    """One feed on its way to statements."""

    def __init__(self, document: Document, root: etree._Element) -> None:
        self._url = document.url
        self._teller = Teller(document, Syntax.RSS)
        self._channel = next((each for each in root.iter() if name_of(each) == "channel"), root)
        # Wherever they stand: in RSS 0.90 behind the channel, in broken feeds inside each other.
        self._items = [each for each in root.iter() if name_of(each) == "item"]
        declared = self._channel.nsmap.values()
        self._is_podcast = any(prefix_of(namespace) in PODCASTS for namespace in declared)

    def items(self) -> Iterator[Item]:
        """All statements of the feed."""
        feed = iri(self._url)
        if feed is None or (name_of(self._channel) != "channel" and not self._items):
            yield self._teller.problem("There is no channel and no item in this feed.")
            return
        scope = self._scope()
        yield triple(feed, A, vocabulary.CHANNEL)
        if self._is_podcast:
            yield triple(feed, A, vocabulary.PODCAST_SERIES)
        yield from told(_CHANNEL, self._teller, feed, self._channel, scope)
        yield from self._entries(feed, scope)

    def _entries(self, feed: Term, scope: Scope) -> Iterator[Item]:
        sequence = self._teller.sequence(feed)
        yield from sequence.start()
        for element in self._items:
            within = inside(scope, element)
            entry = self._named(element, within)
            yield sequence.member(entry)
            yield triple(entry, A, vocabulary.ITEM)
            if self._is_podcast and any(name_of(child) == "enclosure" for child in element):
                yield triple(entry, A, vocabulary.PODCAST_EPISODE)
            yield from told(_ITEM, self._teller, entry, element, within)
            yield from stand_ins(self._teller, entry, element, within)
            yield from self._permalink(entry, element, within)

    def _permalink(self, entry: Term, element: etree._Element, scope: Scope) -> Iterator[Item]:
        """The permalink of an item without a link, which is one."""
        if not any(_is_link(child) and _address_of(child) for child in element):
            for guid in element:
                if _is_permalink(guid) and self._teller.identified(text_of(guid)):
                    yield from _link(self._teller, entry, guid, inside(scope, guid))

    def _scope(self) -> Scope:
        scope = Scope(self._url, None)
        for element in (*reversed([*self._channel.iterancestors()]), self._channel):
            scope = inside(scope, element)
        languages = (text_of(each).strip() for each in self._channel if name_of(each) in _LANGUAGES)
        return replace(scope, language=scope.language or next(languages, None))

    def _named(self, element: etree._Element, scope: Scope) -> Term:
        links = (
            self._teller.named(_address_of(child), inside(scope, child))
            for child in element
            if _is_link(child)
        )
        permalinks = (
            self._teller.identified(text_of(child)) for child in element if _is_permalink(child)
        )
        return next(filter(None, chain(links, permalinks)), None) or self._teller.blank()


def _is_permalink(element: etree._Element) -> bool:
    is_one = (element.get("isPermaLink") or "true").strip().lower() != "false"
    return is_one and name_of(element) == "guid"


def _is_link(element: etree._Element) -> bool:
    """Whether an element links to what it describes, as RSS or as Atom writes it."""
    name = name_of(element)
    return name in ("link", "atom:link") and atom.relation_of(element) == "alternate"


def _address_of(link: etree._Element) -> str:
    return text_of(link).strip() or (link.get("href") or "").strip()


def _author(teller: Teller, about: Term, element: etree._Element, scope: Scope) -> Iterator[Item]:
    return atom.FEED["author"](teller, about, element, scope)


def _category(teller: Teller, about: Term, element: etree._Element, scope: Scope) -> Iterator[Item]:
    value = (element.text or "").strip()  # a broken feed has elements behind it
    if not value:
        return atom.FEED["category"](teller, about, element, scope)
    return teller.say(about, vocabulary.SUBJECT, values.text, value, scope)


def _link(teller: Teller, about: Term, element: etree._Element, scope: Scope) -> Iterator[Item]:
    address = _address_of(element)
    if atom.relation_of(element) != "alternate":
        return atom.FEED["link"](teller, about, element, scope)
    return teller.say(about, vocabulary.LINK, values.link, address, scope, line_of(element))


def _image(teller: Teller, about: Term, element: etree._Element, scope: Scope) -> Iterator[Item]:
    return told({"url": saying(vocabulary.IMAGE, values.address)}, teller, about, element, scope)


_LANGUAGES: Final = ("language", "dc:language")
_SHARED: Final[Mapping[str, Handler]] = MappingProxyType(
    {
        **PODCAST,
        **DUBLIN_CORE,
        "title": saying(vocabulary.TITLE, values.text),
        "link": _link,
        "description": saying(vocabulary.DESCRIPTION, values.text),
        "author": _author,
        "category": _category,
        "tags": keywords,
        "pubdate": saying(vocabulary.ISSUED, values.time),
        # Elements of Atom without its namespace.
        **{name: atom.ENTRY[name] for name in ("id", "updated", "published", "summary")},
    }
)
_CHANNEL: Final[Mapping[str, Handler]] = MappingProxyType(
    {
        **{f"atom:{name}": handler for name, handler in atom.FEED.items()},
        **_SHARED,
        "subtitle": atom.FEED["subtitle"],
        "language": saying(vocabulary.LANGUAGE, values.code),
        "lastbuilddate": saying(vocabulary.MODIFIED, values.time),
        "dc:date": saying(vocabulary.MODIFIED, values.time),
        "managingeditor": saying_agent(),
        "copyright": saying(vocabulary.RIGHTS, values.text),
        "image": _image,
        "itunes:image": saying_attribute("href", vocabulary.IMAGE, values.address),
    }
)
_ITEM: Final[Mapping[str, Handler]] = MappingProxyType(
    {
        **{f"atom:{name}": handler for name, handler in atom.ENTRY.items()},
        **_SHARED,
        **MEDIA,
        "content:encoded": saying(vocabulary.ENCODED, values.text),
        "xhtml:body": saying(vocabulary.ENCODED, values.text),
        "xhtml:div": saying(vocabulary.ENCODED, values.text),
        "body": saying(vocabulary.ENCODED, values.text),
        "fullitem": saying(vocabulary.ENCODED, values.text),
        "guid": saying(vocabulary.IDENTIFIER, values.code),
        "dc:date": saying(vocabulary.ISSUED, values.time),
        "comments": saying(vocabulary.DISCUSSION, values.address),
        "source": saying_attribute("url", vocabulary.SOURCE, values.address),
        "enclosure": enclosure,
        "itunes:image": saying_attribute("href", vocabulary.THUMBNAIL, values.address),
    }
)
