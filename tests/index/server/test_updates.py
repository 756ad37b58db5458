"""Updates say what they are meant to say, whatever pages put into them."""

import re

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.index.made_pages import PAGE, fetched, page, url, visited

from gossamer.index.graph.fetch_statements import FetchOutcome
from gossamer.index.graph.names import fetch_graph
from gossamer.index.graph.page_diff import Holding, arrival, as_update, replacement, sizes_of
from gossamer.index.graph.pages import Content, PageGraphs, RefusedError, content_of
from gossamer.index.server.updates import (
    Sizes,
    bounded,
    dropped,
    holdings_query,
    in_pieces,
    in_rdf_1_1,
    quads_query,
    replaced,
    request,
    statement,
)

P = ox.NamedNode("http://v.test/p")
INNOCENT = ox.Quad(P, P, ox.Literal("innocent"), ox.NamedNode("http://b.test/"))
BREAK_OUTS = [
    '" } } ; DROP ALL ; INSERT DATA { GRAPH <http://b.test/> { <x:a> <x:b> "',
    "' } } ; DROP ALL #",
    r"\u0022 } } ; DROP ALL #",
    r"\\u0022 } } ; DROP ALL #",
    r"\u005C",
    r"\U00000022 } } ; DROP ALL #",
    'x\\" } } ; DROP ALL #',
    "\\",
    '\\\\"',
    "\r\n} } ; DROP ALL",
    "\x00\x07\x7f\u2028\ufffe",
    '"""',
    "# } }",
    "\\u000A } } ; DROP ALL #",
    "?x $y @en ^^<x:a>",
]
TEXTS = st.text(st.sampled_from("\\uU0252\"'}{;#\r\n\tA5C<>.") | st.characters(codec="utf-8"))


def content(text: str) -> Content:
    name = ox.NamedNode(PAGE)
    return Content(PAGE, frozenset({ox.Quad(name, P, ox.Literal(text), name)}), frozenset())


def made(text: str) -> set[ox.Quad]:
    """What a server holds after an update, beside what it held."""
    store = ox.Store()
    store.add(INNOCENT)
    store.update(text)
    return set(store)


def read_first(text: str) -> str:
    """The text after section 19.2, read by the letter: escapes go before anything else."""
    return re.sub(r"\\u([0-9A-F]{4})", lambda found: chr(int(found[1], 16)), text)


@pytest.mark.parametrize("text", BREAK_OUTS)
def test_no_literal_breaks_out_of_an_update(text: str) -> None:
    found = made(request([replaced(content(text), {})]).decode())
    assert INNOCENT in found
    assert {quad.object for quad in found if quad.subject == ox.NamedNode(PAGE)} >= {
        ox.Literal(text)
    }
    assert len(found) == 3  # with the store's own statement


@given(TEXTS)
def test_a_text_stays_what_it_is_in_an_update(text: str) -> None:
    quad = ox.Quad(P, P, ox.Literal(text), P)
    (found,) = made(f"INSERT DATA {{ GRAPH {P} {{ {statement(quad)} }} }}") - {INNOCENT}
    assert found == quad


@given(st.text(st.sampled_from('\\uU00225C;}#" '), max_size=40))
def test_a_text_with_escapes_in_it_is_read_alike_by_servers_that_read_escapes_first(
    text: str,
) -> None:
    quad = ox.Quad(P, P, ox.Literal(text), P)
    update = f"INSERT DATA {{ GRAPH {P} {{ {statement(quad)} }} }}"
    assert made(read_first(update)) == made(update) == {INNOCENT, quad}


@pytest.mark.parametrize(
    "iri",
    [
        r"x:a\u003E } } ; DROP ALL #",
        r"x:\u003E\u0020",
        "x:a> } } ; DROP ALL ; #",
        r"x:\u0022",
        r"x:\u005Cu003E",
        r"x:\u007B",
        r"x:\u000A",
    ],
)
def test_no_iri_that_could_break_out_comes_as_far_as_an_update(iri: str) -> None:
    nquads = f"<{iri}> <x:p> <x:o> <{PAGE}> .".encode()
    with pytest.raises(RefusedError):
        content_of(PageGraphs(PAGE, nquads, b""))


def held(brings: PageGraphs) -> Sizes:
    source = content_of(brings).source
    assert source is not None
    return sizes_of(source)


