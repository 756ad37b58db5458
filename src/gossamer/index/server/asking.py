"""Questions to a server, and exports of all it has: the same words as to the graph of a folder.

A query is read here first: so mistakes are told in the same way, what is no query never leaves, and
neither do the words with which some servers fetch pages of their own.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from time import perf_counter
from types import MappingProxyType
from typing import IO, Final, cast

import pyoxigraph as ox

from gossamer.index.asking import (
    Answered,
    AskingError,
    Export,
    Question,
    graph_named,
    send_quads,
    send_rows,
    send_triples,
)
from gossamer.index.serializing import Send
from gossamer.index.server.address import Endpoints
from gossamer.index.server.finding import query_request
from gossamer.index.server.http import (
    BUSY,
    SHORT_BYTES,
    Exchange,
    Http,
    Request,
    UnreachableError,
    media_types,
    said,
)
from gossamer.prefixes import PREFIXES
from gossamer.sparql import mistake, refusal, shortened

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


def ask(http: Http, endpoints: Endpoints, question: Question, begin: Begin, send: Send) -> Answered:
    """Answer a query: `begin` is told the format, then `send` gets the bytes of the answer."""
    started = perf_counter()
    gives_triples = checked(question.text)
    parsed = perf_counter() - started
    accept = media_types([*(TRIPLES if gives_triples else ROWS)])
    request = query_request(endpoints, with_prefixes(question.text), accept, question.dataset)
    with _opened(http, request) as exchange:
        try:
            if gives_triples:
                answered = send_triples(_triples(exchange), question, begin, send)
            else:
                answered = send_rows(_rows(exchange), question, begin, send)
        except (SyntaxError, ValueError) as error:
            raise _unreadable(error) from None
        except UnreachableError as error:
            raise AskingError(
                f"The answer of the SPARQL server broke off: {error}.", "graph"
            ) from None
    return answered.timed(started, parsed) if question.timed else answered


def export(http: Http, endpoints: Endpoints, wanted: Export, send: Send) -> Answered:
    """All named graphs of the server, or one of them."""
    query = EVERYTHING
    if wanted.graph is not None:
        query = EVERYTHING.replace("GRAPH ?graph", f"GRAPH {graph_named(wanted.graph)}")
    with _opened(http, query_request(endpoints, query, media_types([*ROWS]))) as exchange:
        try:
            return send_quads(lambda _: _quads(_rows(exchange)), wanted, send)
        except SyntaxError as error:
            raise _unreadable(error) from None
        except UnreachableError as error:
            raise AskingError(
                f"The answer of the SPARQL server broke off: {error}.", "graph"
            ) from None


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
    return ox.parse_query_results(_file(exchange), format=ROWS[exchange.media_type])


def _triples(exchange: Exchange) -> Iterator[ox.Triple]:
    if exchange.media_type not in TRIPLES:
        raise AskingError(f"The SPARQL server answers with {exchange.media_type!r}, no triples.")
    for quad in ox.parse(_file(exchange), format=TRIPLES[exchange.media_type]):
        yield quad.triple


def _quads(rows: ox.QuerySolutions | ox.QueryBoolean) -> Iterator[ox.Quad]:
    assert isinstance(rows, ox.QuerySolutions)
    has_graph = "graph" in {variable.value for variable in rows.variables}
    for row in rows:
        graph = row["graph"] if has_graph else None
        yield ox.Quad(row["subject"], row["predicate"], row["object"], graph)


def _file(exchange: Exchange) -> IO[bytes]:
    return cast(IO[bytes], exchange)  # as far as a parser needs one


def _unreadable(error: Exception) -> AskingError:
    return AskingError(f"The answer of the SPARQL server cannot be read: {shortened(str(error))}")
