import json
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.transform.jsonld.reading import MOST_DEPTH, read


def values(text: str, depth: int = 100) -> list[object]:
    return [parsed.value for parsed in read(text, depth).values]


def oddities(text: str, depth: int = 100) -> list[str]:
    return [oddity.message for oddity in read(text, depth).oddities]


def test_clean_json_is_read_without_a_word() -> None:
    text = ' {"a": [1, 2.5, "x", null, true], "b": {}} '
    assert values(text) == [json.loads(text)]
    assert oddities(text) == []


def test_what_is_no_json_says_why_and_where() -> None:
    (oddity,) = read('{\n"a": 1,\n"b" 2}', 100).oddities
    assert oddity.message == "This is no JSON: expecting ':' delimiter."
    assert oddity.line == 2


def test_a_bad_object_does_not_spoil_the_next() -> None:
    assert values('{"a" 1}\n{"b": 2}') == [{"b": 2}]


def test_repairs_that_come_to_nothing_are_not_told() -> None:
    assert oddities('<!-- {"a": [1,], /* b */ "b" 2} -->') == [
        "This is no JSON: expecting ':' delimiter."
    ]
    assert oddities("// nothing") == ["There is no JSON object or array here."]


def test_of_several_objects_only_the_repairs_of_good_ones_are_told() -> None:
    assert oddities('{"a": [1,]}\n{/* */ "b" 2}') == [
        "Comma too many left out.",
        "Further object in the same block.",
        "This is no JSON: expecting ':' delimiter.",
    ]


@pytest.mark.parametrize("text", ["", " ", "nothing", "<!-- foo -->", '"text', "undefined"])
def test_no_object_at_all_is_an_oddity(text: str) -> None:
    assert values(text) == []
    assert oddities(text)[-1] == "There is no JSON object or array here."


def test_of_a_name_that_occurs_twice_the_last_counts() -> None:
    assert values('{"a": 1, "b": 0, "a": 2}') == [{"a": 2, "b": 0}]
    assert oddities('{"a": 1, "b": 0, "a": 2}') == [
        '"a" occurs twice in an object; the last one counts.'
    ]


@pytest.mark.parametrize("number", ["1e400", "-1e400", "9" * 301, "-" + "9" * 5000])
def test_a_number_beyond_all_doubles_is_left_out(number: str) -> None:
    assert values(f'{{"a": {number}, "b": 1}}') == [{"a": None, "b": 1}]
    assert oddities(f'{{"a": {number}}}') == ["A number is larger than any double; left out."]


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_a_number_that_is_none_is_left_out(number: str) -> None:
    assert values(f'{{"a": {number}}}') == [{"a": None}]
    assert oddities(f'{{"a": {number}}}') == ["Word that is none in JSON read as a string or null."]


def test_half_of_a_pair_becomes_a_replacement_character() -> None:
    assert values(r'{"a\ud800": "x\udc00y", "b": "\ud83d\ude00"}') == [
        {"a\ufffd": "x\ufffdy", "b": "\U0001f600"}
    ]
    assert len(oddities(r'{"a": "\uD800"}')) == 1
    assert oddities(r'{"b": "\ud83d\ude00"}') == []


@pytest.mark.parametrize("levels", [101, 900, 5_000, 200_000])
def test_deep_nesting_is_cut(levels: int) -> None:
    text = '{"a":' * levels + "1" + "}" * levels
    (value,) = values(text)
    assert json.dumps(value).count("{") == 100
    assert oddities(text) == ["Part nested too deeply left out."]


def test_wide_is_not_deep() -> None:
    text = json.dumps([[{}] for _ in range(1000)])
    assert oddities(text) == []


def test_no_setting_can_make_it_deeper_than_processors_bear() -> None:
    text = "[" * 900 + "]" * 900
    (value,) = values(text, depth=sys.maxsize)
    assert json.dumps(value).count("[") == MOST_DEPTH


@given(st.text('{}[],:"\\u0123d8 eE+-.\n/*ab'), st.integers(1, 10))
def test_any_text_gives_values_that_can_be_written_again(text: str, depth: int) -> None:
    for value in values(text, depth):
        json.dumps(value, allow_nan=False, ensure_ascii=False).encode()