def test_a_page_that_is_new_takes_nothing_away() -> None:
    assert replaced(content_of(page(1)), {}).dropped == ()


def test_a_page_that_is_known_takes_all_its_graphs_away_first() -> None:
    step = replaced(content_of(page(1, version=1)), held(page(1)))
    assert {graph.value for graph in step.dropped} == {
        url(1),
        f"{url(1)}#graph-0",
        fetch_graph(url(1)),
    }
    assert f"{url(1)}#graph-1" in step.data


def test_a_page_that_keeps_what_it_has_takes_away_what_was_said_of_its_fetch() -> None:
    brings = PageGraphs(url(1), None, page(1, version=2).fetch)
    step = replaced(content_of(brings), held(page(1)))
    assert step.dropped == ()
    assert fetch_graph(url(1)) in step.cleared
    assert "10" in step.data  # how much it has is still said


@pytest.mark.parametrize("outcome", [FetchOutcome.UNCHANGED, FetchOutcome.FAILED])
def test_a_page_that_keeps_what_it_has_is_the_same_here_as_in_a_folder(
    outcome: FetchOutcome,
) -> None:
    """Both know it first, then it is visited once more."""
    first = content_of(fetched())
    again = content_of(visited(outcome))
    before = arrival(first)
    store, folder = ox.Store(), ox.Store()
    store.add(INNOCENT)
    assert first.source is not None
    for content, sizes in ((first, {}), (again, sizes_of(first.source))):
        store.update(request([replaced(content, sizes)]).decode())
    fetch = frozenset(quad for quad in before.added if quad.graph_name != ox.NamedNode(PAGE))
    folder.extend(before.added)
    held_before = Holding(fetch, first.source, sizes_of(first.source))
    folder.update(as_update(replacement(held_before, again)))
    assert set(store) - {INNOCENT} == set(folder)


def test_a_page_that_is_forgotten_leaves_nothing() -> None:
    step = dropped(url(1), held(page(1)))
    assert len(step.dropped) == 3
    assert request([step]).count(b"DROP SILENT GRAPH") == 3
    assert b"INSERT" not in request([step])


def test_a_large_page_says_first_what_is_to_come_and_last_what_goes() -> None:
    whole = in_pieces(content_of(page(1, version=1)), held(page(1)))
    assert "#graph-1" in whole.before.data
    assert {name.value for name, _ in whole.graphs} == {url(1), f"{url(1)}#graph-1"}
    assert f"{url(1)}#graph-0" in {graph.value for graph in whole.after.dropped}


@given(st.lists(st.integers(1, 60), max_size=30), st.integers(100, 2_000))
def test_groups_are_no_longer_than_they_may_be(sizes: list[int], most: int) -> None:
    steps = [replaced(content("x" * size), {}) for size in sizes]
    groups = list(bounded(steps, most))
    assert [step for group in groups for step in group] == steps
    assert all(len(group) == 1 or sum(step.size for step in group) <= most for group in groups)


def test_questions_name_graphs_and_nothing_else() -> None:
    store = ox.Store()
    store.add(ox.Quad(P, P, P, P))
    assert not list(store.query(holdings_query([PAGE])))  # type: ignore[arg-type]  # rows
    assert len(list(store.query(quads_query([P])))) == 1  # type: ignore[arg-type]  # rows
    with pytest.raises(ValueError):
        holdings_query(["x:> } DROP ALL #"])


def test_base_directions_stay_out_of_updates_for_servers_of_rdf_1_1() -> None:
    name = f"<{PAGE}>"
    lines = f'{name} {P} "a"@ar--rtl {name} .\n{name} {P} "b--rtl" {name} .'
    update = request([replaced(in_rdf_1_1(content_of(PageGraphs(PAGE, lines.encode(), b""))), {})])
    assert b'"a"@ar .' in update
    assert b'"b--rtl" .' in update


def test_servers_of_rdf_1_1_get_no_triple_terms() -> None:
    name = f"<{PAGE}>"
    lines = f'{name} {P} <<( {name} {P} "a" )>> {name} .\n{name} {P} "b"@ar--rtl {name} .'
    update = request([replaced(in_rdf_1_1(content_of(PageGraphs(PAGE, lines.encode(), b""))), {})])
    assert b"<<(" not in update
    assert b'"b"@ar .' in update
