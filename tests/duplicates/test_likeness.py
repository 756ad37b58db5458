import pytest

from gossamer.duplicates.likeness import ComparedPage, Likeness, likeness
from gossamer.duplicates.sketch import Sketch, sketch_of

ONE, OTHER = b"statemen", b"ts other"
TEXT = " ".join(f"word{number}" for number in range(60))
SORTED = " ".join(sorted(TEXT.split(), reverse=True))


def page(
    text: str, said: bytes = ONE, *, key: int = 1, near: int | None = None, **rest: object
) -> ComparedPage:
    sketch = sketch_of(text, said, has_data=True)
    if near is not None:  # so many bits away from what it would be
        sketch = Sketch(
            sketch.bits ^ ((1 << near) - 1), sketch.word_bits, sketch.bag + 1, *sketch[3:]
        )
    return ComparedPage(key, sketch, **rest)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("one", "other", "how"),
    [
        (page(TEXT, digest=b"1"), page(TEXT, digest=b"1"), Likeness.BYTES),
        (page(TEXT), page(TEXT), Likeness.WORDS),
        (page(TEXT), page(SORTED), Likeness.WORDS),
        (page(TEXT), page(TEXT, near=3), Likeness.NEAR),
        (page(TEXT), page(TEXT, near=4), None),
        (page(TEXT), page(TEXT, OTHER), None),  # goods that differ in their number alone
        (page(TEXT), page(TEXT, OTHER, near=1), None),
        (page(TEXT, key=1), page(TEXT, OTHER, key=2, canonical=1), Likeness.CANONICAL),
        (page(TEXT, key=3, canonical=1), page(TEXT, OTHER, key=2, canonical=1), Likeness.CANONICAL),
        (page(TEXT, key=1), page("else " * 60, OTHER, key=2, canonical=1), None),  # it may err
        (page("a few words"), page("a few words"), Likeness.WORDS),
        (page("a few words"), page("a few others"), None),
        (page("", quads=3), page("", quads=3), Likeness.STATEMENTS),
        (page("", quads=3), page("", OTHER, quads=3), None),
        (page("", quads=2), page("", quads=2), None),
        (page("", quads=3), page(TEXT, quads=3), None),
        (page(TEXT), ComparedPage(2), None),
    ],
)
def test_pages_are_the_same_thing_by_text_and_statements(
    one: ComparedPage, other: ComparedPage, how: Likeness | None
) -> None:
    assert likeness(one, other) is how
    assert likeness(other, one) is how
