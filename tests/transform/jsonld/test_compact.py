"""Quads as JSON-LD for people: what it looks like, and that reading it back gives the same quads."""

import json
from typing import Any

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.transform.jsonld.compact import MOST_NESTED, compact_graphs, is_writable

NAMES = {"@vocab": "http://schema.org/", "foaf": "http://xmlns.com/foaf/0.1/"}
SCHEMA, RDF = "http://schema.org/", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
PREFIXES = """
prefix : <http://schema.org/>
prefix foaf: <http://xmlns.com/foaf/0.1/>
prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#>
prefix xsd: <http://www.w3.org/2001/XMLSchema#>
"""


def quads_of(trig: str) -> list[ox.Quad]:
    return [*ox.parse(PREFIXES + trig, ox.RdfFormat.TRIG, base_iri="http://a.test/")]


def canonical(quads: Any) -> set[str]:
    dataset = ox.Dataset(quads)
    dataset.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
    return {str(quad) for quad in dataset}


def written(quads: list[ox.Quad]) -> list[dict[str, Any]]:
    """The graphs, once it is seen that they say just what the quads say."""
    graphs = [*compact_graphs(quads, NAMES)]
    back = ox.parse(json.dumps(graphs), ox.RdfFormat.JSON_LD)
    assert canonical(back) == canonical(quads)
    return graphs


def test_a_page_reads_as_its_author_would_write_it() -> None:
    (graph,) = written(
        quads_of("""
        <http://a.test/> {
            <#p> a :Product ; :name "Kettle"@en, "Kessel"@de ; foaf:page <http://b.test/> ;
                :offers [ a :Offer ; :price 12 ; :priceValidUntil "2026-01-01"^^xsd:date ;
                          :seller <#s> ; :isFamilyFriendly true ] .
            <#s> :name "Northwind" .
        }""")
    )
    assert graph == {
        "@context": {
            "@vocab": "http://schema.org/",
            "foaf": "http://xmlns.com/foaf/0.1/",
        },
        "@id": "http://a.test/",
        "@graph": [
            {
                "@id": "http://a.test/#p",
                "@type": "Product",
                "name": [
                    {"@value": "Kettle", "@language": "en"},
                    {"@value": "Kessel", "@language": "de"},
                ],
                "foaf:page": {"@id": "http://b.test/"},
                "offers": {
                    "@type": "Offer",
                    "price": 12,
                    "priceValidUntil": {
                        "@value": "2026-01-01",
                        "@type": "http://www.w3.org/2001/XMLSchema#date",
                    },
                    "seller": {"@id": "http://a.test/#s", "name": "Northwind"},
                    "isFamilyFriendly": True,
                },
            }
        ],
    }


def test_lists_are_arrays_where_nobody_else_refers_to_their_cells() -> None:
    (graph,) = written(quads_of('<#a> :step ( "1" ( 2 ) [ :name "3" ] ), () .'))
    assert graph["step"] == [
        {"@list": ["1", {"@list": [2]}, {"name": "3"}]},
        {"@list": []},
    ]
    written(quads_of("_:l rdf:first 1 ; rdf:rest () . <#a> :step _:l . <#b> :step _:l ."))
    written(quads_of("_:l rdf:first 1 ; rdf:rest _:l . <#a> :step _:l ."))
    written(quads_of("<#a> :step _:l . _:l rdf:first 1, 2 ; rdf:rest () ."))
    written(quads_of('<#a> :step _:l . _:l rdf:first 1 ; rdf:rest "x" .'))


@pytest.mark.parametrize(
    "trig",
    [
        "_:a :knows _:b . _:b :knows _:a .",
        "_:a :knows _:a .",
        "<#a> a _:class . _:class :name 'C' .",
        "<#a> a <#C> . <#C> a :Class .",
        "<#a> rdf:type 'odd' .",
        "_:g { _:g :name 'G' . <#a> :in _:g }",
        "<#g> { <#a> :in _:b } <#h> { _:b :name 'B' }",
        "<#a> :foaf <foaf:name> ; foaf:name 'x' .",
        "<#a> :foaf 1 ; foaf:name 'x' .",
        "<#a> :a '007'^^xsd:integer, '1'^^xsd:boolean, '1E0'^^xsd:double, 12345678901234567890 .",
        "<#a> :a -0, '-0'^^xsd:integer, -5, 0 .",
        "<#a> :b '{}'^^rdf:JSON, '<b/>'^^rdf:XMLLiteral .",
        "<#a> <http://schema.org/> 1 ; <http://schema.org/a/b> 2 ; <urn:x> 3 .",
    ],
)
def test_odd_graphs_come_back_whole(trig: str) -> None:
    written(quads_of(trig))


def test_what_nests_without_end_is_written_beside() -> None:
    chain = " . ".join(f"_:b{n} :position {n} ; :child _:b{n + 1}" for n in range(5 * MOST_NESTED))
    assert 5 <= len(written(quads_of(f"{chain} ."))) <= 6
    lists = "".join(f"({n} " for n in range(3 * MOST_NESTED)) + ")" * 3 * MOST_NESTED
    written(quads_of(f"<#a> :b {lists} ."))


def test_triple_terms_cannot_be_written() -> None:
    plain, term = quads_of("<#a> :b 1 ; :c <<( <#a> :b 1 )>> .")
    assert is_writable(plain)
    assert not is_writable(term)


terms = st.sampled_from(
    [ox.BlankNode(f"b{n}") for n in range(5)] + [ox.NamedNode("http://a.test/")]
)
predicates = st.sampled_from(
    [ox.NamedNode(f"{RDF}{name}") for name in ("first", "rest", "type")]
    + [ox.NamedNode(f"{SCHEMA}a")]
)
objects = st.one_of(terms, st.sampled_from([ox.NamedNode(f"{RDF}nil"), ox.Literal("x")]))
names = st.sampled_from([ox.DefaultGraph(), ox.NamedNode("http://g.test/"), ox.BlankNode("b0")])


@given(st.lists(st.builds(ox.Quad, terms, predicates, objects, names), max_size=12))
def test_any_graph_comes_back_whole(quads: list[ox.Quad]) -> None:
    written([*dict.fromkeys(quads)])
