import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.transform.demo_pages import demo_pages, graph_of_items, problems_of

from gossamer.demo.content import Format
from gossamer.model import Syntax
from gossamer.transform.document import Document, Item
from gossamer.transform.opengraph import open_graph_statements

URL = "http://a.test/dir/page"
OG = "http://ogp.me/ns#"
ARTICLE = "http://ogp.me/ns/article#"
DCTERMS = "http://purl.org/dc/terms/"
GEO = "http://www.w3.org/2003/01/geo/wgs84_pos#"
TWITTER = "https://dev.twitter.com/cards/markup#"
XSD = "http://www.w3.org/2001/XMLSchema#"


def items(markup: str) -> list[Item]:
    return list(open_graph_statements(Document(URL, markup.encode())))


def said(markup: str) -> list[str]:
    """Predicates and objects, in order, where nothing is wrong."""
    read = items(markup)
    assert problems_of(read) == []
    assert all(str(item).startswith(f"<{URL}> ") for item in read)
    return [str(item).removeprefix(f"<{URL}> ") for item in read]


@pytest.mark.parametrize("format_", [Format.OPEN_GRAPH, Format.MIXED])
def test_demo_pages_say_what_they_are_said_to_say(format_: Format) -> None:
    for page in demo_pages(format_, Syntax.OPEN_GRAPH, 60):
        read = list(open_graph_statements(page.document))
        assert graph_of_items(read) == page.said
        assert problems_of(read) == []


@pytest.mark.parametrize("format_", [Format.HTML, Format.RDFA, Format.MICROFORMATS])
def test_pages_without_such_elements_say_nothing(format_: Format) -> None:
    for page in demo_pages(format_, Syntax.PAGE, 7):
        assert list(open_graph_statements(page.document)) == []


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<meta property=og:title content=' x '>", [f'<{OG}title> " x "']),
        ("<meta property=og:image:width content=9>", [f'<{OG}image:width> "9"']),
        ("<meta name=og:title content=x lang=en>", [f'<{OG}title> "x"@en']),
        ("<svg><link rel=dc.source xlink:href=/x></svg><meta property=og:a content=x>",
         [f'<{OG}a> "x"']),
        ("<meta property=og:image content=/x>", [f'<{OG}image> "/x"']),
        ("<meta property='og:a article:b' content=x>", [f'<{OG}a> "x"', f'<{ARTICLE}b> "x"']),
        ("<meta property=OG:title content=x>", [f'<{OG}title> "x"']),
        ("<meta property=og:title name=og:title content=x>", [f'<{OG}title> "x"']),
        ("<meta property=og:title name=keywords content=x>",
         [f'<{OG}title> "x"', f'<{DCTERMS}subject> "x"']),
        ("<html prefix='g: http://ogp.me/ns# x: http://x.test/'><meta property=g:a content=b>"
         "<meta property=x:a content=b>", [f'<{OG}a> "b"']),
        ("<html xmlns:g='http://ogp.me/ns#'><meta property=g:a content=b>", [f'<{OG}a> "b"']),
        ("<meta name=twitter:card content=' a '>", [f'<{TWITTER}card> "a"']),
        ("<meta property=twitter:title content=a lang=en>", [f'<{TWITTER}title> "a"@en']),
        ("<meta name=twitter:image content=../x>", [f"<{TWITTER}image> <http://a.test/x>"]),
        ("<meta name=DC.date.issued content='2024-05-01 10:00'>",
         [f'<{DCTERMS}issued> "2024-05-01T10:00:00"^^<{XSD}dateTime>']),
        ("<meta name=dc.source content=urn:a:b>", [f"<{DCTERMS}source> <urn:a:b>"]),
        ("<meta name=dc.source content='A book'>", [f'<{DCTERMS}source> "A book"']),
        ("<link rel=DC.license href=/l>", [f"<{DCTERMS}license> <http://a.test/l>"]),
        ("<link rel='stylesheet icon' href=/l>", []),
        ("<meta name=Keywords content='a, b,,  c d' lang=en>",
         [f'<{DCTERMS}subject> "{word}"@en' for word in ("a", "b", "c d")]),
        ("<meta name=geo.position content='50.1; -8.6'>",
         [f'<{GEO}lat> "50.1"^^<{XSD}decimal>', f'<{GEO}long> "-8.6"^^<{XSD}decimal>']),
        ("<meta name=ICBM content='50, 8'>",
         [f'<{GEO}lat> "50"^^<{XSD}decimal>', f'<{GEO}long> "8"^^<{XSD}decimal>']),
        ("<meta name=ICBM content='50'>", []),
        ("<meta name=citation_doi content=10.1/x>", [f'<{DCTERMS}identifier> "10.1/x"']),
        ("<meta name=description content=x><meta name=viewport content=y>", []),
    ],
)  # fmt: skip
def test_a_meta_element_says_what_the_tables_say(markup: str, expected: list[str]) -> None:
    assert said(markup) == expected


@pytest.mark.parametrize(
    "markup",
    [
        "<meta property=og:title content=' '>",
        "<meta property=og:title>",
        "<meta property=og: content=x>",
        "<meta property=title content=x>",
        "<meta property=fb:app_id content=x>",
        "<meta name=twitter: content=x>",
        "<meta name=twitter:image content=''>",
        "<meta property=keywords content=x>",
        "<link rel=DC.license href=''>",
    ],
)
def test_what_is_empty_or_unknown_says_nothing(markup: str) -> None:
    assert said(markup) == []


def test_an_address_that_is_none_is_a_problem_beside_what_is_good() -> None:
    read = items(
        "<meta name=twitter:url content='http://[x'><meta name=twitter:card content=summary>"
    )
    assert problems_of(read) == ['"http://[x" is no IRI; the statement is left out.']
    assert read[1:] == [f'<{URL}> <{TWITTER}card> "summary"']


def test_a_page_without_a_proper_name_is_a_problem() -> None:
    read = list(open_graph_statements(Document("nowhere", b"<meta property=og:a content=b>")))
    assert len(problems_of(read)) == len(read) == 1


words = st.sampled_from(["og:title", "dc.date", "twitter:url", "keywords", "geo.position", "\x00"])


@given(st.lists(st.tuples(words | st.text(max_size=20), st.text(max_size=40)), max_size=5))
def test_no_names_and_contents_break_a_statement(pairs: list[tuple[str, str]]) -> None:
    def quoted(text: str) -> str:
        return text.replace("&", "&amp;").replace('"', "&quot;")

    for attribute in ("name", "property"):
        markup = "".join(
            f'<meta {attribute}="{quoted(name)}" content="{quoted(content)}">'
            for name, content in pairs
        )
        document = Document(URL, markup.encode(errors="replace"))
        graph_of_items(open_graph_statements(document))
