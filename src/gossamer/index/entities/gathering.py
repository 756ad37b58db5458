"""An entity, gathered from all that is said of its subjects. Pure.

Everything here follows from the statements alone, whatever their order: where there is more than is
kept, a rule says what goes.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Final

import pyoxigraph as ox

from gossamer.index.entities.choosing import Candidate, chosen, owned
from gossamer.index.entities.dates import date_of
from gossamer.index.entities.entity import Entity, Text
from gossamer.index.entities.roles import Role, role_of
from gossamer.index.entities.said import Said
from gossamer.index.entities.texts import (
    MOST_OF_A_NAME,
    MOST_OF_AN_ENTITY,
    cleaned,
    has_words,
    is_text,
    shortened,
)
from gossamer.index.entities.vocabulary import FAMILY_NAMES, GIVEN_NAMES, RDF_TYPE
from gossamer.index.entities.whereabouts import host_of_iri, site_of_iri
from gossamer.index.graph.blanks import SCHEME

MOST_LISTED: Final = 1_000  # pages, hosts, members, properties of one entity
MOST_TYPES: Final = 64
MOST_NAMES: Final = 200
MOST_DATES: Final = 200
MOST_OF_A_LABEL: Final = 80  # where it is made of a description
MOST_OF_A_DESCRIPTION: Final = 2_000


@dataclass(slots=True)
class _Gathered:
    """What the statements about all subjects come to."""

    labels: list[Candidate] = field(default_factory=list)
    names: list[Candidate] = field(default_factory=list)  # labels among them
    descriptions: list[Candidate] = field(default_factory=list)
    others: list[Candidate] = field(default_factory=list)  # text that is neither
    images: list[Candidate] = field(default_factory=list)
    types: list[Candidate] = field(default_factory=list)
    pages: set[str] = field(default_factory=set)
    properties: set[str] = field(default_factory=set)
    dates: set[str] = field(default_factory=set)
    links: set[str] = field(default_factory=set)

    def take(self, said: Iterable[Said]) -> None:
        """Sort in what is said of one subject."""
        for predicate, object_, page in said:
            self.pages.add(page)
            self.properties.add(predicate)
            if type(object_) is ox.Literal:
                self._take_literal(role_of(predicate), object_, page)
            elif type(object_) is ox.NamedNode:
                self._take_iri(predicate, object_.value, page)

    def _take_iri(self, predicate: str, iri: str, page: str) -> None:
        if predicate == RDF_TYPE:
            self.types.append(Candidate(0, None, iri, page))
        elif (rank := role_of(predicate).image) is not None:
            self._take_image(rank, iri, page)
        elif not iri.startswith(SCHEME):
            self.links.add(iri)

    def _take_image(self, rank: int, address: str, page: str) -> None:
        if host_of_iri(address) is not None and not any(map(str.isspace, address)):
            self.images.append(Candidate(rank, None, address, page))

    def _take_literal(self, role: Role, literal: ox.Literal, page: str) -> None:
        language, value = literal.language, literal.value
        datatype = literal.datatype if language is None else None
        if date := date_of(value, datatype, is_dated=role.is_dated):
            self.dates.add(date)
        elif not is_text(datatype):
            pass
        elif role.image is not None:
            self._take_image(role.image, value.strip(), page)
        elif role.name is not None:
            name = Candidate(role.name, language, cleaned(value, MOST_OF_A_NAME), page)
            self._take_name(name, is_label=role.is_label)
        elif not role.is_code and has_words(text := cleaned(value)):
            kind = self.others if role.description is None else self.descriptions
            kind.append(Candidate(role.description or 0, language, text, page))

    def _take_name(self, name: Candidate, *, is_label: bool) -> None:
        if name.text:
            self.names.append(name)
            if is_label:
                self.labels.append(name)


def entity_of(
    home: str,
    members: Mapping[str, Sequence[Said]],
    links_in: int,
    languages: Sequence[str] = (),
) -> Entity | None:
    """The entity of a home and its subjects; None where nothing names or describes it.

    The label is in the first of the languages that there is, else in English, else in none.
    """
    gathered = _Gathered()
    for said in members.values():
        gathered.take(said)
    if not (gathered.names or gathered.descriptions or gathered.others):
        return None
    return _entity(home, members, gathered, links_in, languages)


def _entity(
    home: str,
    members: Mapping[str, Sequence[Said]],
    gathered: _Gathered,
    links_in: int,
    languages: Sequence[str],
) -> Entity:
    own_site = site_of_iri(home)
    described = chosen(gathered.descriptions, own_site, languages)
    label = _label(members, gathered, described, own_site, languages)
    image = chosen(gathered.images, own_site, ())
    hosts = {host for page in gathered.pages if (host := host_of_iri(page))}
    return Entity(
        home=home,
        label=label.text,
        language=label.language,
        types=_types(gathered.types, own_site),
        description=described and shortened(described.text, MOST_OF_A_DESCRIPTION),
        image=image and image.text,
        names=_names(label, owned(gathered.names, own_site)),
        texts=_texts(gathered),
        pages=_listed(gathered.pages),
        page_count=len(gathered.pages),
        hosts=_listed(hosts),
        host_count=len(hosts),
        members=_listed(members),
        member_count=len(members),
        properties=_listed(gathered.properties),
        dates=tuple(sorted(gathered.dates)[:MOST_DATES]),
        links_in=links_in,
        links_out=len(gathered.links.difference(members, (home,))),
        is_page=any(member in gathered.pages for member in members),
    )


def _label(
    members: Mapping[str, Sequence[Said]],
    gathered: _Gathered,
    described: Candidate | None,
    own_site: str | None,
    languages: Sequence[str],
) -> Candidate:
    """A label; else given and family name; else another name; else the beginning of a text."""
    found = (
        chosen(gathered.labels, own_site, languages)
        or chosen(list(_full_names(members)), own_site, languages)
        or chosen(gathered.names, own_site, languages)
    )
    if found is not None:
        return found
    text = described or chosen(gathered.others, own_site, languages)
    assert text is not None  # else there would be no entity
    return text._replace(text=shortened(text.text, MOST_OF_A_LABEL))


def _full_names(members: Mapping[str, Sequence[Said]]) -> Iterator[Candidate]:
    """Given and family name together, where a page has one of each for a subject."""
    for said in members.values():
        given, family = _by_page(said, GIVEN_NAMES), _by_page(said, FAMILY_NAMES)
        for page in given.keys() & family.keys():
            name = cleaned(f"{min(given[page])} {min(family[page])}", MOST_OF_A_NAME)
            if name:
                yield Candidate(0, None, name, page)


def _by_page(said: Iterable[Said], predicates: frozenset[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for predicate, object_, page in said:
        if predicate in predicates and isinstance(object_, ox.Literal):
            found.setdefault(page, []).append(object_.value)
    return found


def _types(candidates: Sequence[Candidate], own_site: str | None) -> tuple[str, ...]:
    """The types of an entity, by its own site, else by all. Of very many, those that most sites name."""
    kinds = owned(candidates, own_site)
    found = {each.text for each in kinds}
    if len(found) > MOST_TYPES:
        sites = {(each.text, site_of_iri(each.page)) for each in kinds}
        count = dict.fromkeys(found, 0)
        for text, _ in sites:
            count[text] += 1
        found = set(sorted(found, key=lambda text: (-count[text], text))[:MOST_TYPES])
    return tuple(sorted(found))


def _names(label: Candidate, names: Sequence[Candidate]) -> tuple[str, ...]:
    """The label, then all other names, the better predicates first."""
    ordered = sorted((each.rank, each.text) for each in names)
    return tuple(dict.fromkeys([label.text, *(text for _, text in ordered)]))[:MOST_NAMES]


def _texts(gathered: _Gathered) -> tuple[Text, ...]:
    """Every text once: names, descriptions, then the rest, until it is enough."""
    found: list[Text] = []
    for kind in (gathered.names, gathered.descriptions, gathered.others):
        texts = [Text(each.language, each.text) for each in kind]
        found += sorted(texts, key=_by_language) if len(texts) > 1 else texts
    each_once = tuple(dict.fromkeys(found))
    lengths = accumulate(len(each.text) for each in each_once)
    return each_once[: sum(length <= MOST_OF_AN_ENTITY for length in lengths)]


def _by_language(text: Text) -> tuple[str, str]:
    return text.language or "", text.text


def _listed(items: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(items)[:MOST_LISTED])
