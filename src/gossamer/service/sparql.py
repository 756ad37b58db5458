"""`/sparql`: SPARQL 1.1 Protocol, read-only, within limits on time and rows; and the service description."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from types import MappingProxyType
from typing import Final
from urllib.parse import parse_qs, quote

import pyoxigraph as ox
from starlette.responses import Response

from gossamer.index.graph.query import RDF, ROW_FORMATS, Dataset, QueryLimits
from gossamer.owner.questions import Query
from gossamer.service.answers import (
    ROWS,
    TRIPLES,
    AnswerStart,
    Wanted,
    begin_answer,
    streamed_response,
    wanted,
    while_there,
)
from gossamer.service.errors import ProblemError
from gossamer.service.routes import Body, Call, Parameter, Reply, Route, media_type_of
from gossamer.service.schemas import ANYTHING, NUMBER, TEXT, one_of, record, text

SD: Final = "http://www.w3.org/ns/sparql-service-description#"
FORMATS: Final = "http://www.w3.org/ns/formats/"
FORM: Final = "application/x-www-form-urlencoded"
QUERY: Final = "application/sparql-query"
UPDATE: Final = "application/sparql-update"
MOST_CHARACTERS: Final = 200_000  # of a query
MOST_SHOWN: Final = 100  # characters of an Accept header
MOST_OF_HINTS: Final = 600  # characters in a header, of which some become twelve
READABLE: Final = (
    " !\"#$&'()*+,/:;<=>?@[]^`{|}~"  # what stands in a header as it is: all of ASCII but %
)
MOST_FIELDS: Final = 1_000  # of a form
DATASET: Final = ("default-graph-uri", "named-graph-uri")
NAMES: Final = (*ROW_FORMATS, *RDF)  # of formats, as `gossamer query --to` has them
_FORMATS: Final = (
    *("SPARQL_Results_JSON", "SPARQL_Results_XML", "SPARQL_Results_CSV", "SPARQL_Results_TSV"),
    *("Turtle", "N-Triples", "RDF_XML", "JSON-LD", "TriG", "N-Quads"),
)
_BY_NAME: Final = MappingProxyType(
    {name: media_type for media_type, name in reversed([*ROWS.items(), *TRIPLES.items()])}
)
"""The usual media type of each format, by the name that `gossamer query --to` has for it."""
_PARAMETERS: Final = (
    Parameter(
        name="default-graph-uri",
        doc="Graphs (pages) whose union is the default graph; else that of all graphs.",
        many=True,
    ),
    Parameter(name="named-graph-uri", doc="Graphs that GRAPH finds.", many=True),
    Parameter(
        name="timeout",
        doc="Seconds that the query may take, if fewer than service.query_time.",
        schema={**NUMBER, "minimum": 0.001},
    ),
    Parameter(
        name="to",
        doc="The format of the answer, whatever the Accept header names.",
        schema=one_of(*NAMES),
    ),
)
_REPLIES: Final = MappingProxyType(
    {
        200: Reply(
            doc="Rows, yes or no, or triples, in a format that the Accept header names. "
            "`X-Gossamer-Row-Limit` tells how many rows there are at most, and, where that is known "
            "when the answer begins, `X-Gossamer-Cut` whether there were more. Where nothing fits, "
            "`X-Gossamer-Hint` has what was probably meant, percent-encoded.",
            schemas={**dict.fromkeys(ROWS, ANYTHING), **dict.fromkeys(TRIPLES, ANYTHING)},
        )
    }
)
_FAULTS: Final = (400, 403, 406, 413, 503)


@dataclass(frozen=True, slots=True)
class Asked:
    """A query as the protocol has it."""

    text: str | None
    dataset: Dataset
    seconds: float | None
    to: str | None  # the name of a format


async def get(call: Call) -> Response:
    """A query in the address; without one, what this endpoint is."""
    return await _answer(call, _asked(call, {}))


async def post(call: Call) -> Response:
    """A query in a form, or as it is."""
    if media_type_of(call.request) == QUERY:
        asked = _asked(call, {"query": [_decoded(call.body)]})
    else:
        asked = _asked(call, _form(call.body))
    if asked.text is None:
        raise ProblemError(400, "bad-parameter", "`query` is missing.")
    return await _answer(call, asked)


def response_of(start: AnswerStart, formats: Sequence[Wanted], limit: int | None) -> Response:
    """The answer to a query, its first line being the name of its format."""
    name, _, head = start.head.partition(b"\n")
    media_type = next(each.media_type for each in formats if each.format == name.decode())
    headers = {"Vary": "Accept", "X-Gossamer-Row-Limit": str(limit)}
    if start.end is not None:
        headers["X-Gossamer-Rows"] = str(start.end["rows"])
        headers["X-Gossamer-Cut"] = "true" if start.end["cut"] else "false"
        if hints := start.end["hints"]:  # in a header, since the formats have no room for it
            headers["X-Gossamer-Hint"] = quote(" ".join(hints)[:MOST_OF_HINTS], safe=READABLE)
    return streamed_response(start, head, media_type, headers)


def description(endpoint: str, format_: str) -> bytes:
    """The description of the service at an address, in one of the formats of triples."""
    service = ox.NamedNode(endpoint)
    dataset, default = ox.BlankNode("dataset"), ox.BlankNode("default")
    a = ox.NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
    triples = [
        ox.Triple(service, a, _sd("Service")),
        ox.Triple(service, _sd("endpoint"), service),
        ox.Triple(service, _sd("supportedLanguage"), _sd("SPARQL11Query")),
        ox.Triple(service, _sd("feature"), _sd("UnionDefaultGraph")),
        *(
            ox.Triple(service, _sd("resultFormat"), ox.NamedNode(FORMATS + each))
            for each in _FORMATS
        ),
        ox.Triple(service, _sd("defaultDataset"), dataset),
        ox.Triple(dataset, a, _sd("Dataset")),
        ox.Triple(dataset, _sd("defaultGraph"), default),
        ox.Triple(default, a, _sd("Graph")),
    ]
    prefixes = {"sd": SD, "formats": FORMATS}
    written = ox.serialize(triples, format=RDF[format_], prefixes=prefixes)
    assert written is not None
    return written


def _form(body: bytes) -> Mapping[str, Sequence[str]]:
    try:
        return parse_qs(
            _decoded(body), keep_blank_values=True, errors="strict", max_num_fields=MOST_FIELDS
        )
    except ValueError:
        raise ProblemError(400, "bad-body", "The form cannot be read.") from None


def _decoded(body: bytes) -> str:
    try:
        return body.decode()
    except UnicodeDecodeError:
        raise ProblemError(400, "bad-body", "The body is not UTF-8.") from None


def _asked(call: Call, form: Mapping[str, Sequence[str]]) -> Asked:
    """What is asked, in the address and in a form together."""
    query = call.request.query_params
    told = {name: [*query.getlist(name), *form.get(name, ())] for name in ("query", "to", *DATASET)}
    if "update" in query or "update" in form:
        raise ProblemError(403, "read-only", "Nothing can be changed here; ask with query=….")
    for name in ("query", "to"):
        if len(told[name]) > 1:
            raise ProblemError(400, "bad-parameter", f"`{name}` may be given once.")
    to = told["to"][0] if told["to"] else None
    if to is not None and to not in NAMES:
        raise ProblemError(400, "bad-parameter", f"`to` is one of {', '.join(NAMES)}.")
    text_ = told["query"][0] if told["query"] else None
    if text_ is not None and len(text_) > MOST_CHARACTERS:
        raise ProblemError(413, "too-large", f"A query may have {MOST_CHARACTERS:,} characters.")
    dataset = Dataset(tuple(told[DATASET[0]]), tuple(told[DATASET[1]]))
    return Asked(text_, dataset, call.given.get("timeout"), to)


async def _answer(call: Call, asked: Asked) -> Response:
    accept = call.request.headers.get("accept")
    if asked.to is not None:
        accept = _BY_NAME[asked.to]
    triples = wanted(accept, TRIPLES)
    if asked.text is None:
        return _described(call, triples)
    formats = [*wanted(accept, ROWS), *triples]
    if not formats:
        raise ProblemError(406, "no-such-format", _not_here(accept or ""))
    question = _question(call, asked, formats)
    answer = call.parts.answering.answer(question)
    return response_of(
        await while_there(call.request, begin_answer(answer)), formats, question.limits.rows
    )


def _not_here(accept: str) -> str:
    offers = ", ".join(dict.fromkeys([*ROWS, *TRIPLES]))
    return f"There is nothing here that you accept ({accept[:MOST_SHOWN]!r}). There is {offers}."


def _question(call: Call, asked: Asked, formats: Sequence[Wanted]) -> Query:
    assert asked.text is not None
    service = call.parts.service
    time = service.query_time
    if asked.seconds is not None:
        time = timedelta(seconds=min(time.total_seconds(), asked.seconds))
    return Query(
        asked.text,
        tuple(dict.fromkeys(each.format for each in formats)),
        QueryLimits(time=time, rows=service.query_rows),
        asked.dataset,
    )


def _described(call: Call, triples: Sequence[Wanted]) -> Response:
    best = triples[0] if triples else Wanted("text/turtle", "turtle")
    endpoint = str(call.request.url.replace(query=""))
    return Response(
        description(endpoint, best.format),
        media_type=best.media_type,
        headers={"Vary": "Accept"},
    )


def _sd(name: str) -> ox.NamedNode:
    return ox.NamedNode(SD + name)


ROUTES: Final = (
    Route(
        path="/sparql",
        summary="Ask a SPARQL query",
        doc="Read-only, no SERVICE. The usual prefixes need no declaration. Without a query: what "
        "this endpoint is, in RDF.",
        handler=get,
        parameters=(
            Parameter(name="query", doc="A SPARQL 1.1 query.", schema=text(most=MOST_CHARACTERS)),
            *_PARAMETERS,
        ),
        replies=_REPLIES,
        faults=_FAULTS,
        takes_anything=True,
        tag="graph",
    ),
    Route(
        path="/sparql",
        method="POST",
        summary="Ask a SPARQL query, in a form or as it is",
        handler=post,
        parameters=_PARAMETERS,
        body=Body(
            doc="The query, and in a form the graphs that it is asked of.",
            schemas={
                FORM: record({"query": TEXT}),
                QUERY: TEXT,
            },
        ),
        replies=_REPLIES,
        faults=(*_FAULTS, 415),
        takes_anything=True,
        tag="graph",
    ),
)
