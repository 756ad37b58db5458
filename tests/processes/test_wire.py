from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from types import MappingProxyType
from typing import Annotated, Any, Literal, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.config import Transform as Options
from gossamer.model import Problem, Syntax, Url
from gossamer.processes.wire import MOST_LETTERS, OFTEN, Wire, WireError


@dataclass(frozen=True, slots=True)
class Leaf:
    name: str
    size: int | None
    share: float
    is_new: bool


class Twig(NamedTuple):
    name: Url
    knots: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    url: Url
    body: bytes
    kind: Syntax
    mood: Literal["glad", "sad"]
    age: timedelta
    leaves: tuple[Leaf, ...]
    twigs: tuple[Twig, ...]
    pair: tuple[str, bytes]
    words: tuple[str, ...]
    contexts: Mapping[str, bytes]
    usual: Annotated[Leaf, OFTEN]
    best: Leaf | None = None


LEAVES = st.builds(
    Leaf,
    name=st.text(),
    size=st.none() | st.integers(-(2**80), 2**80),
    share=st.floats(allow_nan=False),
    is_new=st.booleans(),
)
TWIGS = st.builds(Twig, st.text().map(Url), st.lists(st.integers(), max_size=3).map(tuple))
TREES = st.builds(
    Tree,
    url=st.text().map(Url),
    body=st.binary(),
    kind=st.sampled_from(Syntax),
    mood=st.sampled_from(["glad", "sad"]),
    age=st.timedeltas(),
    leaves=st.lists(LEAVES, max_size=4).map(tuple),
    twigs=st.lists(TWIGS, max_size=4).map(tuple),
    pair=st.tuples(st.text(), st.binary()),
    words=st.lists(st.text(), max_size=4).map(tuple),
    contexts=st.dictionaries(st.text(), st.binary(), max_size=3),
    usual=LEAVES,
    best=st.none() | LEAVES,
)
TREE, LEAF = Wire(Tree), Wire(Leaf)


@given(TREES)
def test_a_value_comes_back_as_it_was(tree: Tree) -> None:
    back = TREE.loads(TREE.dumps(tree))
    assert back == tree
    assert all(isinstance(each, Twig) for each in back.twigs)  # a tuple alone would be equal


def test_the_options_and_problems_of_a_page_travel() -> None:
    options = Options(only=("rdfa",), stylesheets=MappingProxyType({"urn:x": "x.xsl"}))
    assert Wire(Options).loads(Wire(Options).dumps(options)) == options
    problem = Problem("cut short", syntax="turtle", line=3)
    assert Wire(Problem).loads(Wire(Problem).dumps(problem)) == problem


def test_text_that_is_no_unicode_travels_too() -> None:
    leaf = Leaf("a lone \ud800 half", None, 0.5, True)
    assert LEAF.loads(LEAF.dumps(leaf)) == leaf


@given(TREES, st.data())
def test_damaged_bytes_raise_one_error_or_give_a_value_of_the_type(tree: Tree, data: Any) -> None:
    good = bytearray(TREE.dumps(tree))
    at = data.draw(st.integers(0, len(good) - 1))
    good[at] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(good)))
    for damaged in (bytes(good), bytes(good[:cut])):
        with suppress(WireError):
            assert isinstance(TREE.loads(damaged), Tree)


def sent(flat: str, *blobs: bytes) -> bytes:
    """What a liar could send."""
    return b"".join(len(each).to_bytes(8, "big") + each for each in (flat.encode(), *blobs))


@pytest.mark.parametrize(
    "flat",
    [
        "null",
        "{}",
        "[]",
        '["a",1,0.5,true]',
        '[["a"],[1],[0.5]]',
        '[["a"],[1],[0.5],[true],[1]]',
        '[["a","b"],[1,1],[0.5,0.5],[true,true]]',
        '[["a"],[1],[0.5],[]]',
        '[["a"],[1],[0.5],{"0":true}]',
        "[[1],[1],[0.5],[true]]",
        '[["a"],[true],[0.5],[true]]',
        '[["a"],["1"],[0.5],[true]]',
        '[["a"],[1],["x"],[true]]',
        '[["a"],[1],[null],[true]]',
        '[["a"],[1],[0.5],[1]]',
        '[["a"],[' + "1" * 5000 + "],[0.5],[true]]",
        "[" * 100_000,
        "no json",
    ],
)
def test_what_is_not_of_the_declared_type_is_refused(flat: str) -> None:
    assert LEAF.loads(sent('[["a"],[1],[0.5],[true]]')) == Leaf("a", 1, 0.5, True)
    with pytest.raises(WireError):
        LEAF.loads(sent(flat))


