import json
from html import escape
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.hostile.growth import WORST, growth_of

from gossamer.transform.jsonld.repair import Fault, Repair, repaired

DEPTH = 50
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=12,
).filter(lambda value: isinstance(value, dict | list))


def values(text: str) -> list[Any]:
    return [json.loads(piece.text) for piece in repaired(text, DEPTH).pieces]


def repairs(text: str) -> list[Repair]:
    mended = repaired(text, DEPTH)
    return mended.repairs(mended.pieces)


def faults(text: str) -> list[Fault]:
    return [repair.fault for repair in repairs(text)]


@pytest.mark.parametrize(
    ("text", "value", "fault"),
    [
        ('{"a": 1,}', {"a": 1}, Fault.COMMA),
        ('{"a": [1, 2, ], }', {"a": [1, 2]}, Fault.COMMA),
        ('{"a": 1,, "b": 2}', {"a": 1, "b": 2}, Fault.COMMA),
        ("[, 1]", [1], Fault.COMMA),
        ('{"a": 1} // end', {"a": 1}, Fault.COMMENT),
        ('{// "x": 0,\n"a": 1}', {"a": 1}, Fault.COMMENT),
        ('/* one\n * two */ {"a": /**/ 1}', {"a": 1}, Fault.COMMENT),
        ('{"a": "http://b.test/ /* kept */ // kept"} /*', None, Fault.COMMENT),
        ('<!-- {"a": 1} -->', {"a": 1}, Fault.WRAPPER),
        ('<![CDATA[{"a": [[1]]}]]>', {"a": [[1]]}, Fault.WRAPPER),
        ('//<![CDATA[\n{"a": 1}\n//]]>', {"a": 1}, Fault.WRAPPER),
        ('// <![CDATA[ {"a": 1} // ]]>', {"a": 1}, Fault.WRAPPER),
        ('{"a": "two\nlines\tand\x01"}', {"a": "two\nlines\tand\x01"}, Fault.CONTROL),
        (r"""{"a": "it\'s"}""", {"a": "it's"}, Fault.ESCAPE),
        ('\ufeff{\xa0"a": 1}', {"a": 1}, Fault.SPACE),
        ("{'a': 'b'}", {"a": "b"}, Fault.QUOTES),
        ("""{'a': 'say "it\\'s"\n'}""", {"a": 'say "it\'s"\n'}, Fault.QUOTES),
        ("{\"a\": \"it's\", 'b': ['c', 1]}", {"a": "it's", "b": ["c", 1]}, Fault.QUOTES),
        ("{@context: 1, a-b :2}", {"@context": 1, "a-b": 2}, Fault.BARE),
        (
            '{"@type": Recipe, "b": [Two, true]}',
            {"@type": "Recipe", "b": ["Two", True]},
            Fault.BARE,
        ),
        ('{"a": undefined, "b": NaN, "c": True}', {"a": None, "b": None, "c": True}, Fault.BARE),
        ("{&quot;a&quot;: &quot;x &amp;amp; y&quot;}", {"a": "x &amp; y"}, Fault.ENTITIES),
        ("{&#34;a&#x22;: 1}", {"a": 1}, Fault.ENTITIES),
        ('{"a": 1};', {"a": 1}, Fault.OUTSIDE),
        ('var data = {"a": 1}', {"a": 1}, Fault.OUTSIDE),
        ('{"a": 1}}', {"a": 1}, Fault.OUTSIDE),
    ],
)
def test_a_fault_with_a_clear_meaning_is_mended(text: str, value: object, fault: Fault) -> None:
    assert fault in faults(text)
    if value is not None:
        assert values(text) == [value]


def test_comment_signs_in_strings_are_part_of_them() -> None:
    text = '{"a": "// /* <!-- --> ]]> , } &quot;",}'
    assert values(text) == [{"a": "// /* <!-- --> ]]> , } &quot;"}]
    assert faults(text) == [Fault.COMMA]


def test_several_objects_are_as_many_pieces() -> None:
    text = '{"a": 1}\n{"b": 2},\n[3]'
    assert values(text) == [{"a": 1}, {"b": 2}, [3]]
    assert Fault.SEVERAL in faults(text)
    assert [piece.line for piece in repaired(text, DEPTH).pieces] == [0, 1, 2]


@pytest.mark.parametrize(
    "text",
    [
        '{"a" 1}',
        '{"a": 1 "b": 2}',
        '{"a": "b}',
        '{"a": "say "hello" now"}',
        '{"a": 1',
        '{"a": [1}',
        r'{"a": "C:\dir"}',
        '{"a": two words}',
        "{two words: 1}",
        "{'a': 'it's'}",
        '{"a":}',
        "{",
        "[[",
        '{"a": "\\',
    ],
)
def test_nothing_is_guessed(text: str) -> None:
    with pytest.raises(ValueError):
        values(text)


def test_every_repair_knows_its_first_line_and_how_often() -> None:
    text = '{\n"a": [1,],\n"b": 2, // two\n"c": [3,],\n}'
    assert [(each.fault, each.line, each.count) for each in repairs(text)] == [
        (Fault.COMMA, 1, 3),
        (Fault.COMMENT, 2, 1),
    ]
    assert [str(each) for each in repairs(text)] == [
        "Comma too many left out (3 times).",
        "Comment left out.",
    ]


def test_repairs_are_told_of_those_pieces_that_are_asked_about() -> None:
    mended = repaired('<!-- {"a": 1,}\n{"b": [2,],}\n{/* */ "c" 3}', DEPTH)
    first, second, third = mended.pieces
    assert [str(each) for each in mended.repairs([second, first])] == [
        "Comment or CDATA mark around the JSON left out.",
        "Comma too many left out (3 times).",
        "Further object in the same block (2 times).",
    ]
    assert Fault.COMMENT in [each.fault for each in mended.repairs([third])]


def test_what_is_too_deep_is_null_and_the_rest_is_kept() -> None:
    text = "[1, " * 60 + '"deep"' + ", 2]" * 60
    (value,) = values(text)
    for _ in range(DEPTH - 1):
        first, value, last = value
        assert (first, last) == (1, 2)
    assert value == [1, None, 2]
    assert faults(text) == [Fault.DEPTH]


@given(JSON)
def test_good_json_is_left_as_it_is(value: object) -> None:
    text = json.dumps(value, indent=1, ensure_ascii=False)
    if "\x7f" not in text:
        assert values(text) == [value]
        assert faults(text) == []


@given(JSON)
def test_escaped_json_is_read_all_the_same(value: object) -> None:
    text = escape(json.dumps(value))
    if "&quot;" in text:
        assert values(text) == [value]


@given(st.text('{}[],:"\\/*<>!-&quot;\n 1a\x00\ufeff'))
def test_whatever_comes_something_is_returned(text: str) -> None:
    assert sum(len(piece.text) for piece in repaired(text, 5).pieces) <= 6 * len(text) + 8


@pytest.mark.parametrize(
    "part", ["[", "{", '{"a":', "]", "/*", "//", "<!--", "&quot;", '"', ",", "\\"]
)
def test_work_is_linear_in_the_text(part: str) -> None:
    growth = growth_of(lambda text: repaired(text, DEPTH), lambda n: part * n)
    assert growth.worst <= WORST, str(growth)
