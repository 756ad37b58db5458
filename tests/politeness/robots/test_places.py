"""Where pieces of patterns occur in one path."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gossamer.politeness.robots.places import Places

# Parts of few letters, repeated: what is almost everywhere is what goes wrong.
runs = st.builds(
    lambda part, times: part * times,
    st.text("ab", min_size=1, max_size=5),
    st.sampled_from([1, 2, 3, 8, 15, 16, 17, 40, 64, 150]),
)
paths = st.lists(runs, max_size=5).map("".join)


@st.composite
def pieces_of(draw: st.DrawFn, path: str) -> str:
    """A part of a path, or of it with one octet changed; or nothing of it."""
    start = draw(st.integers(0, len(path)))
    size = draw(st.sampled_from([1, 2, 3, 4, 15, 16, 17, 31, 127, 128, 129, 300]))
    piece = path[start : start + size]
    change = draw(st.integers(0, 2 * len(piece)))
    changed = piece[:change] + draw(st.sampled_from("abc")) + piece[change + 1 :]
    return draw(st.sampled_from([piece, changed])) if change < len(piece) else piece


@settings(max_examples=400)
@given(st.data(), paths, st.sampled_from([0, 50, 1000]))
def test_pieces_are_found_where_a_search_finds_them(
    data: st.DataObject, path: str, patience: int
) -> None:
    places = Places(path, patience)
    for piece in data.draw(st.lists(pieces_of(path), min_size=1, max_size=8)):
        for start in (0, data.draw(st.integers(0, len(path))), len(path)):
            assert places.find(piece, start) == path.find(piece, start)


@pytest.mark.parametrize("size", [3, 15, 16, 17, 100, 128, 300])
@pytest.mark.parametrize("odd_one", [0, 1, 50, 99])
def test_one_octet_makes_the_difference_in_a_path_that_repeats_itself(
    size: int, odd_one: int
) -> None:
    at = (size - 1) * odd_one // 100
    piece = "a" * at + "b" + "a" * (size - 1 - at)
    nearly = "a" * at + "c" + "a" * (size - 1 - at)
    for path in ("a" * 900, nearly * (900 // size), "a" * 900 + piece[:-1], piece[1:] + "a" * 900):
        places = Places(path, 0)
        assert places.find(piece, 0) == path.find(piece, 0)
        assert places.find("a" * size, 7) == path.find("a" * size, 7)
    places = Places("a" * 900 + piece + "a" * 900, 0)
    first = 900
    assert [places.find(piece, start) for start in (0, first, first + 1)] == [first, first, -1]


@given(st.text("ab", min_size=100, max_size=300), st.text("ab", max_size=40))
@example("ab" * 100, "")
def test_it_makes_no_difference_how_often_one_asks(path: str, piece: str) -> None:
    places = Places(path)
    assert {places.find(piece, 0) for _ in range(60)} == {path.find(piece, 0)}
