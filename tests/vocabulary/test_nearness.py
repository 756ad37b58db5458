import pytest

from gossamer.vocabulary.nearness import LONGEST, nearest_name

NAMES = ("Person", "Event", "x" * (LONGEST + 1))


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("person", "Person"),
        ("Persons", "Person"),
        ("EVENT", "Event"),
        ("x", None),
        ("", None),
        ("x" * (LONGEST + 1), None),
    ],
)
def test_a_name_is_near_to_one_or_to_none(name: str, near: str | None) -> None:
    assert nearest_name(name, NAMES) == near
