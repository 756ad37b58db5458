"""A snippet shows what was sought, where most of it stands together."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.index.words.asked import SearchError, understood
from gossamer.index.words.snippets import (
    LENGTH,
    Marker,
    Snippet,
    is_near,
    marked,
    opening,
    snippet,
)


def shown(found: Snippet | None) -> str:
    """The text with the marks as brackets."""
    assert found is not None
    text = found.text
    for start, end in reversed(found.marks):
        text = f"{text[:start]}[{text[start:end]}]{text[end:]}"
    return text


@pytest.mark.parametrize(
    ("asked", "text", "expected"),
    [
        ("ada", "Countess Ada, of Ada.", "Countess [Ada], of [Ada]."),
        ("zurich", "In Zürich.", "In [Zürich]."),
        ("love*", "Ada Lovelace", "Ada [Lovelace]"),
        ("lovlace~", "Ada Lovelace", "Ada [Lovelace]"),
        ("京都", "東京都の人", "東[京都]の人"),
        ('"and ada"', "Bob and Eve and Ada", "Bob and Eve [and] [Ada]"),
        ('"東京 ada"', "東京 Ada", "[東京] [Ada]"),
        ("-ada lovelace", "Ada Lovelace", "Ada [Lovelace]"),
        ("<b>", "a <b>bold</b> claim", "a <[b]>bold</[b]> claim"),
        ("ada", "two\nlines of\tAda", "two lines of [Ada]"),
    ],
)
def test_what_was_sought_is_marked(asked: str, text: str, expected: str) -> None:
    assert shown(snippet([text], Marker(understood(asked)))) == expected


def test_the_place_with_most_of_it_is_shown() -> None:
    far = "ada " + "word " * 100 + "Ada met Babbage " + "word " * 100
    found = snippet(["nothing", far], Marker(understood("ada babbage")))
    assert found is not None
    assert "[Ada] met [Babbage]" in shown(found)
    assert found.text.startswith("… ")
    assert found.text.endswith(" …")
    assert len(found.text) <= LENGTH + 4


def test_a_text_with_more_of_it_comes_before_one_with_less() -> None:
    found = snippet(["ada alone", "ada and babbage"], Marker(understood("ada babbage")))
    assert shown(found) == "[ada] and [babbage]"


def test_without_anything_sought_there_is_no_snippet_but_an_opening() -> None:
    marker = Marker(understood("ada"))
    assert snippet(["nothing"], marker) is None
    assert shown(opening("nothing here")) == "nothing here"
    assert len(opening("word " * 100).text) <= LENGTH + 2


def test_a_label_is_marked_as_a_whole() -> None:
    assert shown(marked("Ada Lovelace", Marker(understood("lovelace")))) == "Ada [Lovelace]"


@given(
    st.text(alphabet=st.sampled_from("ab 東京éñ.\n"), max_size=600), st.text("ab 東京*", max_size=9)
)
def test_marks_are_in_the_text_in_order_and_apart(text: str, asked: str) -> None:
    try:
        found = snippet([text], Marker(understood(asked)))
    except SearchError:
        return
    if found is not None:
        ends = [at for mark in found.marks for at in mark]
        assert ends == sorted(ends)
        assert all(0 <= at <= len(found.text) for at in ends)
        assert all(found.text[start:end].strip() for start, end in found.marks)


@pytest.mark.parametrize(
    ("word", "other", "most", "near"),
    [
        ("ada", "ada", 0, True),
        ("ada", "adda", 1, True),
        ("ada", "daa", 1, True),
        ("ada", "bob", 2, False),
        ("lovelace", "lovlcae", 2, True),
        ("lovelace", "lovlcae", 1, False),
        ("", "ab", 2, True),
    ],
)
def test_nearness_counts_letters(word: str, other: str, most: int, near: bool) -> None:
    assert is_near(word, other, most) is is_near(other, word, most) is near
