"""Microformats to statements: the intermediate model, mapped as in docs/vocabularies.md."""

import re
from collections.abc import Iterator
from typing import Final

from gossamer.model import Problem, Syntax
from gossamer.transform.document import Document
from gossamer.transform.document import Item as Statement
from gossamer.transform.kinds import decimal
from gossamer.transform.microformats.items import Item, Nested, Value
from gossamer.transform.microformats.kinds import term_of
from gossamer.transform.microformats.parsing import parsed
from gossamer.transform.microformats.presence import may_hold_microformats
from gossamer.transform.microformats.reading import Reader
from gossamer.transform.microformats.vocabulary import (
    BLOG_POST,
    ENTRY,
    FEED,
    LATITUDE,
    LONGITUDE,
    POINT,
    VOCABULARY,
    Kind,
    Meaning,
    Through,
)
from gossamer.transform.terms import A, Term, Triple, iri, triple

# `<abbr class="geo" title="50.1;8.6">`: latitude and longitude without elements of their own.
_COORDINATES: Final = re.compile(
    r"\s*([+-]?\d{1,3}(?:\.\d+)?)\s*;\s*([+-]?\d{1,3}(?:\.\d+)?)\s*", re.ASCII
)


def microformats_statements(document: Document) -> Iterator[Statement]:
    """The statements of a page's microformats; nothing is parsed if there are none."""
    if may_hold_microformats(document):
        yield from _Telling(document).statements()


class _Telling:
    def __init__(self, document: Document) -> None:
        self._document = document
        self._reader = Reader(document)
        self._subjects: dict[int, Term] = {}  # by identity of the item
        self._blanks = 0

    def statements(self) -> Iterator[Statement]:
        found = parsed(self._document, self._reader)
        for item in found.all_items:
            yield from self._item(item)
        if found.too_deep:
            yield _problem("The page nests elements too deeply: what lies deeper is left out.")
        if found.too_long:
            yield _problem("Properties within properties repeat too much text: some is left out.")

    def _item(self, item: Item) -> list[Statement]:
        vocabularies = [VOCABULARY[type_] for type_ in item.types if type_ in VOCABULARY]
        if not vocabularies:
            return []
        subject = self._subject(item)
        said: list[Statement] = [triple(subject, A, each.class_) for each in vocabularies]
        between: dict[Through, Term] = {}
        for name, values in item.properties.items():
            for vocabulary in vocabularies:
                if meaning := vocabulary.properties.get(name):
                    said += self._property(subject, meaning, values, between)
        if FEED in item.types:
            said += self._entries(subject, item)
        if POINT in item.types and "latitude" not in item.properties:
            said += self._coordinates(subject, item)
        return said

    def _property(
        self, subject: Term, meaning: Meaning, values: list[Value], between: dict[Through, Term]
    ) -> list[Statement]:
        said: list[Statement] = []
        for value in values:
            term = self._term(value, meaning.kind)
            if isinstance(term, Problem):
                said.append(term)
            elif term:
                if (through := meaning.through) and through not in between:
                    node = between[through] = self._blank()
                    said.append(triple(subject, through.predicate, node))
                    said.append(triple(node, A, through.class_))
                bearer = between[through] if through else subject
                said.append(triple(bearer, meaning.predicate, term))
        return said

    def _term(self, value: Value, kind: Kind) -> Term | Problem | None:
        # An item of a type without meaning has no node: its text has to do.
        if kind is Kind.NODE and isinstance(value, Nested) and _means_something(value.item):
            return self._subject(value.item)
        return term_of(value, kind, self._reader)

    def _entries(self, subject: Term, feed: Item) -> list[Triple]:
        entries = (child for child in feed.children if ENTRY in child.types)
        return [triple(subject, BLOG_POST, self._subject(entry)) for entry in entries]

    def _coordinates(self, subject: Term, item: Item) -> list[Triple]:
        text = item.element.attributes.get("title") or self._reader.text(item.element)
        match = _COORDINATES.fullmatch(text)
        numbers = zip((LATITUDE, LONGITUDE), match.groups(), strict=True) if match else ()
        return [triple(subject, predicate, decimal(number)) for predicate, number in numbers]

    def _subject(self, item: Item) -> Term:
        subject = self._subjects.get(id(item))
        if subject is None:
            subject = self._subjects[id(item)] = self._name(item) or self._blank()
        return subject

    def _name(self, item: Item) -> Term | None:
        uids = item.properties.get("uid")
        if uids and uids[0].text.startswith(("http://", "https://")):
            return iri(uids[0].text)
        if item.id:
            page = self._document.url.partition("#")[0]
            return iri(f"{page}#{item.id}")
        return None

    def _blank(self) -> Term:
        self._blanks += 1
        return self._document.blank(f"f{self._blanks}")


def _means_something(item: Item) -> bool:
    return any(type_ in VOCABULARY for type_ in item.types)


def _problem(message: str) -> Problem:
    return Problem(message, Syntax.MICROFORMATS)
