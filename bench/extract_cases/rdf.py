"""Turtle and RDF/XML: documents of several sizes, read by us and by rdflib.

Both end with N-Triples text: we yield it, rdflib serialises its graph.
"""

from rdflib import Graph

from gossamer.demo.content import Anchor, Format, PageSpec
from gossamer.demo.formats import render
from gossamer.model import Syntax, Url
from gossamer.transform.document import Document
from gossamer.transform.rdf import rdf_statements

URL = Url("http://shop.example.test/list")
_ANCHORS = tuple(Anchor(f"/things/{number}", f"Thing {number}") for number in range(30))
_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"


def pages() -> list[bytes]:
    """Demo documents, and lists of things, in both syntaxes."""
    single = [
        render(PageSpec(URL, number, format_, "utf-8", _ANCHORS)).body
        for format_ in (Format.TURTLE, Format.RDF_XML)
        for number in range(15)
    ]
    lists = [make(count) for make in (_turtle, _rdf_xml) for count in (20, 200)]
    return [*single, *lists]


def ours(page: bytes) -> int:
    """How many statements we find."""
    syntax = Syntax.RDF_XML if page.startswith(b"<?xml") else Syntax.TURTLE
    return sum(1 for _ in rdf_statements(Document(URL, page), syntax))


def peer(page: bytes) -> int:
    """How many rdflib finds."""
    graph = Graph()
    graph.parse(data=page, format="xml" if page.startswith(b"<?xml") else "turtle", publicID=URL)
    return graph.serialize(format="nt").count("\n")


def _turtle(count: int) -> bytes:
    things = "".join(
        f'<#it{n}> a s:Product ; s:name "Product {n}"@en ; s:sku "{n:05}" ;\n'
        f"  s:offers [ a s:Offer ; s:price {n}.95 ] ; s:url </products/{n}> .\n"
        for n in range(count)
    )
    return f"@prefix s: <http://schema.org/> .\n{things}".encode()


def _rdf_xml(count: int) -> bytes:
    things = "".join(
        f'<s:Product rdf:about="#it{n}"><s:name xml:lang="en">Product {n}</s:name>'
        f"<s:sku>{n:05}</s:sku><s:offers><s:Offer><s:price>{n}.95</s:price></s:Offer></s:offers>"
        f'<s:url rdf:resource="/products/{n}"/></s:Product>\n'
        for n in range(count)
    )
    return (
        f'<?xml version="1.0"?>\n<rdf:RDF xmlns:rdf="{_RDF}" xmlns:s="http://schema.org/">\n'
        f"{things}</rdf:RDF>\n"
    ).encode()
