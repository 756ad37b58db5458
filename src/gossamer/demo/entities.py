"""Ground truth of entities: which things a crawl knows, what they are called, and who says so.

From the statements that pages were made with, never from bytes: a subject is the thing that its
`sameAs` names, or the one that its number or address has in the cast, else itself. The rules are
those of docs/entities.md, as far as this world needs them, told a second time.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from gossamer.demo.cast import HOMES
from gossamer.demo.formats.feeds import RSS
from gossamer.demo.formats.microformats import VCARD
from gossamer.demo.formats.opengraph import OG, TWITTER
from gossamer.demo.formats.statements import DCTERMS, FOAF, RDF, SCHEMA, iri
from gossamer.demo.names import site_name
from gossamer.demo.outcomes import Truth, Visited
from gossamer.demo.rendering import rendered

_NUMBERS: Final = frozenset(f"{SCHEMA}{name}" for name in ("isbn", "gtin13"))
_SAME: Final = f"{SCHEMA}sameAs"
_EMAIL: Final = f"{SCHEMA}email"
_TYPE: Final = f"{RDF}type"
# What carries words, in the order in which it is believed to be a name.
LABELS: Final = (
    *(f"{SCHEMA}name", f"{FOAF}name", f"{DCTERMS}title", f"{SCHEMA}headline", f"{OG}title"),
    *(f"{VCARD}fn", f"{RSS}title", f"{TWITTER}title"),
)
NAMES: Final = (*LABELS, f"{SCHEMA}alternateName")
TEXTS: Final = frozenset(
    (
        *NAMES,
        *(f"{SCHEMA}{name}" for name in ("description", "jobTitle", "streetAddress")),
        *(f"{SCHEMA}{name}" for name in ("addressLocality", "calories", "nutrition")),
        *(f"{SCHEMA}{name}" for name in ("recipeYield", "recipeCuisine", "recipeIngredient")),
        *(f"{SCHEMA}{name}" for name in ("variableMeasured", "articleSection", "keywords")),
        *(f"{VCARD}{name}" for name in ("note", "title", "street-address", "locality")),
        *(f"{VCARD}{name}" for name in ("organization-name", "country-name")),
        *(f"{DCTERMS}description", f"{DCTERMS}subject", f"{OG}description", f"{RSS}description"),
    )
)
_LINE: Final = re.compile(r'(\S+) <(\S+)> (?:<(\S+)>|"((?:[^"\\]|\\.)*)"\S*|(_:\S+)) \.')
_ESCAPE: Final = re.compile(r"\\(.)")


@dataclass(slots=True)
class KnownEntity:
    """An entity of the demo web, and the pages that describe it."""

    home: str  # its name; for a blank node, page and label
    own_types: set[str] = field(default_factory=set)  # that pages of its own site name
    other_types: set[str] = field(default_factory=set)
    names: dict[str, set[str]] = field(default_factory=dict)  # predicate to what it says
    pages: set[str] = field(default_factory=set)
    has_words: bool = False

    @property
    def is_blank(self) -> bool:
        """Whether nobody else can know its name."""
        return " " in self.home

    @property
    def types(self) -> set[str]:
        """The types of a thing, by http, however they are spelled; its own site is believed first."""
        return self.own_types or self.other_types

    @property
    def label(self) -> str | None:
        """The name of a thing, where all who name it by the best predicate agree."""
        said = next((self.names[name] for name in LABELS if name in self.names), set[str]())
        return next(iter(said)) if len(said) == 1 else None

    @property
    def all_names(self) -> frozenset[str]:
        """All names of the entity."""
        return frozenset().union(*self.names.values())


def known_entities(truth: Truth) -> Mapping[str, KnownEntity]:
    """All entities of a crawl by their homes; this writes every page, so it takes its time."""
    known: dict[str, KnownEntity] = {}
    for visited in truth.visited.values():
        if not visited.noindex and visited.holds is not None:
            _add(visited, _statements(truth, visited), known)
    return {home: entity for home, entity in known.items() if entity.has_words}


def counts_by_type(known: Mapping[str, KnownEntity]) -> Mapping[str, int]:
    """How many entities are of each type."""
    return Counter(type_ for entity in known.values() for type_ in entity.types)


@dataclass(frozen=True, slots=True)
class _Statement:
    subject: str
    predicate: str
    iri: str | None
    literal: str | None


def _statements(truth: Truth, visited: Visited) -> list[_Statement]:
    assert visited.holds is not None
    return list(_read(rendered(truth.world, visited.holds).statements))


def _read(lines: Iterable[str]) -> Iterator[_Statement]:
    for line in lines:
        match = _LINE.fullmatch(line)
        assert match, line
        subject, predicate, target, text, _ = match.groups()
        literal = None if text is None else _ESCAPE.sub(_unescaped, text)
        yield _Statement(subject, predicate, target, literal)


def _unescaped(match: re.Match[str]) -> str:
    return {"n": "\n", "r": "\r"}.get(match[1], match[1])


def _add(visited: Visited, said: list[_Statement], known: dict[str, KnownEntity]) -> None:
    page = iri(visited.url)[1:-1]
    homes = _homes(said, page)
    for each in said:
        home = homes[each.subject]
        entity = known.setdefault(home, KnownEntity(home))
        entity.pages.add(page)
        if each.predicate == _TYPE and each.iri:
            own = _site(home) == _site(page)
            (entity.own_types if own else entity.other_types).add(each.iri)
        if each.literal and each.predicate in NAMES:
            name = " ".join(each.literal.split())
            entity.names.setdefault(each.predicate, set()).add(name)
        entity.has_words |= bool(each.literal) and each.predicate in TEXTS


def _site(name: str) -> str:
    return site_name(name.partition("//")[2].partition("/")[0])


def _homes(said: list[_Statement], page: str) -> dict[str, str]:
    """Subject to home. A number tells more than `sameAs`, and that more than an address."""
    homes = {
        each.subject: f"{page} {each.subject}"
        if each.subject.startswith("_:")
        else each.subject[1:-1]
        for each in said
    }
    for strength in (frozenset((_EMAIL,)), frozenset((_SAME,)), _NUMBERS):
        for each in said:
            if each.predicate in strength:
                homes[each.subject] = each.iri or HOMES[each.literal or ""]
    return homes
