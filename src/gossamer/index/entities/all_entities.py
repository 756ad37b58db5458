"""All entities of a graph, one after the other, as JSON lines.

Most subjects stand in one graph and are at home in themselves: they come as they are met. Only the
names of the others are held in memory.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final, Protocol

import pyoxigraph as ox

from gossamer.index.entities import (
    IDENTIFYING,
    Entity,
    entity_of,
    home_of,
    page_of,
    spelled,
)
from gossamer.index.graph.blanks import SCHEME, shown
from gossamer.index.words.statements import Statements

IDENTIFIED_AT_ONCE: Final = 500  # subjects with identifiers that are read together


class QuadPatterns(Protocol):
    """What is asked of a store, or of a server."""

    def quads_for_pattern(
        self,
        subject: Any,  # noqa: ANN401 (as the engine has it)
        predicate: Any,  # noqa: ANN401
        object: Any,  # noqa: A002, ANN401
        graph_name: Any = None,  # noqa: ANN401
        /,
    ) -> Iterator[ox.Quad]:
        """The quads with these terms; None stands for any."""


def all_entities(store: ox.Store) -> Iterator[Entity]:
    """Every entity once, in no order that means anything."""
    statements = Statements(store)
    homes, members = homes_and_members(store, statements, _subjects(store))
    for subject in _each_once(store):
        if subject not in homes and subject not in members:
            yield from _gathered(subject, [subject], statements)
    for home, others in members.items():
        own = [] if home in homes else [home]  # what the home names may be at home elsewhere
        yield from _gathered(home, [*own, *others], statements)


def homes_and_members(
    store: QuadPatterns, statements: Statements, subjects: Iterable[str]
) -> tuple[Mapping[str, str], Mapping[str, Sequence[str]]]:
    """The subjects that are at home elsewhere, each with its home; and each home with those subjects.

    These subjects count, and all that have identifiers.
    """
    found = _homes(store, statements, subjects)
    homes = {subject: home for subject, home in found if subject != home}
    members: defaultdict[str, list[str]] = defaultdict(list)
    for subject, home in homes.items():
        members[home].append(subject)
    return homes, members


def entity_line(entity: Entity) -> str:
    """An entity as a line of JSON; `docs/entities.md` explains its fields."""
    return json.dumps(shown_entity(entity), ensure_ascii=False, separators=(",", ":")) + "\n"


def shown_entity(entity: Entity) -> dict[str, Any]:
    """The fields of an entity, with blank nodes as readers see them."""
    record = {name: getattr(entity, name) for name in Entity._fields}
    record["home"] = _name(entity.home)
    record["members"] = [_name(member) for member in entity.members]
    record["texts"] = [text._asdict() for text in entity.texts]
    return record


def _homes(
    store: QuadPatterns, statements: Statements, subjects: Iterable[str]
) -> Iterator[tuple[str, str]]:
    """Subjects that may be at home elsewhere, and where they are."""
    identified = {
        quad.subject.value
        for predicate in IDENTIFYING
        for quad in store.quads_for_pattern(None, ox.NamedNode(predicate), None, None)
        if isinstance(quad.subject, ox.NamedNode)
    }
    rest = iter(identified)
    while some := list(islice(rest, IDENTIFIED_AT_ONCE)):
        statements.ahead(some)
        for subject in some:
            yield subject, home_of(subject, statements.about(subject))
        statements.rest()
    for subject in subjects:
        if subject not in identified and (home := spelled(subject)) != subject:
            yield subject, home


def _subjects(store: ox.Store) -> Iterator[str]:
    """The subjects of each source graph; one that several graphs speak of comes as often."""
    for graph in store.named_graphs():
        if page_of(graph.value) is None:
            continue
        last = None
        for quad in store.quads_for_pattern(None, None, None, graph):  # one subject after the other
            if quad.subject != last and isinstance(quad.subject, ox.NamedNode):
                last = quad.subject
                yield last.value


def _each_once(store: ox.Store) -> Iterator[str]:
    seen: set[str] = set()
    for subject in _subjects(store):
        if subject not in seen:
            if _stands_in_several_graphs(store, subject):
                seen.add(subject)
            yield subject


def _stands_in_several_graphs(store: ox.Store, subject: str) -> bool:
    quads = store.quads_for_pattern(ox.NamedNode(subject), None, None, None)
    first = next(quads).graph_name
    return any(quad.graph_name != first for quad in quads)


def _gathered(home: str, subjects: Iterable[str], statements: Statements) -> Iterator[Entity]:
    said = {subject: statements.about(subject) for subject in subjects}
    members = {subject: sayings for subject, sayings in said.items() if sayings}
    if members:
        entity = entity_of(home, members, statements.links_to([home, *members]))
        if entity is not None:
            yield entity


def _name(iri: str) -> str:
    return str(shown(ox.NamedNode(iri))) if iri.startswith(SCHEME) else iri
