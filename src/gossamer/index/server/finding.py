"""Finding out where a server answers, and whether it lets us in, before anything is built on it."""

from typing import Final
from urllib.parse import urlencode

import pyoxigraph as ox

from gossamer.errors import GraphAwayError, GraphError
from gossamer.index.graph.query import EVERYTHING, Dataset
from gossamer.index.server.address import UNION, Endpoints, Server, layouts
from gossamer.index.server.http import Http, Request, ServerAnswer, UnreachableError
from gossamer.sparql import names_graphs

QUERY: Final = "application/sparql-query"
FORM: Final = "application/x-www-form-urlencoded"
ASKED: Final = "__ASK_RETVAL"
UPDATE: Final = "application/sparql-update"
JSON: Final = "application/sparql-results+json"
ANY_STATEMENT: Final = "ASK { ?subject ?predicate ?object }"
# Written and taken back in one request: whether we may write, without leaving a trace.
PROBE: Final = (
    'INSERT DATA { GRAPH <urn:gossamer:probe> { <urn:gossamer:probe> <urn:gossamer:probe> "" } } ;\n'
    "DROP SILENT GRAPH <urn:gossamer:probe>"
)
CLOSED: Final = (401, 403)
# What a server says that has nothing there, or something else.
ELSEWHERE: Final = (400, 404, 405, 406, 410, 415, 501)
WHO: Final = (
    "Give the right ones as index.user and index.password (GOSSAMER_INDEX_PASSWORD), "
    "or index.token (GOSSAMER_INDEX_TOKEN)."
)


def found(http: Http, server: Server, *, writing: bool) -> Endpoints:
    """The addresses at which the server answers; raises `GraphError`, `GraphAwayError` where it is away."""
    endpoints = _answering(http, server)
    if writing:
        _let_us_write(http, server, endpoints)
    return endpoints


def asked(http: Http, server: Server, request: Request, most_bytes: int = 4096) -> ServerAnswer:
    """The answer to a request; raises `GraphAwayError` where there is none."""
    try:
        return http.ask(request, most_bytes)
    except UnreachableError as error:
        raise GraphAwayError(
            f"The SPARQL server at {server.url} does not answer: {error}."
        ) from None


def update_request(endpoints: Endpoints, server: Server, text: bytes) -> Request:
    """An update, to be sent."""
    return Request(endpoints.update, text, UPDATE, timeout=server.timeout)


def query_request(
    endpoints: Endpoints,
    text: str,
    accept: str = JSON,
    dataset: Dataset = EVERYTHING,
    timeout: float | None = None,
) -> Request:
    """A query, to be sent."""
    address = endpoints.query
    if not dataset.is_everything or names_graphs(text):
        address = _of_graphs(address, dataset)
    if endpoints.takes_forms:
        body = urlencode({"query": text}).encode()
        return Request(address, body, FORM, accept, timeout=timeout)
    return Request(address, text.encode(), QUERY, accept, timeout=timeout)


def _of_graphs(address: str, dataset: Dataset) -> str:
    """Without the parameter that makes all graphs the default graph: these do, or the query's own."""
    names = {"default-graph-uri": dataset.default, "named-graph-uri": dataset.named}
    place, _, query = address.partition("?")
    kept = [each for each in query.split("&") if each not in ("", UNION)]
    parameters = "&".join(filter(None, [*kept, urlencode(names, doseq=True)]))
    return f"{place}?{parameters}" if parameters else place


def _answering(http: Http, server: Server) -> Endpoints:
    tried = []
    for endpoints in layouts(server):
        request = query_request(endpoints, ANY_STATEMENT, timeout=server.timeout)
        answer = asked(http, server, request)
        if answer.is_good and _is_truth(answer):
            return endpoints
        tried.append(f"{endpoints.query} answers {_told(answer)}")
        if answer.status in CLOSED:
            raise GraphError(f"The SPARQL server does not let us in: {tried[-1]}. {WHO}")
        if not answer.is_good and answer.status not in ELSEWHERE and answer.status >= 400:
            raise GraphAwayError(f"The SPARQL server does not answer now: {tried[-1]}.")
    raise GraphError(
        f"There is no SPARQL server at {server.url}: {'; '.join(tried)}. "
        "Correct --index, or name its addresses with index.query_url and index.update_url."
    )


def _let_us_write(http: Http, server: Server, endpoints: Endpoints) -> None:
    answer = asked(http, server, update_request(endpoints, server, PROBE.encode()))
    if answer.is_good:
        return
    what = f"{endpoints.update} answers {_told(answer)}"
    if answer.status in CLOSED:
        raise GraphError(f"The SPARQL server does not let us write: {what}. {WHO}")
    if answer.status in ELSEWHERE or answer.status < 400:
        raise GraphError(
            f"The SPARQL server takes no updates there: {what}. Name the right address "
            "with index.update_url, or have the server allow updates."
        )
    raise GraphAwayError(f"The SPARQL server cannot be written to now: {what}.")


def _is_truth(answer: ServerAnswer) -> bool:
    try:
        found = ox.parse_query_results(answer.body, format=ox.QueryResultsFormat.JSON)
    except (SyntaxError, ValueError):
        return False
    return isinstance(boolean_or_rows(found), ox.QueryBoolean)


def boolean_or_rows(
    found: ox.QuerySolutions | ox.QueryBoolean,
) -> ox.QuerySolutions | ox.QueryBoolean:
    """An answer as the standard has it: Virtuoso answers ASK with a row."""
    if isinstance(found, ox.QueryBoolean) or [each.value for each in found.variables] != [ASKED]:
        return found
    row = next(found, None)
    value = None if row is None else row[ASKED]
    is_so = isinstance(value, ox.Literal) and value.value not in ("0", "false")
    text = f'{{"head": {{}}, "boolean": {str(is_so).lower()}}}'
    return ox.parse_query_results(text, format=ox.QueryResultsFormat.JSON)


def _told(answer: ServerAnswer) -> str:
    if answer.location is not None:
        return f"{answer.status}, moved to {answer.location}"
    if answer.is_good:
        return "something that is no SPARQL result"
    return answer.message
