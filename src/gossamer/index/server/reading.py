"""A process that asks a SPARQL server: queries, and exports of all it has, one question after the other.

What it reads may be without end or measure, so it can be killed at any moment, like the processes
that read the graph of a folder. A query is read here first: so mistakes are told in the same way, what is
no query never leaves, and neither do the words with which some servers fetch pages of their own.
"""

import json
import re
import socket
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, replace
from functools import partial
from time import perf_counter
from types import MappingProxyType
from typing import IO, Any, Final, cast

import pyoxigraph as ox

from gossamer.errors import GraphError
from gossamer.index.entities.type_rows import lines_of_types
from gossamer.index.graph.messages import Ask
from gossamer.index.graph.query import TABLE, GraphExport, GraphQuery
from gossamer.index.graph.reader_process import ReaderProcess, answer_confined
from gossamer.index.graph.results import Send
from gossamer.index.graph.run_query import (
    AnswerTotals,
    AskingError,
    graph_named,
    send_lines,
    send_quads,
    send_rows,
    send_triples,
)
from gossamer.index.graph.selecting import is_wanted
from gossamer.index.server.address import Endpoints, Server
from gossamer.index.server.finding import boolean_or_rows, found, query_request
from gossamer.index.server.http import (
    BUSY,
    CUT,
    SHORT_BYTES,
    Exchange,
    Http,
    Request,
    UnreachableError,
    media_types,
    said,
)
from gossamer.index.server.remote_store import RemoteStatements, RemoteStore
from gossamer.processes.process import Program
from gossamer.processes.sandbox import Sandbox
from gossamer.sparql import in_held_forms, mistake, refusal, shortened
from gossamer.sparql.prefixes import PREFIXES

ROWS: Final[Mapping[str, ox.QueryResultsFormat]] = MappingProxyType(
    {
        "application/sparql-results+json": ox.QueryResultsFormat.JSON,
        "application/json": ox.QueryResultsFormat.JSON,
        "application/sparql-results+xml": ox.QueryResultsFormat.XML,
    }
)
TRIPLES: Final[Mapping[str, ox.RdfFormat]] = MappingProxyType(
    {
        "application/n-triples": ox.RdfFormat.N_TRIPLES,
        "text/turtle": ox.RdfFormat.TURTLE,
        "application/rdf+xml": ox.RdfFormat.RDF_XML,
    }
)
EVERYTHING: Final = (
    "SELECT ?graph ?subject ?predicate ?object { GRAPH ?graph { ?subject ?predicate ?object } }"
)
_DECLARED: Final = re.compile(r"\bPREFIX\s++([\w.-]*+)\s*+:", re.IGNORECASE)
Begin = Callable[[str], None]


def ask(
    http: Http, endpoints: Endpoints, question: GraphQuery, begin: Begin, send: Send
) -> AnswerTotals:
    """Answer a query: `begin` is told the format, then `send` gets the bytes of the answer."""
    started = perf_counter()
    gives_triples = checked(question.text)
    parsed = perf_counter() - started
    accept = media_types([*(TRIPLES if gives_triples else ROWS)])
    text = in_held_forms(question.text, partial(_holds, http, endpoints))
    request = query_request(endpoints, with_prefixes(text), accept, question.dataset)
    with _opened(http, request) as exchange:
        try:
            if gives_triples:
                answered = send_triples(_triples(exchange), question, begin, send)
            else:
                answered = send_rows(_rows(exchange), question, begin, send)
                if exchange.cut_at is not None and answered.rows >= exchange.cut_at:
                    answered = replace(answered, cut=True)
        except (SyntaxError, ValueError) as error:
            raise _unreadable(error) from None
        except UnreachableError as error:
            raise AskingError(
                f"The answer of the SPARQL server broke off: {error}.", "graph"
            ) from None
    return answered.timed(started, parsed) if question.limits.timed else answered


def _holds(http: Http, endpoints: Endpoints, iri: str) -> bool:
    """Whether anything on the server has this property, this class or this value; yes if it does not say."""
    name = ox.NamedNode(iri)
    anywhere = f"{{ ?s {name} ?o }} UNION {{ ?s ?p {name} }} UNION {{ {name} ?p ?o }}"
    request = query_request(endpoints, f"ASK {{ GRAPH ?g {{ {anywhere} }} }}", media_types([*ROWS]))
    try:
        with _opened(http, request) as exchange:
            answer = _rows(exchange)
            return bool(answer) if isinstance(answer, ox.QueryBoolean) else True
    except (AskingError, UnreachableError, SyntaxError, ValueError):
        return True


def export(http: Http, endpoints: Endpoints, wanted: GraphExport, send: Send) -> AnswerTotals:
    """All named graphs of the server, or one of them."""
    if wanted.types and wanted.format != TABLE:
        raise AskingError(
            "Things of a type are told apart in a graph on this machine, and this one is on a server. "
            "Ask it with `gossamer query`."
        )
    if wanted.format == TABLE:
        return _send_table(http, endpoints, wanted, send)
    query = EVERYTHING
    if wanted.graph is not None:
        query = EVERYTHING.replace("GRAPH ?graph", f"GRAPH {graph_named(wanted.graph)}")
    with _opened(http, query_request(endpoints, query, media_types([*ROWS]))) as exchange:
        try:
            return send_quads(lambda _: _selected(_quads(exchange), wanted), wanted, send)
        except SyntaxError as error:
            raise _unreadable(error) from None
        except UnreachableError as error:
            raise AskingError(
                f"The answer of the SPARQL server broke off: {error}.", "graph"
            ) from None


