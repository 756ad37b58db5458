"""A thing as the engine keeps it: what can be asked for, and what is shown of it.

Every field follows from the entity alone, so that words which were brought up to date are the same as
words which were made anew.
"""

import json
import re
from collections.abc import Iterable, Sequence
from datetime import date
from functools import lru_cache
from hashlib import blake2b
from typing import Final

import tantivy

from gossamer.index.entities import Entity, short_name, type_terms
from gossamer.index.words.page_texts import EntityText
from gossamer.index.words.ranking import is_part, kept_weight
from gossamer.index.words.tokens import WORD, analyzer, folded, spaced

STORED_CHARACTERS: Final = 8_000  # of its texts, for snippets
SHOWN_PAGES: Final = 20
SHOWN_HOSTS: Final = 20
SHOWN_MEMBERS: Final = 50
MOST_LABEL_WORDS: Final = 50
MOST_TAG_PARTS: Final = 8  # of a language tag, which pages may make as long as they like
ANALYZER: Final = "gossamer"
_ASCII_WORD: Final = re.compile("[a-z0-9]+")
PAGE, THING = "page", "thing"
ALIKE: Final = "alike"
ALIKE_BITS: Final = 53  # which any program can read as a number
SEEN: Final = ("title", "heading", "body", "rest")  # what people see on a page
_PARTS, _SEVERAL = "\1", "\2"  # which no cleaned text has
_JSON: Final = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False, check_circular=False)


def schema() -> tantivy.Schema:
    """The fields of a document."""
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("home", tokenizer_name="raw", index_option="basic")
    builder.add_text_field("name", tokenizer_name=ANALYZER)
    builder.add_text_field("text", tokenizer_name=ANALYZER)
    for seen in SEEN:
        builder.add_text_field(seen, tokenizer_name=ANALYZER)
    builder.add_bytes_field("seen", stored=True)
    for exact in ("label", "form"):
        builder.add_text_field(exact, tokenizer_name="raw", index_option="basic")
    for several in ("type", "property", "host", "language"):  # none of which has a space in it
        builder.add_text_field(several, tokenizer_name="whitespace", index_option="basic")
    for counted in ("types", "hosts", "languages"):
        builder.add_text_field(counted, tokenizer_name="raw", index_option="basic", fast=True)
    builder.add_integer_field("day", indexed=True, fast=True)
    builder.add_float_field("weight", fast=True)
    builder.add_unsigned_field(ALIKE, indexed=True, fast=True)
    builder.add_bytes_field("shown", stored=True)
    return builder.build()


def prepare(index: tantivy.Index) -> None:
    """Tell an index that was just opened how our text is cut into words."""
    index.register_tokenizer(ANALYZER, analyzer())


def document(entity: Entity, seen: Sequence[EntityText] = ()) -> tantivy.Document:
    """The thing as a document; with what people see on it, if it is a page."""
    made = tantivy.Document()
    made.add_text("home", entity.home)
    if not is_part(entity):
        made.add_text("label", exact_label(entity.label))
        for name in entity.names:
            made.add_text("name", spaced(name))
    made.add_text("form", PAGE if entity.is_page else THING)
    for text in entity.texts:
        made.add_text("text", spaced(text.text))
    for page in seen:
        _add_seen(made, page)
    tags = frozenset(text.language for text in entity.texts if text.language)
    tags = tags.union(page.text.language for page in seen if page.text.language)
    made.add_text("type", _terms(entity.types))
    made.add_text("property", _terms(entity.properties))
    made.add_text("host", _domains(entity.hosts))
    made.add_text("language", _languages(tags))
    _add_all(made, "types", _short_names(entity.types))
    _add_all(made, "hosts", entity.hosts)
    _add_all(made, "languages", {tag.partition("-")[0] for tag in tags})
    for day in {first_day(each) for each in entity.dates}:
        made.add_integer("day", day)
    made.add_float("weight", kept_weight(entity))
    made.add_unsigned(ALIKE, alike(entity, seen))
    made.add_bytes("shown", _JSON.encode(shown(entity)).encode())
    return made


