"""The grammar, held against the engine: what that one reads, this one must not find fault with."""

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.sparql.example_queries import EXAMPLES
from gossamer.sparql.grammar import departure
from gossamer.sparql.prefixes import PREFIXES

GOOD = [
    "BASE <http://a.test/> PREFIX ex: <urn:x> SELECT DISTINCT ?a (COUNT(DISTINCT *) AS ?n) "
    "FROM <g> FROM NAMED ex:g WHERE { ?a ?b ?c } GROUP BY ?a HAVING (COUNT(*) > 1) "
    "ORDER BY DESC(?n) ?a LIMIT 3 OFFSET 4 VALUES ?a { 1 UNDEF }",
    "ASK { ?s a foaf:Person ; foaf:name 'Ada'@en, \"A\"^^xsd:string ; . [] ?p ( 1 -2 [ ?q true ] ) }",
    "ASK { [ ?p 1 ] . ( 1 2 ) ?q () ; }",
    "CONSTRUCT { ?s ?p [] } WHERE { ?s ?p ?o OPTIONAL { ?o ?p ?s } . MINUS { ?s ?p 1 } }",
    "CONSTRUCT WHERE { ?s ?p ?o }",
    "DESCRIBE <urn:x> foaf:y ?z { ?z ?p ?o }",
    "DESCRIBE *  { ?z ?p ?o }",
    "ASK { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } { SELECT ?s { ?s ?p ?o } LIMIT 1 } }",
    "ASK { ?s (foaf:knows|^foaf:made/!(a|^rdf:x))*/foaf:name+ ?o }",
    "ASK { ?s !a ?o ; foaf:knows? ?x }",
    "ASK { FILTER(!(1 < 2) || ?a IN (1, 2) && ?b NOT IN () || 1 - 2 * -3 = +4 / 5) }",
    "ASK { FILTER NOT EXISTS { ?s ?p ?o } FILTER regex(?o, 'a', 'i') FILTER xsd:integer(?x) }",
    "ASK { BIND(IF(BOUND(?x), COALESCE(?x, 1), NOW()) AS ?y) VALUES (?a ?b) { (1 2) (UNDEF 3) } }",
    "SELECT (GROUP_CONCAT(DISTINCT ?x; SEPARATOR=', ') AS ?all) (SUM(?y) AS ?z) { ?x ?p ?y }",
]


@pytest.mark.parametrize("query", [*GOOD, *(each.text for each in EXAMPLES.values())])
def test_nothing_is_wrong_with_a_good_query(query: str) -> None:
    ox.Store().query(query, prefixes=dict(PREFIXES))
    assert departure(query) is None


PIECES = ["?s", "?p", "a", "'x'", "1", ".", ";", ",", "{", "}", "(", ")", "FILTER", "OPTIONAL", "="]


@given(st.lists(st.sampled_from(PIECES), max_size=9))
def test_what_the_engine_reads_does_not_leave_the_grammar(pieces: list[str]) -> None:
    query = f"ASK {{ ?s ?p ?o {' '.join(pieces)} }}"
    try:
        ox.Store().query(query)
    except SyntaxError:
        assert departure(query) is not None
    else:
        assert departure(query) is None


def test_the_first_token_that_cannot_stand_is_named_with_what_is_missing() -> None:
    found = departure("SELECT * { ?s ?p }")
    assert found is not None
    assert (found.token.text, found.token.start, found.missing) == ("}", 17, "an object")
    assert found.before is not None
    assert found.before.text == "?p"
    assert [token.text for token in found.within] == ["{"]


def test_the_end_is_a_token_too() -> None:
    found = departure("ASK { ?s ?p ?o ")
    assert found is not None
    assert found.token.kind == "end"
    assert "}" in found.could


def test_depth_costs_no_stack() -> None:
    assert departure(f"ASK {{ FILTER({'(' * 5000}1{')' * 5000}) }}") is None
