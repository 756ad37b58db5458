"""`/query`: a SPARQL query and its result, as a table or a file."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Final

from starlette.responses import Response

from gossamer.errors import GossamerError
from gossamer.index.entities import short_name
from gossamer.index.graph.blanks import iri_of
from gossamer.index.graph.query import QueryLimits
from gossamer.index.words.asked import Search
from gossamer.owner.messages import ask
from gossamer.owner.node_answers import coverage
from gossamer.owner.questions import Query, SearchWords
from gossamer.owner.vocabulary import Asker
from gossamer.service.answers import AnswerStart, Wanted, begin_answer, while_there
from gossamer.service.errors import problem_of
from gossamer.service.routes import Call, Parameter, Route
from gossamer.service.schemas import one_of, text
from gossamer.service.sparql import MOST_CHARACTERS, response_of
from gossamer.sparql.example_queries import EXAMPLES
from gossamer.web.addresses import address
from gossamer.web.files import ROW_TITLES, TRIPLE_TITLES, as_file, safe_answer, wanted_file
from gossamer.web.found_queries import found_queries
from gossamer.web.rendering import LINKED_BY, PAGE_REPLY, page_answer

MOST_ROWS: Final = 200  # on a page; files have all of them
MOST_TEXT: Final = 60_000  # characters of triples
MOST_HELD: Final = 8 * 1024 * 1024
FIRST: Final = "types"
FOUND_SECONDS: Final = 2.0  # for one of the questions of which queries are made
TYPES: Final = 8  # that are looked at
_PLACE: Final = re.compile(r"line (\d+), column (\d+): (.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Term:
    """A cell of a result table."""

    text: str
    iri: str | None = None  # of a thing that has a page
    note: str | None = None  # a language or datatype


@dataclass(frozen=True, slots=True)
class Table:
    """The columns and rows of a result."""

    names: Sequence[str]
    rows: Sequence[Sequence[Term | None]]


@dataclass(frozen=True, slots=True)
class Mistake:
    """An error in a query, with its position."""

    message: str
    line: int | None = None
    column: int | None = None
    text: str | None = None  # of that line


@dataclass(frozen=True, slots=True)
class QueryPage:
    """The contents of the page: a query and its result."""

    query: str | None
    examples: Mapping[str, Any]
    shown: str  # what stands in the box
    table: Table | None = None
    verdict: bool | None = None  # of an ASK
    triples: str | None = None
    mistake: Mistake | None = None
    is_cut: bool = False
    is_unasked: bool = False  # since a page of another site led here with it
    seconds: float | None = None
    hints: Sequence[str] = ()  # what was probably meant, where nothing was found
    files: Mapping[str, str] | None = None  # title to address
    found: Mapping[str, str] = field(default_factory=dict)  # queries made from what was found


async def query(call: Call) -> Response:
    """Serve the editor and, if a query is given, its result."""
    asked, to = call.given["query"], call.given["to"]
    if not asked or not asked.strip():
        shown = EXAMPLES[call.given["example"] or FIRST].text
        page = QueryPage(None, EXAMPLES, shown, found=await _found(call))
        return page_answer(call, "query.html", page)
    if call.is_linked:  # whoever follows a link has not read the query yet
        page = QueryPage(None, EXAMPLES, asked, is_unasked=True)
        return page_answer(call, "query.html", page, headers={"Vary": LINKED_BY})
    if to is not None:
        return await _file(call, asked, wanted_file(to))
    try:
        found = await while_there(call.request, _ask(call, asked))
    except GossamerError as error:
        problem = problem_of(error)
        if problem.status == 500:
            raise
        page = QueryPage(asked, EXAMPLES, asked, mistake=mistake(problem.detail, asked))
        return page_answer(call, "query.html", page, status=problem.status)
    page = _page(asked, found)
    page = replace(page, hints=(*page.hints, *await coverage(call.parts.answering)))
    return page_answer(call, "query.html", page)


async def _found(call: Call) -> Mapping[str, str]:
    """Queries about the types that were found, as far as a moment goes."""
    with suppress(GossamerError):
        types = await while_there(call.request, _types(call))
        asker = Asker(call.parts.answering, FOUND_SECONDS)
        found = await while_there(call.request, found_queries(asker, types))
        return {each.tells: address("/query", query=each.text) for each in found}
    return {}


async def _types(call: Call) -> Sequence[str]:
    """The IRIs of the types that most entities have, by one entity of each."""
    every = await ask(call.parts.answering, SearchWords(Search(limit=1, form="thing")))
    found: dict[str, None] = {}
    for name in [*every["facets"]["types"]][:TYPES]:
        question = SearchWords(Search(types=(name,), limit=1, form="thing"))
        for result in (await ask(call.parts.answering, question))["results"]:
            found |= dict.fromkeys(iri for iri in result["types"] if short_name(iri) == name)
    return [*found]


async def _ask(call: Call, asked: str) -> AnswerStart:
    limits = QueryLimits(time=call.parts.service.query_time, rows=MOST_ROWS)
    question = Query(asked, ("json", "turtle"), limits)
    found = await begin_answer(call.parts.answering.answer(question), MOST_HELD)
    if found.rest is not None:  # more than any page can show
        await found.rest.aclose()
    return found


async def _file(call: Call, asked: str, wanted: Wanted) -> Response:
    service = call.parts.service
    limits = QueryLimits(time=service.query_time, rows=service.query_rows)
    question = Query(asked, (wanted.format,), limits)
    held = await while_there(call.request, begin_answer(call.parts.answering.answer(question)))
    answer = response_of(held, [wanted], limits.rows)
    if wanted.format == "csv":
        answer = safe_answer(answer)
    return as_file(answer, "answer", wanted)


def _page(asked: str, found: AnswerStart) -> QueryPage:
    name, _, body = found.head.partition(b"\n")
    end = found.end or {}
    told: dict[str, Any] = {
        "query": asked,
        "examples": EXAMPLES,
        "shown": asked,
        "is_cut": bool(end.get("cut", True)),
        "seconds": end.get("seconds"),
        "hints": end.get("hints", ()),
    }
    if name == b"turtle":
        text_ = body.decode(errors="replace")
        told |= {"is_cut": told["is_cut"] or len(text_) > MOST_TEXT, "triples": text_[:MOST_TEXT]}
        return QueryPage(**told, files=_files(asked, TRIPLE_TITLES))
    if found.rest is not None:
        told["mistake"] = Mistake("The answer is too large for a page. Take it as a file.")
        return QueryPage(**told, files=_files(asked, ROW_TITLES))
    answer = json.loads(body)
    if "boolean" in answer:
        return QueryPage(**told, verdict=answer["boolean"], files=_files(asked, {"json": "JSON"}))
    return QueryPage(**told, table=table_of(answer), files=_files(asked, ROW_TITLES))


def _files(asked: str, titles: Mapping[str, str]) -> Mapping[str, str]:
    return {title: address("/query", query=asked, to=name) for name, title in titles.items()}


def table_of(answer: Mapping[str, Any]) -> Table:
    """A table from the rows of SPARQL's JSON results."""
    names: list[str] = answer["head"]["vars"]
    found = answer["results"]["bindings"]
    rows = [[term_of(row[name]) if name in row else None for name in names] for row in found]
    return Table(names, rows)


