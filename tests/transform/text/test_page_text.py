import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.transform.text.page_text import (
    FULL_CHARACTERS,
    HEADINGS,
    PackedTextError,
    PageText,
    distinct_headings,
    shorten,
)


def test_what_was_packed_is_unpacked() -> None:
    text = PageText("Title", ("One", "Two"), "One word. Two ½ 東京", "Rest", "ja", is_cut=True)
    assert PageText.unpack(text.pack()) == text
    assert PageText().pack() == b""
    assert PageText.unpack(b"") == PageText()


@pytest.mark.parametrize(
    "packed",
    [
        b"x",
        zlib.compress(b"no json"),
        zlib.compress(b"[]"),
        zlib.compress(b'["a", "b", "c", "d", "e", 0]'),
        zlib.compress(b'["a", [1], "c", "d", "e", 0]'),
        zlib.compress(b'["a", [], {}, "d", "e", 0]'),
        zlib.compress(b"[" * 100_000),
    ],
)
def test_anything_else_is_refused(packed: bytes) -> None:
    with pytest.raises(PackedTextError):
        PageText.unpack(packed)


def test_a_bomb_costs_no_more_than_the_longest_text() -> None:
    with pytest.raises(PackedTextError):
        PageText.unpack(zlib.compress(b'["' + b"a" * 100_000_000))
    much = PageText("t", tuple(map(str, range(1_000))), "a" * 150_000, "b" * 150_000)
    found = PageText.unpack(much.pack())
    assert len(found.main) == len(found.rest) == FULL_CHARACTERS
    assert len(found.headings) == HEADINGS


@given(st.text(), st.integers(1, 50))
def test_a_text_is_cut_between_words_where_it_has_any(text: str, most: int) -> None:
    found = shorten(text, most)
    assert text.startswith(found)
    assert len(found) <= most
    assert found or not text


def test_headings_are_kept_once_and_no_more_than_so_many() -> None:
    assert distinct_headings([" a  b", "", "a b", "c"]) == ("a b", "c")
    assert len(distinct_headings(map(str, range(1_000)))) == HEADINGS
