from collections.abc import Mapping
from datetime import timedelta
from types import MappingProxyType
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.settings.sources import keys
from gossamer.values import Lines, PerDay, as_json, described, read, written, written_size

TIMES = Mapping[str, timedelta]
TEXTS = tuple[str, ...]
POINTS = Mapping[str, int]
NAMES = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S"]), min_size=1)
COMMAS = {r"\.(pdf|zip)$": -5, "id=[0-9]{1,3}": 7}


@pytest.mark.parametrize(
    ("kind", "raw", "value"),
    [
        (timedelta, "1.5", timedelta(seconds=1.5)),
        (timedelta, 2, timedelta(seconds=2)),
        (timedelta, "500ms", timedelta(milliseconds=500)),
        (timedelta, " 2 min ", timedelta(minutes=2)),
        (timedelta, "24H", timedelta(days=1)),
        (PerDay, "5000/day", PerDay(5000)),
        (PerDay, "200/hour", PerDay(4800)),
        (PerDay, " 0.5 per Minute ", PerDay(720)),
        (PerDay, 12, PerDay(12)),
        (int, "64KiB", 65536),
        (int, "10 MB", 10_000_000),
        (int, 7, 7),
        (float, "0.5", 0.5),
        (float | None, "none", None),
        (str | None, "", None),
        (str, " x ", "x"),
        (Lines, "a\n\tb\n", "a\n\tb\n"),
        (Lines | None, "none", None),
        (bool, "Yes", True),
        (bool, False, False),
        (Literal["a", "b"], "b", "b"),
        (Literal["all", "data", "none"], "data", "data"),
        (Literal["all", "data", "none"], True, "all"),
        (Literal["all", "data", "none"], "off", "none"),
        (TEXTS, "a, b", ("a", "b")),
        (TEXTS, '["a{1,2}", "b"]', ("a{1,2}", "b")),
        (TEXTS, ["a,b"], ("a,b",)),
        (TEXTS, "[]", ()),
        (TEXTS, "none", ("none",)),
        (
            TIMES,
            "*.test=0, example.org=1min",
            {"*.test": timedelta(0), "example.org": timedelta(minutes=1)},
        ),
        (TIMES, {"example.org": 5}, {"example.org": timedelta(seconds=5)}),
        (TIMES, "{}", {}),
        (
            TIMES,
            '{"a,b" = 5, c = "1min"}',
            {"a,b": timedelta(seconds=5), "c": timedelta(minutes=1)},
        ),
        (POINTS, r"/news/=1000, \.pdf$=-5", {"/news/": 1000, r"\.pdf$": -5}),
        (POINTS, r"""{'\.(pdf|zip)$' = -5, "id=[0-9]{1,3}" = 7}""", COMMAS),
    ],
)
def test_values_are_read_as_people_write_them(kind: Any, raw: object, value: object) -> None:
    assert read(kind, raw) == value


@pytest.mark.parametrize(
    ("kind", "raw", "what_would_be_right"),
    [
        (timedelta, "fast", "give seconds"),
        (timedelta, "1.2.3", "give seconds"),
        (timedelta, "nan", "give seconds"),
        (timedelta, "5 weeks", "give seconds"),
        (timedelta, "9999999d", "longer than 3650 days"),
        (timedelta, True, "give seconds"),
        (int, "1.5", "a whole number"),
        (int, "9 apples", "a whole number"),
        (int, "9" * 5000, "a whole number"),
        (int, True, "a whole number"),
        (float, "inf", "not a number"),
        (float, "x", "not a number"),
        (bool, "maybe", "neither true nor false"),
        (str, "", "not text"),
        (str, "a\nb", "cannot be printed"),
        (str, 5, "not text"),
        (Lines, "a\x1b", "cannot be printed"),
        (Lines, 5, "not text"),
        (Lines, "\n", "not text"),
        (Literal["a", "b"], "c", "one of a, b"),
        (TEXTS, "[a", 'write ["one", "two"]'),
        (TEXTS, 5, "not a list"),
        (TIMES, "example.org", "'example.org' is not a table; write NAME=VALUE"),
        (TIMES, "example.org=soon", "give seconds"),
        (POINTS, "{news", 'write {"NAME" = VALUE}'),
        (POINTS, "news=many", "a whole number"),
        (PerDay, "5000/week", "5000/day or 200/hour"),
    ],
)
def test_a_wrong_value_is_told_what_would_be_right(
    kind: Any, raw: object, what_would_be_right: str
) -> None:
    with pytest.raises(ValueError, match=what_would_be_right.replace("[", r"\[")):
        read(kind, raw)


@pytest.mark.parametrize(("kind", "raw"), [(int, "0"), (timedelta, "0.5"), (TIMES, "a=5, b=0")])
def test_a_bound_holds_for_numbers_times_and_tables(kind: Any, raw: str) -> None:
    with pytest.raises(ValueError, match="give at least 1"):
        read(kind, raw, at_least=1)


@given(st.timedeltas(timedelta(0), timedelta(days=3000)))
def test_a_written_time_reads_back(value: timedelta) -> None:
    assert read(timedelta, written(value)) == value


@given(st.lists(NAMES))
def test_a_written_list_reads_back(items: list[str]) -> None:
    assert read(TEXTS, written(tuple(items))) == tuple(items)


@given(st.dictionaries(NAMES, st.integers(-(10**9), 10**9)))
def test_a_written_table_reads_back(table: dict[str, int]) -> None:
    assert read(POINTS, written(table)) == table


@given(st.integers(min_value=0, max_value=10**15))
def test_a_written_size_reads_back(count: int) -> None:
    assert read(int, written_size(count)) == count


@given(st.text())
def test_any_text_is_read_or_refused_in_words(raw: str) -> None:
    for key in keys().values():
        try:
            read(key.kind, raw)
        except ValueError as refusal:
            assert str(refusal)  # noqa: PT017 (either outcome is right)


def test_every_default_reads_back_from_its_text() -> None:
    for key in keys().values():
        assert key.read(written(key.default)) == key.default


def test_json_has_plain_values() -> None:
    table = MappingProxyType({"a": timedelta(seconds=2)})
    assert as_json(table) == {"a": 2.0}
    assert as_json(("x",)) == ["x"]
    assert as_json(None) is None


def test_every_kind_of_value_has_words() -> None:
    assert described(float | None) == "number, or none"
    assert described(Literal["a", "b"]) == "a or b"
    assert described(TIMES) == "table of times"
