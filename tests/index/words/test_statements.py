"""What is read of the graph is what pages say, and bounded however much they say."""

from datetime import UTC, datetime
from pathlib import Path

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.index.words.small_graph import S, Small, page, thing

from gossamer.index.entities import Said
from gossamer.index.graph.fetch_statements import RDF_TYPE, FetchFacts, FetchOutcome, fetch_nquads
from gossamer.index.graph.pages import PageGraphs
from gossamer.index.graph.store import GraphStore
from gossamer.index.words import refreshing, statements
from gossamer.index.words.keeping import subjects
from gossamer.index.words.statements import Statements
from gossamer.model import Problem

A, B = "http://a.test/", "http://b.test/"
START = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> GraphStore:
    return GraphStore.open(tmp_path_factory.mktemp("graph"))


def read(small: Small) -> Statements:
    return Statements(ox.Store.read_only(str(small.store.snapshot())))


def test_what_pages_say_is_told_with_the_page_that_says_it(tmp_path: Path) -> None:
    small = Small.make(tmp_path)
    small.say(page(A, *thing(f"{A}#i", "", name="Ada")), page(B, *thing(f"{A}#i", "", name="Ada")))
    said = read(small).about(f"{A}#i")
    assert {(each.predicate, each.page) for each in said} == {(f"{S}name", A), (f"{S}name", B)}
    assert read(small).about(f"{A}#j") == []


def test_what_is_said_of_a_fetch_is_no_description_and_no_link(tmp_path: Path) -> None:
    small = Small.make(tmp_path)
    small.say(page(A))
    assert read(small).about(A) == []
    assert read(small).links_to([A]) == 0


def test_a_subject_on_very_many_pages_keeps_each_statement_and_each_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = Small.make(tmp_path)
    monkeypatch.setattr(statements, "MANY", 50)
    pages = [f"http://h{number}.test/" for number in range(40)]
    small.say(*(page(url, *thing(f"{A}#org", "Organization", name="Org")) for url in pages))
    small.say(page(A, *thing(f"{A}#org", "", name="Org", sameAs="<http://x.test/org>")))
    said = read(small).about(f"{A}#org")
    assert {each.page for each in said} == {A, *pages}
    assert len(said) < 50
    assert f"{S}sameAs" in {each.predicate for each in said if each.page == A}
    assert {each.predicate for each in said if each.page == A} >= {f"{S}name", f"{S}sameAs"}


def test_links_are_counted_by_who_makes_them(tmp_path: Path) -> None:
    small = Small.make(tmp_path)
    small.say(
        page(A, *thing(f"{A}#i", knows=f"<{B}#j>", follows=f"<{B}#j>")),
        page(B, *thing(f"{B}#j", knows=f"<{B}#j>"), *thing(f"{B}#k", knows=f"<{B}#j>")),
    )
    assert read(small).links_to([f"{B}#j"]) == 2
    assert read(small).links_to([f"{B}#j", f"{B}#k"]) == 1


def test_links_to_blank_nodes_are_not_counted(tmp_path: Path) -> None:
    small = Small.make(tmp_path)
    small.say(page(A, *thing("_:b", name="b"), *thing(f"{A}#i", knows="_:b")))
    (blank,) = [iri for iri in subjects_of(small) if iri != f"{A}#i"]
    assert read(small).links_to([blank]) == 0


def subjects_of(small: Small) -> set[str]:
    return set(subjects(ox.Store.read_only(str(small.store.snapshot()))))


@settings(max_examples=40)
@given(
    st.lists(
        st.tuples(st.sampled_from("abcd"), st.sampled_from("kt"), st.sampled_from("abcd")),
        max_size=12,
    ),
    st.sets(st.sampled_from("abcd"), min_size=1),
)
def test_few_links_and_many_are_counted_alike(
    store: GraphStore, links: list[tuple[str, str, str]], things: set[str]
) -> None:
    predicates = {"k": f"<{S}knows>", "t": f"<{RDF_TYPE}>"}
    said = [f"<{A}{one}> {predicates[by]} <{A}{other}>" for one, by, other in links]
    pages = [page(A, *said), page(f"{A}a", *said[:3]), page(f"{A}b")]
    store.replace(pages)
    reading = Statements(ox.Store.read_only(str(snapshot := store.snapshot())))
    names = {f"{A}{each}" for each in things}
    few = reading.links_to(names)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(statements, "FEW_LINKS", 0)
        assert reading.links_to(names) == few
    store.release(snapshot)


def test_every_predicate_by_which_a_fetch_leads_somewhere_is_known() -> None:
    facts = FetchFacts(
        url=A,
        outcome=FetchOutcome.FETCHED,
        started_at=START,
        finished_at=START,
        status=200,
        media_type="text/html",
        syntaxes=("rdfa",),
        quads=1,
        redirect=B,
        cause="robots",
        message="No.",
        problems=(Problem("Odd.", "rdfa", 1),),
    )
    quads = ox.parse(fetch_nquads(facts), format=ox.RdfFormat.N_QUADS)
    linking = {quad.predicate.value for quad in quads if isinstance(quad.object, ox.NamedNode)}
    assert linking == set(statements.FETCH_PREDICATES)


