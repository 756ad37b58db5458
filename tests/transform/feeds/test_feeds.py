import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.demo.formats.reading import graph, pages
from tests.hostile.growth import WORST, growth_of

from gossamer.demo.content import Format
from gossamer.model import Problem, Syntax
from gossamer.transform.document import Document, Transform
from gossamer.transform.feeds import atom_statements, json_feed_statements, rss_statements

TRANSFORMS = (rss_statements, atom_statements, json_feed_statements)
PIECES = (
    *("<rss>", "<channel>", "</channel>", "<item>", "</item>", "<title>", "</title>", "<link>"),
    *("</link>", "<link rel='enclosure' href='x'/>", "<guid>", "&", "&#0;", "<feed>", "<entry>"),
    *(
        "</entry>",
        "<content type='xhtml'><div>",
        "</div></content>",
        "http://x.test/",
        "\0",
        "x@y.test",
    ),
    *("(", "<media:content url='x'>", "xml:base='//['", '{"items": [', '{"url": ', '"a"', "]", "}"),
    *(
        "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>",
        "<author>",
        "<",
        ">",
        ",",
    ),
)


@pytest.mark.parametrize(
    ("format_", "syntax", "transform"),
    [
        (Format.RSS, Syntax.RSS, rss_statements),
        (Format.ATOM, Syntax.ATOM, atom_statements),
    ],
)
def test_demo_feeds_say_exactly_what_they_are_said_to(
    format_: Format, syntax: Syntax, transform: Transform
) -> None:
    for page in pages(format_, 50):
        items = transform(Document(page.spec.url, page.rendered.body))
        assert graph(f"{item} ." for item in items) == page.graph(syntax), page.spec


@pytest.mark.parametrize("transform", TRANSFORMS)
@given(text=st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_any_text_gives_good_statements_or_problems(transform: Transform, text: str) -> None:
    items = list(transform(Document("https://example.test/", text.encode())))
    assert graph(f"{item} ." for item in items if isinstance(item, str)) is not None
    assert all(item.syntax for item in items if isinstance(item, Problem))
    assert list(transform(Document("https://example.test/", text.encode()))) == items


@pytest.mark.parametrize("transform", TRANSFORMS)
@pytest.mark.parametrize("piece", PIECES)
def test_repetition_takes_no_more_than_its_length(transform: Transform, piece: str) -> None:
    for start in ("", "<rss><channel><item>", "<feed><entry>"):
        growth = growth_of(
            lambda body: list(transform(Document("https://example.test/", body))),
            lambda n: (start + piece * n).encode(),  # noqa: B023
        )
        assert growth.worst <= WORST, str(growth)


@pytest.mark.parametrize("transform", TRANSFORMS)
@pytest.mark.parametrize("body", [b"", b"\xff\xfe\x00", b"\0" * 50, b"<html></html>", b"[]", b"x"])
def test_what_is_no_feed_is_a_problem(transform: Transform, body: bytes) -> None:
    items = list(transform(Document("https://example.test/", body)))
    assert items
    assert all(isinstance(item, Problem) for item in items)
