import pytest
from selectolax.lexbor import LexborHTMLParser

from gossamer.transform.languages import XHTML, Languages, marks


def languages(text: str, media_type: str | None = None) -> list[str | None]:
    """The languages of all `i` elements of a page."""
    html = LexborHTMLParser(text)
    known = Languages(html.css(marks(media_type)), media_type)
    return [known.of(node) for node in html.css("i")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<i>a</i>", [None]),
        ("<html lang=en><i>a</i>", ["en"]),
        ("<html lang=' de-AT '><i>a</i>", ["de-AT"]),
        ("<html lang=en><i lang=fr>a</i><i>b</i>", ["fr", "en"]),
        ("<html lang=en><p lang=''><i>a</i></p><i>b</i>", [None, "en"]),
        ("<p lang=en><i>a</i></p><i>b</i>", ["en", None]),
    ],
)
def test_the_nearest_lang_decides_and_an_empty_one_says_unknown(
    text: str, expected: list[str | None]
) -> None:
    assert languages(text) == expected


def test_in_html_xml_lang_says_nothing() -> None:
    assert languages("<html xml:lang=en><i>a</i>") == [None]
    assert languages("<html xml:lang=en lang=de><i>a</i>") == ["de"]


def test_in_xhtml_xml_lang_comes_first() -> None:
    assert languages("<html xml:lang=en><i>a</i>", XHTML) == ["en"]
    assert languages("<html xml:lang=en lang=de><i>a</i>", XHTML) == ["en"]


@pytest.mark.parametrize(
    ("text", "endings", "only"),
    [
        ("<i>a</i>", ['"'], '"'),
        ("<html lang=EN><i>a</i>", ['"@en'], '"@en'),
        ("<html lang='no tag'><i>a</i>", ['"'], '"'),
        ("<html lang=en><i lang=fr>a</i><i>b</i>", ['"@fr', '"@en'], None),
    ],
)
def test_how_literals_end_is_known_once_where_a_page_has_one_language(
    text: str, endings: list[str], only: str | None
) -> None:
    html = LexborHTMLParser(text)
    known = Languages(html.css(marks(None)))
    assert [known.ending(node) for node in html.css("i")] == endings
    assert known.only_ending == only
