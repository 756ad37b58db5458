"""The SPARQL endpoint, asked over a real socket by us and by two clients of others."""

import http.client
import time
from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from urllib.parse import unquote, urlencode, urlsplit

import pytest
from rdflib import Graph, URIRef
from rdflib.plugins.stores.sparqlstore import SPARQLStore
from SPARQLWrapper import (  # fmt: skip
    CSV,
    GET,
    JSON,
    POST,
    POSTDIRECTLY,
    RDFXML,
    TSV,
    TURTLE,
    URLENCODED,
    XML,
    SPARQLWrapper,
)
from SPARQLWrapper.SPARQLExceptions import QueryBadFormed
from tests.service.running import Answered, Client, service_on
from tests.slowness import patience

from gossamer.config import Service
from gossamer.folder.data import DataFolder

NAMES = "SELECT ?name { ?thing schema:name ?name } ORDER BY ?name LIMIT 5"
HEAVY = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"
FORM = "application/x-www-form-urlencoded"
QUERY = "application/sparql-query"


def converted(wrapper: SPARQLWrapper) -> Any:
    """What the wrapper makes of the answer; its type says that it may be anything."""
    return wrapper.queryAndConvert()


def values(answer: Answered) -> list[dict[str, str]]:
    assert answer.status == 200, answer.body
    rows: list[dict[str, Any]] = answer.json["results"]["bindings"]
    return [{name: term["value"] for name, term in row.items()} for row in rows]


@pytest.fixture(scope="session")
def pages(ask: Client) -> list[str]:
    """Two pages that say something of their own."""
    query = "SELECT DISTINCT ?g { GRAPH ?g { ?s schema:name ?n } } ORDER BY ?g LIMIT 2"
    return [row["g"] for row in values(ask("/sparql", query=query))]


def test_the_three_ways_to_ask_have_one_answer(ask: Client) -> None:
    plain = ask("/sparql", query=NAMES)
    assert len(values(plain)) == 5
    assert plain.media_type == "application/sparql-results+json"
    form = ask("/sparql", "POST", body=urlencode({"query": NAMES}), headers={"Content-Type": FORM})
    direct = ask("/sparql", "POST", body=NAMES, headers={"Content-Type": QUERY})
    assert plain.body == form.body == direct.body


@pytest.mark.parametrize(
    ("query", "accept", "media_type", "begins"),
    [
        (NAMES, "text/csv", "text/csv", b"name\r\n"),
        (NAMES, "text/tab-separated-values", "text/tab-separated-values", b"?name\n"),
        (NAMES, "application/sparql-results+xml", "application/sparql-results+xml", b"<?xml"),
        (NAMES, "application/json;q=0.9, text/html", "application/json", b"{"),
        ("ASK { ?s ?p ?o }", "text/csv", "text/csv", b"true"),
        ("ASK { ?s ?p ?o }", "*/*", "application/sparql-results+json", b"{"),
        ("CONSTRUCT WHERE { ?s schema:name ?o }", "*/*", "text/turtle", b""),
        ("CONSTRUCT WHERE { ?s schema:name ?o }", "application/n-triples", "application/n-triples", b""),
        ("DESCRIBE ?s { ?s a schema:Person } LIMIT 1", "application/rdf+xml", "application/rdf+xml", b"<?xml"),
        ("CONSTRUCT WHERE { ?s schema:name ?o }", "application/ld+json", "application/ld+json", b"["),
    ],
)  # fmt: skip
def test_the_format_is_the_one_that_is_wanted(
    ask: Client, query: str, accept: str, media_type: str, begins: bytes
) -> None:
    answer = ask("/sparql", query=query, headers={"Accept": accept})
    assert (answer.status, answer.media_type) == (200, media_type)
    assert answer.body.startswith(begins)
    assert "Accept" in answer.headers["vary"]


def test_a_format_that_is_none_of_ours_is_406_and_ours_are_named(ask: Client) -> None:
    answer = ask("/sparql", query=NAMES, headers={"Accept": "image/png"})
    assert (answer.status, answer.json["code"]) == (406, "no-such-format")
    assert answer.json["detail"].startswith("There is nothing here that you accept ('image/png').")
    assert "text/turtle" in answer.json["detail"]


