"""Queries that are made from what was found."""

from gossamer.web.found_queries import query_for

SCHEMA = "http://schema.org/"


def test_the_name_comes_first_and_other_values_may_be_missing() -> None:
    found = query_for(f"{SCHEMA}Product", [f"{SCHEMA}price", f"{SCHEMA}name", "urn:x y", "urn:?"])
    assert found is not None
    assert found.tells == "Product: name, price"
    assert found.text.splitlines() == [
        "SELECT ?thing ?name ?price {",
        "  ?thing a schema:Product ; schema:name ?name",
        "  OPTIONAL { ?thing schema:price ?price }",
        "} ORDER BY STR(?name) LIMIT 100",
    ]


def test_what_cannot_stand_in_a_query_makes_none() -> None:
    assert query_for(f"{SCHEMA}Product", []) is None
    assert query_for("urn:x> ?p ?o } #", [f"{SCHEMA}name"]) is None
    assert query_for(f"{SCHEMA}Product", ["http://a.test/x> } #", "http://a.test/thing"]) is None
