"""What a crawl wants: classes of things, SPARQL queries over a page, and words; each with a weight.

A want is written as one text: `Product`, `schema:Event`, an IRI, or a query; `=2` at its end is its weight. Subclasses
count, as far as schema.org has them.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

from gossamer.errors import ConfigError
from gossamer.sparql.prefixes import PREFIXES
from gossamer.vocabulary import SCHEMA, is_class, named, plain, subclasses
from gossamer.vocabulary.schema_terms import nearest_class

KEY: Final = "focus.want"
WORDS_KEY: Final = "focus.words"
MOST_WANTS: Final = 50
HEAVIEST: Final = 1_000.0
_WEIGHT: Final = re.compile(r"\d{1,6}(?:\.\d{1,6})?")
_IRI: Final = re.compile(r"<?([A-Za-z][A-Za-z0-9+.-]*:(?://)?[^\s<>\"{}|^`]+)>?")
_QUERY: Final = re.compile(r"[{}]")
_NAME: Final = re.compile(r"[A-Za-z0-9]+")


@dataclass(frozen=True, slots=True)
class ClassWant:
    """Things of a class, and of all classes below it."""

    iri: str
    weight: float = 1.0

    @property
    def classes(self) -> frozenset[str]:
        """The IRIs of the classes that count, in the one spelling that is compared."""
        return subclasses(self.iri)


@dataclass(frozen=True, slots=True)
class QueryWant:
    """Whatever a query finds in a page's graphs: a SELECT of one variable, or an ASK for the page as a whole."""

    text: str
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class WordsWant:
    """Pages on which these words stand in a row."""

    text: str
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Wants:
    """All that a crawl wants."""

    classes: tuple[ClassWant, ...] = ()
    queries: tuple[QueryWant, ...] = ()
    words: tuple[WordsWant, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.classes or self.queries or self.words)

    def mark(self) -> bytes:
        """A fingerprint that the same wants share."""
        return blake2b(repr(self).encode(), digest_size=16).digest()


def read_wants(wanted: Sequence[str], words: Sequence[str] = ()) -> Wants:
    """The wants that texts name; `ConfigError` where one makes no sense."""
    for key, texts in ((KEY, wanted), (WORDS_KEY, words)):
        if len(texts) > MOST_WANTS:
            raise ConfigError(f"{key}: {len(texts)} are too many; give at most {MOST_WANTS}.")
    classes, queries = [], []
    for text in wanted:
        want, weight = _weighed(text, KEY)
        if _QUERY.search(want):
            queries.append(QueryWant(want, weight))
        else:
            classes.append(ClassWant(_class_of(want), weight))
    said = [WordsWant(*_weighed(text, WORDS_KEY)) for text in words]
    for each in said:
        if not re.search(r"\w", each.text):
            raise ConfigError(f"{WORDS_KEY}: {each.text!r} has no word in it.")
    return Wants(tuple(classes), tuple(queries), tuple(said))


def _weighed(text: str, key: str) -> tuple[str, float]:
    want, equals, number = text.rpartition("=")
    match = _WEIGHT.fullmatch(number.strip())
    if match is None or not equals:
        return text.strip(), 1.0
    weight = float(match[0])
    if not 0 < weight <= HEAVIEST:
        raise ConfigError(
            f"{key}: {text!r} weighs {match[0]}; give more than 0, {HEAVIEST:g} at most."
        )
    return want.strip(), weight


def _class_of(text: str) -> str:
    prefix, colon, name = text.partition(":")
    if not colon:
        return _of_schema(text, text)
    if (space := PREFIXES.get(prefix.lower())) is not None and not name.startswith("//"):
        return _of_schema(name, text) if space == SCHEMA else space + name
    match = _IRI.fullmatch(text)
    if match is None or "//" not in text:
        known = ", ".join(sorted(PREFIXES))
        raise ConfigError(
            f"{KEY}: {text!r} is no class: {prefix} is no prefix that we know ({known}). "
            "Write the whole IRI of the class."
        )
    iri = plain(match[1])
    if iri.startswith(SCHEMA) and not is_class(iri):
        return _of_schema(iri[len(SCHEMA) :], text)
    return iri


def _of_schema(name: str, text: str) -> str:
    if (found := named(name)) is not None:
        return found
    near = nearest_class(name) if _NAME.fullmatch(name) else None
    hint = f"Did you mean {near}?" if near else "See https://schema.org/docs/full.html."
    raise ConfigError(
        f"{KEY}: schema.org has no class {text!r}. {hint} A class of another vocabulary is written with its "
        "prefix (foaf:Person) or as an IRI, and a query as @FILE."
    )
