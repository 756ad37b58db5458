from collections.abc import Iterator
from typing import Any
from urllib.parse import urljoin

import pyoxigraph as ox
import pytest
from extruct.w3cmicrodata import MicrodataExtractor
from lxml.html import HtmlElement
from tests.demo.formats.reading import URL, graph, html_root, page, pages

from gossamer.demo.content import Format
from gossamer.model import Syntax

XSD = "http://www.w3.org/2001/XMLSchema#"
TYPE = ox.NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")


def microdata_triples(text: str) -> Iterator[ox.Triple]:
    """Microdata to RDF by the W3C note, as far as items without itemref go."""
    for item in html_root(text).xpath("//*[@itemscope][not(@itemprop)]"):
        yield from item_triples(item, node_of(item))


def node_of(item: HtmlElement) -> ox.NamedNode | ox.BlankNode:
    name = item.get("itemid")
    return ox.NamedNode(urljoin(URL, name)) if name else ox.BlankNode()


def item_triples(item: HtmlElement, subject: ox.NamedNode | ox.BlankNode) -> Iterator[ox.Triple]:
    type_ = item.get("itemtype")
    yield ox.Triple(subject, TYPE, ox.NamedNode(type_))
    for element in properties_of(item):
        predicate = ox.NamedNode(type_.rpartition("/")[0] + "/" + element.get("itemprop"))
        if element.get("itemscope") is None:
            yield ox.Triple(subject, predicate, value_of(element))
        else:
            node = node_of(element)
            yield ox.Triple(subject, predicate, node)
            yield from item_triples(element, node)


def properties_of(item: HtmlElement) -> Iterator[HtmlElement]:
    for child in item:
        if child.get("itemprop") is not None:
            yield child
        if child.get("itemscope") is None:
            yield from properties_of(child)


def value_of(element: HtmlElement) -> ox.NamedNode | ox.Literal:
    if element.tag == "link":
        return ox.NamedNode(urljoin(URL, element.get("href")))
    if element.tag == "time":
        moment = element.get("datetime")
        kind = "duration" if moment[0] == "P" else "dateTime" if "T" in moment else "date"
        return ox.Literal(moment, datatype=ox.NamedNode(XSD + kind))
    if element.tag == "data":
        number = element.get("value")
        kind = "integer" if number.isdigit() else "double"
        return ox.Literal(number, datatype=ox.NamedNode(XSD + kind))
    return ox.Literal(
        element.text_content(), language=element.xpath("ancestor-or-self::*/@lang")[-1]
    )


@pytest.mark.parametrize("format_", [Format.MICRODATA, Format.MIXED])
def test_the_rules_of_the_w3c_note_find_what_the_page_is_said_to_hold(format_: Format) -> None:
    for read in pages(format_, 120):
        found = (f"{triple} ." for triple in microdata_triples(read.text))
        assert graph(found) == read.graph(Syntax.MICRODATA), read.spec


def told(item: dict[str, Any]) -> dict[str, object]:
    """An item of extruct with its values as plain strings, in an order of their own."""
    properties = {
        name: sorted(
            (str(told(value) if isinstance(value, dict) else value))
            for value in (values if isinstance(values, list) else [values])
        )
        for name, values in item["properties"].items()
    }
    (type_,) = item["type"]
    return {"type": type_, **dict(sorted(properties.items()))}


def said(dataset: ox.Dataset, subject: ox.NamedNode | ox.BlankNode) -> dict[str, object]:
    """The same shape, from the statements that the page is said to hold."""
    properties: dict[str, list[str]] = {}
    type_ = ""
    for quad in dataset.quads_for_subject(subject):
        if quad.predicate == TYPE:
            type_ = str(quad.object)[1:-1]
            continue
        nested = isinstance(quad.object, ox.BlankNode)
        value = str(said(dataset, quad.object)) if nested else quad.object.value  # type: ignore[union-attr,arg-type]  # no triple terms here
        properties.setdefault(quad.predicate.value.rpartition("/")[2], []).append(value)
    return {"type": type_, **{name: sorted(values) for name, values in sorted(properties.items())}}


def test_extruct_finds_the_same_items() -> None:
    for read in pages(Format.MICRODATA, 40):
        (item,) = MicrodataExtractor(strict=True).extract(
            read.text.encode("utf-8"), base_url=URL, encoding="utf-8"
        )
        lines = "\n".join(read.rendered.triples[Syntax.MICRODATA]).encode()
        dataset = ox.Dataset(ox.parse(lines, format=ox.RdfFormat.N_TRIPLES))
        assert told(item) == said(dataset, ox.NamedNode(f"{URL}#it"))


def test_both_spellings_of_schema_org_occur() -> None:
    texts = [page(number, Format.MICRODATA).text for number in range(30)]
    assert any('itemtype="http://schema.org/' in text for text in texts)
    assert any('itemtype="https://schema.org/' in text for text in texts)
