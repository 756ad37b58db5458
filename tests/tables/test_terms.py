from datetime import date

import pyoxigraph as ox
from hypothesis import given
from hypothesis import strategies as st

from gossamer.index.graph.results import tsv_rows
from gossamer.tables.terms import read_row
from gossamer.tables.values import Iri, value_of

DATE = ox.NamedNode("http://www.w3.org/2001/XMLSchema#date")
TERMS = st.one_of(
    st.none(),
    st.text().map(ox.Literal),
    st.text().map(lambda text: ox.Literal(text, language="en")),
    st.integers().map(ox.Literal),
    st.booleans().map(ox.Literal),
    st.just(ox.NamedNode("http://a.test/")),
    st.just(ox.BlankNode("b1")),
)


def test_a_row_has_a_value_for_each_cell() -> None:
    day = ox.Literal("2024-05-17", datatype=DATE)
    (_, line) = tsv_rows(["a", "b", "c"], [[ox.NamedNode("http://a.test/"), None, day]])
    assert read_row(line.removesuffix("\n")) == ["http://a.test/", None, date(2024, 5, 17)]
    assert isinstance(read_row(line)[0], Iri)


@given(st.lists(TERMS, min_size=1, max_size=4))
def test_what_was_written_is_read_again(
    terms: list[ox.Literal | ox.NamedNode | ox.BlankNode | None],
) -> None:
    (_, line) = tsv_rows([f"v{at}" for at in range(len(terms))], [terms])
    expected = [None if term is None else value_of(term) for term in terms]
    assert read_row(line.removesuffix("\n")) == expected


def test_a_triple_is_text() -> None:
    triple = ox.Triple(
        ox.NamedNode("http://a.test/"), ox.NamedNode("http://v.test/p"), ox.Literal(7)
    )
    (_, line) = tsv_rows(["t"], [[triple]])
    (found,) = read_row(line.removesuffix("\n"))
    assert isinstance(found, str)
    assert found.startswith("<<( <http://a.test/>")