def _send_table(http: Http, endpoints: Endpoints, wanted: GraphExport, send: Send) -> AnswerTotals:
    """The things of some types, a line of JSON each."""
    remote = RemoteStore(http, endpoints)
    lines = lines_of_types(
        remote, RemoteStatements(remote), remote.classes(), wanted.types, wanted.hosts
    )
    try:
        return send_lines(lines, send)
    except GraphError as error:
        raise AskingError(str(error), "graph") from None


def checked(text: str) -> bool:
    """Whether a query gives triples; raises `AskingError` where it is none, or would reach out."""
    if (why := refusal(text)) is not None:
        raise AskingError(why)
    try:
        found = ox.Store().query(text, prefixes=dict(PREFIXES))
    except SyntaxError as error:
        raise AskingError(mistake(error.msg, text)) from None
    except (OSError, RuntimeError, ValueError) as error:
        raise AskingError(f"The query cannot be answered: {shortened(str(error))}") from None
    return isinstance(found, ox.QueryTriples)


def with_prefixes(text: str) -> str:
    """The query with the usual prefixes that it uses and does not declare.

    Some servers refuse a prefix that is declared twice. On the first line, so that the lines
    of a message are those of whoever asked.
    """
    declared = set(_DECLARED.findall(text))
    missing = [name for name in PREFIXES if name not in declared and f"{name}:" in text]
    return "".join(f"PREFIX {name}: <{PREFIXES[name]}> " for name in missing) + text


def _opened(http: Http, request: Request) -> Exchange:
    try:
        exchange = http.open(request)
        if exchange.status == 200:
            return exchange
        with exchange:
            told = said(exchange.status, exchange.read(SHORT_BYTES))
    except UnreachableError as error:
        raise AskingError(f"The SPARQL server does not answer: {error}.", "graph") from None
    raise AskingError(
        f"The SPARQL server does not answer the query: {told}",
        "graph" if exchange.status in BUSY else "query",
    )


def _rows(exchange: Exchange) -> ox.QuerySolutions | ox.QueryBoolean:
    if exchange.media_type not in ROWS:
        raise AskingError(f"The SPARQL server answers with {exchange.media_type!r}, no rows.")
    found = ox.parse_query_results(_file(exchange), format=ROWS[exchange.media_type])
    return boolean_or_rows(found)


def _triples(exchange: Exchange) -> Iterator[ox.Triple]:
    if exchange.media_type not in TRIPLES:
        raise AskingError(f"The SPARQL server answers with {exchange.media_type!r}, no triples.")
    for quad in ox.parse(_file(exchange), format=TRIPLES[exchange.media_type]):
        yield quad.triple


def _quads(exchange: Exchange) -> Iterator[ox.Quad]:
    rows, count = _rows(exchange), 0
    assert isinstance(rows, ox.QuerySolutions)
    has_graph = "graph" in {variable.value for variable in rows.variables}
    for row in rows:
        graph = row["graph"] if has_graph else None
        count += 1
        yield ox.Quad(row["subject"], row["predicate"], row["object"], graph)
    if exchange.cut_at is not None and count >= exchange.cut_at:
        raise AskingError(CUT.format("this address", exchange.cut_at), "graph")


def _selected(quads: Iterator[ox.Quad], wanted: GraphExport) -> Iterator[ox.Quad]:
    """The statements that an export has; that of one graph has its name."""
    if wanted.graph is not None:
        name = graph_named(wanted.graph)
        return (ox.Quad(quad.subject, quad.predicate, quad.object, name) for quad in quads)
    if not wanted.is_part:
        return quads
    return (quad for quad in quads if is_wanted(str(quad.graph_name)[1:-1], wanted))


def _file(exchange: Exchange) -> IO[bytes]:
    return cast(IO[bytes], exchange)  # as far as a parser needs one


def _unreadable(error: Exception) -> AskingError:
    return AskingError(f"The answer of the SPARQL server cannot be read: {shortened(str(error))}")


def program(memory_bytes: int, path: tuple[str, ...]) -> Program:
    """What a reading process runs."""
    told = {"memory_bytes": memory_bytes, "sandbox": asdict(Sandbox(network=True))}
    return Program(f"{__name__}:{main.__name__}", told, path)


def main(told: Mapping[str, Any], descriptor: int, owner: int) -> None:
    """Answer until the owner hangs up."""
    answer_confined(ServerReaderProcess, told, descriptor, owner)


def written(server: Server) -> str:
    """A server in the place where other questions name a snapshot: what is to be read."""
    return json.dumps(asdict(server))


class ServerReaderProcess(ReaderProcess):
    """Where questions are answered that a server knows the answers to."""

    def __init__(self, connection: socket.socket) -> None:
        super().__init__(connection)
        self._known: str | None = None
        self._way: tuple[Http, Endpoints] | None = None

    def _open(self, snapshot: str) -> None:
        if self._way is not None and snapshot == self._known:
            return
        server = Server(**json.loads(snapshot))
        http = Http(server)
        try:
            self._way = (http, found(http, server, writing=False))
        except GraphError as error:
            raise AskingError(str(error), "graph") from None
        self._known = snapshot

    def _answer(self, question: Ask) -> AnswerTotals:
        assert self._way is not None
        http, endpoints = self._way
        if question.query is not None:
            return ask(http, endpoints, question.query, self._begin, self._part)
        assert question.export is not None
        self._begin(question.export.format)
        return export(http, endpoints, question.export, self._part)
