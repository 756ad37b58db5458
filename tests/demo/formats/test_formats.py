"""What holds for every format: `gossamer.demo.formats` itself."""

import json
import os
import subprocess
import sys
from hashlib import sha256

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.demo.formats.reading import (
    CHARSETS,
    HTML_FORMATS,
    URL,
    decoded,
    graph,
    html_root,
    page,
    pages,
    xml_root,
)
from tests.slowness import patience

from gossamer.demo.content import Anchor, Format, PageSpec
from gossamer.demo.formats import FORMATS, render

DIGEST = """
from hashlib import sha256
from gossamer.demo.content import Anchor, Format, PageSpec
from gossamer.demo.formats import render
whole = sha256()
for format_ in Format:
    for number in range(20):
        made = render(PageSpec("http://a.test/", number, format_, "utf-16", (Anchor("/b", "b"),)))
        whole.update(made.body + made.content_type.encode())
        for syntax, lines in sorted(made.triples.items()):
            whole.update((syntax + "\\n".join(sorted(lines))).encode())
print(whole.hexdigest())
"""


def test_every_format_has_its_function() -> None:
    assert set(FORMATS) == set(Format)


def test_a_page_is_the_same_in_every_process() -> None:
    digests = {
        subprocess.run(
            [sys.executable, "-c", DIGEST],
            env={**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": locale},
            check=True,
            capture_output=True,
            timeout=patience(60),
        ).stdout
        for seed, locale in (("0", "C"), ("1", "C.UTF-8"))
    }
    assert len(digests) == 1


@pytest.mark.parametrize("format_", list(Format))
def test_pages_of_different_numbers_differ(format_: Format) -> None:
    bodies = {sha256(page(number, format_).rendered.body).digest() for number in range(300)}
    assert len(bodies) == 300


@pytest.mark.parametrize("format_", list(Format))
def test_every_statement_is_one_line_of_n_triples_in_one_spelling(format_: Format) -> None:
    for read in pages(format_, 20):
        lines = frozenset().union(*read.rendered.triples.values())
        assert len(graph(lines)) == len(lines) == read.rendered.quads


BAITS = (
    *(
        '"',
        "'",
        "<",
        ">",
        "&",
        "&amp;",
        "</a>",
        "</script>",
        "]]>",
        "-->",
        "<!--",
        "\\",
        "\n",
        "\r",
    ),
    *(
        "\x00",
        "\x85",
        "\ufffe",
        "é",
        "Ł",
        "日",
        "http://",
        "//",
        "[",
        "{",
        "|",
        " ",
        "#",
        "%",
        "\x7f",
    ),
)
hostile = st.text(st.characters(codec="utf-8"), max_size=30) | st.lists(
    st.sampled_from(BAITS), max_size=6
).map("".join)
anchors = st.lists(st.builds(Anchor, hostile, hostile, st.booleans()), max_size=4).map(tuple)
numbers = st.integers(0, 2**40)


@given(numbers, st.sampled_from(HTML_FORMATS), st.sampled_from(CHARSETS), anchors)
def test_no_anchor_breaks_an_html_page(
    number: int, format_: Format, charset: str, given_anchors: tuple[Anchor, ...]
) -> None:
    rendered = render(PageSpec(URL, number, format_, charset, given_anchors))
    root = html_root(decoded(rendered))
    assert len(root.xpath("/html/body/nav/ul/li/a")) == len(given_anchors)
    assert len(root.xpath("//a")) == len(given_anchors)
    assert root.xpath("count(/html/body/*)") == 2


fit = st.text(st.characters(exclude_categories=("Cc", "Cs", "Cn")), max_size=30)
fit_anchors = st.lists(st.builds(Anchor, fit, fit, st.booleans()), max_size=4).map(tuple)


@given(numbers, st.sampled_from(HTML_FORMATS), st.sampled_from(CHARSETS), fit_anchors)
def test_anchors_come_back_from_html_as_they_were(
    number: int, format_: Format, charset: str, given_anchors: tuple[Anchor, ...]
) -> None:
    rendered = render(PageSpec(URL, number, format_, charset, given_anchors))
    found = tuple(
        Anchor(link.get("href"), link.text_content(), link.get("rel") == "nofollow")
        for link in html_root(decoded(rendered)).xpath("//a")
    )
    assert found == given_anchors


READERS = {
    Format.TURTLE: ox.RdfFormat.TURTLE,
    Format.N_TRIPLES: ox.RdfFormat.N_TRIPLES,
    Format.RDF_XML: ox.RdfFormat.RDF_XML,
}


@given(numbers, st.sampled_from(sorted(set(Format) - set(HTML_FORMATS))), anchors)
def test_no_anchor_breaks_a_document(
    number: int, format_: Format, given_anchors: tuple[Anchor, ...]
) -> None:
    rendered = render(PageSpec(URL, number, format_, "utf-8", given_anchors))
    (lines,) = rendered.triples.values()
    if format_ in READERS:
        read = ox.parse(rendered.body, format=READERS[format_], base_iri=URL)
        assert len(set(read)) == len(graph(lines))
    elif format_ is Format.JSON_LD:
        assert json.loads(rendered.body)["seeAlso"] is not None
        assert graph(lines)
    else:
        root = xml_root(rendered.body)
        assert len(root.xpath("//*[local-name()='item' or local-name()='entry']")) <= len(
            given_anchors
        )
        assert graph(lines)