@pytest.mark.parametrize(
    ("query", "to", "media_type"),
    [
        (NAMES, "csv", "text/csv"),
        (NAMES, "json", "application/sparql-results+json"),
        (NAMES, "tsv", "text/tab-separated-values"),
        ("ASK { ?s ?p ?o }", "xml", "application/sparql-results+xml"),
        ("CONSTRUCT WHERE { ?s schema:name ?o }", "nquads", "application/n-quads"),
        ("CONSTRUCT WHERE { ?s schema:name ?o }", "jsonld", "application/ld+json"),
        ("CONSTRUCT WHERE { ?s schema:name ?o }", "rdfxml", "application/rdf+xml"),
    ],
)
def test_a_format_may_be_named_as_in_gossamer_query(
    ask: Client, query: str, to: str, media_type: str
) -> None:
    told = ask("/sparql", query=query, to=to, headers={"Accept": "text/html"})
    assert (told.status, told.media_type) == (200, media_type)
    form = {"Content-Type": FORM}
    posted = ask("/sparql", "POST", body=urlencode({"query": query, "to": to}), headers=form)
    assert (posted.status, posted.media_type) == (200, media_type)


def test_a_format_that_has_no_such_name_is_refused(ask: Client) -> None:
    form = {"Content-Type": FORM}
    body = urlencode({"query": NAMES, "to": "table"})
    for answer in (
        ask("/sparql", query=NAMES, to="table"),
        ask("/sparql", "POST", body=body, headers=form),
        ask("/sparql?to=csv", "POST", body=urlencode({"query": NAMES, "to": "csv"}), headers=form),
    ):
        assert (answer.status, answer.json["code"]) == (400, "bad-parameter")
    unsuited = ask("/sparql", query=NAMES, to="turtle")
    assert (unsuited.status, unsuited.json["code"]) == (406, "no-such-format")


def test_a_query_is_given_once(ask: Client) -> None:
    answer = ask("/sparql?query=ASK{}", "POST", body="query=ASK{}", headers={"Content-Type": FORM})
    assert (answer.status, answer.json["detail"]) == (400, "`query` may be given once.")


@pytest.mark.parametrize(
    ("query", "accept"), [(NAMES, "text/turtle"), ("CONSTRUCT WHERE { ?s ?p ?o }", "text/csv")]
)
def test_a_format_that_does_not_suit_the_query_is_406(ask: Client, query: str, accept: str) -> None:
    answer = ask("/sparql", query=query, headers={"Accept": accept})
    assert (answer.status, answer.json["code"]) == (406, "no-such-format")


@pytest.mark.parametrize("in_form", [True, False])
def test_a_query_is_asked_of_the_graphs_that_are_named(
    ask: Client, pages: list[str], in_form: bool
) -> None:
    graphs = "SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } } ORDER BY ?g"
    of = [("named-graph-uri", page) for page in pages]
    if in_form:
        body = urlencode([("query", graphs), *of])
        answer = ask("/sparql", "POST", body=body, headers={"Content-Type": FORM})
    else:
        answer = ask(
            f"/sparql?{urlencode(of)}", "POST", body=graphs, headers={"Content-Type": QUERY}
        )
    assert [row["g"] for row in values(answer)] == pages


def test_the_default_graph_is_all_graphs_or_those_that_are_named(
    ask: Client, pages: list[str]
) -> None:
    count = "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"
    ((every,), (one,), (two,)) = (
        values(ask(f"/sparql?{urlencode([('query', count), *(('default-graph-uri', page) for page in some)])}"))
        for some in ([], pages[:1], pages)
    )  # fmt: skip
    assert 0 < int(one["n"]) < int(two["n"]) < int(every["n"])


def test_without_a_query_the_endpoint_says_what_it_is(ask: Client) -> None:
    answer = ask("/sparql")
    assert (answer.status, answer.media_type) == (200, "text/turtle")
    graph = Graph().parse(answer.body, format="turtle")
    assert URIRef(f"{ask.url}/sparql") in set(graph.subjects())
    other = ask("/sparql", headers={"Accept": "application/rdf+xml"})
    assert other.media_type == "application/rdf+xml"
    page = ask("/sparql", headers={"Accept": "text/html"})
    assert (page.status, page.media_type) == (200, "text/turtle")


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("SELECT", "line 1, column 6: the query ends too early"),
        ("", "no SPARQL query"),
        ("\0", "no SPARQL query"),
        ("DROP ALL", "DROP would change the graph"),
        ("INSERT DATA { <a:a> <a:b> <a:c> }", "no SPARQL query"),
        ("SELECT * { SERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }", "SERVICE"),
        ("SELECT * { ?s <no iri> ?o }", "no SPARQL query"),
        ("SELECT * " + "{" * 5000, ""),
    ],
)
def test_what_is_no_query_is_told_where(ask: Client, query: str, told: str) -> None:
    answer = ask("/sparql", "POST", body=query.encode(), headers={"Content-Type": QUERY})
    assert answer.status == 400, answer.body
    assert answer.media_type == "application/problem+json"
    assert answer.json["code"] == "bad-query"
    assert told in answer.json["detail"]