@pytest.mark.parametrize("flat", ["[[2],[1]]", "[[-1],[]]", "[[true],[1]]", "[[1e0],[1]]", "[[1]]"])
def test_a_row_has_as_many_entries_as_it_says(flat: str) -> None:
    wire: Wire[Any] = Wire(tuple[int, ...])
    assert wire.loads(sent("[[2],[7,8]]")) == (7, 8)
    with pytest.raises(WireError):
        wire.loads(sent(flat))


@pytest.mark.parametrize(
    "flat", ["[[1],[[7],[8]]]", "[[true],[[],[]]]", "[[],[[7],[8]]]", "0", "[null]"]
)
def test_what_may_be_none_is_there_or_not(flat: str) -> None:
    wire: Wire[Any] = Wire(tuple[int, int] | None)  # type: ignore[arg-type]  # a type form
    assert wire.loads(sent("[[true],[[7],[8]]]")) == (7, 8)
    assert wire.loads(sent("[[false],[[],[]]]")) is None
    assert wire.loads(sent("null")) is None
    with pytest.raises(WireError):
        wire.loads(sent(flat))


@pytest.mark.parametrize("index", ["-1", "2", "0.0", '"0"', "true", "null"])
def test_bytes_that_are_not_there_are_refused(index: str) -> None:
    wire = Wire(tuple[str, bytes])
    assert wire.loads(sent('[["a"],[1]]', b"x", b"y")) == ("a", b"y")
    with pytest.raises(WireError):
        wire.loads(sent(f'[["a"],[{index}]]', b"x", b"y"))


@pytest.mark.parametrize("flat", ['["angry"]', '["GLAD"]', "[1]", "[null]", "[[]]"])
def test_a_choice_is_one_of_those_there_are(flat: str) -> None:
    wire: Wire[Any] = Wire(Literal["glad", "sad"])  # type: ignore[arg-type]  # a type form
    assert wire.loads(sent('["glad"]')) == "glad"
    with pytest.raises(WireError):
        wire.loads(sent(flat))


def test_a_time_beyond_all_calendars_is_refused() -> None:
    with pytest.raises(WireError):
        Wire(timedelta).loads(sent("[" + "9" * 30 + "]"))


@pytest.mark.parametrize("kind", [object, dict, set[str], int | str, Mapping[int, str]])
def test_a_type_that_is_not_closed_does_not_travel(kind: Any) -> None:
    with pytest.raises(TypeError, match="travel"):
        Wire(kind)


@dataclass(frozen=True, slots=True)
class Usual:
    leaf: Annotated[Leaf, OFTEN]


@dataclass(frozen=True, slots=True)
class Name:
    name: str


def test_what_is_often_the_same_is_built_once() -> None:
    wire = Wire(Usual)
    one, two = (wire.loads(wire.dumps(Usual(Leaf("a", 1, 0.5, True)))) for _ in range(2))
    assert one == two == Usual(Leaf("a", 1, 0.5, True))
    assert one.leaf is two.leaf


def test_what_is_often_the_same_may_change_and_be_long() -> None:
    wire = Wire(Usual)
    for name in ("a", "b", "a", "c" * MOST_LETTERS, "c" * MOST_LETTERS, "b"):
        value = Usual(Leaf(name, None, 1.0, False))
        assert wire.loads(wire.dumps(value)) == value


@pytest.mark.parametrize("text", ["", "[]", "{}", "[[1]]", '[["a"],[1],[1.0],["x"]]'])
def test_a_text_that_is_no_such_record_is_refused(text: str) -> None:
    with pytest.raises(WireError):
        Wire(Usual).loads(Wire(Name).dumps(Name(text)))
