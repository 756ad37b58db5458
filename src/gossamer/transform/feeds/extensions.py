"""Handlers of elements, and the podcast elements that RSS and Atom share."""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from lxml import etree

from gossamer.transform.document import Item
from gossamer.transform.feeds import values, vocabulary
from gossamer.transform.feeds.elements import inside, line_of, name_of, source_of, text_of
from gossamer.transform.feeds.telling import Agent, Media, Teller
from gossamer.transform.feeds.values import Kind, Scope
from gossamer.transform.terms import Term

Handler = Callable[[Teller, Term, etree._Element, Scope], Iterator[Item]]
"""What one element says about a feed or an entry; the scope is that inside the element."""


def saying(predicate: Term, kind: Kind) -> Handler:
    """A handler: the element's text is the value of a property."""

    def handler(
        teller: Teller, about: Term, element: etree._Element, scope: Scope
    ) -> Iterator[Item]:
        return teller.say(about, predicate, kind, source_of(element), scope, line_of(element))

    return handler


def saying_attribute(attribute: str, predicate: Term, kind: Kind) -> Handler:
    """A handler: one attribute of the element is the value of a property."""

    def handler(
        teller: Teller, about: Term, element: etree._Element, scope: Scope
    ) -> Iterator[Item]:
        value = element.get(attribute) or ""
        return teller.say(about, predicate, kind, value, scope, line_of(element))

    return handler


def saying_agent(predicate: Term = vocabulary.CREATOR) -> Handler:
    """A handler: the element's text names a person or organisation."""

    def handler(
        teller: Teller, about: Term, element: etree._Element, scope: Scope
    ) -> Iterator[Item]:
        return teller.agent(about, predicate, Agent.from_text(text_of(element)), scope)

    return handler


def keywords(teller: Teller, about: Term, element: etree._Element, scope: Scope) -> Iterator[Item]:
    """The statements of words between commas, each a subject."""
    for word in text_of(element).split(","):
        yield from teller.say(about, vocabulary.SUBJECT, values.text, word, scope)


def told(
    handlers: Mapping[str, Handler],
    teller: Teller,
    about: Term,
    element: etree._Element,
    scope: Scope,
) -> Iterator[Item]:
    """The statements of the child elements, in document order."""
    for child in element:
        handler = handlers.get(name_of(child))
        if handler is not None:
            yield from handler(teller, about, child, inside(scope, child))


def enclosure(teller: Teller, about: Term, element: etree._Element, scope: Scope) -> Iterator[Item]:
    """The statements of an RSS `enclosure` element."""
    media = Media(
        url=element.get("url") or "",
        media_type=element.get("type") or "",
        size=element.get("length") or "",
    )
    return teller.media(about, media, scope, line_of(element))


def _person(teller: Teller, about: Term, element: etree._Element, scope: Scope) -> Iterator[Item]:
    agent = Agent(name=text_of(element), homepage=element.get("href") or "")
    return teller.agent(about, vocabulary.ACTOR, agent, scope, line_of(element))


_CATEGORY: Final = saying_attribute("text", vocabulary.SUBJECT, values.text)


def _itunes_category(
    teller: Teller, about: Term, element: etree._Element, scope: Scope
) -> Iterator[Item]:
    yield from _CATEGORY(teller, about, element, scope)
    # One level is all there is; deeper nesting is somebody's game.
    yield from told({"itunes:category": _CATEGORY}, teller, about, element, scope)


def _owner(teller: Teller, about: Term, element: etree._Element, scope: Scope) -> Iterator[Item]:
    parts = {name_of(child): text_of(child).strip() for child in reversed(element)}
    agent = Agent(parts.get("itunes:name", ""), parts.get("itunes:email", ""))
    return teller.agent(about, vocabulary.PUBLISHER, agent, scope, line_of(element))


PODCAST: Final[Mapping[str, Handler]] = MappingProxyType(
    {
        "itunes:author": saying_agent(),
        "itunes:category": _itunes_category,
        "itunes:keywords": keywords,
        "itunes:owner": _owner,
        "itunes:duration": saying(vocabulary.DURATION, values.duration),
        "itunes:episode": saying(vocabulary.EPISODE_NUMBER, values.integer),
        "podcast:episode": saying(vocabulary.EPISODE_NUMBER, values.integer),
        "itunes:season": saying(vocabulary.SEASON_NUMBER, values.integer),
        "podcast:season": saying(vocabulary.SEASON_NUMBER, values.integer),
        "itunes:summary": saying(vocabulary.ABSTRACT, values.text),
        "itunes:subtitle": saying(vocabulary.ABSTRACT, values.text),
        "itunes:explicit": saying(vocabulary.FAMILY_FRIENDLY, values.opposite),
        "podcast:transcript": saying_attribute("url", vocabulary.TRANSCRIPT, values.address),
        "podcast:person": _person,
    }
)
