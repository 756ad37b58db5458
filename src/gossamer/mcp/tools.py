"""The tools: what a language model may ask of a folder, and how it is answered.

All of them read, and none has anything sent: `check` and `explain` go by the robots.txt that we have. Limits
are those of REST, and smaller where a model could not read more. Every value comes with the pages that say it.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Any, Final

from gossamer.errors import GossamerError
from gossamer.folder.data import DataFolder
from gossamer.index.entities import short_name
from gossamer.index.graph.query import QueryLimits
from gossamer.index.words.asked import MOST_CHARACTERS, Search
from gossamer.owner.messages import Answering, Record, ask
from gossamer.owner.questions import AboutHost, AboutPage, Query, SearchWords
from gossamer.owner.things import find_thing, record_of_thing
from gossamer.owner.type_table import gather_things, nothing_of
from gossamer.owner.vocabulary import vocabulary
from gossamer.owner.words_answers import why_left_out
from gossamer.service.schemas import Schema, listed, one_of, record, text, whole
from gossamer.sparql.prefixes import PREFIXES
from gossamer.tables.columns import plan_table
from gossamer.tables.spool import ThingSpool

MOST_MESSAGE: Final = 1024 * 1024  # bytes of what is asked; most calls have some hundreds
MOST_RESULTS: Final = 50
MOST_ROWS: Final = 500
MOST_NAMES: Final = 200  # classes, and as many properties
MOST_URLS: Final = 20
MOST_SELECTED: Final = 20  # types, hosts, columns in one question
MOST_QUERY: Final = 20_000  # characters
MOST_ANSWER: Final = 2 * 1024 * 1024  # bytes of a query's answer, which is cut afterwards
MOST_TRIPLES: Final = 40_000  # characters
MOST_GATHERED: Final = 2_000  # things that the columns of a table are chosen by
UNKNOWN: Final = "We have no robots.txt of this site. `gossamer check URL` asks for it, politely; this tool asks nobody."


class ToolError(GossamerError):
    """Something that a tool cannot do as asked; the text says what would be right."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What is asked, and what that may cost."""

    data: DataFolder
    answering: Answering
    query_time: timedelta
    query_rows: int

    @property
    def seconds(self) -> float:
        """The time of one query."""
        return self.query_time.total_seconds()


