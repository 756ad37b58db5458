"""The classes and properties that a crawl has met, so that one sees what to ask."""

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from gossamer.index.entities.choosing import Candidate, chosen
from gossamer.index.entities.said import page_of
from gossamer.index.entities.texts import cleaned
from gossamer.index.entities.vocabulary import LABELS
from gossamer.index.entities.whereabouts import site_of_iri
from gossamer.index.graph.blanks import iri_of
from gossamer.index.graph.names import no_fetches
from gossamer.index.graph.query import QueryLimits
from gossamer.owner.messages import Answering
from gossamer.owner.questions import Query
from gossamer.sparql.prefixes import PREFIXES, shortened

TRIED: Final = 30  # classes, for one whose things can be named
LABELLED: Final = 2_000  # of those that are shown, at most
LABELLED_AT_ONCE: Final = 200
LOOKED_AT: Final = 200  # things of a class, to see what is said of them
SOURCES: Final = no_fetches("?page")
CLASSES: Final = f"""SELECT ?iri (COUNT(DISTINCT ?thing) AS ?count) {{
  GRAPH ?page {{ ?thing a ?iri }} {SOURCES} FILTER (isIRI(?iri))
}} GROUP BY ?iri ORDER BY DESC(?count) ?iri"""
PROPERTIES: Final = f"""SELECT ?iri (COUNT(*) AS ?count) {{
  GRAPH ?page {{ ?thing ?iri ?value }} {SOURCES}
}} GROUP BY ?iri ORDER BY DESC(?count) ?iri"""
USED: Final = """SELECT ?iri (COUNT(*) AS ?count) {{
  {{ SELECT DISTINCT ?thing {{ ?thing a <{type}> }} LIMIT {most} }}
  ?thing ?iri ?value FILTER (isLiteral(?value))
}} GROUP BY ?iri ORDER BY DESC(?count) ?iri"""
CALLED: Final = """SELECT ?iri ?label ?predicate ?page {{
  VALUES ?iri {{ {iris} }} VALUES ?predicate {{ {predicates} }}
  GRAPH ?page {{ ?iri ?predicate ?label }} FILTER (isLiteral(?label))
}}"""

Row = dict[str, dict[str, str]]


@dataclass(frozen=True, slots=True)
class Met:
    """A class or property of the crawl."""

    iri: str
    name: str  # shortened by a prefix, where there is one
    count: int  # things of a class, statements of a property
    label: str | None = None  # what a page of the crawl calls it


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What there is, the commonest first, and a query to begin with."""

    classes: tuple[Met, ...]
    class_count: int
    properties: tuple[Met, ...]
    property_count: int
    query: str | None


async def vocabulary(owner: Answering, most: int | None, seconds: float) -> Vocabulary:
    """Ask for so many of each, with their labels."""
    asker = Asker(owner, seconds)
    classes, properties = await asker.met(CLASSES), await asker.met(PROPERTIES)
    shown = [*classes[:most], *properties[:most]]
    labels = await asker.labels([met.iri for met in shown[:LABELLED]])
    return Vocabulary(
        _labelled(classes[:most], labels),
        len(classes),
        _labelled(properties[:most], labels),
        len(properties),
        await asker.suggestion(classes[:TRIED]),
    )


@dataclass(frozen=True, slots=True)
class Asker:
    """Asks queries of whoever answers for a folder."""

    owner: Answering
    seconds: float

    async def rows(self, text: str) -> list[Row]:
        """The rows of a query."""
        limits = QueryLimits(time=timedelta(seconds=self.seconds))
        question = Query(text, ("json",), limits)
        parts = [part async for part in self.owner.answer(question)]
        _, _, answer = b"".join(parts).partition(b"\n")  # the first line names the format
        rows: list[Row] = json.loads(answer)["results"]["bindings"]
        return rows

    async def met(self, text: str) -> list[Met]:
        """Classes or properties, counted by a query."""
        rows = (row for row in await self.rows(text) if row["iri"]["type"] == "uri")
        return [
            Met(iri, shortened(iri), int(row["count"]["value"]))
            for row in rows
            for iri in [row["iri"]["value"]]
        ]

    async def labels(self, iris: Sequence[str]) -> dict[str, str]:
        """What pages call these: those of the vocabulary's own site first, then most sites."""
        candidates: defaultdict[str, list[Candidate]] = defaultdict(list)
        for start in range(0, len(iris), LABELLED_AT_ONCE):
            some = iris[start : start + LABELLED_AT_ONCE]
            query = CALLED.format(iris=_terms(some), predicates=_terms(LABELS))
            for row in await self.rows(query):
                if candidate := _candidate(row):
                    candidates[iri_of(row["iri"])].append(candidate)
        best = {iri: chosen(each, site_of_iri(iri), ()) for iri, each in candidates.items()}
        return {iri: label.text for iri, label in best.items() if label is not None}

    async def suggestion(self, classes: Sequence[Met]) -> str | None:
        """A query for things of the commonest class that can be named, with what they are called."""
        for met in classes:
            used = [each.iri for each in await self.met(USED.format(type=met.iri, most=LOOKED_AT))]
            if used:
                best = min(used, key=lambda iri: (LABELS.get(iri, len(LABELS)), used.index(iri)))
                return _query(met.iri, best)
        return None


def _candidate(row: Row) -> Candidate | None:
    page = page_of(row["page"]["value"])
    text = cleaned(row["label"]["value"], 100)
    if page is None or not text:
        return None
    language = row["label"].get("xml:lang")
    return Candidate(LABELS[row["predicate"]["value"]], language, text, page)


def _labelled(met: Iterable[Met], labels: dict[str, str]) -> tuple[Met, ...]:
    return tuple(Met(each.iri, each.name, each.count, labels.get(each.iri)) for each in met)


def _terms(iris: Iterable[str]) -> str:
    return " ".join(f"<{iri}>" for iri in iris)


def _query(type_: str, predicate: str) -> str:
    return f"SELECT ?thing ?text {{ ?thing a {_term(type_)} ; {_term(predicate)} ?text }} LIMIT 20"


def _term(iri: str) -> str:
    name = shortened(iri)
    return name if name.partition(":")[0] in PREFIXES and name != iri else f"<{iri}>"