def term_of(told: Mapping[str, Any]) -> Term:
    """A term of SPARQL's JSON results, formatted for display."""
    match told["type"]:
        case "uri":
            return Term(told["value"], told["value"])
        case "bnode":
            return Term(f"_:{told['value']}", iri_of(told))
        case "literal":
            return Term(
                told["value"], None, told.get("xml:lang") or short_name(told.get("datatype", ""))
            )
    return Term(" ".join(_triple(told["value"])))


def _triple(told: Mapping[str, Any]) -> Iterator[str]:
    """A quoted triple, in words."""
    yield "<<"
    for name in ("subject", "predicate", "object"):
        yield term_of(told[name]).text
    yield ">>"


def mistake(detail: str, asked: str) -> Mistake:
    """The error in a query, with its position if the message has one."""
    found = _PLACE.search(detail)
    if found is None:
        return Mistake(detail)
    line, column, message = int(found[1]), int(found[2]), found[3]
    lines = asked.split("\n")
    text_ = lines[line - 1] if 0 < line <= len(lines) else None
    return Mistake(message[:1].upper() + message[1:], line, column, text_)


ROUTES: Final = (
    Route(
        path="/query",
        summary="Ask in SPARQL",
        handler=query,
        parameters=(
            Parameter(name="query", doc="In SPARQL.", schema=text(most=MOST_CHARACTERS)),
            Parameter(name="example", doc="One of ours, shown.", schema=one_of(*EXAMPLES)),
            Parameter(
                name="to",
                doc="As a file in this format.",
                schema=one_of(*ROW_TITLES, *TRIPLE_TITLES),
            ),
        ),
        replies=PAGE_REPLY,
        is_page=True,
    ),
)
