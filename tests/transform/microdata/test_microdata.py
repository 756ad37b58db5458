"""What holds for microdata as a whole: `gossamer.transform.microdata` itself."""

import json
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.transform.demo_pages import demo_pages, graph_of_items, problems_of
from tests.transform.microdata.reading import URL, items

from gossamer.config import Transform as Options
from gossamer.demo.content import Format
from gossamer.model import Problem, Syntax
from gossamer.transform.document import Document
from gossamer.transform.iris import join
from gossamer.transform.microdata import DEFAULT, Registry, microdata_statements
from gossamer.transform.microdata.referring import referring_statements

SUITE_CASES = 84


def registry_of(path: Path) -> Registry:
    """A registry in the form of the suite, turned into ours."""
    return {
        prefix: tuple(
            (name, further)
            for name, rules in said.get("properties", {}).items()
            for further in rules.values()
        )
        for prefix, said in json.loads(path.read_text()).items()
        if prefix != "@comment"
    }


def passes(suite: Path, entry: dict[str, Any]) -> bool:
    """Whether we do what one entry of the suite expects."""
    # Names without a type are fragments of the page, and there the suite means the HTML file.
    url = join(entry["url"], Path(entry["input"]).name)
    body = (suite / entry["input"]).read_bytes()
    document = Document(url, body, media_type="text/html", options=Options(strict=True))
    read = list(microdata_statements(document, registry_of(suite / entry["registry"])))
    if entry["outcome"] == "error":
        return problems_of(read) != []
    body = (suite / entry["expect"]).read_bytes()
    expected = ox.Dataset(ox.parse(body, format=ox.RdfFormat.TURTLE, base_iri=url))
    expected.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
    return graph_of_items(read) == frozenset(str(quad) for quad in expected)


def test_the_suite_of_the_w3c_note_passes(suites: Path) -> None:
    suite = suites / "microdata-rdf"
    entries = json.loads((suite / "manifest.json").read_text())
    assert [entry["id"] for entry in entries if not passes(suite, entry)] == []
    assert len(entries) == SUITE_CASES


def test_our_registry_has_what_that_of_the_w3c_has(suites: Path) -> None:
    assert registry_of(suites / "microdata-rdf" / "registries" / "md.json") == DEFAULT


@pytest.mark.parametrize("format_", [Format.MICRODATA, Format.MIXED])
def test_demo_pages_say_what_they_are_said_to_say(format_: Format) -> None:
    for page in demo_pages(format_, Syntax.MICRODATA, 60):
        read = list(microdata_statements(page.document))
        assert graph_of_items(read) == page.said
        assert problems_of(read) == []


def test_the_same_page_gives_the_same_statements_in_the_same_order() -> None:
    markup = "<p itemscope><i itemprop=a itemscope><b itemprop=c>d</b></i></p><p itemscope></p>"
    assert items(markup) == items(markup)


names = st.sampled_from(["name", "a b", "http://x.test/p", "", "é", "a:b"])
types = st.sampled_from(["http://schema.org/Thing", "http://v.test#T X", "T", ""])
attributes = st.lists(
    st.sampled_from(["itemscope", "itemid=#i", "itemid='http://[x'", "href=x", "content=c"])
    | names.map(lambda name: f'itemprop="{name}"')
    | names.map(lambda name: f'itemprop-reverse="{name}"')
    | types.map(lambda type_: f'itemtype="{type_}"')
    | st.sampled_from("abc").map(lambda name: f"id={name}"),
    max_size=4,
    unique_by=lambda text: text.partition("=")[0],
).map(" ".join)
references = st.sampled_from(["", "itemscope itemref=a", "itemscope itemref='b c x'"])
tags = st.sampled_from(["div", "span", "a", "time", "data", "meta"])


def element(inner: st.SearchStrategy[str], *more: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds(
        lambda tag, here, further, content: f"<{tag} {' '.join(further)} {here}>{content}</{tag}>",
        tags,
        attributes,
        st.tuples(*more),
        st.lists(inner, max_size=3).map("".join),
    )


nested = st.recursive(st.just("text"), element, max_leaves=12)
referring = st.recursive(st.just("text"), lambda inner: element(inner, references), max_leaves=12)


@given(nested)
def test_both_ways_of_reading_agree_where_no_item_refers(markup: str) -> None:
    document = Document(URL, markup.encode())
    short = list(microdata_statements(document))
    long = list(referring_statements(document, DEFAULT))
    assert graph_of_items(short) == graph_of_items(long)
    assert set(problems_of(short)) == set(problems_of(long))


@given(referring)
def test_whatever_items_refer_to_ends_in_valid_statements(markup: str) -> None:
    read = items(markup)
    graph_of_items(read)
    assert all(item.syntax == Syntax.MICRODATA for item in read if isinstance(item, Problem))


@given(st.binary(max_size=300), st.integers(0, 500))
def test_broken_bytes_within_a_page_do_no_harm(noise: bytes, place: int) -> None:
    page = b"<div itemscope itemtype='http://schema.org/Thing' itemref='a'><p itemprop=name>x</p>"
    page += b"<a itemprop=url href='http://b.test/'>y</a></div><p id=a><b itemprop=c>\x00</b></p>"
    broken = page[:place] + noise + page[place:]
    graph_of_items(microdata_statements(Document(URL, broken)))