@pytest.mark.parametrize(
    ("path", "method", "body", "media_type", "status", "code"),
    [
        ("/sparql?query=ASK{}&query=ASK{}", "GET", None, "", 400, "bad-parameter"),
        ("/sparql?query=ASK{}&timeout=soon", "GET", None, "", 400, "bad-parameter"),
        ("/sparql?query=ASK{}&timeout=0", "GET", None, "", 400, "bad-parameter"),
        ("/sparql?query=ASK{}&default-graph-uri=no%20iri", "GET", None, "", 400, "bad-query"),
        ("/sparql?update=DROP%20ALL", "GET", None, "", 403, "read-only"),
        ("/sparql", "POST", "update=DROP%20ALL", FORM, 403, "read-only"),
        ("/sparql", "POST", "DROP ALL", "application/sparql-update", 415, "wrong-media-type"),
        ("/sparql", "POST", "x=1", FORM, 400, "bad-parameter"),
        ("/sparql", "POST", "query=%FF", FORM, 400, "bad-body"),
        ("/sparql", "POST", b"\xff", QUERY, 400, "bad-body"),
        ("/sparql", "POST", "&".join("a=1" for _ in range(2000)), FORM, 400, "bad-body"),
        ("/sparql", "POST", "ASK {} #" + "x" * 300_000, QUERY, 413, "too-large"),
        ("/sparql", "POST", "x" * 9_000_000, QUERY, 413, "too-large"),
        ("/sparql", "PUT", "ASK {}", QUERY, 405, "wrong-method"),
    ],
)
def test_a_bad_request_has_its_status_and_the_one_shape(
    ask: Client, path: str, method: str, body: str | bytes | None, media_type: str, status: int, code: str
) -> None:  # fmt: skip
    answer = ask(path, method, body=body, headers={"Content-Type": media_type})
    assert (answer.status, answer.json["code"]) == (status, code)


def test_parameters_of_other_servers_are_no_mistake(ask: Client) -> None:
    assert ask("/sparql", query="ASK {}", format="json", output="json").status == 200


@pytest.fixture
def hasty(crawl: DataFolder, ask: Client) -> Iterator[Client]:
    """A service with little time and few rows, beside the other one: it asks that one's owner."""
    service = Service(query_time=timedelta(seconds=0.3), query_rows=3)
    with service_on(crawl, service, beside=True) as client:
        yield client


def test_a_query_that_takes_too_long_is_ended_and_told_so(hasty: Client) -> None:
    answer = hasty("/sparql", query=HEAVY)
    assert (answer.status, answer.json["code"]) == (503, "query-took-too-long")
    assert "longer than 0.3s" in answer.json["detail"]
    assert hasty("/sparql", query="ASK {}").status == 200


def test_whoever_asks_can_have_less_time_but_not_more(ask: Client, hasty: Client) -> None:
    assert "longer than 0.2s" in ask("/sparql", query=HEAVY, timeout="0.2").json["detail"]
    assert "longer than 0.3s" in hasty("/sparql", query=HEAVY, timeout="100").json["detail"]


def test_rows_end_at_the_limit_and_headers_tell(ask: Client, hasty: Client) -> None:
    few = hasty("/sparql", query=NAMES)
    assert len(values(few)) == 3
    told = {name: few.headers[f"x-gossamer-{name}"] for name in ("row-limit", "rows", "cut")}
    assert told == {"row-limit": "3", "rows": "3", "cut": "true"}
    assert ask("/sparql", query=NAMES).headers["x-gossamer-cut"] == "false"
    none = hasty("/sparql", query="CONSTRUCT WHERE { ?s ?p ?o }")
    assert none.headers["x-gossamer-cut"] == "true"


def test_a_header_has_what_was_probably_meant_and_the_answer_is_as_ever(ask: Client) -> None:
    wrong = ask("/sparql", query="SELECT * { ?s schema:nmae ?%C3%BC }".replace("%C3%BC", "ü"))
    assert wrong.json["results"]["bindings"] == []
    hint = unquote(wrong.headers["x-gossamer-hint"])
    assert hint == "Nothing in the graph has the name schema:nmae. Did you mean schema:name?"
    umlaut = ask("/sparql", query="SELECT * { ?s schema:nämee ?o }").headers["x-gossamer-hint"]
    assert "schema:nämee" in unquote(umlaut)
    assert "x-gossamer-hint" not in ask("/sparql", query=NAMES).headers


