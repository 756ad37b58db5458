import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.index.graph.blanks import (
    SCHEME,
    Blanks,
    ReservedError,
    has_blanks,
    iri_of,
    shown,
    shown_quad,
    shown_triple,
)

A, P = ox.NamedNode("http://a.test/"), ox.NamedNode("http://v.test/p")
LABELS = st.text(alphabet="abc019", min_size=1, max_size=4)


def said(label: str, object_: ox.BlankNode | ox.NamedNode | ox.Literal | ox.Triple = A) -> ox.Quad:
    return ox.Quad(ox.BlankNode(label), P, object_, A)


@given(LABELS, LABELS)
def test_one_label_is_one_node_and_two_are_two(one: str, other: str) -> None:
    kept = [Blanks("http://a.test/").quad(said(label)).subject for label in (one, other)]
    assert (kept[0] == kept[1]) is (one == other)
    assert (shown(kept[0]) == shown(kept[1])) is (one == other)


@given(LABELS)
def test_the_blank_nodes_of_two_pages_never_meet(label: str) -> None:
    pages = Blanks("http://a.test/"), Blanks("http://b.test/")
    assert pages[0].quad(said(label)) != pages[1].quad(said(label))


@given(LABELS, LABELS)
def test_what_is_shown_is_what_was_said_but_for_the_labels(one: str, other: str) -> None:
    inner = ox.Triple(ox.BlankNode(one), P, ox.BlankNode(other))
    quads = [said(one, ox.BlankNode(other)), said(other, inner), said(one, ox.Literal("x"))]
    back = [shown_quad(Blanks("http://a.test/").quad(quad)) for quad in quads]
    before, after = ox.Dataset(quads), ox.Dataset(back)
    for each in (before, after):
        each.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
    assert before == after


def test_what_is_kept_has_no_blank_node_left_not_even_inside_a_triple() -> None:
    inner = ox.Triple(ox.BlankNode("x"), P, ox.BlankNode("y"))
    kept = Blanks("http://a.test/").quad(said("z", inner))
    assert "_:" not in str(kept)
    assert str(kept).count(SCHEME) == 3
    assert str(shown_triple(kept.triple)).count("_:b") == 3


def test_only_quads_with_blank_nodes_need_a_look() -> None:
    assert has_blanks(said("x"))
    assert has_blanks(ox.Quad(A, P, ox.BlankNode("x"), A))
    assert has_blanks(ox.Quad(A, P, ox.Triple(A, P, ox.BlankNode("x")), A))
    assert not has_blanks(ox.Quad(A, P, ox.Literal("_:x"), A))


@pytest.mark.parametrize("iri", [f"{SCHEME}0", "GOSSAMER-Blank:x"])
def test_a_page_cannot_name_the_blank_nodes_of_others(iri: str) -> None:
    node = ox.NamedNode(iri)
    for quad in (
        ox.Quad(node, P, A, A),
        ox.Quad(A, node, A, A),
        ox.Quad(A, P, node, A),
        ox.Quad(A, P, ox.Triple(A, P, node), A),
    ):
        with pytest.raises(ReservedError):
            Blanks("http://a.test/").quad(quad)


def test_a_literal_is_never_taken_for_a_blank_node() -> None:
    literal = ox.Literal(f"{SCHEME}0")
    assert shown(literal) is literal
    assert Blanks("http://a.test/").quad(ox.Quad(A, P, literal, A)).object == literal


@given(LABELS)
def test_an_answer_leads_back_to_what_is_kept(label: str) -> None:
    kept = Blanks("http://a.test/").kept(ox.BlankNode(label))
    node = shown(kept)
    assert isinstance(node, ox.BlankNode)
    assert ox.NamedNode(iri_of({"type": "bnode", "value": node.value})) == kept
    assert iri_of({"type": "uri", "value": A.value}) == A.value