def shown(entity: Entity) -> dict[str, object]:
    """What an answer tells of a thing, and the texts that snippets are taken from."""
    return {
        "id": entity.home,
        "label": entity.label,
        "language": entity.language,
        "types": entity.types,
        "description": entity.description,
        "image": entity.image,
        "is_page": entity.is_page,
        "names": entity.names[:20],
        "pages": entity.pages[:SHOWN_PAGES],
        "page_count": entity.page_count,
        "hosts": entity.hosts[:SHOWN_HOSTS],
        "host_count": entity.host_count,
        "same_as": entity.members[:SHOWN_MEMBERS],
        "properties": len(entity.properties),
        "dates": entity.dates[:20],
        "links_in": entity.links_in,
        "links_out": entity.links_out,
        "texts": list(_beginning(text.text for text in entity.texts)),
    }


def _add_seen(made: tantivy.Document, page: EntityText) -> None:
    text = page.text
    # What a page of somebody else is called is no name of this entity.
    titles = "title" if page.is_own else "body"
    made.add_text(titles, spaced(text.title))
    for heading in text.headings:
        made.add_text("heading" if page.is_own else "body", spaced(heading))
    made.add_text("body", spaced(text.main))
    if text.rest:
        made.add_text("rest", spaced(text.rest))
    made.add_bytes("seen", page.packed)


def alike(entity: Entity, seen: Sequence[EntityText] = ()) -> int:
    """A number that entities have in common of which an answer tells the same, but for their names.

    Hosts count: nobody's things look like those of somebody else.
    """
    told = (
        "page" if entity.is_page else "",
        entity.label,
        entity.description or "",
        entity.image or "",
        _SEVERAL.join(entity.types),
        _SEVERAL.join(entity.names),
        _SEVERAL.join(entity.dates),
        _SEVERAL.join(entity.hosts),
        _SEVERAL.join([text.text for text in entity.texts]),
        _SEVERAL.join([text.language or "" for text in entity.texts]),
        *(part for page in seen for part in (page.text.title, page.text.main)),
    )
    digest = blake2b(_PARTS.join(told).encode(errors="replace"), digest_size=8).digest()
    return int.from_bytes(digest) >> (64 - ALIKE_BITS)


def exact_label(text: str) -> str:
    """A whole label, to be met by whoever types just that."""
    if text.isascii():  # the same, in one go
        return " ".join(_ASCII_WORD.findall(text.lower())[:MOST_LABEL_WORDS])
    return " ".join(filter(None, map(folded, WORD.findall(text)[:MOST_LABEL_WORDS])))


def domains(host: str) -> list[str]:
    """A host and the domains above it: who asks for `example.org` means `www.example.org` too."""
    labels = host.split(".")
    return [".".join(labels[at:]) for at in range(max(1, len(labels) - 1))]


@lru_cache(maxsize=4_096)  # things of one kind are described alike
def _terms(iris: tuple[str, ...]) -> str:
    return _together(map(type_terms, iris))


@lru_cache(maxsize=4_096)
def _short_names(iris: tuple[str, ...]) -> frozenset[str]:
    return frozenset(short_name(iri) or iri for iri in iris)


@lru_cache(maxsize=4_096)
def _domains(hosts: tuple[str, ...]) -> str:
    return _together(map(domains, hosts))


@lru_cache(maxsize=4_096)
def _languages(tags: frozenset[str]) -> str:
    return _together(map(_broader, tags))


def first_day(text: str) -> int:
    """The day, or the first one of the month or year, as a number."""
    year, month, day = (*map(int, text.split("-")), 1, 1)[:3]
    return date(year, month, day).toordinal()


def _together(terms: Iterable[Iterable[str]]) -> str:
    """All terms, each once, in one text: one call of the engine instead of many."""
    return " ".join({term for each in terms for term in each})


def _broader(tag: str) -> list[str]:
    parts = tag.split("-", MOST_TAG_PARTS)[:MOST_TAG_PARTS]
    return ["-".join(parts[: at + 1]) for at in range(len(parts))]


def _add_all(made: tantivy.Document, field: str, values: Iterable[str]) -> None:
    for value in values:
        made.add_text(field, value)


def _beginning(texts: Iterable[str]) -> Iterable[str]:
    room = STORED_CHARACTERS
    for text in texts:
        if room <= 0:
            return
        yield text[:room]
        room -= len(text)
