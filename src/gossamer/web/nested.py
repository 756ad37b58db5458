"""What is known of things without a name of their own, for the page of the thing that has them.

An address, an offer, a rating: blank nodes that mean nothing alone. They are asked for together.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from gossamer.index.blanks import SCHEME, iri_of
from gossamer.index.entities.vocabulary import RDF_TYPE
from gossamer.vocabulary import Asker
from gossamer.web.wording import kind, readable, short

MOST: Final = 60  # of them
MOST_ROWS: Final = 600
ASKED: Final = (
    "SELECT DISTINCT ?s ?p ?o {{ VALUES ?s {{ {subjects} }} GRAPH ?g {{ ?s ?p ?o }} "
    f'FILTER (!STRENDS(STR(?g), "#fetch")) }}}} ORDER BY ?s ?p ?o LIMIT {MOST_ROWS}'
)


@dataclass(frozen=True, slots=True)
class Fact:
    """One value of a property of it."""

    name: str
    text: str
    iri: str | None  # where the value is a thing


@dataclass(frozen=True, slots=True)
class Nested:
    """A thing without a name."""

    kind: str | None
    facts: tuple[Fact, ...]


async def nested_things(asker: Asker, iris: Iterable[str]) -> Mapping[str, Nested]:
    """What is said of these, one level deep."""
    wanted = [iri for iri in dict.fromkeys(iris) if iri.startswith(SCHEME)][:MOST]
    if not wanted:
        return {}
    rows = await asker.rows(ASKED.format(subjects=" ".join(f"<{iri}>" for iri in wanted)))
    return gathered(rows)


def gathered(rows: Iterable[Mapping[str, Mapping[str, Any]]]) -> Mapping[str, Nested]:
    """The rows of the answer, by thing."""
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
