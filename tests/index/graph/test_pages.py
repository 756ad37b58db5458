import pyoxigraph as ox
import pytest

from gossamer.index.graph.blanks import SCHEME
from gossamer.index.graph.pages import PageGraphs, RefusedError, check_name, content_of

URL = "http://a.test/"
GOOD = b'<http://a.test/#x> <http://v.test/p> "o" <http://a.test/> .\n'
FETCH = b'<http://a.test/#fetch> <http://v.test/p> "o" <http://a.test/#fetch> .\n'


def line(graph: str, subject: str = "<http://a.test/>") -> bytes:
    return f'{subject} <http://v.test/p> "o" {graph} .\n'.encode()


def test_every_quad_counts_once() -> None:
    content = content_of(PageGraphs(URL, GOOD + GOOD + line("<http://a.test/#graph-1>"), FETCH))
    assert content.source is not None
    assert len(content.source) == 2
    assert len(content.fetch) == 1


def test_triple_terms_are_kept_but_for_those_that_a_parser_would_fall_over() -> None:
    def page(depth: int) -> PageGraphs:
        term = f"{'<<( <a:> <b:> ' * depth}<c:>{' )>>' * depth}"
        return PageGraphs(URL, f"<a:> <b:> {term} <{URL}> .\n".encode(), b"")

    source = content_of(page(2)).source
    assert source is not None
    assert [isinstance(quad.object, ox.Triple) for quad in source] == [True]
    with pytest.raises(RefusedError, match="nested too deep"):
        content_of(page(30_000))


def test_none_and_nothing_are_two_things() -> None:
    assert content_of(PageGraphs(URL, None, FETCH)).source is None
    assert content_of(PageGraphs(URL, b"", FETCH)).source == frozenset()


@pytest.mark.parametrize(
    "graph",
    [
        "<http://b.test/>",
        "<http://a.test/other>",
        "<http://a.test/other#graph-1>",
        "<http://a.test/#fetch>",
        "<http://a.test/#other>",
        "<http://a.test>",
        "_:graph",
        "",
        r"<http://\u0062.test/>",
    ],
)
def test_a_page_that_names_a_graph_of_others_is_refused_as_a_whole(graph: str) -> None:
    with pytest.raises(RefusedError, match="not the page's to write"):
        content_of(PageGraphs(URL, GOOD + line(graph), FETCH))


@pytest.mark.parametrize("graph", ["<http://a.test/>", "<http://b.test/#fetch>", ""])
def test_statements_about_a_fetch_stay_in_their_graph(graph: str) -> None:
    with pytest.raises(RefusedError, match="not the page's to write"):
        content_of(PageGraphs(URL, GOOD, line(graph)))


def test_a_name_may_be_written_with_escapes() -> None:
    assert content_of(PageGraphs(URL, line(r"<http://\u0061.test/>"), b"")).source


@pytest.mark.parametrize(
    "subject", [f"<{SCHEME}0>", r"<gossamer\u002Dblank:0>", r"<\U00000067ossamer-blank:0>"]
)
def test_our_own_scheme_is_recognised_in_every_spelling(subject: str) -> None:
    with pytest.raises(RefusedError, match="ours alone"):
        content_of(PageGraphs(URL, line(f"<{URL}>", subject), b""))


@pytest.mark.parametrize(
    "nquads", [b"nonsense", b"<a", GOOD[:-5], b"\xff\xfe", b"<a> <b> <c> <d> ."]
)
def test_what_is_no_n_quads_is_refused(nquads: bytes) -> None:
    with pytest.raises(RefusedError, match="no N-Quads"):
        content_of(PageGraphs(URL, nquads, b""))


def test_sizes_are_for_the_store_to_say() -> None:
    claim = b"<http://a.test/> <http://rdfs.org/ns/void#triples> 9 <http://a.test/#fetch> ."
    integer = b'"9"^^<http://www.w3.org/2001/XMLSchema#integer>'
    with pytest.raises(RefusedError, match="for the graph itself"):
        content_of(PageGraphs(URL, GOOD, claim.replace(b" 9 ", b" " + integer + b" ")))


def test_a_page_has_no_fragment() -> None:
    with pytest.raises(RefusedError, match="fragment"):
        content_of(PageGraphs(URL + "#x", b"", b""))


@pytest.mark.parametrize("name", ["", "no iri", "http://a.test/?a|b", "a"])
def test_what_is_no_iri_is_no_page(name: str) -> None:
    with pytest.raises(RefusedError, match="is no IRI"):
        check_name(name)


def test_blank_nodes_are_gone_and_the_same_in_every_run() -> None:
    page = PageGraphs(URL, line(f"<{URL}>", "_:x"), b"")
    first, second = content_of(page).source, content_of(page).source
    assert first is not None
    assert first == second
    assert all(isinstance(quad.subject, ox.NamedNode) for quad in first)
