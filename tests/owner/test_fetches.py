from datetime import UTC, datetime

import pyoxigraph as ox

from gossamer.index.graph.fetch_statements import FetchFacts, FetchOutcome, fetch_nquads
from gossamer.model import Problem, Syntax
from gossamer.owner.page_answers import fetch_query, fetch_record, problems_by_page, problems_query

NOW = datetime(2026, 1, 2, tzinfo=UTC)
ODD = "http://a.test/?a|b"  # not a character of IRIs


def asked(query: str, *facts: FetchFacts) -> bytes:
    store = ox.Store()
    for each in facts:
        store.load(fetch_nquads(each), ox.RdfFormat.N_QUADS)
    results = store.query(query, use_default_graph_as_union=True)
    assert isinstance(results, ox.QuerySolutions)
    return results.serialize(format=ox.QueryResultsFormat.JSON) or b""


def facts(url: str, *problems: Problem) -> FetchFacts:
    return FetchFacts(
        url=url,
        outcome=FetchOutcome.FETCHED,
        started_at=NOW,
        finished_at=NOW,
        syntaxes=("rdfa", "jsonld"),
        problems=problems,
    )


def test_problems_come_by_page_in_the_order_of_their_lines() -> None:
    late = Problem("A comma too many.", syntax=Syntax.JSON_LD, line=7)
    early = Problem("No such prefix.", syntax=Syntax.RDFA, line=2)
    nowhere = Problem("Too long.")
    query = problems_query([ODD, "http://b.test/"])
    found = problems_by_page(
        asked(query, facts(ODD, late, early), facts("http://b.test/", nowhere))
    )
    assert found == {
        "http://a.test/?a%7Cb#fetch": [
            {"syntax": "rdfa", "line": 2, "message": "No such prefix."},
            {"syntax": "jsonld", "line": 7, "message": "A comma too many."},
        ],
        "http://b.test/#fetch": [{"syntax": None, "line": None, "message": "Too long."}],
    }


def test_what_a_fetch_came_to_is_read_from_its_graph() -> None:
    record = fetch_record(asked(fetch_query(ODD), facts(ODD)))
    assert record == {
        "outcome": "fetched",
        "finished_at": "2026-01-02T00:00:00Z",
        "syntaxes": ["jsonld", "rdfa"],
    }


def test_a_page_that_was_never_fetched_has_no_record() -> None:
    assert fetch_record(asked(fetch_query("http://b.test/"), facts(ODD))) is None


def test_no_page_can_speak_of_another_pages_fetch() -> None:
    store = ox.Store()
    lie = '<http://b.test/#fetch> <urn:gossamer:outcome> "failed" <http://a.test/> .\n'
    store.load(lie.encode(), ox.RdfFormat.N_QUADS)
    results = store.query(fetch_query("http://b.test/"), use_default_graph_as_union=True)
    assert isinstance(results, ox.QuerySolutions)
    assert list(results) == []
