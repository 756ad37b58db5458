"""`/sparql`: SPARQL 1.1 Protocol, read-only, within limits on time and rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final
from urllib.parse import parse_qs

from starlette.responses import Response

from gossamer.index.dataset import Dataset
from gossamer.owner.messages import Question
from gossamer.service.calls import media_type_of
from gossamer.service.description import description
from gossamer.service.errors import ProblemError
from gossamer.service.negotiation import ROWS, TRIPLES, Wanted, wanted
from gossamer.service.routes import Body, Call, Parameter, Reply, Route
from gossamer.service.schemas import ANYTHING, NUMBER, TEXT, record, text
from gossamer.service.streams import Begun, begun, sent, while_there

FORM: Final = "application/x-www-form-urlencoded"
QUERY: Final = "application/sparql-query"
UPDATE: Final = "application/sparql-update"
MOST_CHARACTERS: Final = 200_000  # of a query
MOST_SHOWN: Final = 100  # characters of an Accept header
MOST_FIELDS: Final = 1_000  # of a form
DATASET: Final = ("default-graph-uri", "named-graph-uri")


@dataclass(frozen=True, slots=True)
class Asked:
    """A query as the protocol has it."""

    text: str | None
    dataset: Dataset
    seconds: float | None


async def get(call: Call) -> Response:
    """A query in the address; without one, what this endpoint is."""
    return await _answered(call, _asked(call, {}))


async def post(call: Call) -> Response:
    """A query in a form, or as it is."""
    if media_type_of(call.request) == QUERY:
        asked = _asked(call, {"query": [_decoded(call.body)]})
    else:
        asked = _asked(call, _form(call.body))
    if asked.text is None:
        raise ProblemError(400, "bad-parameter", "`query` is missing.")
    return await _answered(call, asked)


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
    told = {name: [*query.getlist(name), *form.get(name, ())] for name in ("query", *DATASET)}
    if "update" in query or "update" in form:
        raise ProblemError(403, "read-only", "Nothing can be changed here; ask with query=….")
    if len(told["query"]) > 1:
        raise ProblemError(400, "bad-parameter", "`query` may be given once.")
    text_ = told["query"][0] if told["query"] else None
    if text_ is not None and len(text_) > MOST_CHARACTERS:
        raise ProblemError(413, "too-large", f"A query may have {MOST_CHARACTERS:,} characters.")
    dataset = Dataset(tuple(told[DATASET[0]]), tuple(told[DATASET[1]]))
    return Asked(text_, dataset, call.given.get("timeout"))


async def _answered(call: Call, asked: Asked) -> Response:
    accept = call.request.headers.get("accept")
    triples = wanted(accept, TRIPLES)
    if asked.text is None:
        return _described(call, triples)
    formats = [*wanted(accept, ROWS), *triples]
    if not formats:
        raise ProblemError(406, "no-such-format", _not_here(accept or ""))
    question = _question(call, asked, formats)
    answer = call.parts.answering.answer(question)
    return response_of(await while_there(call.request, begun(answer)), formats, question.limit)


def _not_here(accept: str) -> str:
    offers = ", ".join(dict.fromkeys([*ROWS, *TRIPLES]))
    return f"There is nothing here that you accept ({accept[:MOST_SHOWN]!r}). There is {offers}."


def _question(call: Call, asked: Asked, formats: Sequence[Wanted]) -> Question:
    assert asked.text is not None
    service = call.parts.service
    most = service.query_time.total_seconds()
    return Question(
        what="query",
        texts=(asked.text,),
        formats=tuple(dict.fromkeys(each.format for each in formats)),
        dataset=asked.dataset,
        seconds=most if asked.seconds is None else min(most, asked.seconds),
        limit=service.query_rows,
    )


def response_of(begun: Begun, formats: Sequence[Wanted], limit: int | None) -> Response:
    """The answer to a query, its first line being the name of its format."""
    name, _, head = begun.head.partition(b"\n")
    media_type = next(each.media_type for each in formats if each.format == name.decode())
    headers = {"Vary": "Accept", "X-Gossamer-Row-Limit": str(limit)}
    if begun.end is not None:
        headers["X-Gossamer-Rows"] = str(begun.end["rows"])
        headers["X-Gossamer-Cut"] = "true" if begun.end["cut"] else "false"
    return sent(begun, head, media_type, headers)


def _described(call: Call, triples: Sequence[Wanted]) -> Response:
    best = triples[0] if triples else Wanted("text/turtle", "turtle")
    endpoint = str(call.request.url.replace(query=""))
    return Response(
        description(endpoint, best.format),
        media_type=best.media_type,
        headers={"Vary": "Accept"},
    )


_GRAPHS: Final = (
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
)
_REPLIES: Final = MappingProxyType(
    {
        200: Reply(
            doc="Rows, yes or no, or triples, in a format that the Accept header names. "
            "`X-Gossamer-Row-Limit` tells how many rows there are at most, and, where that is known "
            "when the answer begins, `X-Gossamer-Cut` whether there were more.",
            schemas={**dict.fromkeys(ROWS, ANYTHING), **dict.fromkeys(TRIPLES, ANYTHING)},
        )
    }
)
_FAULTS: Final = (400, 403, 406, 413, 503)

ROUTES: Final = (
    Route(
        path="/sparql",
        summary="Ask a SPARQL query",
        doc="Read-only, no SERVICE. The usual prefixes need no declaration. Without a query: what "
        "this endpoint is, in RDF.",
        handler=get,
        parameters=(
            Parameter(name="query", doc="A SPARQL 1.1 query.", schema=text(most=MOST_CHARACTERS)),
            *_GRAPHS,
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
        parameters=_GRAPHS,
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
