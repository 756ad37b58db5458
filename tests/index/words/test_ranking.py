"""The better a thing is described and linked, the more its text counts; within bounds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.index.entities import Entity
from gossamer.index.words.ranking import weight

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
