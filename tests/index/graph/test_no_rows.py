"""A query with no answer says what was probably meant, in a time that is bounded."""

import pyoxigraph as ox
import pytest

from gossamer.index.graph import no_rows
from gossamer.index.graph.no_rows import hints

A, B = "http://a.test/", "http://b.test/"
TURTLE = """
@prefix schema: <http://schema.org/> . @prefix foaf: <http://xmlns.com/foaf/0.1/> .
@prefix ex: <http://ex.test/ns#> .
<http://a.test/#ada> a foaf:Person ; foaf:name "Ada"@en ; ex:wroteProgramme "Note G" .
<http://a.test/#gig> a schema:MusicEvent ; schema:name "Gig" ; schema:startDate "2024" .
"""


@pytest.fixture(scope="module")
def store() -> ox.Store:
    store = ox.Store()
    for quad in ox.parse(TURTLE, format=ox.RdfFormat.TURTLE):
        store.add(ox.Quad(quad.subject, quad.predicate, quad.object, ox.NamedNode(A)))
    return store


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("SELECT * { ?s foaf:nmae ?n }", "foaf:nmae. Did you mean foaf:name?"),
        ("SELECT * { ?s foaf:Name ?n }", "Did you mean foaf:name?"),
        ("SELECT * { ?s schema:wroteProgrammes ?n }", "<http://ex.test/ns#wroteProgramme>?"),
        ("SELECT * { ?s foaf:startDate ?n }", "Did you mean schema:startDate?"),
        ("SELECT * { ?s <https://xmlns.com/foaf/0.1/name> ?n }", "Did you mean foaf:name?"),
        ("SELECT * { ?s a schema:Person }", "a schema:Person. Did you mean foaf:Person?"),
        ("SELECT * { ?s a foaf:Persn }", "Did you mean foaf:Person?"),
        ("SELECT * { ?s rdf:type foaf:person }", "Did you mean foaf:Person?"),
        ("SELECT * { ?s a schema:Event }", "knows no subclasses; there are schema:MusicEvent."),
        ("SELECT * { GRAPH <https://a.test/> { ?s ?p ?o } }", "Did you mean <http://a.test/>?"),
        ("SELECT * { GRAPH <http://a.test> { ?s ?p ?o } }", "Did you mean <http://a.test/>?"),
        (
            "DESCRIBE <http://a.test/#bob>",
            "Nothing in the graph has the name <http://a.test/#bob>.",
        ),
        ('SELECT * { ?s foaf:name "Ada" }', '"Ada" has a language in the graph: "Ada"@en.'),
        ("ASK { ?s foaf:name ?n ; schema:startDate ?d }", "nothing that fits all of it together"),
        ("PREFIX f: <http://xmlns.com/foaf/0.1/> ASK { ?s f:nam ?n }", "Did you mean foaf:name?"),
    ],
)
def test_what_was_probably_meant_is_told(store: ox.Store, query: str, told: str) -> None:
    (hint,) = hints(store, query)
    assert told in hint


def test_datatypes_functions_and_declarations_are_no_names(store: ox.Store) -> None:
    query = """PREFIX x: <http://x.test/> BASE <http://y.test/>
    SELECT * { ?s schema:startDate ?d FILTER(x:f(?d) = "2"^^x:date && xsd:integer(?d) > 1) }"""
    assert hints(store, query) == ()


def test_an_empty_graph_is_told_to_be_empty() -> None:
    assert hints(ox.Store(), "SELECT * { ?s ?p ?o }") == (
        "The graph is empty: nothing was crawled so far.",
    )


def test_a_look_ends_when_its_time_is_over(store: ox.Store) -> None:
    now = [0.0]

    def clock() -> float:
        now[0] += no_rows.SECONDS / 4
        return now[0]

    query = "SELECT * { " + " ".join(f"?s foaf:nmae{n} ?n{n} ." for n in range(50)) + " }"
    assert len(hints(store, query, clock)) <= 3
    assert now[0] < 10 * no_rows.SECONDS
    assert len(hints(store, query)) <= no_rows.MOST_HINTS
