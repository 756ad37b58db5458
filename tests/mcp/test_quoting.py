"""A result is short enough whatever pages say, and says whether anything is missing."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.mcp.quoting import MOST_CHARACTERS, quoted, written

VALUES: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=30)
@given(st.dictionaries(st.text(min_size=1), VALUES, max_size=5))
def test_little_stays_as_it_is_but_for_what_cannot_be_seen(record: dict[str, Any]) -> None:
    made = quoted(record)
    assert len(written(made)) <= MOST_CHARACTERS
    assert quoted({k: v for k, v in made.items() if k != "shortened"}).keys() == made.keys()


@pytest.mark.parametrize(
    "record",
    [
        {"texts": ["x" * 100_000] * 100},
        {"rows": [{"a": "b" * 50, "c": list(range(100))}] * 5_000},
        {f"name {number}": {"x" * 3_000: "y"} for number in range(3_000)},
        {"deep": [[[[[[[[[[[[[[[[["x"]]]]]]]]]]]]]]]]]},
    ],
)
def test_much_is_shortened_and_says_so(record: dict[str, Any]) -> None:
    made = quoted(record)
    assert made["shortened"] is True
    assert len(written(made)) <= MOST_CHARACTERS


def test_a_record_that_fits_is_not_shortened() -> None:
    record = {"label": "Ada", "pages": ["http://a.test/"], "count": 3, "is_page": False, "x": None}
    assert quoted(record) == {**record, "shortened": False}


def test_signs_that_hide_or_turn_text_are_gone() -> None:
    assert quoted({"a": "King\u202egnol\u200b\x1b[31m\nnext"})["a"] == "Kinggnol[31m\nnext"
