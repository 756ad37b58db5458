"""Reads Media RSS, in RSS and in Atom."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from lxml import etree

from gossamer.transform.document import Item
from gossamer.transform.feeds import values, vocabulary
from gossamer.transform.feeds.elements import inside, line_of, name_of, text_of
from gossamer.transform.feeds.extensions import (
    Handler,
    keywords,
    saying,
    saying_agent,
    saying_attribute,
    told,
)
from gossamer.transform.feeds.telling import Media, Teller
from gossamer.transform.feeds.values import Scope
from gossamer.transform.terms import Term

_HOLDERS: Final = frozenset(("media:group", "media:content"))
# What names an entry, and what stands in for it where nothing does.
_STAND_INS: Final = (
    (
        vocabulary.TITLE,
        frozenset(("title", "atom:title", "dc:title", "dcterms:title")),
        ("itunes:title", "media:title"),
    ),
    (
        vocabulary.DESCRIPTION,
        frozenset(
            (
                *("description", "summary", "atom:summary"),
                *("dc:description", "dcterms:description"),
            )
        ),
        ("media:description",),
    ),
)


def stand_ins(teller: Teller, about: Term, element: etree._Element, scope: Scope) -> Iterator[Item]:
    """The title and description of an entry's media, where the entry has none of its own."""
    children = [(name_of(child), child) for child in element]
    for predicate, own, others in _STAND_INS:
        if any(name in own and text_of(child).strip() for name, child in children):
            continue
        for name in others:
            found = next((each for each in _within(element, name) if text_of(each).strip()), None)
            if found is not None:
                yield from teller.say(
                    about, predicate, values.text, text_of(found), inside(scope, found)
                )
                break


def _within(element: etree._Element, name: str, levels: int = 2) -> Iterator[etree._Element]:
    yield from (child for child in element if name_of(child) == name)
    for child in element:
        if levels and name_of(child) in _HOLDERS:
            yield from _within(child, name, levels - 1)


def _media_content(
    teller: Teller, about: Term, element: etree._Element, scope: Scope
) -> Iterator[Item]:
    media = Media(
        url=element.get("url") or "",
        media_type=element.get("type") or "",
        size=element.get("fileSize") or "",
        title=_of_media(element, "media:title"),
        description=_of_media(element, "media:description"),
        duration=element.get("duration") or "",
        width=element.get("width") or "",
        height=element.get("height") or "",
    )
    yield from teller.media(about, media, scope, line_of(element))
    yield from told(_SINGLE, teller, about, element, scope)


def _of_media(element: etree._Element, name: str) -> str:
    """The text of an element in a media file's own element, or else in its group."""
    group = element.getparent()
    holders = (
        (element, group) if group is not None and name_of(group) == "media:group" else (element,)
    )
    return next(
        (text_of(child) for each in holders for child in each if name_of(child) == name), ""
    )


def _media_group(
    teller: Teller, about: Term, element: etree._Element, scope: Scope
) -> Iterator[Item]:
    return told({**_SINGLE, "media:content": _media_content}, teller, about, element, scope)


_SINGLE: Final[Mapping[str, Handler]] = MappingProxyType(
    {
        "media:thumbnail": saying_attribute("url", vocabulary.THUMBNAIL, values.address),
        "media:category": saying(vocabulary.SUBJECT, values.text),
        "media:keywords": keywords,
        "media:credit": saying_agent(vocabulary.CONTRIBUTOR),
        "media:license": saying_attribute("href", vocabulary.LICENSE, values.address),
    }
)
MEDIA: Final[Mapping[str, Handler]] = MappingProxyType(
    {**_SINGLE, "media:content": _media_content, "media:group": _media_group}
)
