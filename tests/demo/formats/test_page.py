import re
from dataclasses import replace

import html5lib
import pytest
from tests.demo.formats.reading import (
    ANCHORS,
    CHARSETS,
    HTML_FORMATS,
    URL,
    decoded,
    graph,
    html_root,
    page,
    pages,
)

from gossamer.demo.content import Anchor, Format
from gossamer.demo.formats import render
from gossamer.model import Syntax

TERMS = "http://purl.org/dc/terms/"


@pytest.mark.parametrize("format_", HTML_FORMATS)
def test_the_page_says_of_itself_what_it_is_said_to_say(format_: Format) -> None:
    for read in pages(format_, 30):
        root = html_root(read.text)
        language = root.get("lang")
        description = root.xpath('string(//meta[@name="description"]/@content)')
        lines = [
            f'<{URL}> <{TERMS}title> "{root.xpath("string(//title)")}"@{language} .',
            f'<{URL}> <{TERMS}description> "{description}"@{language} .',
            f'<{URL}> <{TERMS}language> "{language}" .',
        ]
        assert graph(lines) == read.graph(Syntax.PAGE)


@pytest.mark.parametrize("format_", HTML_FORMATS)
def test_the_links_of_a_page_are_its_anchors(format_: Format) -> None:
    for read in pages(format_, 14):
        found = [
            (link.get("href"), link.text_content(), link.get("rel") == "nofollow")
            for link in html_root(read.text).xpath("//a")
        ]
        assert found == [(each.href, each.label, each.nofollow) for each in ANCHORS]


@pytest.mark.parametrize("format_", HTML_FORMATS)
# html5lib uses what newer Pythons deprecate; its warnings are not about our pages.
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_strict_parser_has_nothing_to_say_against_a_page(format_: Format) -> None:
    for read in pages(format_, 14):
        parser = html5lib.HTMLParser(strict=False)
        parser.parse(read.text)
        assert parser.errors == []


@pytest.mark.parametrize("charset", CHARSETS)
def test_a_charset_changes_the_bytes_and_not_the_page(charset: str) -> None:
    for number in range(40):
        there, here = page(number, Format.HTML, charset), page(number, Format.HTML)
        names = [html_root(read.text).xpath("string(//h1)") for read in (there, here)]
        assert names[0] == names[1]
        assert there.rendered.triples == here.rendered.triples


def test_what_a_charset_lacks_is_a_character_reference() -> None:
    bodies = b"".join(page(number, Format.HTML, "iso-8859-1").rendered.body for number in range(40))
    assert b"&#" in bodies  # Ł
    assert "é".encode("latin-1") in bodies


def test_charsets_are_declared_in_header_meta_or_both() -> None:
    declared = {
        ("charset=" in read.rendered.content_type, "<meta charset=" in read.text)
        for read in (page(number, Format.HTML, "windows-1252") for number in range(40))
    }
    assert declared == {(True, False), (False, True), (True, True)}


def test_utf_16_is_the_same_on_machines_of_either_byte_order() -> None:
    rendered = page(1, Format.HTML, "utf-16").rendered
    assert rendered.body.startswith(b"\xff\xfe<\x00")
    assert rendered.content_type == "text/html; charset=utf-16"
    assert "<meta charset" not in decoded(rendered)


@pytest.mark.parametrize("wish", ["noindex", 'nofollow,"none"'])
def test_the_wish_to_robots_stands_in_the_head(wish: str) -> None:
    spec = replace(page(1, Format.RDFA).spec, robots_meta=wish)
    root = html_root(decoded(render(spec)))
    assert root.xpath('/html/head/meta[@name="robots"]/@content') == [wish]
    assert "robots" not in page(1, Format.RDFA).text


def test_pages_have_the_size_of_pages() -> None:
    for format_ in HTML_FORMATS:
        for read in pages(format_, 14):
            assert 1_500 < len(read.text) < 8_000


def test_pages_are_read_in_their_language() -> None:
    texts = [page(number, Format.HTML).text for number in range(40)]
    headings = {re.search(r"<h2>(.*)</h2>", text)[1] for text in texts}  # type: ignore[index]  # each has one
    assert headings == {"See also", "Siehe auch", "Voir aussi"}


def test_a_link_to_a_mailbox_names_it() -> None:
    anchors = (Anchor("mailto:ada@a.test?subject=Tea", "Write"),)
    made = render(replace(page(1, Format.HTML).spec, anchors=anchors))
    mailbox = f"<{URL}> <http://xmlns.com/foaf/0.1/mbox> <mailto:ada@a.test> ."
    assert mailbox in made.triples[Syntax.PAGE]
