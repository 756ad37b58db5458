"""`gossamer vocab`: the classes and properties that a crawl has met, so that one sees what to ask."""

import json
import shlex
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Final

import click

from gossamer.cli.folder import ask_folder, there_is_a_crawl
from gossamer.cli.options import data_options
from gossamer.cli.text import counted, emit, example, plain, table, terminal_width
from gossamer.data import DataFolder
from gossamer.index.entities.choosing import Candidate, chosen
from gossamer.index.entities.said import page_of
from gossamer.index.entities.texts import cleaned
from gossamer.index.entities.vocabulary import LABELS
from gossamer.index.entities.whereabouts import site_of_iri
from gossamer.owner.messages import Answering, Question
from gossamer.prefixes import PREFIXES, shortened

SHOWN: Final = 30  # of each, unless more are asked for
SECONDS: Final = 300.0  # to count everything that there is takes longer than an ordinary query
LABELLED: Final = 2_000  # of those that are shown, at most
LABELLED_AT_ONCE: Final = 200
LOOKED_AT: Final = 200  # things of a class, to see what is said of them
SOURCES: Final = 'FILTER (!STRENDS(STR(?page), "#fetch"))'
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


@click.command(
    short_help="The classes and properties that were met, with counts.",
    epilog=example("gossamer vocab", "gossamer vocab --limit 100", "gossamer vocab --json"),
)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    help=f"Show so many of each at most [default: {SHOWN}; with --json: all].",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="Stop counting after so long.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@data_options
def vocab(limit: int | None, timeout: float, as_json: bool, data: DataFolder) -> None:
    """Show what there is to ask, while the crawl runs or afterwards.

    Classes come with the number of things, properties with the number of statements; labels are
    those that pages of the crawl give them.
    """
    there_is_a_crawl(data)
    most = limit or (None if as_json else SHOWN)
    found = ask_folder("vocab", data, lambda owner: vocabulary(owner, most, timeout))
    if as_json:
        emit(json.dumps(asdict(found), indent=2, ensure_ascii=False))
    elif not found.properties:
        click.echo("The graph is empty: no page has said anything yet.", err=True)
    else:
        emit("\n".join(_shown(found)))


async def vocabulary(owner: Answering, most: int | None, seconds: float) -> Vocabulary:
    """Ask for so many of each, with their labels."""
    asker = _Asker(owner, seconds)
    classes, properties = await asker.met(CLASSES), await asker.met(PROPERTIES)
    shown = [*classes[:most], *properties[:most]]
    labels = await asker.labels([met.iri for met in shown[:LABELLED]])
    return Vocabulary(
        _labelled(classes[:most], labels),
        len(classes),
        _labelled(properties[:most], labels),
        len(properties),
        await asker.suggestion(classes[:SHOWN]),
    )


@dataclass(frozen=True, slots=True)
class _Asker:
    owner: Answering
    seconds: float

    async def rows(self, text: str) -> list[Row]:
        question = Question(what="query", texts=(text,), formats=("json",), seconds=self.seconds)
        parts = [part async for part in self.owner.answer(question)]
        _, _, answer = b"".join(parts).partition(b"\n")  # the first line names the format
        rows: list[Row] = json.loads(answer)["results"]["bindings"]
        return rows

    async def met(self, text: str) -> list[Met]:
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
                    candidates[row["iri"]["value"]].append(candidate)
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


def _shown(found: Vocabulary) -> Iterator[str]:
    yield from _listed("CLASS", "THINGS", found.classes, found.class_count)
    yield ""
    yield from _listed("PROPERTY", "STATEMENTS", found.properties, found.property_count)
    if found.query is not None:
        # An IRI may have quotation marks in it, and whoever copies this line runs it.
        yield f"\nTry:\n  gossamer query {shlex.quote(plain(found.query))}"


def _listed(head: str, what: str, met: Sequence[Met], count: int) -> Iterator[str]:
    if not met:
        yield f"No {head.lower()} was met."
        return
    rows = [(f"{each.count:,}", plain(each.name), plain(each.label or "")) for each in met]
    width = max(len(what), *(len(row[0]) for row in rows))
    aligned = [(number.rjust(width), *rest) for number, *rest in [(what, head, "LABEL"), *rows]]
    yield table(aligned, glance=terminal_width() is not None)
    if count > len(met):
        yield f"… and {counted(count - len(met), 'other')} (--limit)."
