"""Finds what is known about blank nodes, for the page of the entity that refers to them.

An address, an offer, a rating: blank nodes that mean nothing alone. They are asked for together.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from gossamer.index.entities.vocabulary import RDF_TYPE
from gossamer.index.graph.blanks import SCHEME, iri_of
from gossamer.index.graph.names import no_fetches
from gossamer.owner.vocabulary import Asker
from gossamer.web.wording import kind, readable, short

MOST: Final = 60  # of them
MOST_ROWS: Final = 600
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
    """Query what is said about these nodes, one level deep."""
    wanted = [iri for iri in dict.fromkeys(iris) if iri.startswith(SCHEME)][:MOST]
    if not wanted:
        return {}
    rows = await asker.rows(ASKED.format(subjects=" ".join(f"<{iri}>" for iri in wanted)))
    return gathered(rows)


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
