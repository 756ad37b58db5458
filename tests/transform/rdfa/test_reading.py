import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.demo.formats.reading import HTML_FORMATS, pages
from tests.transform.demo_pages import demo_pages, graph_of_items
from tests.transform.rdfa.saying import URL, said

from gossamer.demo.content import Format
from gossamer.model import Syntax
from gossamer.transform.document import Document
from gossamer.transform.rdfa import rdfa_statements
from gossamer.transform.rdfa.reading import RdfaDocument

PAGE = (
    '<html lang="en" prefix="ex: http://ex.test/"><body vocab="http://schema.org/"><div typeof="Person" '
    'about="#a"><b property="name">Ann</b><a rel="ex:knows" href="#b">Bob</a><ul rel="knows" inlist="">'
    '<li resource="_:c" property="name" content="C"></ul><time property="birthDate">2001-02-03</time>'
    '<i role="note" xml:lang="de" xmlns:y="http://y.test/"><u property="y:z" datatype="rdf:XMLLiteral">'
    "<br>z</u></i></div></body></html>"
)


@pytest.mark.parametrize("format_", [Format.RDFA, Format.OPEN_GRAPH, Format.MIXED])
def test_demo_pages_hold_exactly_what_they_say(format_: Format) -> None:
    for page in demo_pages(format_, Syntax.RDFA, 28):
        assert graph_of_items(rdfa_statements(page.document)) == page.said


@pytest.mark.parametrize(
    "page",
    [
        "",
        "<p>Nothing here</p>",
        '<link rel="stylesheet" href="x"><a rel="nofollow" href="y">z</a>',
    ],
)
def test_a_page_without_rdfa_is_not_even_parsed(page: str) -> None:
    document = Document(URL, page.encode())
    assert not RdfaDocument(document).may_speak()
    assert list(rdfa_statements(document)) == []
    assert "html" not in vars(document)


@pytest.mark.parametrize(
    "page",
    [
        '<P PROPERTY="dc:title">t',
        "<p\nTypeOf\n=\nfoaf:Person>",
        "<a rel=dc:source href=x>",
        '<a REL = "nofollow dc:source" href=x>',
        "<a rel='x License' href=x>",
        "<a rel=dc&colon;source href=x>",
        f"<a rel='{'nofollow ' * 50} dc:source' href=x>",
        '<p role="note">',
        '<p vocab="http://schema.org/">',
    ],
)
def test_the_first_look_misses_nothing(page: str) -> None:
    assert len(said(page)) == 1


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "windows-1252", "shift_jis"])
def test_the_first_look_reads_any_encoding(encoding: str) -> None:
    body = '<p property="dc:title">t</p>'.encode(encoding)
    document = Document(URL, body, encoding=encoding)
    assert len(list(rdfa_statements(document))) == 1


def test_the_same_page_says_the_same_in_the_same_order() -> None:
    assert said(PAGE) == said(PAGE)
    assert len(said(PAGE)) > 8


@pytest.mark.parametrize("media_type", ["text/html", "application/xhtml+xml", "image/svg+xml"])
@given(data=st.data())
def test_no_damage_to_a_page_is_too_odd(media_type: str, data: st.DataObject) -> None:
    body = bytearray(PAGE.encode())
    for _ in range(data.draw(st.integers(1, 8))):
        place = data.draw(st.integers(0, len(body) - 1))
        end = data.draw(st.integers(place, min(place + 20, len(body))))
        body[place:end] = data.draw(
            st.binary(max_size=6) | st.sampled_from([b"<", b'"', b"\0", b">"])
        )
        body = body or bytearray(b" ")
    graph_of_items(rdfa_statements(Document(URL, bytes(body), media_type=media_type)))


@given(st.text(alphabet="<>/=\"' abpropertyrelvocabtypeof:_[]#\0\ufffd", max_size=200))
def test_no_text_is_too_odd(text: str) -> None:
    graph_of_items(rdfa_statements(Document(URL, text.encode())))


@pytest.mark.parametrize("format_", HTML_FORMATS)
def test_other_demo_pages_say_nothing_in_rdfa(format_: Format) -> None:
    for read in pages(format_, 4):
        if Syntax.RDFA not in read.rendered.triples:
            assert said(read.text) == []
