import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.slowness import patience

from gossamer.demo.things import (
    Amount,
    Draws,
    Item,
    Kind,
    Link,
    Moment,
    Text,
    Thing,
    Value,
    Whole,
    thing,
)

numbers = st.integers(0, 2**63)


def values(item: Item) -> Iterator[Value]:
    """All values of an item, those of items within it, too."""
    for _, value in item.properties:
        yield value
        if isinstance(value, Item):
            yield from values(value)


@given(numbers)
def test_a_number_stands_for_one_thing(number: int) -> None:
    assert thing(number) == thing(number)
    assert thing(number).number == number


def test_a_thing_is_the_same_in_every_process() -> None:
    code = "from gossamer.demo.things import thing; print([thing(n) for n in range(50)])"
    told = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONUTF8": "1"},
            check=True,
            capture_output=True,
            timeout=patience(60),
        ).stdout
        for seed in ("0", "1")
    }
    assert told == {f"{[thing(number) for number in range(50)]}\n".encode()}


@given(numbers)
def test_a_thing_says_its_name_description_and_identity(number: int) -> None:
    made = thing(number)
    said = dict(made.item.properties)
    assert said["name"] == Text(made.name)
    assert said["description"] == Text(made.description)
    assert said["sameAs"] == Link(f"http://id.test/{made.kind}/{number}")
    assert made.name in made.description


@given(numbers)
def test_every_value_is_what_it_claims_to_be(number: int) -> None:
    for value in values(thing(number).item):
        match value:
            case Moment(moment):
                assert (
                    datetime.fromisoformat(moment) if "T" in moment else date.fromisoformat(moment)
                )
            case Amount(hundredths):
                assert hundredths % 100 != 0
            case Whole(whole):
                assert whole > 0
            case Text(text):
                assert text == text.strip() != ""


@given(numbers)
def test_no_property_says_the_same_twice(number: int) -> None:
    properties = thing(number).item.properties
    assert len(set(properties)) == len(properties)


@pytest.fixture(scope="module")
def crowd() -> list[Thing]:
    return [thing(number) for number in range(2_000)]


def test_all_kinds_are_about_equally_common(crowd: list[Thing]) -> None:
    for kind in Kind:
        assert 200 < sum(made.kind is kind for made in crowd) < 500


def test_names_are_varied(crowd: list[Thing]) -> None:
    assert len({made.name for made in crowd}) > 600
    assert len({made.description for made in crowd}) > 1_800


def test_letters_of_every_reach_occur(crowd: list[Thing]) -> None:
    text = "".join(made.name for made in crowd)
    assert "é" in text.encode("latin-1", "ignore").decode("latin-1")
    assert any("\u0100" <= letter <= "\u017f" for letter in text)
    foreign = {
        value.language for made in crowd for value in values(made.item) if isinstance(value, Text)
    }
    assert foreign == {None, "ja"}


@pytest.mark.parametrize("kind", list(Kind))
def test_every_kind_has_items_within_and_links_to_others(crowd: list[Thing], kind: Kind) -> None:
    for made in crowd:
        if made.kind is kind:
            types = {type(value) for value in values(made.item)}
            assert {Item, Link, Text} <= types


def test_no_number_needs_more_bytes_than_its_digest_has() -> None:
    draws = Draws(1)
    assert [draws.below(256) for _ in range(64)]
    with pytest.raises(StopIteration):
        draws.below(1)