Given = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool."""

    name: str
    title: str
    doc: str
    schema: Schema
    answer: Callable[[Knowledge, Given], Awaitable[Record]]


async def _search(knowledge: Knowledge, given: Given) -> Record:
    asked = Search(
        text=given.get("words", ""),
        types=tuple(given.get("types", ())),
        not_types=tuple(given.get("not_types", ())),
        hosts=tuple(given.get("hosts", ())),
        properties=tuple(given.get("properties", ())),
        since=given.get("since"),
        until=given.get("until"),
        within=tuple(given.get("within", ())),
        form={"pages": "page", "entities": "thing"}.get(given.get("only", "")),  # type: ignore[arg-type]  # by the schema
        limit=given.get("limit", 10),
        skip=given.get("skip", 0),
    )
    found = await ask(knowledge.answering, SearchWords(asked))
    kept = ("total", "relaxed", "next", "unknown_types", "facets", "behind", "covers")
    return {
        "results": [_result(each) for each in found["results"]],
        **{name: found.get(name) for name in kept},
    }


def _result(found: Record) -> Record:
    kept = (
        "id",
        "label",
        "description",
        "dates",
        "pages",
        "page_count",
        "hosts",
        "is_page",
        "is_part",
        "alike",
    )
    snippet = found["snippet"]
    return {
        **{name: found[name] for name in kept},
        "types": [short_name(iri) or iri for iri in found["types"]],
        "snippet": None if snippet is None else snippet["text"],
    }


async def _entity(knowledge: Knowledge, given: Given) -> Record:
    thing = await find_thing(knowledge.answering, given["id"], knowledge.seconds)
    if thing is None:
        raise ToolError("No page says anything about this. The ids are those that `search` gives.")
    names = {thing.home, *thing.members}
    left_out = await asyncio.to_thread(why_left_out, knowledge.data, names)
    return await record_of_thing(knowledge.answering, thing, knowledge.seconds, left_out)


async def _query(knowledge: Knowledge, given: Given) -> Record:
    rows = min(given.get("limit", 50), knowledge.query_rows)
    limits = QueryLimits(time=knowledge.query_time, rows=rows)
    answer = knowledge.answering.answer(Query(given["sparql"], ("json", "turtle"), limits))
    held = bytearray()
    async with aclosing(answer.__aiter__()) as parts:
        async for part in parts:
            held += part
            if len(held) > MOST_ANSWER:
                raise ToolError("The answer is too large. Ask for fewer rows, or shorter values.")
    format_, _, body = bytes(held).partition(b"\n")
    told: Record = {"cut": answer.end["cut"], "hints": answer.end.get("hints", [])}
    if format_ == b"turtle":
        triples = body.decode(errors="replace")
        is_cut = told["cut"] or len(triples) > MOST_TRIPLES
        return {**told, "cut": is_cut, "triples": [triples[:MOST_TRIPLES]]}
    found = json.loads(body)
    if "boolean" in found:
        return {**told, "answer": found["boolean"]}
    names = found["head"]["vars"]
    bindings = found["results"]["bindings"]
    return {**told, "columns": names, "rows": [_row(row) for row in bindings]}


def _row(row: Record) -> Record:
    return {name: _value(term) for name, term in row.items()}


def _value(term: Record) -> object:
    if term["type"] == "triple":
        return json.dumps(term["value"])
    value = f"_:{term['value']}" if term["type"] == "bnode" else term["value"]
    language = term.get("xml:lang")
    return f"{value}@{language}" if language else value


async def _table(knowledge: Knowledge, given: Given) -> Record:
    types, limit = given["types"], given.get("limit", 50)
    with ThingSpool() as spool:
        async with asyncio.timeout(knowledge.seconds):
            is_cut = await gather_things(
                knowledge.answering, types, given.get("hosts", ()), MOST_GATHERED, spool
            )
        if not spool.coverage.things:
            raise ToolError(await nothing_of(knowledge.answering, types))
        plan = plan_table(spool.coverage, given.get("columns", ()), lists=False)
        cells = (plan.row(thing) for _, thing in zip(range(limit), spool, strict=False))
        rows = [
            {name: cell for name, cell in zip(plan.names, row, strict=True) if cell is not None}
            for row in cells
        ]
        return {
            "columns": [
                {"name": each.name, "share": round(each.share, 3)} for each in plan.columns
            ],
            "missing": list(plan.missing),
            "rows": rows,
            "things": spool.coverage.things,
            "cut": is_cut or spool.coverage.things > limit,
        }


async def _vocabulary(knowledge: Knowledge, given: Given) -> Record:
    most = given.get("limit", 50)
    return {
        **asdict(await vocabulary(knowledge.answering, most, knowledge.seconds)),
        "prefixes": dict(PREFIXES),
    }


async def _explain(knowledge: Knowledge, given: Given) -> Record:
    return await ask(knowledge.answering, AboutPage(given["url"]))


async def _check(knowledge: Knowledge, given: Given) -> Record:
    return {"urls": [await _checked(knowledge, url) for url in given["urls"]]}


async def _checked(knowledge: Knowledge, url: str) -> Record:
    """Whether a URL may be fetched, as far as we know without asking anybody."""
    try:
        page = await ask(knowledge.answering, AboutPage(url))
        host = await ask(knowledge.answering, AboutHost(page["host"]))
    except GossamerError as error:
        return {"url": url, "allowed": False, "why": str(error)}
    robots, delay = page["robots"], host["delay"]
    return {
        "url": page["url"],
        "allowed": None if robots is None else robots["allowed"],
        "why": UNKNOWN if robots is None else robots["why"],
        "robots": robots,
        "delay": host["usual_delay"] if delay is None else delay["delay"],
        "not_before": None if delay is None else delay["next_at"],
    }


_SELECTED: Final = listed(text(most=500, least=1), most=MOST_SELECTED)
_URL: Final = text(most=2_000, least=1)


def _schema(fields: Mapping[str, tuple[Schema, str]], required: Sequence[str] = ()) -> Schema:
    """An object of described fields, with no others."""
    described = {name: {**schema, "description": doc} for name, (schema, doc) in fields.items()}
    optional = [name for name in fields if name not in required]
    return record(described, optional=optional, closed=True)


TOOLS: Final = (
    Tool(
        "search",
        "Search entities and pages",
        "Find entities (people, products, events, places…) and pages of the crawl by words, best first. "
        "All words have to match; use \"a phrase\", begin*, nearly~ and -not. Each result has its id, what it "
        "is, and the pages that say so. Results that look the same are one, and `alike` counts the others.",
        _schema(
            {
                "words": (text(most=MOST_CHARACTERS), "Words; may be left out if there are filters."),
                "types": (_SELECTED, "Only these types or their subclasses: Event, schema:Event, an IRI; schema: is a whole vocabulary."),
                "not_types": (_SELECTED, "None of these types."),
                "hosts": (_SELECTED, "Only what these hosts say: example.org."),
                "properties": (_SELECTED, "Only entities with such a property: birthDate."),
                "since": (text(most=10), "Only with a date from then on: 2024-05-17, 2024-05, 2024."),
                "until": (text(most=10), "Only with a date until then."),
                "within": (
                    listed(one_of("title", "text", "data"), most=3),
                    "Only words in names and titles, in the visible text of pages, or in data.",
                ),
                "only": (one_of("pages", "entities"), "Only pages of the crawl, or only other things."),
                "limit": (whole(1, MOST_RESULTS), "Most results [10]."),
                "skip": (whole(0, 10_000), "Leave out so many: the `next` of the answer before."),
            }
        ),
        _search,
    ),
    Tool(
        "entity",
        "All that is said of one entity",
        "Every property and value that pages give for one entity, each value with the pages that say it, "
        "and what links to it.",
        _schema({"id": (_URL, "An id that `search` gave, or an IRI.")}, ["id"]),
        _entity,
    ),
    Tool(
        "query",
        "Query the graph in SPARQL",
        "Ask a SPARQL 1.1 query (SELECT, ASK, CONSTRUCT, DESCRIBE), read-only. The usual prefixes (schema, foaf, "
        "dcterms, rdfs…) need no declaration. The default graph is the union of all pages: write "
        "GRAPH ?page { … } to learn which page says each value. Classes and properties: see `vocabulary`. "
        "Where nothing fits, `hints` says what was probably meant.",
        _schema(
            {
                "sparql": (text(most=MOST_QUERY, least=1), "The query."),
                "limit": (whole(1, MOST_ROWS), "Most rows [50]."),
            },
            ["sparql"],
        ),
        _query,
    ),
    Tool(
        "table",
        "Entities of a type as a table",
        "One row per entity of a type and its subclasses, with the columns that enough of them have, or those "
        "you name (name, offers.price, brand.name). `page` is the page that describes the entity, `share` how "
        "many of all entities have a value.",
        _schema(
            {
                "types": (_SELECTED, "The types: Product, schema:Event, an IRI."),
                "columns": (_SELECTED, "Only these columns."),
                "hosts": (_SELECTED, "Only entities that these hosts describe."),
                "limit": (whole(1, MOST_ROWS), "Most rows [50]."),
            },
            ["types"],
        ),
        _table,
    ),
    Tool(
        "vocabulary",
        "Classes and properties that were found",
        "The classes and properties of the crawl with their counts, the commonest first, to write a query with.",
        _schema({"limit": (whole(1, MOST_NAMES), "Most of each [50].")}),
        _vocabulary,
    ),
    Tool(
        "explain",
        "What is known about a URL",
        "What became of a URL in the crawl: state, depth, outcome of the last fetch, problems in the page, and "
        "what the robots.txt that we have says. Asks nobody.",
        _schema({"url": (_URL, "The URL.")}, ["url"]),
        _explain,
    ),
    Tool(
        "check",
        "Whether URLs may be fetched",
        "Whether the robots.txt that we have allows URLs, and when their host may next be asked. Asks nobody: "
        "`allowed` is null where the robots.txt is not known.",
        _schema(
            {"urls": (listed(_URL, most=MOST_URLS), f"Up to {MOST_URLS} URLs.")}, ["urls"]
        ),
        _check,
    ),
)  # fmt: skip
