import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.urls.strategies import urls

from gossamer.index.graph.names import fetch_graph, is_source_graph, page_name
from gossamer.model import Refusal, Url
from gossamer.transform.iris import mended
from gossamer.urls import canonical

MARKS = st.text(alphabet="ab/?=&|^`{}\\[]\"<>'%41 ;:@é", max_size=12)


def test_a_plain_url_is_its_own_name() -> None:
    assert page_name("https://a.test/b?c=d%20e") == "https://a.test/b?c=d%20e"
    assert page_name("http://[::1]:8080/[x]") == "http://[::1]:8080/%5Bx%5D"


@given(urls, MARKS)
def test_the_name_is_that_which_the_transforms_give_their_graphs(url: Url, marks: str) -> None:
    for each in (url, canonical(f"https://a.test/{marks}?{marks}")):
        assert not isinstance(each, Refusal)
        assert page_name(each) == mended(each)
        ox.NamedNode(page_name(each))


@pytest.mark.parametrize(
    ("graph", "is_its_own"),
    [
        ("http://a.test/", True),
        ("http://a.test/#graph-1", True),
        ("http://a.test/#fetch", False),
        ("http://a.test/x", False),
        ("http://a.test/x#graph-1", False),
        ("http://a.test", False),
    ],
)
def test_a_page_may_write_its_own_graphs_alone(graph: str, is_its_own: bool) -> None:
    assert is_source_graph("http://a.test/", graph) is is_its_own


def test_statements_about_the_fetch_have_a_graph_beside_it() -> None:
    assert fetch_graph("http://a.test/") == "http://a.test/#fetch"