def test_links_are_counted_to_a_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = Small.make(tmp_path)
    monkeypatch.setattr(statements, "MOST_LINKS", 5)
    monkeypatch.setattr(statements, "FEW_LINKS", 5)
    small.say(page(A, *(f"<{A}#{number}> <{S}knows> <{B}>" for number in range(20))))
    assert read(small).links_to([B]) == 5


def test_who_stands_on_one_page_alone_is_told_from_who_does_not(tmp_path: Path) -> None:
    small = Small.make(tmp_path)
    mine = page(A, *thing(f"{A}#i", name="Ada"), *thing("_:b", name="b"), *thing(A, name="Page"))
    both = thing(f"{A}#j", name="Bob")
    small.say(mine, page(B, *both))
    other = page(A, *(mine.nquads or b"").decode().replace(f" <{A}> .", "").splitlines(), *both)
    small.say(other)
    (spoken,) = refreshing.spoken({A: other.nquads or b""}, subjects_of(small))
    assert len(spoken) == 4
    assert read(small).alone(spoken) == spoken.keys() - {f"{A}#j"}


def test_who_stands_in_another_graph_of_the_page_is_not_taken_for_alone(tmp_path: Path) -> None:
    small = Small.make(tmp_path)
    inner = f'<{A}#i> <{S}name> "Ada" <{A}#graph-1> .\n'.encode()
    small.say(PageGraphs(A, inner, b""))
    (spoken,) = refreshing.spoken({A: inner}, {f"{A}#i"})
    assert read(small).alone(spoken) == set()


def test_who_is_said_very_much_about_or_by_several_is_left_to_the_graph(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = Small.make(tmp_path)
    monkeypatch.setattr(statements, "MANY", 3)
    pages = {
        A: page(A, *thing(f"{A}#i", name="Ada", email="ada"), *thing(f"{A}#j", name="Bob")),
        B: page(B, *thing(f"{A}#k", name="Cyd")),
        f"{B}2": page(f"{B}2", *thing(f"{A}#k", name="Cyd")),
    }
    small.say(*pages.values())
    said = {url: each.nquads or b"" for url, each in pages.items()}
    (spoken,) = refreshing.spoken(said, subjects_of(small))
    assert read(small).alone(spoken) == {f"{A}#j"}


def test_only_who_may_be_linked_to_is_counted_for(tmp_path: Path) -> None:
    small = Small.make(tmp_path)
    small.say(
        page(A, *thing(f"{A}#i", knows=f"<{B}#j>"), *thing("_:b", knows="_:b")),
        page(B, *thing(f"{B}#j", knows=f"<{B}#j>"), *thing(B, about=f"<{B}#k>")),
        page(f"{B}2", *thing(f"{B}2", about=f"<{B}2>")),
    )
    things = subjects_of(small) | {f"{B}#k", "http://nobody.test/"}
    linked = read(small).linked(things)
    assert linked == {f"{B}#j", f"{B}#k"}
    assert all((read(small).links_to([each]) > 0) == (each in linked) for each in things)
    assert read(small).linked([]) == set()


def test_a_snapshot_of_which_much_was_read_is_opened_anew_and_says_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = Small.make(tmp_path)
    monkeypatch.setattr(statements, "MOST_HANDED_OUT", 4)
    small.say(page(A, *thing(f"{A}#i", name="Ada", email="ada@a.test")))
    snapshot = str(small.store.snapshot())
    reading = Statements(ox.Store.read_only(snapshot), snapshot)
    store, said = reading._store, reading.about(f"{A}#i")
    reading.rest()
    assert reading._store is store
    assert reading.about(f"{A}#i") == said
    reading.rest()
    assert reading._store is not store
    assert reading.about(f"{A}#i") == said
    here = Statements(store)  # which cannot be opened again
    for _ in range(4):
        here.about(f"{A}#i")
    here.rest()
    assert here._store is store


@pytest.mark.parametrize("name", ["http://x.test/>", "http://x.test/a b", "no iri", "urn:x:{}"])
def test_what_is_no_iri_gets_into_no_query(tmp_path: Path, name: str) -> None:
    small = Small.make(tmp_path)
    with pytest.raises(ValueError, match="IRI"):
        read(small).linked([name])
    with pytest.raises(ValueError, match="IRI"):
        read(small).alone({name: [Said(f"{S}name", ox.Literal("x"), A)]})


def test_a_link_out_of_the_graph_that_it_leads_to_counts(tmp_path: Path) -> None:
    small, inner = Small.make(tmp_path), f"{A}#graph-1"
    small.say(PageGraphs(A, f"<{A}#i> <{S}about> <{inner}> <{inner}> .\n".encode(), b""))
    assert read(small).linked([inner]) == {inner}
    assert read(small).links_to([inner]) == 1
