import pytest
from tests.transform.jsonld.reading_back import URL, page

from gossamer.transform.document import Document
from gossamer.transform.jsonld.blocks import Lines, NotFound, is_json, script_texts


def document(text: str, media_type: str | None = None) -> Document:
    return Document(URL, text.encode(), media_type=media_type)


@pytest.mark.parametrize("media_type", ["application/ld+json", "application/json", "text/x+json"])
def test_what_is_called_json_is_json(media_type: str) -> None:
    assert is_json(document("// a comment first", media_type))


@pytest.mark.parametrize("media_type", [None, "text/html", "text/plain"])
def test_what_begins_like_json_is_json_whatever_it_is_called(media_type: str | None) -> None:
    assert is_json(document('\n {"a": 1}', media_type))
    assert is_json(document("\ufeff[", media_type))
    assert not is_json(document("<html>", media_type))
    assert not is_json(document("", media_type))


def test_script_elements_are_found_by_their_type() -> None:
    html = """
        <script type="application/ld+json">1</script>
        <script type=" Application/LD+JSON ; charset=utf-8">2</script>
        <svg><script type='application/ld+json;profile="x"'>3</script></svg>
        <script type="application/json">no</script><script type="x-application/ld+json">no</script>
        <script type="application/ld+json5">no</script><script>no</script>
        <pre type="application/ld+json">no</pre>
        <script type="application/ld+json">&lt;4&gt;<b></script>"""
    assert list(script_texts(document(html))) == ["1", "2", "3", "&lt;4&gt;<b>"]


PAGE = '<pre id="p">x</pre><script id="a b" type="application/ld+json">1</script><script id="s">2</script>'


def test_a_fragment_picks_one_script() -> None:
    assert list(script_texts(Document(URL, PAGE.encode(), fragment="a%20b"))) == ["1"]


@pytest.mark.parametrize("fragment", ["p", "s", "nothing", '"]', "%00"])
def test_a_fragment_that_picks_no_such_script_finds_nothing(fragment: str) -> None:
    (found,) = script_texts(Document(URL, PAGE.encode(), fragment=fragment))
    assert isinstance(found, NotFound)


def test_lines_are_those_of_the_document() -> None:
    html = page('\n{"a": 1}', '\r\n{"b": 2}', '{"a": 1}')
    lines = Lines(html)
    assert [lines.of(text) for text in script_texts(html) if isinstance(text, str)] == [3, 5, 7]


def test_a_text_that_is_not_in_the_document_has_no_line() -> None:
    html = page("{}", "[]")
    lines = Lines(html)
    assert lines.of("{1}") is None
    assert lines.of("[]") is None  # it is not looked for again and again
