from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.urls.strategies import any_text, urls

from gossamer.index.graph.fetch_statements import (
    MOST_PROBLEMS,
    FetchFacts,
    FetchOutcome,
    fetch_nquads,
)
from gossamer.index.graph.names import fetch_graph, page_name
from gossamer.index.graph.pages import PageGraphs, content_of
from gossamer.index.graph.query import GraphQuery
from gossamer.index.graph.run_query import ask
from gossamer.index.graph.store import GraphStore
from gossamer.model import Cause, Problem, Url
from gossamer.politeness.usage import UsageStatement

START = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)
GOOD = FetchFacts(
    url="http://a.test/good",
    outcome=FetchOutcome.FETCHED,
    started_at=START,
    finished_at=START + timedelta(milliseconds=250),
    status=200,
    media_type="text/html",
    syntaxes=("rdfa", "jsonld"),
    quads=3,
    problems=(Problem("A prefix is unknown.", syntax="rdfa", line=7),),
    usage=(
        UsageStatement("tdm-reservation", "1", "meta"),
        UsageStatement("tdm-policy", "http://a.test/policy", "meta"),
        UsageStatement("content-usage", "train-ai=n", "robots.txt"),
    ),
)
NO_CONTENT = replace(
    GOOD, status=None, media_type=None, syntaxes=(), quads=None, problems=(), usage=()
)
WORLD = (
    GOOD,
    replace(GOOD, url="http://b.test/plain", syntaxes=("turtle",), quads=40, problems=(), usage=()),
    replace(
        NO_CONTENT,
        url="http://a.test/slow",
        outcome=FetchOutcome.FAILED,
        cause=Cause.TIMEOUT_TOTAL,
        message="The page took too long.",
    ),
    replace(
        NO_CONTENT,
        url="http://a.test/broken",
        outcome=FetchOutcome.FAILED,
        status=503,
        cause="status",
        message="The server said 503.",
    ),
    replace(
        NO_CONTENT,
        url="http://a.test/private",
        outcome=FetchOutcome.REFUSED,
        cause="robots",
        message="robots.txt line 3: Disallow: /private",
    ),
    replace(
        NO_CONTENT,
        url="http://a.test/old",
        outcome=FetchOutcome.REDIRECTED,
        status=301,
        redirect="http://a.test/new?a|b",
    ),
    replace(NO_CONTENT, url="http://a.test/gone", outcome=FetchOutcome.MISSING, status=410),
)
PREFIXES = """
PREFIX g: <urn:gossamer:>
PREFIX prov: <http://www.w3.org/ns/prov#>
PREFIX http: <http://www.w3.org/2011/http#>
PREFIX dcterms: <http://purl.org/dc/terms/>
PREFIX void: <http://rdfs.org/ns/void#>
"""
DOCS = Path(__file__).resolve().parents[3] / "docs" / "vocabularies.md"


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> ox.Store:
    """A graph of pages that fared in every way."""
    store = GraphStore.open(tmp_path_factory.mktemp("graph"))
    refused = store.replace(
        [PageGraphs(page_name(each.url), said(each), fetch_nquads(each)) for each in WORLD]
    )
    assert refused == []
    return ox.Store.read_only(str(store.snapshot()))


def said(facts: FetchFacts) -> bytes:
    name = page_name(facts.url)
    lines = (f"<{name}> <urn:p> <urn:o{number}> <{name}> .\n" for number in range(facts.quads or 0))
    return "".join(lines).encode()


def rows(asked: ox.Store, query: str, prefixes: str = PREFIXES) -> list[list[str]]:
    chunks: list[bytes] = []
    ask(asked, GraphQuery(prefixes + query, ("csv",)), lambda _: None, chunks.append)
    return [line.split(",") for line in b"".join(chunks).decode().split("\r\n")[1:-1]]


def test_which_pages_failed_and_why_by_the_query_in_the_docs(asked: ox.Store) -> None:
    query = DOCS.read_text().partition("```sparql\n")[2].partition("```")[0]
    assert sorted(rows(asked, query, prefixes="")) == [
        ["http://a.test/broken", "status", "The server said 503."],
        ["http://a.test/slow", "timeout-total", "The page took too long."],
    ]


def test_what_was_refused_and_by_which_rule(asked: ox.Store) -> None:
    query = 'SELECT ?page ?rule { ?f g:outcome "refused" ; prov:used ?page ; g:cause ?rule }'
    assert rows(asked, query) == [["http://a.test/private", "robots"]]


