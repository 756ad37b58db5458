import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.duplicates.sketch import (
    BANDS,
    FEWEST_WORDS,
    MOST_WORDS,
    PACKED_BYTES,
    Sketch,
    distance,
    simhash,
    sketch_of,
)

hashes = st.lists(st.integers(0, (1 << 64) - 1), max_size=70)
SAID = b"12345678"


def of(text: str) -> Sketch:
    return sketch_of(text, SAID, has_data=False)


@given(hashes)
def test_a_bit_is_that_of_more_than_half_of_the_hashes(all_of_them: list[int]) -> None:
    expected = sum(
        1 << place
        for place in range(64)
        if 2 * sum((each >> place) & 1 for each in all_of_them) > len(all_of_them)
    )
    assert simhash(all_of_them) == expected


def test_counters_have_room_for_all_words_of_a_page() -> None:
    assert simhash([(1 << 64) - 1] * MOST_WORDS) == (1 << 64) - 1


@given(st.text(max_size=500), st.binary(min_size=8, max_size=8), st.booleans())
def test_a_packed_sketch_is_the_same_one(text: str, said: bytes, has_data: bool) -> None:
    sketch = sketch_of(text, said, has_data=has_data)
    packed = sketch.pack()
    assert len(packed) == PACKED_BYTES
    assert Sketch.unpack(packed) == sketch


@pytest.mark.parametrize("packed", [None, b"", b"1", b"1" * (PACKED_BYTES + 1)])
def test_what_is_no_sketch_is_none(packed: bytes | None) -> None:
    assert Sketch.unpack(packed) is None


@given(st.lists(st.text("abc", min_size=1, max_size=3), max_size=60), st.randoms())
def test_the_bag_is_that_of_the_words_in_whatever_order(words: list[str], chance: object) -> None:
    shuffled = sorted(words)
    one, other = of(" ".join(words)), of(" ".join(shuffled))
    assert (one.bag, one.words) == (other.bag, other.words)


@given(st.integers(0, (1 << 64) - 1), st.sets(st.integers(0, 63), max_size=2))
def test_pages_that_differ_in_two_bits_share_a_band(bits: int, turned: set[int]) -> None:
    other = bits
    for place in turned:
        other ^= 1 << place
    one, two = (Sketch(each, each, 0, FEWEST_WORDS, False, SAID) for each in (bits, other))
    assert distance(bits, other) == len(turned)
    assert any(map(int.__eq__, one.bands, two.bands))
    assert sum(size for _, size in BANDS) == 64


def test_one_changed_word_of_many_turns_few_bits_and_another_text_turns_many() -> None:
    words = [f"word{number * number % 997}" for number in range(400)]
    changed = [*words[:200], "other", *words[201:]]
    other = [f"thing{number * number % 991}" for number in range(400)]
    sketch = of(" ".join(words))
    assert distance(sketch.bits, of(" ".join(changed)).bits) <= 6
    assert distance(sketch.bits, of(" ".join(other)).bits) >= 16


def test_short_texts_are_not_compared_by_bits() -> None:
    assert of("a few words").bands == ()
    assert len(of("word " * FEWEST_WORDS).bands) == len(BANDS)
