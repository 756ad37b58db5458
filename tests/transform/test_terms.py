import pyoxigraph
from hypothesis import example, given
from hypothesis import strategies as st
from pyoxigraph import RdfFormat

from gossamer.transform.terms import RDF, XSD, A, InGraph, iri, known, literal, triple


def read_back(term: str) -> pyoxigraph.Literal:
    (quad,) = pyoxigraph.parse(f"<x:s> <x:p> {term} .".encode(), RdfFormat.N_TRIPLES)
    assert isinstance(quad.object, pyoxigraph.Literal)
    return quad.object


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_a_literal_says_what_was_put_into_it(text: str) -> None:
    assert read_back(literal(text)).value == text


@given(st.text(st.characters(exclude_categories=["Cs"])))
@example("\ufffe\uffff\ufffd\x7f\x85")
def test_a_literal_is_written_as_canonical_n_triples(text: str) -> None:
    quad = pyoxigraph.Quad(
        pyoxigraph.NamedNode("x:s"), pyoxigraph.NamedNode("x:p"), pyoxigraph.Literal(text)
    )
    written = pyoxigraph.serialize([quad], format=RdfFormat.N_TRIPLES)
    assert written == f"<x:s> <x:p> {literal(text)} .\n".encode()


def test_half_of_a_character_pair_is_replaced() -> None:
    assert literal("a\ud800b") == '"a\ufffdb"'


def test_a_language_wins_over_a_datatype_and_must_be_one() -> None:
    assert literal("x", "en-GB") == '"x"@en-gb'
    for wrong in ("not a tag", "a", "abcdefghi", "en-a", "en--gb", "\ud800", ""):
        assert literal("x", wrong) == '"x"'
    assert literal("1", None, f"{XSD}integer") == f'"1"^^<{XSD}integer>'
    assert literal("x", None, f"{XSD}string") == '"x"'
    assert literal("x", "a", f"{RDF}langString") == '"x"'
    assert literal("x", None, "no iri") == '"x"'
    assert literal("x", None, "http://a.test/a b") == '"x"^^<http://a.test/a%20b>'


def test_iris_are_mended_or_missing() -> None:
    assert iri("http://a.test/a b") == "<http://a.test/a%20b>"
    assert iri("nowhere") is None


def test_a_triple_is_its_terms() -> None:
    said = triple(known("x:s"), A, literal("o"))
    assert said == '<x:s> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> "o"'
    assert InGraph(known("x:g"), said).graph == "<x:g>"
