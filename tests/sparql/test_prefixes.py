import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.sparql.prefixes import PREFIXES, shortened


@pytest.mark.parametrize(
    ("iri", "short"),
    [
        ("http://schema.org/name", "schema:name"),
        ("http://www.w3.org/1999/02/22-rdf-syntax-ns#type", "rdf:type"),
        ("urn:gossamer:outcome", "gossamer:outcome"),
        ("http://schema.org/", "http://schema.org/"),
        ("http://schema.org/a/b", "http://schema.org/a/b"),
        ("http://schema.org/name?x=1", "http://schema.org/name?x=1"),
        ("http://unknown.test/name", "http://unknown.test/name"),
        ("no iri", "no iri"),
    ],
)
def test_names_of_known_vocabularies_are_short(iri: str, short: str) -> None:
    assert shortened(iri) == short


@given(st.sampled_from(sorted(PREFIXES)), st.text(max_size=8))
def test_what_is_shortened_can_be_written_in_a_query(prefix: str, name: str) -> None:
    iri = PREFIXES[prefix] + name
    short = shortened(iri)
    if short != iri:
        results = ox.Store().query(f"SELECT ({short} AS ?iri) {{}}", prefixes=dict(PREFIXES))
        assert isinstance(results, ox.QuerySolutions)
        assert next(results)["iri"] == ox.NamedNode(iri)
