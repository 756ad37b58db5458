"""What a page has just said is what the graph says of it, to the letter."""

from collections.abc import Set

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.index.words.small_graph import S, page, thing

from gossamer.index.entities import Said
from gossamer.index.pages import PageGraphs
from gossamer.index.store import GraphStore
from gossamer.index.words import fresh
from gossamer.index.words.fresh import Spoken, spoken
from gossamer.index.words.keeping import subjects
from gossamer.index.words.statements import Statements

A, B = "http://a.test/", "http://b.test/"
XSD = "http://www.w3.org/2001/XMLSchema#"
TYPES = (
    "integer",
    "decimal",
    "double",
    "boolean",
    "date",
    "dateTime",
    "gYear",
    "duration",
    "token",
)
SPELLINGS = ("1", "01", "1.50", "+7", "true", "1e3", "2024-05-17", "2024-05-17T24:00:00", "P1Y", "")
LITERALS = st.one_of(
    st.builds(
        lambda text, name: ox.Literal(text, datatype=ox.NamedNode(XSD + name)),
        st.sampled_from(SPELLINGS),
        st.sampled_from(TYPES),
    ),
    st.text(st.characters(codec="utf-8", exclude_categories=["Cs"])).map(ox.Literal),
    st.builds(lambda tag: ox.Literal("x", language=tag), st.sampled_from(["en", "de-AT", "zh"])),
)
NODES = st.sampled_from(
    [ox.NamedNode(A), ox.NamedNode(f"{A}#i"), ox.BlankNode("x"), ox.BlankNode("y")]
)
QUADS = st.builds(
    ox.Quad,
    NODES,
    st.sampled_from([ox.NamedNode(f"{S}{name}") for name in ("name", "birthDate", "isbn")]),
    st.one_of(NODES, LITERALS),
    st.sampled_from([ox.NamedNode(A), ox.NamedNode(f"{A}#graph-1")]),
)


def together(pages: dict[str, bytes], wanted: Set[str]) -> Spoken:
    (found,) = spoken(pages, wanted)
    return found


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> GraphStore:
    return GraphStore.open(tmp_path_factory.mktemp("graph"))


@settings(max_examples=40)
@given(st.lists(QUADS, max_size=12))
def test_it_is_what_the_graph_would_have_said(store: GraphStore, quads: list[ox.Quad]) -> None:
    nquads = ox.serialize(quads, format=ox.RdfFormat.N_QUADS)
    assert nquads is not None
    store.replace([PageGraphs(A, nquads, b"")])
    snapshot = store.snapshot()
    graph = ox.Store.read_only(str(snapshot))
    statements, named = Statements(graph), set(subjects(graph))
    found = together({A: nquads}, named)
    assert found.keys() == named
    assert {each: as_set(said) for each, said in found.items()} == {
        each: as_set(statements.about(each)) for each in named
    }
    store.release(snapshot)


def as_set(said: list[Said]) -> set[tuple[str, str, str]]:
    return {(each.predicate, str(each.object), each.page) for each in said}


def test_only_those_who_are_wanted_are_listened_for() -> None:
    one = page(A, *thing(f"{A}#i", name="Ada"), *thing(f"{A}#j", birthDate='"2024"'))
    assert together({A: one.nquads or b""}, {f"{A}#i"}).keys() == {f"{A}#i"}


def test_pages_are_taken_some_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fresh, "PAGES_AT_ONCE", 2)
    said = f'<{B}#i> <{S}name> "Ada"'
    pages = {f"{A}{number}": page(f"{A}{number}", said).nquads or b"" for number in range(5)}
    found = [portion[f"{B}#i"] for portion in spoken(pages, {f"{B}#i"})]
    assert [len(each) for each in found] == [2, 2, 1]
