import gc
import weakref

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.demo.formats.reading import HTML_FORMATS
from tests.transform.demo_pages import demo_pages, graph_of_items, problems_of

from gossamer.config import Transform as Options
from gossamer.demo.content import Anchor, Format, PageSpec
from gossamer.demo.formats import render
from gossamer.model import Syntax, Url
from gossamer.transform.document import Document, Item
from gossamer.transform.page import page_statements

URL = Url("http://a.test/dir/page")
DCTERMS = "http://purl.org/dc/terms/"
FOAF = "http://xmlns.com/foaf/0.1/"
REL = "http://www.iana.org/assignments/relation/"


def items(markup: str, *, links: bool = False) -> list[Item]:
    return list(page_statements(Document(URL, markup.encode(), options=Options(links=links))))


def said(markup: str) -> list[str]:
    """Predicates and objects, in order, where nothing is wrong."""
    read = items(markup)
    assert problems_of(read) == []
    return [str(item).removeprefix(f"<{URL}> ") for item in read]


@pytest.mark.parametrize("format_", HTML_FORMATS)
def test_demo_pages_say_of_themselves_what_they_are_said_to_say(format_: Format) -> None:
    for page in demo_pages(format_, Syntax.PAGE, 30):
        read = list(page_statements(page.document))
        assert graph_of_items(read) == page.said
        assert problems_of(read) == []


def test_mailboxes_of_demo_pages_are_found() -> None:
    anchors = (Anchor("mailto:ada@a.test?subject=Tea", "Write"), Anchor("/x", "x"))
    made = render(PageSpec(URL, 1, Format.HTML, "utf-8", anchors))
    read = page_statements(Document(URL, made.body))
    assert {f"{item} ." for item in read} == made.triples[Syntax.PAGE]


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<title> Tea \n time </title><title>x</title>", [f'<{DCTERMS}title> "Tea time"']),
        ("<svg><title>x</title></svg><p>y", []),
        ("<svg><g><title>x</title></g></svg><title>y</title>", [f'<{DCTERMS}title> "y"']),
        ("<title lang=fr>x</title>", [f'<{DCTERMS}title> "x"@fr']),
        ("<html lang=' de-AT '>", [f'<{DCTERMS}language> "de-at"']),
        ("<html lang=''>", []),
        ("<meta name=Description content=' a  b '>", [f'<{DCTERMS}description> "a  b"']),
        ("<meta name=author content=Ada lang=en>", [f'<{DCTERMS}creator> "Ada"']),
        ("<link rel=author href=/ada>", [f"<{DCTERMS}creator> <http://a.test/ada>"]),
        ("<link rel=Canonical href=x>", [f"<{REL}canonical> <http://a.test/dir/x>"]),
        ("<link rel='next license' href=x>",
         [f"<{REL}next> <http://a.test/dir/x>", f"<{DCTERMS}license> <http://a.test/dir/x>"]),
        ("<a rel='nofollow license' href=x>y</a>", [f"<{DCTERMS}license> <http://a.test/dir/x>"]),
        ("<link rel=alternate type='Application/RSS+XML; a=b' href=x>",
         [f"<{REL}alternate> <http://a.test/dir/x>"]),
        ("<link rel=alternate hreflang=de href=x>", []),
        ("<a href='MAILTO: ada@a.test, bob@b.test?subject=x'>y</a>",
         [f"<{FOAF}mbox> <mailto:ada@a.test>", f"<{FOAF}mbox> <mailto:bob@b.test>"]),
        ("<a href='mailto:?subject=x'>share</a>", []),
        ("<img src=a.png>", [f"<{FOAF}depiction> <http://a.test/dir/a.png>"]),
        ("<img src='data:image/png;base64,AAAA'><img src=' '>", []),
        ("<base href=/b/><img src=x>", [f"<{FOAF}depiction> <http://a.test/b/x>"]),
        ("<svg><a xlink:href=x rel=license>y</a></svg>",
         [f"<{DCTERMS}license> <http://a.test/dir/x>"]),
        ("<svg><link rel=next xlink:href=x></svg><img src=a.png>",
         [f"<{FOAF}depiction> <http://a.test/dir/a.png>"]),
        ("<a rel=license href='mailto:a@a.test'>y</a>", [f"<{FOAF}mbox> <mailto:a@a.test>"]),
        ("<body><svg><title>x</title></svg><title>y</title>", [f'<{DCTERMS}title> "y"']),
        ("<meta name=keywords content=x><link rel=icon href=y><a href=z>z</a>", []),
    ],
)  # fmt: skip
def test_the_page_says_what_the_table_says(markup: str, expected: list[str]) -> None:
    assert said(markup) == expected


def test_links_and_their_labels_are_said_on_request_alone() -> None:
    markup = (
        "<html lang=en><a href=/x> the  x </a><a href=/y><img alt=y></a><a href=javascript:a>z</a>"
    )
    assert said(markup) == [f'<{DCTERMS}language> "en"']
    assert items(markup, links=True)[1:] == [
        f"<{URL}> <{DCTERMS}references> <http://a.test/x>",
        '<http://a.test/x> <http://www.w3.org/2000/01/rdf-schema#label> "the x"@en',
        f"<{URL}> <{DCTERMS}references> <http://a.test/y>",
        '<http://a.test/y> <http://www.w3.org/2000/01/rdf-schema#label> "y"@en',
    ]


def test_an_address_that_is_none_is_a_problem_beside_what_is_good() -> None:
    read = items("<link rel=canonical href='http://[x'><img src=a>")
    assert problems_of(read) == ['"http://[x" is no IRI; the statement is left out.']
    assert read[1:] == [f"<{URL}> <{FOAF}depiction> <http://a.test/dir/a>"]


def test_a_page_without_a_proper_name_is_a_problem() -> None:
    assert len(problems_of(page_statements(Document("nowhere", b"<title>x</title>")))) == 1


def test_titles_deep_in_drawings_cost_no_more(full_size: bool) -> None:
    count = 100_000 if full_size else 20_000
    markup = "<svg>" + "<g>" * count + "<title>x</title>" * count
    assert said(markup) == []


def test_one_long_line_is_read(full_size: bool) -> None:
    count = 2_000_000 if full_size else 20_000
    assert len(said("<img src=a><a href=b\0>c</a>" * count)) == count


@given(st.binary(max_size=200), st.integers(0, 200))
def test_broken_bytes_within_a_page_do_no_harm(noise: bytes, place: int) -> None:
    page = b"<html lang=en><title>x</title><meta name=author content=y><a href=mailto:z@a.test>"
    page += b"<link rel=canonical href=//b.test/x><img src=data:x><a href=?x rel=license>y</a>"
    document = Document(URL, page[:place] + noise + page[place:], options=Options(links=True))
    graph_of_items(page_statements(document))


def test_a_page_that_was_read_is_let_go_of() -> None:
    document = Document(URL, b"<html lang=en><title>x</title><a href=/y>z</a><img src=a>")
    gone = weakref.ref(document)
    assert list(page_statements(document))
    gc.disable()
    try:
        del document
        assert gone() is None
    finally:
        gc.enable()
