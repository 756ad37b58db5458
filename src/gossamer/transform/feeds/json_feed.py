"""Reads JSON Feed 1.0 and 1.1."""

import json
from collections.abc import Iterator
from typing import Final

from gossamer.model import Problem, Syntax
from gossamer.transform.document import Document, Item
from gossamer.transform.feeds import values, vocabulary
from gossamer.transform.feeds.telling import Agent, Media, Teller
from gossamer.transform.feeds.values import Kind, Scope
from gossamer.transform.json_mistakes import no_json
from gossamer.transform.terms import A, Term, iri, triple

_Object = dict[str, object]
_Table = tuple[tuple[str, Term, Kind], ...]


def json_feed_statements(document: Document) -> Iterator[Item]:
    """The statements of a JSON Feed and its items."""
    teller = Teller(document, Syntax.JSON_FEED)
    try:
        root = json.loads(document.text, strict=False)
    except json.JSONDecodeError as error:
        yield Problem(no_json(error), Syntax.JSON_FEED, error.lineno)
        return
    except (ValueError, RecursionError):
        yield teller.problem(
            "This is JSON that nobody should read: too deep, or with huge numbers."
        )
        return
    feed = iri(document.url)
    if not isinstance(root, dict) or feed is None:
        yield teller.problem("A JSON Feed is an object, and this is none.")
        return
    yield from _feed(teller, feed, root, Scope(document.url, _text(root, "language") or None))


def _feed(teller: Teller, feed: Term, root: _Object, scope: Scope) -> Iterator[Item]:
    yield triple(feed, A, vocabulary.CHANNEL)
    yield from _told(teller, feed, _FEED, root, scope)
    yield from _authors(teller, feed, root, scope)
    sequence = teller.sequence(feed)
    yield from sequence.start()
    for item in _objects(root, "items"):
        within = Scope(scope.base, _text(item, "language") or scope.language)
        entry = _named(teller, item, scope)
        yield sequence.member(entry)
        yield from _item(teller, entry, item, within)


def _item(teller: Teller, entry: Term, item: _Object, scope: Scope) -> Iterator[Item]:
    yield triple(entry, A, vocabulary.ITEM)
    yield from _told(teller, entry, _ITEM, item, scope)
    content = _text(item, "content_html") or _text(item, "content_text")
    yield from teller.say(entry, vocabulary.ENCODED, values.text, content, scope)
    yield from _authors(teller, entry, item, scope)
    for tag in _list(item, "tags"):
        if isinstance(tag, str):
            yield from teller.say(entry, vocabulary.SUBJECT, values.text, tag, scope)
    for attachment in _objects(item, "attachments"):
        yield from teller.media(entry, _media(attachment), scope)


def _told(
    teller: Teller, about: Term, table: _Table, object_: _Object, scope: Scope
) -> Iterator[Item]:
    for key, predicate, kind in table:
        yield from teller.say(about, predicate, kind, _text(object_, key), scope)


def _named(teller: Teller, item: _Object, scope: Scope) -> Term:
    return (
        teller.named(_text(item, "url"), scope)
        or teller.identified(_text(item, "id"))
        or teller.blank()
    )


def _authors(teller: Teller, about: Term, object_: _Object, scope: Scope) -> Iterator[Item]:
    first = object_.get("author")  # JSON Feed 1.0
    authors = _objects(object_, "authors") or ([first] if isinstance(first, dict) else [])
    for author in authors:
        agent = Agent(_text(author, "name"), "", _text(author, "url"))
        yield from teller.agent(about, vocabulary.CREATOR, agent, scope)


def _media(attachment: _Object) -> Media:
    return Media(
        url=_text(attachment, "url"),
        media_type=_text(attachment, "mime_type"),
        size=_text(attachment, "size_in_bytes"),
        title=_text(attachment, "title"),
        duration=_text(attachment, "duration_in_seconds"),
    )


def _text(object_: _Object, key: str) -> str:
    """A value as text: numbers too, which stand for identifiers and sizes; else nothing."""
    value = object_.get(key)
    if isinstance(value, str):
        return value.strip()
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return json.dumps(value) if is_number else ""


def _list(object_: _Object, key: str) -> list[object]:
    value = object_.get(key)
    return value if isinstance(value, list) else []


def _objects(object_: _Object, key: str) -> list[_Object]:
    return [each for each in _list(object_, key) if isinstance(each, dict)]


_FEED: Final[_Table] = (
    ("title", vocabulary.TITLE, values.text),
    ("home_page_url", vocabulary.LINK, values.link),
    ("description", vocabulary.DESCRIPTION, values.text),
    ("language", vocabulary.LANGUAGE, values.code),
    ("icon", vocabulary.IMAGE, values.address),
)
_ITEM: Final[_Table] = (
    ("title", vocabulary.TITLE, values.text),
    ("url", vocabulary.LINK, values.link),
    ("summary", vocabulary.DESCRIPTION, values.text),
    ("id", vocabulary.IDENTIFIER, values.code),
    ("date_published", vocabulary.ISSUED, values.time),
    ("date_modified", vocabulary.MODIFIED, values.time),
    ("external_url", vocabulary.REFERENCES, values.address),
    ("image", vocabulary.THUMBNAIL, values.address),
)
