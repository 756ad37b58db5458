import pyoxigraph
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import RdfFormat

from gossamer.config import Transform as Options
from gossamer.errors import ConfigError
from gossamer.model import Problem
from gossamer.transform.assemble import MOST_PROBLEMS, Assembly
from gossamer.transform.document import Item
from gossamer.transform.terms import InGraph, Triple, known, literal, triple

PAGE = "http://a.test/page"
SAID = triple(known("x:s"), known("x:p"), known("x:o"))


def assembled(*items: Item, url: str = PAGE, **options: object) -> Assembly:
    assembly = Assembly(url, Options(**options))  # type: ignore[arg-type]  # as each test says
    assembly.take(items)
    return assembly


def saying(text: str) -> Triple:
    return triple(known("x:s"), known("x:p"), literal(text))


def read(assembly: Assembly) -> list[pyoxigraph.Quad]:
    return list(pyoxigraph.parse(assembly.nquads, RdfFormat.N_QUADS))


def test_a_statement_made_twice_is_stored_once_in_the_order_it_came() -> None:
    assembly = assembled(saying("b"), saying("a"), saying("b"))
    assert [quad.object.value for quad in read(assembly)] == ["b", "a"]  # type: ignore[union-attr]
    assert assembly.count == 2


def test_a_page_speaks_only_for_itself() -> None:
    victim = known("http://victim.test/")
    graphs = {str(quad.graph_name) for quad in read(assembled(SAID, InGraph(victim, SAID)))}
    assert f"<{PAGE}>" in graphs
    assert all(graph == f"<{PAGE}>" or graph.startswith(f"<{PAGE}#graph-") for graph in graphs)
    assert len(graphs) == 2


def test_graphs_of_one_name_are_one_graph_and_of_two_names_two() -> None:
    one, other = known("x:1"), known("x:2")
    quads = read(assembled(InGraph(one, SAID), InGraph(one, saying("a")), InGraph(other, SAID)))
    assert len({str(quad.graph_name) for quad in quads}) == 2


def test_kept_graphs_are_verbatim_and_the_default_graph_stays_the_default() -> None:
    quads = read(assembled(SAID, InGraph(known("x:g"), SAID), keep_graphs=True))
    assert [str(quad.graph_name) for quad in quads] == ["DEFAULT", "<x:g>"]


def test_problems_are_kept_once_and_not_without_end() -> None:
    assembly = assembled(Problem("one"), Problem("one"), *(Problem(str(n)) for n in range(5_000)))
    assert len(assembly.problems) == MOST_PROBLEMS
    assert assembly.problems[0] == Problem("one")


def test_past_the_limit_nothing_more_is_asked_for() -> None:
    asked = []

    def endless() -> object:
        for number in range(1_000):
            asked.append(number)
            yield saying(str(number))

    assembly = Assembly(PAGE, Options(max_quads=10))
    assembly.take(endless())  # type: ignore[arg-type]  # a generator of triples
    assert assembly.count == 10
    assert len(asked) == 11
    assert "more than 10 quads" in assembly.problems[0].message


def test_exactly_the_limit_is_no_problem() -> None:
    assembly = assembled(*(saying(str(number)) for number in [*range(10), 3]), max_quads=10)
    assert (assembly.count, assembly.problems) == (10, ())


@given(st.text(st.sampled_from('ab\\"\n\x01é日')), st.integers(16, 40))
def test_a_long_literal_is_cut_to_a_right_one(text: str, limit: int) -> None:
    assembly = assembled(saying(text), max_literal_bytes=limit)
    (quad,) = read(assembly)
    assert isinstance(quad.object, pyoxigraph.Literal)
    assert text.startswith(quad.object.value)
    if quad.object.value != text:
        assert "is cut" in assembly.problems[0].message


def test_a_long_iri_is_no_literal() -> None:
    long = triple(known("x:s"), known("x:p"), known("x:" + "o" * 1_000))
    assembly = assembled(long, max_literal_bytes=16)
    assert (assembly.count, assembly.problems) == (1, ())


@pytest.mark.parametrize("expression", ["<x:p>", "^<x:s>", "bye"])
def test_what_the_user_drops_is_left_out(expression: str) -> None:
    other = triple(known("x:a"), known("x:b"), literal("hello"))
    assembly = assembled(saying("bye"), other, drop=(expression,))
    assert assembly.nquads == f"{other} <{PAGE}> .\n".encode()


def test_a_bad_expression_is_refused_before_anything_starts() -> None:
    with pytest.raises(ConfigError, match=r"transform\.drop"):
        assembled(drop=("(",))
