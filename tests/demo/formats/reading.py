"""Demo pages read again by parties that did not write them."""

import io
import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import lxml.html
import pyoxigraph as ox
import pytest
from lxml import etree

from gossamer.demo.content import Anchor, Format, PageSpec, Rendered
from gossamer.demo.formats import render
from gossamer.model import Syntax, Url

URL = Url("http://people.example.test/list/7?page=1&size=2")
ANCHORS = (
    Anchor("/people/12", "Łucja Weiß"),
    Anchor("http://other.test/a?x=1&y=2", 'Tea & "Cake"', nofollow=True),
    Anchor("../up?q=é", "日本 <up>"),
    Anchor("http://other.test", "no path"),
)
HTML_FORMATS = tuple(
    format_
    for format_ in Format
    if format_
    not in (
        *(Format.RSS, Format.ATOM, Format.JSON_LD, Format.RDF_XML, Format.TURTLE),
        Format.N_TRIPLES,
    )
)
CHARSETS = ("utf-8", "iso-8859-1", "windows-1252", "utf-16", "utf-16be", "iso-8859-2", "koi8-r")
Graph = frozenset[str]


class Page(NamedTuple):
    """A page as it was served, and its text as a browser would read it."""

    spec: PageSpec
    rendered: Rendered
    text: str

    def graph(self, syntax: Syntax) -> Graph:
        """What the page is said to hold."""
        return graph(self.rendered.triples[syntax])


def page(number: int, format_: Format, charset: str = "utf-8") -> Page:
    """One demo page."""
    spec = PageSpec(URL, number, format_, charset, ANCHORS)
    rendered = render(spec)
    return Page(spec, rendered, decoded(rendered))


def pages(format_: Format, count: int) -> Iterator[Page]:
    """Many demo pages, in all charsets where the format knows any."""
    charsets = CHARSETS if format_ in HTML_FORMATS else ("utf-8",)
    for number in range(count):
        yield page(number, format_, charsets[number % len(charsets)])


def decoded(rendered: Rendered) -> str:
    """The text of a body: by its mark, its header or its meta element, in that order."""
    for mark, codec in ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        if rendered.body.startswith(mark):
            return rendered.body[2:].decode(codec)
    declared = re.search(r"charset=([\w-]+)", rendered.content_type)
    if not declared and rendered.content_type == "text/html":
        declared = re.search(r'<meta charset="([\w-]+)"', rendered.body[:1024].decode("latin-1"))
        assert declared, "an HTML page declares its charset somewhere"
    return rendered.body.decode(declared[1] if declared else "utf-8")


def html_root(text: str) -> Any:
    """A page as lxml reads it; untyped, since what XPath finds has no type anyone knows."""
    return lxml.html.document_fromstring(text)


def xml_root(body: bytes) -> Any:
    """An XML document as lxml reads it."""
    return etree.fromstring(body)


def graph(lines: Iterable[str]) -> Graph:
    """A graph of N-Triples lines, whatever its blank nodes are called."""
    return graph_of("\n".join(lines).encode(), ox.RdfFormat.N_TRIPLES)


def graph_of(body: bytes, syntax: ox.RdfFormat) -> Graph:
    """A graph as pyoxigraph reads it."""
    dataset = ox.Dataset(ox.parse(body, format=syntax, base_iri=URL))
    dataset.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
    return frozenset(str(quad) for quad in dataset)


def rdfa_graph(text: str, monkeypatch: pytest.MonkeyPatch) -> Graph:
    """A graph as pyRdfa reads it from a page."""
    import pyRdfa
    import rdflib

    monkeypatch.setattr(rdflib, "NORMALIZE_LITERALS", False)  # or Z would become +00:00
    without_charset = re.sub(r"<meta charset=[^>]*>", "", text)
    body = without_charset.replace("<head>", '<head><meta charset="utf-8">').encode()
    options = pyRdfa.options.Options(output_processor_graph=False, vocab_expansion=False)
    reader = pyRdfa.pyRdfa(options=options, base=URL, media_type="text/html")
    found = reader.graph_from_source(io.BytesIO(body))
    return graph_of(found.serialize(format="nt").encode(), ox.RdfFormat.N_TRIPLES)