def test_a_long_answer_is_streamed_whole(ask: Client) -> None:
    query = "SELECT * { ?a schema:name ?b . ?c schema:name ?d . ?e ?f ?g } LIMIT 5000"
    answer = ask("/sparql", query=query)
    assert answer.headers["transfer-encoding"] == "chunked"
    assert len(values(answer)) == 5000
    packed = ask("/sparql", query=query, headers={"Accept-Encoding": "gzip"})
    assert len(packed.body) < len(answer.body) / 5


def test_a_query_ends_when_whoever_asked_is_gone(ask: Client) -> None:
    """Four may be asked at once: after eight that were left, others are answered all the same."""
    for _ in range(8):
        connection = http.client.HTTPConnection(urlsplit(ask.url).netloc, timeout=patience(60))
        connection.request("GET", f"/sparql?{urlencode({'query': HEAVY})}")
        time.sleep(0.05)  # long enough to be begun, if there is room
        connection.close()
    assert ask("/sparql", query="ASK {}", timeout="20").status == 200


def test_a_timeout_beyond_all_time_is_the_services_own(ask: Client) -> None:
    assert ask("/sparql", query="ASK {}", timeout="1e300").status == 200


@pytest.mark.parametrize(("method", "way"), [(GET, None), (POST, URLENCODED), (POST, POSTDIRECTLY)])
@pytest.mark.parametrize("form", [JSON, XML, CSV, TSV])
def test_sparqlwrapper_asks_for_rows(ask: Client, method: str, way: str | None, form: str) -> None:
    wrapper = SPARQLWrapper(f"{ask.url}/sparql", returnFormat=form)
    wrapper.setMethod(method)
    if way is not None:
        wrapper.setRequestMethod(way)
    wrapper.setQuery(f"PREFIX schema: <http://schema.org/> {NAMES}")
    found = converted(wrapper)
    if form == JSON:
        assert len(found["results"]["bindings"]) == 5
    elif form == XML:
        assert len(found.getElementsByTagName("result")) == 5
    else:
        assert len(found.strip().splitlines()) == 6


@pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated:DeprecationWarning")
@pytest.mark.parametrize("form", [TURTLE, RDFXML])
def test_sparqlwrapper_asks_for_triples(ask: Client, form: str) -> None:
    wrapper = SPARQLWrapper(f"{ask.url}/sparql", returnFormat=form)
    wrapper.setQuery("CONSTRUCT WHERE { ?s <http://schema.org/name> ?o } LIMIT 5")
    found = converted(wrapper)
    graph = found if isinstance(found, Graph) else Graph().parse(found, format=form)
    assert len(graph) == 5


def test_sparqlwrapper_asks_yes_or_no_of_one_graph(ask: Client, pages: list[str]) -> None:
    wrapper = SPARQLWrapper(f"{ask.url}/sparql", returnFormat=JSON)
    wrapper.addDefaultGraph("http://nobody.test/")
    wrapper.setQuery("ASK { ?s ?p ?o }")
    assert converted(wrapper)["boolean"] is False
    wrapper.clearParameter("default-graph-uri")
    assert converted(wrapper)["boolean"] is True


def test_sparqlwrapper_is_told_what_is_wrong(ask: Client) -> None:
    wrapper = SPARQLWrapper(f"{ask.url}/sparql", returnFormat=JSON)
    wrapper.setQuery("SELECT ?s { ?s ?p }")
    with pytest.raises(QueryBadFormed, match="This is no SPARQL query"):
        wrapper.query()


@pytest.mark.parametrize("method", ["GET", "POST", "POST_FORM"])
@pytest.mark.parametrize("form", ["json", "xml"])
def test_rdflib_has_the_endpoint_as_its_store(ask: Client, method: str, form: str) -> None:
    store = SPARQLStore(f"{ask.url}/sparql", method=method, returnFormat=form)
    graph = Graph(store)
    names = [str(row[0]) for row in graph.query(f"PREFIX schema: <http://schema.org/> {NAMES}")]  # type: ignore[index]  # rows, since it is a SELECT
    assert names == sorted(names)
    assert len(names) == 5
    (fetch, says, outcome), *others = graph.triples((None, URIRef("urn:gossamer:outcome"), None))
    assert others
    assert (fetch, says, outcome) in graph
    assert (fetch, says, URIRef("http://nobody.test/")) not in graph


def test_rdflib_gets_triples_and_a_truth(ask: Client) -> None:
    store = SPARQLStore(f"{ask.url}/sparql")
    built = Graph(store).query("CONSTRUCT WHERE { ?s <http://schema.org/name> ?o } LIMIT 4")
    assert built.graph is not None
    assert len(built.graph) == 4
    assert Graph(store).query("ASK { ?s ?p ?o }").askAnswer is True
