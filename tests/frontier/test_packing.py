from hypothesis import given
from hypothesis import strategies as st

from gossamer.frontier.packing import (
    pack_ids,
    pack_keys,
    pack_links,
    unpack_ids,
    unpack_keys,
    unpack_links,
    unpack_refused,
)
from gossamer.frontier.protocol import Outlink, RefusedLink
from gossamer.model import Url

NUMBERS = st.integers(-(2**63), 2**63 - 1)


@given(st.lists(st.tuples(st.integers(1, 3) | NUMBERS, NUMBERS)))
def test_keys_come_back_each_once_and_in_order(keys: list[tuple[int, int]]) -> None:
    assert unpack_keys(pack_keys(keys)) == sorted(set(keys))


def test_a_host_costs_twelve_bytes_and_a_key_eight() -> None:
    assert len(pack_keys([(1, key) for key in range(10)])) == 12 + 10 * 8
    assert pack_keys([]) == b""


@given(st.lists(st.builds(Outlink, st.text().map(Url), st.integers(0, 1000)), min_size=1))
def test_links_come_back_as_they_were(links: list[Outlink]) -> None:
    packed = pack_links(links)
    assert packed is not None
    assert unpack_links(packed) == links


@given(
    st.lists(st.builds(Outlink, st.text().map(Url), st.integers(0, 1000)), min_size=1),
    st.lists(st.builds(RefusedLink, st.text().map(Url), st.text())),
)
def test_links_to_follow_and_others_are_told_apart(
    links: list[Outlink], refused: list[RefusedLink]
) -> None:
    packed = pack_links([*links, *refused])
    assert unpack_links(packed) == links
    assert unpack_refused(packed) == refused


def test_no_links_are_nothing() -> None:
    assert pack_links([]) is None
    assert unpack_links(None) == []


@given(st.lists(NUMBERS))
def test_numbers_come_back_in_order(ids: list[int]) -> None:
    assert unpack_ids(pack_ids(ids)) == tuple(ids)
