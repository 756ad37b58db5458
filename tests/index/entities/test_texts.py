import unicodedata

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.index.entities.texts import cleaned, has_words, is_text

XSD = "http://www.w3.org/2001/XMLSchema#"


def test_words_are_text_and_what_has_another_type_is_not() -> None:
    assert is_text(None)
    assert is_text(ox.Literal("Ada").datatype)
    assert is_text(ox.NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#HTML"))
    for name in ("integer", "date", "anyURI", "base64Binary", "boolean"):
        assert not is_text(ox.NamedNode(XSD + name))


@pytest.mark.parametrize(
    "text",
    ["Ada", "beekeeper", "日本の庭", "12 eggs", "a/b or c", "Łąka", "It's 5 o'clock", "NATO"],
)
def test_what_people_read_is_words(text: str) -> None:
    assert has_words(text)


@pytest.mark.parametrize(
    "text",
    [
        *("", "42", "2024-05-17", "+99 555 0123", "FR-1034", "https://a.test/x", "ada@good.org"),
        *("text/csv", "//cdn.test/x.png", "www.good.org", "data:text/plain,hello", "x" * 500, "…"),
    ],
)
def test_codes_numbers_dates_and_addresses_are_no_words(text: str) -> None:
    assert not has_words(text)


def test_long_words_of_scripts_without_spaces_are_words() -> None:
    assert has_words("日本" * 200)


def test_tags_go_and_their_words_stay() -> None:
    source = "<p>Ada &amp; <b>Char</b>les</p><script>alert('x')</script><p class=x>in London</p>"
    assert cleaned(source) == "Ada & Charles in London"
    assert cleaned("a<!-- b > -->c <STYLE>p{}</Style>d <!-- e") == "a c d <!-- e"
    assert cleaned("if a <c> d, x < y") == "if a <c> d, x < y"
    assert cleaned("if a<b and c>d then stop") == "if a<b and c>d then stop"
    assert cleaned("""a <p class="x"  id = y>b</p > c<br />d""") == "a b c d"
    assert cleaned("AT&amp;T") == "AT&amp;T"  # no tag, no HTML


def test_what_cannot_be_seen_goes() -> None:
    assert cleaned("\u202egnp.exe\u202c \u0007Ada\u200b\x00 \n\t Lovelace\ufeff ") == (
        "gnp.exe Ada\u200b Lovelace"
    )
    assert cleaned("می\u200cخواهم") == "می\u200cخواهم"  # joins letters: a word would be another


def test_a_long_text_is_cut_at_a_word() -> None:
    assert cleaned("one two three four five", 20) == "one two three four…"
    assert cleaned("x" * 50, 20) == "x" * 19 + "…"


@given(st.text(max_size=200), st.integers(min_value=20, max_value=100))
def test_cleaning_twice_changes_nothing(text: str, most: int) -> None:
    once = cleaned(text, most)
    assert len(once) <= most
    if "<" not in once and "&" not in once:
        assert cleaned(once, most) == once
    assert not any(unicodedata.category(each) == "Cc" for each in once)
    assert not set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069") & set(once)


@pytest.mark.parametrize(
    "part",
    [
        "<",
        "<p ",
        "<script>",
        "<style></style",
        "<!--",
        "<a href='",
        "a<b>",
        "&#x",
        "\u202e",
        " ",
        "é",
    ],
)
def test_huge_texts_are_cut_in_time(part: str) -> None:
    """Whose expressions went back and forth would not come to an end here."""
    text = part * (3_000_000 // len(part))
    assert len(cleaned(text)) <= 20_000
    has_words(cleaned(text))
