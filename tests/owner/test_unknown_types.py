"""Types that nothing has."""

import asyncio

import pytest

from gossamer.index.words.asked import Search
from gossamer.owner.messages import Record
from gossamer.owner.unknown_types import nearest, unknown_types

COUNTS = {"Person": 7, "Event": 3}


async def search(asked: Search) -> Record:
    """What a crawl of a few things answers."""
    total = sum(COUNTS.get(each, 0) for each in asked.types) if asked.types else 10
    return {"total": total, "facets": {"types": COUNTS}}


def test_each_that_nothing_has_comes_with_the_one_that_was_meant() -> None:
    types = ("Persn", "Event", "http://schema.org/Evnt", "Recipe")
    assert asyncio.run(unknown_types(types, search)) == [
        {"type": "Persn", "near": "Person", "count": 7},
        {"type": "http://schema.org/Evnt", "near": "Event", "count": 3},
        {"type": "Recipe", "near": None, "count": 0},
    ]
    assert asyncio.run(unknown_types((), search)) == []


@pytest.mark.parametrize(
    ("name", "near"),
    [("person", "Person"), ("Persons", "Person"), ("EVENT", "Event"), ("x", None), ("", None)],
)
def test_a_name_is_near_to_one_or_to_none(name: str, near: str | None) -> None:
    assert nearest(name, COUNTS) == near
