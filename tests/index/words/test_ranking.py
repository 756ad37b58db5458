"""The better a thing is described and linked, the more its text counts; within bounds."""

import struct
from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.index.entities import Entity
from gossamer.index.words.ranking import kept_weight, weight

BARE = Entity(
    home="http://a.test/",
    label="a",
    language=None,
    types=(),
    description=None,
    image=None,
    names=("a",),
    texts=(),
    pages=(),
    page_count=1,
    hosts=(),
    host_count=1,
    members=(),
    member_count=1,
    properties=(),
    dates=(),
    links_in=0,
    links_out=0,
    is_page=False,
)


def test_a_bare_thing_weighs_one() -> None:
    assert weight(BARE) == pytest.approx(1.0, rel=1e-4)


def test_the_formula_is_the_documented_one() -> None:
    known = BARE._replace(
        properties=("p", "q", "r"), description="d", links_in=7, host_count=4, is_page=True
    )
    expected = (1 + 0.10 * 2 + 0.10 + 0.15 * 3 + 0.20 * 2) * 0.6
    assert weight(known) == pytest.approx(expected, rel=1e-4)


def as_the_engine_counts(entity: Entity) -> float:
    """What a score is multiplied by, in single precision."""
    (kept,) = struct.unpack("f", struct.pack("f", kept_weight(entity)))
    return log2(2 + kept)


def test_parts_of_other_things_count_a_fortieth() -> None:
    item = BARE._replace(types=("http://schema.org/ListItem",))
    assert as_the_engine_counts(item) == pytest.approx(log2(3), rel=1e-4)
    assert as_the_engine_counts(BARE) == pytest.approx(40 * log2(3), rel=1e-4)
    page = item._replace(is_page=True)
    assert as_the_engine_counts(page) == pytest.approx(40 * log2(2.6), rel=1e-4)
    both = (*item.types, "https://schema.org/Product")
    assert as_the_engine_counts(item._replace(types=both)) == as_the_engine_counts(BARE)


def test_nothing_is_known_too_well_for_the_engine() -> None:
    everywhere = BARE._replace(host_count=10**12, links_in=1_000, properties=("p",) * 1_000)
    assert as_the_engine_counts(everywhere) == pytest.approx(126)


def test_things_that_are_alike_keep_their_order() -> None:
    one, other = BARE._replace(home="http://a.test/1"), BARE._replace(home="http://a.test/2")
    assert weight(one) != weight(other)
    assert weight(one) == weight(one._replace())


@given(st.integers(0, 1_000), st.integers(1, 1_000), st.integers(0, 100))
def test_more_never_weighs_less_and_never_too_much(links: int, hosts: int, properties: int) -> None:
    some = BARE._replace(
        links_in=links, host_count=hosts, properties=("p",) * properties, description="d"
    )
    more = some._replace(links_in=links + 1)
    assert 1 <= weight(some) < weight(more) < 6
    assert weight(some) <= weight(some._replace(host_count=hosts + 1))
