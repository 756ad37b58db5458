"""Finds what is known about blank nodes, for the page of the entity that refers to them.

An address, an offer, a rating: blank nodes that mean nothing alone. They are asked for together; what
they refer to in turn has its name there, or what it is and its first values.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from gossamer.index.entities.vocabulary import RDF_TYPE
from gossamer.index.graph.blanks import SCHEME, iri_of
from gossamer.index.graph.names import no_fetches
from gossamer.owner.vocabulary import Asker
from gossamer.web.wording import kind, middle, readable, short

MOST: Final = 60  # of them
MOST_ROWS: Final = 600
MOST_NAMED: Final = 200  # things that they refer to
TOLD_INSIDE: Final = 3  # values of a node inside a node
LONGEST_INSIDE: Final = 40  # characters of one
ASKED: Final = (
    "SELECT DISTINCT ?s ?p ?o {{ VALUES ?s {{ {subjects} }} GRAPH ?g {{ ?s ?p ?o }} "
    f"{no_fetches('?g')} }}}} ORDER BY ?s ?p ?o LIMIT {MOST_ROWS}"
)


@dataclass(frozen=True, slots=True)
class Fact:
    """One value of a property of a nested node."""

    name: str
    text: str
    iri: str | None  # where the value is a thing


@dataclass(frozen=True, slots=True)
class Nested:
    """A node without a name, shown inside the page of an entity."""

    kind: str | None
    facts: tuple[Fact, ...]


async def nested_things(asker: Asker, iris: Iterable[str]) -> Mapping[str, Nested]:
    """Query what is said about these nodes, and what the things that they refer to are called."""
    found = await _asked(asker, iris)
    refers_to = dict.fromkeys(
        fact.iri for each in found.values() for fact in each.facts if fact.iri is not None
    )
    if not refers_to:
        return found
    inside = {**found, **await _asked(asker, (iri for iri in refers_to if iri not in found))}
    labels = await asker.labels([*refers_to][:MOST_NAMED])
    return {
        iri: replace(each, facts=tuple(_named(fact, inside, labels) for fact in each.facts))
        for iri, each in found.items()
    }


async def _asked(asker: Asker, iris: Iterable[str]) -> Mapping[str, Nested]:
    wanted = [iri for iri in dict.fromkeys(iris) if iri.startswith(SCHEME)][:MOST]
    if not wanted:
        return {}
    rows = await asker.rows(ASKED.format(subjects=" ".join(f"<{iri}>" for iri in wanted)))
    return gathered(rows)


def _named(fact: Fact, inside: Mapping[str, Nested], labels: Mapping[str, str]) -> Fact:
    """The fact, with the name of the thing that is its value; else what is known of that."""
    if fact.iri is None:
        return fact
    if fact.iri in labels:
        return replace(fact, text=labels[fact.iri])
    if fact.iri in inside:
        return replace(fact, text=summary(inside[fact.iri]))
    return fact


def summary(node: Nested) -> str:
    """What a node without a name is, in a line: `Offer (price 12, price currency EUR)`."""
    told = ", ".join(_in_short(node))
    what = node.kind or "a thing"
    return f"{what} ({told})" if told else what


def _in_short(node: Nested) -> Iterator[str]:
    values = [fact for fact in node.facts if fact.iri is None]
    for fact in values[:TOLD_INSIDE]:
        yield f"{fact.name} {middle(fact.text, LONGEST_INSIDE)}"


def gathered(rows: Iterable[Mapping[str, Mapping[str, Any]]]) -> Mapping[str, Nested]:
    """Group the rows of the result by node."""
    facts: dict[str, list[Fact]] = {}
    kinds: dict[str, str] = {}
    for row in rows:
        subject, property_ = iri_of(row["s"]), row["p"]["value"]
        told = facts.setdefault(subject, [])
        if property_ == RDF_TYPE:
            kinds.setdefault(subject, kind(row["o"]["value"]))
        else:
            told.append(_fact(property_, row["o"]))
    return {iri: Nested(kinds.get(iri), tuple(each)) for iri, each in facts.items()}


def _fact(property_: str, value: Mapping[str, Any]) -> Fact:
    if value["type"] in ("uri", "bnode"):
        iri = iri_of(value)
        name = "a thing" if iri.startswith(SCHEME) else short(iri, 60)
        return Fact(readable(property_), name, iri)
    return Fact(readable(property_), str(value["value"]), None)
