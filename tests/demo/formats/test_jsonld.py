import json
import re
from typing import Any

import pyoxigraph as ox
import pytest
from tests.demo.formats.reading import Graph, Page, graph_of, pages

from gossamer.demo.content import Format
from gossamer.model import Syntax

# What https://schema.org/docs/jsonldcontext.json says of the terms that demo things use.
SCHEMA_ORG: dict[str, object] = {
    "@vocab": "http://schema.org/",
    "schema": "http://schema.org/",
    **{term: {"@id": f"schema:{term}", "@type": "@id"} for term in ("url", "sameAs")},
    **{term: {"@id": f"schema:{term}", "@type": "@id"} for term in ("license", "contentUrl")},
    **{term: {"@id": f"schema:{term}", "@type": "Date"} for term in ("startDate", "endDate")},
    **{term: {"@id": f"schema:{term}", "@type": "Date"} for term in ("birthDate",)},
    **{
        term: {"@id": f"schema:{term}", "@type": "Date"}
        for term in ("datePublished", "dateModified")
    },
}


def known(context: object) -> object:
    if isinstance(context, list):
        return [known(part) for part in context]
    return SCHEMA_ORG if context == "https://schema.org" else context


def json_ld_graph(*documents: dict[str, Any]) -> Graph:
    expanded = [{**each, "@context": known(each["@context"])} for each in documents]
    return graph_of(json.dumps(expanded).encode(), ox.RdfFormat.JSON_LD)


def script(page: Page) -> str:
    blocks = re.findall(r'<script type="application/ld\+json">(.*?)</script>', page.text, re.S)
    assert len(blocks) == 1
    return str(blocks[0])


def test_pyoxigraph_finds_what_the_document_is_said_to_hold() -> None:
    for read in pages(Format.JSON_LD, 200):
        assert json_ld_graph(json.loads(read.rendered.body)) == read.graph(Syntax.JSON_LD)


@pytest.mark.parametrize("format_", [Format.JSON_LD_IN_HTML, Format.MIXED])
def test_pyoxigraph_finds_what_the_block_is_said_to_hold(format_: Format) -> None:
    for read in pages(format_, 200):
        assert json_ld_graph(json.loads(script(read))) == read.graph(Syntax.JSON_LD), read.spec


def test_most_pages_name_the_schema_org_context_and_some_bring_their_own() -> None:
    contexts = [json.loads(script(read))["@context"] for read in pages(Format.JSON_LD_IN_HTML, 60)]
    remote = contexts.count("https://schema.org")
    assert len(contexts) / 2 < remote < len(contexts)


def test_prices_occur_as_strings_and_as_numbers() -> None:
    lines = {
        line.split(" ", 2)[2]
        for read in pages(Format.JSON_LD_IN_HTML, 60)
        for line in read.rendered.triples[Syntax.JSON_LD]
        if "<http://schema.org/price>" in line
    }
    assert any("XMLSchema#double" in line for line in lines)
    assert any("^^" not in line for line in lines)