def test_how_many_pages_came_to_what(asked: ox.Store) -> None:
    query = "SELECT ?o (COUNT(?f) AS ?n) { ?f g:outcome ?o } GROUP BY ?o ORDER BY ?o"
    expected = [["failed", "2"], ["fetched", "2"], ["missing", "1"]]
    assert rows(asked, query) == [*expected, ["redirected", "1"], ["refused", "1"]]


def test_which_status_codes_there_were(asked: ox.Store) -> None:
    query = """SELECT ?page ?status { ?f prov:used ?page ; http:resp/http:statusCodeValue ?status
               FILTER(?status >= 400) } ORDER BY ?page"""
    assert rows(asked, query) == [["http://a.test/broken", "503"], ["http://a.test/gone", "410"]]


def test_where_redirects_lead(asked: ox.Store) -> None:
    query = "SELECT ?from ?to { ?from g:redirectsTo ?to }"
    assert rows(asked, query) == [["http://a.test/old", "http://a.test/new?a%7Cb"]]


def test_what_was_wrong_on_which_page(asked: ox.Store) -> None:
    query = """SELECT ?page ?syntax ?line ?what { ?f prov:used ?page ; g:problem ?p .
               ?p g:syntax ?syntax ; g:line ?line ; dcterms:description ?what }"""
    assert rows(asked, query) == [["http://a.test/good", "rdfa", "7", "A prefix is unknown."]]


def test_which_syntaxes_give_how_many_quads(asked: ox.Store) -> None:
    query = "SELECT ?s (SUM(?n) AS ?all) { ?f g:syntax ?s ; g:quads ?n } GROUP BY ?s ORDER BY ?s"
    assert rows(asked, query) == [["jsonld", "3"], ["rdfa", "3"], ["turtle", "40"]]


def test_how_large_each_page_is_and_when_it_was_read(asked: ox.Store) -> None:
    query = """SELECT ?page ?size ?at ?type { ?page prov:wasGeneratedBy ?f ; void:triples ?size ;
               dcterms:format ?type . ?f prov:endedAtTime ?at } ORDER BY ?page"""
    assert rows(asked, query) == [
        ["http://a.test/good", "3", "2026-03-01T12:00:00.25Z", "text/html"],
        ["http://b.test/plain", "40", "2026-03-01T12:00:00.25Z", "text/html"],
    ]


def test_which_pages_are_reserved_by_the_query_in_the_docs(asked: ox.Store) -> None:
    query = DOCS.read_text().split("```sparql\n")[2].partition("```")[0]
    assert rows(asked, query, prefixes="") == [
        ["http://a.test/good", "meta", "http://a.test/policy"]
    ]


def test_what_a_site_prefers_is_told_with_its_source(asked: ox.Store) -> None:
    query = "SELECT ?page ?what { ?page g:usage [ g:source 'robots.txt' ; g:contentUsage ?what ] }"
    assert rows(asked, query) == [["http://a.test/good", "train-ai=n"]]


def test_the_statements_stay_in_the_graph_of_the_fetch(asked: ox.Store) -> None:
    query = "SELECT DISTINCT ?g { GRAPH ?g { ?f g:outcome ?o } } ORDER BY ?g"
    assert rows(asked, query) == sorted([fetch_graph(page_name(each.url))] for each in WORLD)


@given(urls, urls, any_text, any_text, st.sampled_from(FetchOutcome))
def test_whatever_a_page_brings_the_statements_can_be_kept(
    url: Url, target: Url, cause: str, message: str, outcome: FetchOutcome
) -> None:
    facts = replace(
        GOOD,
        url=url,
        outcome=outcome,
        media_type=cause,
        redirect=target,
        cause=cause,
        message=message,
        syntaxes=(cause, message),
        problems=(Problem(message, cause, 1),),
    )
    page = PageGraphs(page_name(url), None, fetch_nquads(facts))
    assert len(content_of(page).fetch) > 5


def test_a_page_of_nothing_but_problems_says_how_many() -> None:
    many = tuple(Problem(str(number)) for number in range(500))
    lines = fetch_nquads(replace(GOOD, problems=many)).decode().splitlines()
    assert any('problems> "500"' in line for line in lines)
    assert sum("<urn:gossamer:problem> " in line for line in lines) == MOST_PROBLEMS


def test_moments_are_told_in_universal_time() -> None:
    elsewhere = START.astimezone(tz=None)
    assert fetch_nquads(replace(GOOD, started_at=elsewhere)) == fetch_nquads(GOOD)
