import pyoxigraph as ox
import pytest
from tests.owner.small_crawl import SAYS, _graphs

from gossamer.sparql.example_queries import EXAMPLES
from gossamer.sparql.prefixes import PREFIXES


def rows(name: str) -> list[tuple[str, ...]]:
    store = ox.Store()
    for path in SAYS:
        graphs = _graphs(path)
        assert graphs.nquads is not None
        store.load(graphs.nquads + graphs.fetch, ox.RdfFormat.N_QUADS)
    found = store.query(
        EXAMPLES[name].text, prefixes=dict(PREFIXES), use_default_graph_as_union=True
    )
    assert isinstance(found, ox.QuerySolutions)
    return [tuple(getattr(term, "value", "") for term in row) for row in found]


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_is_a_query_that_gives_rows(name: str) -> None:
    rows(name)
    assert EXAMPLES[name].tells


def test_statements_about_fetches_are_not_taken_for_what_pages_say() -> None:
    assert rows("predicates") == [("http://v.test/says", "3", "2")]
    assert rows("types") == []


def test_hosts_pages_and_problems_are_found() -> None:
    assert rows("hosts") == [("a.test", "2", "3")]
    assert rows("richest")[0] == ("http://a.test/good", "2")
    assert rows("problems") == [("http://a.test/odd", "jsonld", "7", "A comma too many.")]
    assert rows("syntaxes") == [("turtle", "2")]
