import pyoxigraph as ox
from tests.demo.formats.reading import graph_of, pages

from gossamer.demo.content import Format
from gossamer.model import Syntax


def test_pyoxigraph_finds_what_the_document_is_said_to_hold() -> None:
    for read in pages(Format.RDF_XML, 200):
        assert graph_of(read.rendered.body, ox.RdfFormat.RDF_XML) == read.graph(Syntax.RDF_XML)
