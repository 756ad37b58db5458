import re

from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from gossamer.transform.depth import DEEPEST, MANY
from gossamer.transform.document import Document


def test_blank_nodes_are_the_pages_own_and_always_the_same() -> None:
    one, same, other = (Document(f"http://{name}.test/", b"") for name in ("a", "a", "b"))
    assert one.blank("r1") == same.blank("r1") != other.blank("r1")
    assert re.fullmatch(r"_:b[0-9a-f]{16}r1", one.blank("r1"))


def test_text_is_decoded_whatever_it_holds() -> None:
    assert Document("x:", b"\xef\xbb\xbfa\xff").text == "a\ufffd"
    assert Document("x:", "é".encode("latin-1"), encoding="iso-8859-1").text == "é"


def test_the_base_element_counts_for_html() -> None:
    def base(markup: str) -> str:
        return Document("http://a.test/x/y", markup.encode()).html_base

    assert base("<p>no base") == "http://a.test/x/y"
    assert base("<base href='/z/'>") == "http://a.test/z/"
    assert base("<base target=_top><base href='../q'><base href='/second'>") == "http://a.test/q"
    assert base("<html lang=en><p lang=de><base href='/z/' lang=fr>") == "http://a.test/z/"
    assert base("<base lang=en><base href='/z/'>") == "http://a.test/z/"
    assert base("<base href=''>") == "http://a.test/x/y"


def test_the_tree_is_made_once() -> None:
    document = Document("http://a.test/", b"<p>x")
    assert document.html is document.html


@given(st.one_of(st.binary(max_size=60), st.text(max_size=60).map(str.encode)))
def test_the_tree_is_that_of_the_text_whatever_the_bytes(noise: bytes) -> None:
    for body in (noise, b"\xef\xbb\xbf<p>" + noise, b"<p title='" + noise + b"'>\xc3\xa9"):
        document = Document("http://a.test/", body)
        assert document.html.html == LexborHTMLParser(document.text).html


def test_what_is_written_once_is_there_once() -> None:
    markup = (
        b"<select><button><selectedcontent></selectedcontent></button><option><b>x</b></select>"
    )
    assert len(Document("http://a.test/", markup).html.css("b")) == 1


def test_the_tree_of_what_nests_without_end_is_cut() -> None:
    document = Document("http://a.test/", b"<b>" * (MANY + 1))
    assert len(document.html.css("b")) == DEEPEST
