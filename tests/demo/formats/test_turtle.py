import pyoxigraph as ox
import pytest
from tests.demo.formats.reading import graph_of, page, pages

from gossamer.demo.content import Format
from gossamer.model import Syntax


@pytest.mark.parametrize(
    ("format_", "syntax", "reader"),
    [
        (Format.TURTLE, Syntax.TURTLE, ox.RdfFormat.TURTLE),
        (Format.N_TRIPLES, Syntax.N_TRIPLES, ox.RdfFormat.N_TRIPLES),
    ],
)
def test_pyoxigraph_finds_what_the_document_is_said_to_hold(
    format_: Format, syntax: Syntax, reader: ox.RdfFormat
) -> None:
    for read in pages(format_, 200):
        assert graph_of(read.rendered.body, reader) == read.graph(syntax), read.spec


def test_links_are_see_also_of_the_thing() -> None:
    statements = page(3, Format.TURTLE).rendered.triples[Syntax.TURTLE]
    see_also = {line.split()[2] for line in statements if "seeAlso" in line}
    assert see_also == {
        "<http://people.example.test/people/12>",
        "<http://other.test/a?x=1&y=2>",
        "<http://people.example.test/up?q=%C3%A9>",
        "<http://other.test/>",
    }


def test_a_document_without_links_is_whole() -> None:
    from dataclasses import replace

    from gossamer.demo.formats import render

    spec = replace(page(3, Format.TURTLE).spec, anchors=())
    assert b"seeAlso" not in render(spec).body
    assert graph_of(render(spec).body, ox.RdfFormat.TURTLE)
