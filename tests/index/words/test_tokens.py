"""What is kept is found again, in all scripts."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.index.words.tokens import (
    RUN,
    WORD,
    Sought,
    analyzer,
    folded,
    pairs,
    sought,
    spaced,
    words,
)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Ada Lovelace", ["ada", "lovelace"]),
        ("Zürich, ÉTÉ; straße", ["zurich", "ete", "strasse"]),
        ("e\u0301te\u0301", ["ete"]),  # letters and marks apart
        ("foo-bar don't a_b", ["foo", "bar", "don", "t", "a", "b"]),
        ("Ｆｕｌｌ width", ["full", "width"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("Ελλάδα Москва", ["ελλάδα", "москва"]),
        ("東京都", ["東京", "京都", "都"]),
        ("人", ["人"]),
        ("2020年", ["2020", "年"]),
        ("서울에서", ["서울", "울에", "에서", "서"]),
        ("ความ", ["คว", "วา", "าม", "ม"]),
        ("", []),
        ("— … !", []),
    ],
)
def test_text_is_cut_into_words(text: str, kept: list[str]) -> None:
    assert words(text) == kept


def test_a_word_without_end_is_none() -> None:
    assert words("x" * 500 + " y") == ["y"]


def test_marks_stay_with_their_character() -> None:
    assert pairs("ก่ข้") == ["ก่ข้", "ข้"]


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Ada", [Sought(0, "ada")]),
        ("don't", [Sought(0, "don"), Sought(1, "t")]),
        ("東京都", [Sought(0, "東京"), Sought(1, "京都")]),
        ("東", [Sought(0, "東", begins=True)]),
        ("東京 in", [Sought(0, "東京"), Sought(2, "in")]),
        ("!", []),
    ],
)
def test_what_is_sought_stands_where_it_stands_in_the_text(text: str, asked: list[Sought]) -> None:
    assert sought(text) == asked


@given(st.text())
def test_what_is_sought_in_a_text_is_in_it(text: str) -> None:
    # By place: a word that is too long is left out, and the others stay where they are.
    kept = {each.position: each.text for each in analyzer().pre_tokenize(spaced(text)).tokens}
    for each in sought(text):
        at_place = kept[each.place]
        assert at_place.startswith(each.word) if each.begins else at_place == each.word


@given(st.text(alphabet="東京都市ก่ข", min_size=1))
def test_a_part_of_a_run_is_found_in_it(run: str) -> None:
    assert RUN.fullmatch(unicodedata.normalize("NFKC", run))
    kept = spaced(run).split()
    assert all(pair in kept for pair in pairs(unicodedata.normalize("NFKC", run)))


@given(st.text())
def test_a_word_as_it_stands_is_folded_as_it_is_kept(text: str) -> None:
    text = unicodedata.normalize("NFKC", text)
    for piece in WORD.findall(text):
        if not RUN.match(piece) and len(piece) < 20 and len(words(piece)) == 1:
            assert folded(piece) == words(piece)[0]
