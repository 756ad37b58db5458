"""Difference of two states of a page, by entity: which statements came, and which went. Pure.

A blank node that is only a part (an offer, an address, a rating) is told with the thing that it is part of, under a
path: `offers.price`. All others are entities themselves, gathered under the same keys as in search (`index.entities`).
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

import pyoxigraph as ox

from gossamer.history.blank_pairs import BlankGraph, Node, pair_blanks
from gossamer.index.entities import Said, home_of
from gossamer.index.entities.vocabulary import LABELS, RDF_TYPE
from gossamer.index.graph.blanks import Blanks, Term
from gossamer.index.graph.names import page_name
from gossamer.tables.paths import column_name
from gossamer.vocabulary import is_structural

MOST_OF_A_LABEL: Final = 200  # characters
MOST_ENTITIES: Final = 2_000  # of one page and visit
MOST_NODES: Final = 4_000  # blank nodes before and now together; more are paired by their labels
MOST_DEPTH: Final = 8  # of a path: what lies deeper is told as a thing of its own


class ChangeKind(StrEnum):
    """What became of an entity on a page."""

    NEW = "new"  # the page did not speak of it before
    CHANGED = "changed"
    GONE = "gone"  # the page does not speak of it any more


@dataclass(frozen=True, slots=True)
class SaidValue:
    """A statement that came or went: by which path it belongs to its entity, and its value."""

    property: str  # an IRI
    path: str  # as columns of tables are called: `offers.price`
    value: str
    type: str  # "literal", "iri", "blank" or "triple"
    language: str | None = None
    datatype: str | None = None

    def record(self) -> dict[str, str]:
        """The statement as JSON has it."""
        told = {
            "property": self.property,
            "path": self.path,
            "value": self.value,
            "type": self.type,
            "language": self.language,
            "datatype": self.datatype,
        }
        return {name: value for name, value in told.items() if value is not None}


@dataclass(frozen=True, slots=True)
class EntityChange:
    """What a page says otherwise about one entity."""

    entity: str
    kind: ChangeKind
    types: tuple[str, ...]
    label: str | None
    added: tuple[SaidValue, ...]
    removed: tuple[SaidValue, ...]


def difference(page: str, old: bytes, new: bytes) -> list[EntityChange]:
    """What a page says otherwise, by entity, from its N-Quads before and now; of many entities, the first."""
    before, now = _triples(old), _triples(new)
    names = _names(BlankGraph.of(before), BlankGraph.of(now))
    taken = {node for triple in now for node in _nodes(triple)}
    renamed = [_renamed(triple, names, taken) for triple in before]
    then, after = _State.of(page, renamed), _State.of(page, now)
    were, are = set(renamed), set(now)
    differing: defaultdict[Term, tuple[list[SaidValue], list[SaidValue]]]
    differing = defaultdict(lambda: ([], []))
    for which, triples, state in ((0, are - were, after), (1, were - are, then)):
        for triple in triples:
            if (said := state.value(triple)) is not None:
                differing[state.whole(triple.subject)[0]][which].append(said)
    changes: dict[str, _Entity] = {}
    for whole in sorted(differing, key=str)[:MOST_ENTITIES]:
        # Of what is still there, today's key: a number that was added may be another.
        home = (after if whole in after.about else then).home(whole)
        changes.setdefault(home, _Entity()).add(whole, *differing[whole])
    return [changes[home].change(home, then, after) for home in sorted(changes)]


def _names(old: BlankGraph, new: BlankGraph) -> Mapping[Node, Node]:
    """The name of today of each old node that has one; on a huge page, where it has the same label."""
    if len(old.out) + len(new.out) > MOST_NODES:
        return {node: node for node in old.out if node in new.out}
    return {theirs: ours for ours, theirs in pair_blanks(old, new).items()}


@dataclass(slots=True)
class _Entity:
    """What came and what went of the subjects that are gathered under one key."""

    subjects: list[Term] = field(default_factory=list)
    added: list[SaidValue] = field(default_factory=list)
    removed: list[SaidValue] = field(default_factory=list)

    def add(self, subject: Term, added: Sequence[SaidValue], removed: Sequence[SaidValue]) -> None:
        """Add a subject."""
        self.subjects.append(subject)
        self.added += added
        self.removed += removed

    def change(self, home: str, then: "_State", after: "_State") -> EntityChange:
        """What became of the entity."""
        kind = ChangeKind.CHANGED
        if all(each not in then.about for each in self.subjects):
            kind = ChangeKind.NEW
        elif all(each not in after.about for each in self.subjects):
            kind = ChangeKind.GONE
        told = then if kind is ChangeKind.GONE else after
        return EntityChange(
            home,
            kind,
            tuple(sorted(told.types(self.subjects))),
            told.label(self.subjects),
            tuple(sorted(self.added, key=_order)),
            tuple(sorted(self.removed, key=_order)),
        )


def _order(said: SaidValue) -> tuple[str, ...]:
    return (said.path, said.value, said.language or "", said.datatype or "", said.type)


@dataclass(slots=True)
class _State:
    """One state of a page, with its things."""

    blanks: Blanks
    page: str
    about: dict[Term, list[ox.Triple]] = field(default_factory=dict)
    graph: BlankGraph = field(default_factory=BlankGraph)
    _wholes: dict[Term, tuple[Term, tuple[str, ...]]] = field(default_factory=dict)

    @classmethod
    def of(cls, page: str, triples: Sequence[ox.Triple]) -> "_State":
        """The state in which a page says this."""
        name = page_name(page)
        found = cls(Blanks(name), name, graph=BlankGraph.of(triples))
        for triple in triples:
            found.about.setdefault(triple.subject, []).append(triple)
        return found

    def whole(self, subject: Term) -> tuple[Term, tuple[str, ...]]:
        """The thing that a subject is part of, or itself; and by which properties."""
        if (known := self._wholes.get(subject)) is not None:
            return known
        path: list[str] = []
        at, seen = subject, {subject}
        while isinstance(at, Node) and self._is_part(at) and len(path) < MOST_DEPTH:
            above = [each for each in self.graph.into.get(at, ()) if each.subject not in seen]
            if not above:
                break
            link = min(above, key=lambda each: (isinstance(each.subject, Node), str(each)))
            path.insert(0, link.predicate.value)
            at = link.subject
            seen.add(at)
        found = (at, tuple(path))
        self._wholes[subject] = found
        return found

    def _is_part(self, node: Node) -> bool:
        types = self.graph.types(node)
        return not types or is_structural(types)

    def home(self, subject: Term) -> str:
        """The key of an entity, as search and the graph have it."""
        said = [
            Said(each.predicate.value, self.blanks.kept(each.object), self.page)
            for each in self.about.get(subject, ())
        ]
        return home_of(self._name(subject), said)

    def value(self, triple: ox.Triple) -> SaidValue | None:
        """A statement as part of its entity; None where what it leads to is told with the same entity."""
        object_ = triple.object
        whole, path = self.whole(triple.subject)
        if (
            isinstance(object_, Node)
            and self.about.get(object_)
            and self.whole(object_)[0] == whole
        ):
            return None
        steps = (*path, triple.predicate.value)
        told = SaidValue(triple.predicate.value, column_name(steps), *_told(object_))
        if isinstance(object_, Node):
            name = self.label([object_])
            return told if name is None else replace(told, value=name)
        return told

    def types(self, subjects: Iterable[Term]) -> frozenset[str]:
        """The classes of an entity."""
        return frozenset(
            each.object.value
            for subject in subjects
            for each in self.about.get(subject, ())
            if each.predicate.value == RDF_TYPE and isinstance(each.object, ox.NamedNode)
        )

    def label(self, subjects: Iterable[Term]) -> str | None:
        """What an entity is called."""
        names = [
            (LABELS[each.predicate.value], each.object.value)
            for subject in subjects
            for each in self.about.get(subject, ())
            if each.predicate.value in LABELS and isinstance(each.object, ox.Literal)
        ]
        return min(names)[1][:MOST_OF_A_LABEL] if names else None

    def _name(self, subject: Term) -> str:
        kept = self.blanks.kept(subject)
        return kept.value if isinstance(kept, ox.NamedNode) else str(kept)


def _triples(nquads: bytes) -> list[ox.Triple]:
    """What a page says, each statement once, whatever graphs of the page it stands in."""
    return [*dict.fromkeys(quad.triple for quad in ox.parse(nquads, ox.RdfFormat.N_QUADS))]


def _nodes(triple: ox.Triple) -> Iterable[Node]:
    return (term for term in (triple.subject, triple.object) if isinstance(term, Node))


def _renamed(triple: ox.Triple, names: Mapping[Node, Node], taken: set[Node]) -> ox.Triple:
    """A statement from before, its nodes by the names of today; what has none gets none of today's."""
    subject, predicate, object_ = (_name_today(each, names, taken) for each in triple)
    return ox.Triple(subject, predicate, object_)  # type: ignore[arg-type]  # each of its own kind still


def _name_today(term: Term, names: Mapping[Node, Node], taken: set[Node]) -> Term:
    if isinstance(term, ox.Triple):
        return _renamed(term, names, taken)
    if not isinstance(term, Node):
        return term
    known = names.get(term)
    if known is not None:
        return known
    return Node(f"{term.value}was") if term in taken else term


def _told(term: Term) -> tuple[str, str, str | None, str | None]:
    match term:
        case ox.NamedNode():
            return term.value, "iri", None, None
        case ox.Literal():
            text = term.language is not None or term.datatype == _STRING
            return term.value, "literal", term.language, None if text else term.datatype.value
        case ox.BlankNode():
            return f"_:{term.value}", "blank", None, None
    return str(term), "triple", None, None


_STRING: Final = ox.NamedNode("http://www.w3.org/2001/XMLSchema#string")
