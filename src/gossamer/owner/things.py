"""What is known of one thing: its names, what pages say of it, each with its sources, what links to it.

Made of questions to whoever answers for the folder, so that it is the same beside a crawl and
without. The things are those of search (`docs/entities.md`).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import pyoxigraph as ox

from gossamer.errors import GossamerError
from gossamer.index.entities import Entity, Said, entity_of, home_of, page_of, short_name
from gossamer.index.entities.vocabulary import LABELS, RDF_TYPE, all_of
from gossamer.index.graph.blanks import SCHEME, iri_of, shown_triple
from gossamer.index.graph.names import no_fetches
from gossamer.index.words.asked import Search
from gossamer.index.words.folder import WordsError
from gossamer.owner.messages import AnswerError, Answering, Record, ask
from gossamer.owner.questions import SearchWords
from gossamer.owner.vocabulary import Asker
from gossamer.processes.time_limit import TooLongError, run_within
from gossamer.sparql.prefixes import shortened

MOST_STATEMENTS: Final = 5_000
MOST_MEMBERS: Final = 50
MOST_LINKS: Final = 1_000  # that are counted
MOST_LINKS_SHOWN: Final = 100
MOST_VALUES: Final = 50  # of one property
MOST_PAGES: Final = 20  # of one value
MOST_LABELLED: Final = 400  # other things that are named
MOST_USES: Final = 1_000  # that are counted
GATHER_SECONDS: Final = 5.0  # of CPU; 5,000 statements take a tenth of a second
TOOK_TOO_LONG: Final = (
    "It has no name or description here, because to gather what pages say of it took too long."
)
TOLD: Final = (
    *("label", "language", "types", "description", "image"),
    *("names", "pages", "page_count"),
)
SAME: Final = all_of("owl:sameAs schema:sameAs")
SOURCES: Final = no_fetches("?g")
ABOUT: Final = (
    "SELECT ?s ?p ?o ?g {{ VALUES ?s {{ {subjects} }} GRAPH ?g {{ ?s ?p ?o }} "
    + SOURCES
    + f" }}}} LIMIT {MOST_STATEMENTS}"
)
LINKING: Final = (
    "SELECT ?s ?p ?g {{ VALUES ?o {{ {things} }} GRAPH ?g {{ ?s ?p ?o }} "
    + SOURCES
    + f" }}}} LIMIT {MOST_LINKS}"
)
SAYING_SO: Final = (
    "SELECT DISTINCT ?s {{ VALUES ?p {{ {predicates} }} ?s ?p <{home}> }} "
    f"ORDER BY ?s LIMIT {MOST_MEMBERS}"
)
# How an IRI is used that may be a class or a property.
USES: Final = f"""SELECT ?as (COUNT(*) AS ?count) {{{{
  {{{{ SELECT DISTINCT ?s ("type" AS ?as) {{{{ ?s a <{{iri}}> }}}} LIMIT {MOST_USES} }}}} UNION
  {{{{ SELECT ?s ?o ("property" AS ?as) {{{{ ?s <{{iri}}> ?o }}}} LIMIT {MOST_USES} }}}}
}}}} GROUP BY ?as"""
IS_NAMED: Final = "SELECT (1 AS ?so) {{ {{ ?s ?p <{iri}> }} UNION {{ ?s <{iri}> ?o }} }} LIMIT 1"
# Of so much that not all of it was looked at.
VALUES: Final = (
    "SELECT ?p (COUNT(DISTINCT ?o) AS ?count) {{ VALUES ?s {{ {subjects} }} "
    "GRAPH ?g {{ ?s ?p ?o }} " + SOURCES + " }} GROUP BY ?p"
)


class ThingNameError(GossamerError):
    """What can be the name of no thing."""


@dataclass(frozen=True, slots=True)
class Thing:
    """A thing by its home, with the subjects that are it."""

    home: str
    members: Mapping[str, Sequence[Said]]
    is_cut: bool  # more is said of it than was looked at


async def find_thing(answering: Answering, name: str, seconds: float) -> Thing | None:
    """The thing that an IRI or a blank node (`_:b…`) is, or is a part of; None where there is none.

    Of what pages only name, such as a class, nothing is known but who does.
    """
    asker, iri = Asker(answering, seconds), checked_name(name)
    own = await _about(asker, [iri])
    home = _home_of(iri, own.get(iri, ()))
    members = await _members(asker, home)
    said = await _about(asker, dict.fromkeys([iri, home, *members]))
    # What is at home elsewhere is another thing, also where it is the name of this one.
    kept = {subject: each for subject, each in said.items() if _home_of(subject, each) == home}
    count = sum(map(len, said.values()))
    if kept or await asker.rows(IS_NAMED.format(iri=home)):
        return Thing(home, kept, count >= MOST_STATEMENTS)
    return None


async def record_of_thing(
    answering: Answering, thing: Thing, seconds: float, left_out: str | None = None
) -> Record:
    """All that is told of a thing, as JSON has it.

    What words could not gather within their limits (`left_out` says why) is not gathered here either.
    """
    asker = Asker(answering, seconds)
    links = await _links(asker, thing)
    entity = None
    if thing.members and left_out is None:
        count = len({link["id"] for link in links})
        try:
            entity = run_within(GATHER_SECONDS, lambda: entity_of(thing.home, thing.members, count))
        except TooLongError:
            left_out = TOOK_TOO_LONG
    others = [link["id"] for link in links[:MOST_LINKS_SHOWN]] + _linked(thing)
    labels = await asker.labels([*dict.fromkeys(others)][:MOST_LABELLED])
    counts = await _counts(asker, thing) if thing.is_cut else {}
    return {
        **_summary(thing, entity),
        "properties": list(_properties(thing, labels, counts)),
        "links_here": [
            {**link, "label": labels.get(link["id"])} for link in links[:MOST_LINKS_SHOWN]
        ],
        "uses": await _uses(asker, thing.home),
        "cut": thing.is_cut,
        "left_out": left_out,
    }


def checked_name(name: str) -> str:
    """The IRI under which the graph has what somebody names; raises `ThingNameError`."""
    iri = f"{SCHEME}{name[3:]}" if name.startswith("_:b") else name
    try:
        return ox.NamedNode(iri).value
    except ValueError as error:
        raise ThingNameError(f"No thing can have the name {name[:200]!r} ({error}).") from None


def construct_query(thing: Thing) -> str:
    """What asks for every statement about a thing."""
    subjects = _terms(thing.members)
    return f"CONSTRUCT {{ ?s ?p ?o }} {{ VALUES ?s {{ {subjects} }} GRAPH ?g {{ ?s ?p ?o }} {SOURCES} }}"


def _home_of(subject: str, said: Sequence[Said]) -> str:
    """The home of a subject; where that takes too long, itself, as words have it."""
    try:
        return run_within(GATHER_SECONDS, lambda: home_of(subject, said))
    except TooLongError:
        return subject


async def _about(asker: Asker, subjects: Iterable[str]) -> dict[str, list[Said]]:
    found: dict[str, list[Said]] = {}
    for row in await asker.rows(ABOUT.format(subjects=_terms(subjects))):
        page = page_of(row["g"]["value"])
        if page is not None:
            said = Said(row["p"]["value"], _term(row["o"]), page)
            found.setdefault(iri_of(row["s"]), []).append(said)
    return found


async def _members(asker: Asker, home: str) -> list[str]:
    """The subjects that are gathered there: those that search knows, else those that say so."""
    search = Search(ids=(home,), limit=1)
    try:
        found = await ask(asker.owner, SearchWords(search))
        if found["results"]:
            members: list[str] = found["results"][0]["same_as"]
            return members[:MOST_MEMBERS]
    except (WordsError, AnswerError):
        pass  # there are no words here; what says so by name is still found
    query = SAYING_SO.format(predicates=_terms(sorted(SAME)), home=home)
    return [iri_of(row["s"]) for row in await asker.rows(query)]


async def _links(asker: Asker, thing: Thing) -> list[dict[str, Any]]:
    """What leads here, a record each: which thing, by which property, says which page."""
    things = dict.fromkeys([thing.home, *thing.members])
    rows = await asker.rows(LINKING.format(things=_terms(things)))
    links = [
        {
            "id": iri_of(row["s"]),
            "property": row["p"]["value"],
            "name": shortened(row["p"]["value"]),
            "page": page_of(row["g"]["value"]),
        }
        for row in rows
        if iri_of(row["s"]) not in things
    ]
    return sorted(links, key=lambda link: (link["id"], link["property"], link["page"] or ""))


async def _uses(asker: Asker, iri: str) -> dict[str, int]:
    """How many things are of this type, and how many statements have this property; to a thousand."""
    rows = await asker.rows(USES.format(iri=iri))
    counts = {row["as"]["value"]: int(row["count"]["value"]) for row in rows}
    return {each: counts.get(each, 0) for each in ("type", "property")}


async def _counts(asker: Asker, thing: Thing) -> dict[str, int]:
    """How many values each property has."""
    rows = await asker.rows(VALUES.format(subjects=_terms(thing.members)))
    return {row["p"]["value"]: int(row["count"]["value"]) for row in rows}


def _linked(thing: Thing) -> list[str]:
    """The IRIs that a thing leads to."""
    return [
        each.object.value
        for said in thing.members.values()
        for each in said
        if isinstance(each.object, ox.NamedNode)
    ]


def _summary(thing: Thing, entity: Entity | None) -> dict[str, Any]:
    """What search tells of it; of what has neither name nor text, as much as there is."""
    if entity is None:
        pages = sorted({each.page for said in thing.members.values() for each in said})
        told: dict[str, Any] = {**dict.fromkeys(TOLD), "types": [], "names": []}
        told |= {"pages": pages[:MOST_PAGES], "page_count": len(pages)}
    else:
        told = {name: getattr(entity, name) for name in TOLD}
    return {"id": thing.home, **told, "same_as": sorted(thing.members)}


def _properties(
    thing: Thing, labels: Mapping[str, str], counts: Mapping[str, int]
) -> Iterable[dict[str, Any]]:
    """Each property with its values, and each value with the pages that say so."""
    found: dict[str, dict[ox.NamedNode | ox.Literal | Any, set[str]]] = {}
    for said in thing.members.values():
        for each in said:
            found.setdefault(each.predicate, {}).setdefault(each.object, set()).add(each.page)
    for predicate in sorted(found, key=_order):
        values = sorted(found[predicate].items(), key=lambda pair: (-len(pair[1]), str(pair[0])))
        yield {
            "iri": predicate,
            "name": shortened(predicate),
            "label": short_name(predicate),
            "value_count": max(len(values), counts.get(predicate, 0)),
            "values": [
                {
                    **_shown(value, labels),
                    "pages": sorted(pages)[:MOST_PAGES],
                    "page_count": len(pages),
                }
                for value, pages in values[:MOST_VALUES]
            ],
        }


def _order(predicate: str) -> tuple[int, int, str]:
    """Types first, then names, then the alphabet."""
    return predicate != RDF_TYPE, LABELS.get(predicate, len(LABELS)), predicate


def _shown(value: object, labels: Mapping[str, str]) -> dict[str, Any]:
    match value:
        case ox.NamedNode() if value.value.startswith(SCHEME):
            return {"type": "thing", "value": value.value, "label": labels.get(value.value)}
        case ox.NamedNode():
            return {"type": "iri", "value": value.value, "label": labels.get(value.value)}
        case ox.Triple():
            return {"type": "triple", "value": f"<<( {shown_triple(value)} )>>"}
        case ox.Literal() if value.language is not None:
            return {"type": "text", "value": value.value, "language": value.language}
        case ox.Literal():
            return {"type": "text", "value": value.value, "datatype": value.datatype.value}
    raise TypeError(f"{value!r} is no term")


def _term(told: Mapping[str, Any]) -> Any:  # noqa: ANN401 (any term)
    """A term of an answer as the store has it: blank nodes are IRIs again."""
    match told["type"]:
        case "uri" | "bnode":
            return ox.NamedNode(iri_of(told))
        case "triple":
            parts = told["value"]
            return ox.Triple(*(_term(parts[name]) for name in ("subject", "predicate", "object")))
        case "literal" if "xml:lang" in told:
            way = told.get("its:dir")
            direction = ox.BaseDirection(way) if way else None
            return ox.Literal(told["value"], language=told["xml:lang"], direction=direction)
        case "literal" if "datatype" in told:
            return ox.Literal(told["value"], datatype=ox.NamedNode(told["datatype"]))
        case "literal":
            return ox.Literal(told["value"])
    return ox.Literal(str(told["value"]))  # a triple, of which nothing is gathered


def _terms(iris: Iterable[str]) -> str:
    return " ".join(f"<{iri}>" for iri in iris)
