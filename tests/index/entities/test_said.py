import pyoxigraph as ox
import pytest

from gossamer.index.entities.said import Said, page_of, said_of

PAGE = "http://a.test/p?q=1"


@pytest.mark.parametrize("graph", [PAGE, f"{PAGE}#graph-0123"])
def test_all_source_graphs_of_a_page_speak_for_it(graph: str) -> None:
    assert page_of(graph) == PAGE


def test_nobody_says_what_is_known_of_a_fetch() -> None:
    assert page_of(f"{PAGE}#fetch") is None


def test_a_quad_of_the_store_is_a_statement_of_its_page() -> None:
    subject, predicate, name = ox.NamedNode("http://s.test/"), ox.NamedNode("http://p.test/"), "o"
    quad = ox.Quad(subject, predicate, ox.Literal(name), ox.NamedNode(f"{PAGE}#graph-1"))
    assert said_of(quad) == Said("http://p.test/", ox.Literal(name), PAGE)
    assert said_of(ox.Quad(subject, predicate, ox.Literal(name))) is None
