"""What a value may look like."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.service.schemas import (
    FLAG,
    NUMBER,
    TEXT,
    WHOLE,
    Schema,
    faults,
    listed,
    one_of,
    or_null,
    read_text,
    record,
    table_of,
    text,
    whole,
)

ORDER = record({"url": text(most=20), "times": whole(1, 3)}, optional=["times"], closed=True)


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (TEXT, ""),
        (WHOLE, -7),
        (NUMBER, 1),
        (NUMBER, 0.5),
        (FLAG, False),
        (whole(1, 3), 3),
        (one_of("a", "b"), "b"),
        (listed(TEXT, most=2), ["a", "b"]),
        (ORDER, {"url": "x"}),
        (ORDER, {"url": "x", "times": 2}),
        (table_of(WHOLE), {"anything": 1}),
        (or_null(TEXT), None),
        (text(most=3, pattern="^[a-z]+$"), "abc"),
    ],
)
def test_what_fits_has_no_faults(schema: Schema, value: object) -> None:
    assert list(faults(schema, value, "it")) == []


@pytest.mark.parametrize(
    ("schema", "value", "told"),
    [
        (TEXT, 1, "it is text, not 1"),
        (WHOLE, True, "it is a whole number, not True"),
        (WHOLE, 1.5, "it is a whole number, not 1.5"),
        (FLAG, 0, "it is true or false, not 0"),
        (whole(1, 1000), 0, "it is at least 1, not 0"),
        (whole(1, 1000), 5000, "it is at most 1,000, not 5,000"),
        (one_of("a", "b"), "c", "it is one of a, b, not 'c'"),
        (listed(TEXT), {}, "it is a list, not {}"),
        (listed(TEXT), ["a", 2], "`[1]` is text, not 2"),
        (listed(TEXT, most=1), ["a", "b"], "it may have 1 items, not 2"),
        (ORDER, {}, "it lacks `url`"),
        (ORDER, {"url": "x", "times": 9}, "`times` is at most 3, not 9"),
        (ORDER, {"url": "x", "more": 9}, "it has a field 'more' that means nothing"),
        (text(most=3), "abcd", "it may have 3 characters, not 4"),
        (text(most=3, least=1), "", "it is empty"),
        (text(most=3, least=2), "a", "it is too short"),
        (text(most=3, pattern="^[a-z]+$"), "A", "it cannot be 'A'"),
    ],
)
def test_what_does_not_fit_is_told_in_words(schema: Schema, value: object, told: str) -> None:
    assert list(faults(schema, value, "it")) == [told]


def test_a_long_value_is_not_repeated_as_a_whole() -> None:
    (told,) = faults(WHOLE, "x" * 10_000, "it")
    assert len(told) < 120


@pytest.mark.parametrize(
    ("schema", "raw", "value"),
    [
        (WHOLE, "12", 12),
        (WHOLE, "-1", -1),
        (WHOLE, "1.5", "1.5"),
        (WHOLE, "9" * 5000, "9" * 5000),
        (WHOLE, "١", "١"),
        (FLAG, "true", True),
        (FLAG, "yes", "yes"),
        (NUMBER, "1.5", 1.5),
        (NUMBER, "nan", "nan"),
        (NUMBER, "inf", "inf"),
        (NUMBER, "much", "much"),
        (TEXT, "12", "12"),
    ],
)
def test_text_is_read_as_the_schema_has_it_or_stays_text(
    schema: Schema, raw: str, value: object
) -> None:
    assert read_text(schema, raw) == value


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(JSON)
def test_nothing_that_is_json_breaks_the_check(value: Any) -> None:
    for schema in (TEXT, WHOLE, ORDER, listed(ORDER, most=3), table_of(TEXT)):
        told = list(faults(schema, json.loads(json.dumps(value)), "it"))
        assert all(each.startswith(("it ", "`")) for each in told)
