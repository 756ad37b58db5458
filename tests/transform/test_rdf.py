import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.demo.formats.reading import URL, graph, pages
from tests.hostile.growth import WORST, growth_of
from tests.transform.rdf_sources import read, statements

from gossamer.demo.content import Format
from gossamer.model import Problem, Syntax
from gossamer.transform.document import Document
from gossamer.transform.rdf import RDF_TRANSFORMS
from gossamer.transform.terms import InGraph

SYNTAXES = tuple(RDF_TRANSFORMS)
PIECES = (
    *("<a> ", "<b c> ", "_:x ", '"text"', "'''", '"""', "@en", "^^", ". ", ";", ",", "[", "]", "("),
    *(
        ")",
        "{",
        "}",
        "@prefix x: <http://x.test/> .",
        "x:y ",
        "1.5 ",
        "a ",
        "<<",
        ">>",
        "\n",
        "\\u003E",
    ),
    *(
        "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>",
        "<rdf:Seq>",
        "</rdf:Seq>",
    ),
    *("<rdf:li resource='x'/>", "&", "\0", "é", "http://x.test/"),
)


@pytest.mark.parametrize(
    ("format_", "syntax"),
    [
        (Format.TURTLE, Syntax.TURTLE),
        (Format.N_TRIPLES, Syntax.N_TRIPLES),
        (Format.RDF_XML, Syntax.RDF_XML),
    ],
)
def test_demo_documents_say_exactly_what_they_are_said_to(format_: Format, syntax: Syntax) -> None:
    for page in pages(format_, 60):
        items = read(page.rendered.body, syntax, URL)
        assert graph(f"{item} ." for item in items) == page.graph(syntax), page.spec


@pytest.mark.parametrize("syntax", SYNTAXES)
@given(text=st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_any_text_gives_good_n_quads_and_the_same_each_time(syntax: Syntax, text: str) -> None:
    items = read(text, syntax)
    for item in items:
        if isinstance(item, Problem):
            assert item.syntax == syntax
        else:
            line = f"{item.triple} {item.graph}" if isinstance(item, InGraph) else item
            (quad,) = ox.parse(f"{line} .", ox.RdfFormat.N_QUADS)
            assert str(quad) == line
    assert read(text, syntax) == items


@pytest.mark.parametrize("syntax", SYNTAXES)
@pytest.mark.parametrize("body", [b"\xff\xfe\xfa", b"\0" * 100, b"", b"\xef\xbb\xbf", b"\x80<a>"])
def test_bytes_that_are_no_text_are_no_reason_to_fail(syntax: Syntax, body: bytes) -> None:
    assert not [item for item in read(body, syntax) if not isinstance(item, Problem)]


@pytest.mark.parametrize("syntax", SYNTAXES)
@pytest.mark.parametrize("piece", PIECES)
def test_repetition_takes_no_more_than_its_length(syntax: Syntax, piece: str) -> None:
    for start in ("", "<http://a.test/> <http://b.test/> "):
        growth = growth_of(lambda text: read(text, syntax), lambda n: start + piece * n)  # noqa: B023
        assert growth.worst <= WORST, str(growth)


@pytest.mark.parametrize(
    "opening", ["[ <b> ", "( ", "<s> <p> [ <b> ", "<<( <s> <p> ", "<s> <p> (", "{ "]
)
def test_deep_nesting_is_no_reason_to_fail(opening: str) -> None:
    for syntax in (Syntax.TURTLE, Syntax.TRIG):
        assert any(isinstance(item, Problem) for item in read(opening * 3_000, syntax))


def test_a_literal_of_many_megabytes_is_read_at_once(full_size: bool) -> None:
    length = 50_000_000 if full_size else 2_000_000
    (item,) = read(f'<a> <b> "{"x" * length}" .', Syntax.TURTLE)
    assert isinstance(item, str)
    assert len(item) > length


def test_two_pages_have_no_blank_node_in_common() -> None:
    one, other = (read("[] a [] .", Syntax.TURTLE, f"https://example.test/{n}") for n in (1, 2))
    assert not set(one) & set(other)


def test_a_url_that_is_no_iri_still_serves_as_base() -> None:
    items = read("<c> a <d|> .", Syntax.TURTLE, "https://example.test/a|b?c[]=|")
    (item,) = statements(items)
    assert str(item).startswith("<https://example.test/c> ")
    assert list(RDF_TRANSFORMS[Syntax.TURTLE](Document("no url", b"<a> a <b> .")))
