import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.focus.arms import ArmSums, ArmWorth, is_exploring, least_tried, order_arms, worths

THING, LIST, HUB, BARREN = 10, 11, 12, 13


def seen(visits: float, gained: float, parent: int | None = None, found: float = 0.0) -> ArmSums:
    return ArmSums(parent, visits, gained, visits, found or visits, 0.0)


def test_what_leads_to_wanted_things_is_worth_nearly_as_much_as_they_are() -> None:
    arms = {THING: seen(40, 36), LIST: seen(10, 0), HUB: seen(5, 0), BARREN: seen(40, 0)}
    leads = {LIST: {THING: 200.0}, HUB: {LIST: 50.0}, BARREN: {BARREN: 100.0}}
    found = worths(arms, leads)
    order = order_arms(found)
    assert (order[0], order[-1]) == (THING, BARREN)
    assert min(found[HUB].index, found[LIST].index) > 0.8 * found[THING].index
    assert found[BARREN].index < 0.05 * found[THING].index
    assert found[LIST].own < 0.05
    assert found[LIST].ahead > 10


def test_a_host_that_takes_longer_is_worth_less() -> None:
    quick = worths({THING: ArmSums(None, 10, 9, 10, 10)}, {})[THING]
    slow = worths({THING: ArmSums(None, 10, 9, 100, 10)}, {})[THING]
    assert slow.index == pytest.approx(quick.index / 10)


def test_a_list_that_was_not_visited_counts_as_other_lists_do() -> None:
    parent = seen(60, 40)
    lists = {n: seen(20, 20 if n < 3 else 0, THING) for n in (1, 2, 3)}
    arms = {THING: parent, **lists, 4: ArmSums(THING, found=20.0)}
    found = worths(arms, {})
    assert found[3].index < found[4].index < found[1].index


def test_a_list_of_things_is_looked_into_sooner_than_a_single_link() -> None:
    arms = {
        THING: seen(20, 2),
        1: ArmSums(THING, found=40.0),
        2: ArmSums(THING, found=1.0),
        3: seen(5, 5),
    }
    found = worths(arms, {})
    assert found[1].index > found[2].index


def test_the_same_pages_linked_from_elsewhere_count_where_nothing_was_visited() -> None:
    arms = {
        1: ArmSums(None, 20, 19, 20, 20, 0, "/p/#"),
        2: ArmSums(found=4, promised=0.1, form="/p/#"),
        3: ArmSums(found=4, promised=0.4, form="/q/#"),
    }
    assert order_arms(worths(arms, {}))[-1] == 3


def test_promises_count_where_nothing_was_visited() -> None:
    arms = {1: ArmSums(found=4, promised=2.0), 2: ArmSums(found=4, promised=0.2)}
    assert order_arms(worths(arms, {})) == [1, 2]


SUMS = st.builds(
    ArmSums,
    st.one_of(st.none(), st.integers(0, 5)),
    *[st.floats(0, 64)] * 2,
    st.floats(0, 1e4),
    *[st.floats(0, 1e4)] * 2,
)


@given(
    st.dictionaries(st.integers(0, 9), SUMS, max_size=8),
    st.dictionaries(
        st.integers(0, 9), st.dictionaries(st.integers(0, 9), st.floats(0, 1e6), max_size=5)
    ),
)
def test_every_arm_has_an_index_whatever_the_sums_are(
    arms: dict[int, ArmSums], leads: dict[int, dict[int, float]]
) -> None:
    found = worths(arms, leads)
    assert sorted(order_arms(found)) == sorted(arms)
    assert all(0 <= each.index < float("inf") for each in found.values())


def test_exploring_goes_on_and_becomes_rare() -> None:
    picks = [pick for pick in range(10_000) if is_exploring(pick)]
    assert 90 <= len(picks) <= 110
    assert len([pick for pick in picks if pick < 100]) >= 9
    assert picks[-1] > 9_000


def test_the_least_tried_of_equal_arms_is_the_more_promising() -> None:
    worth = {1: ArmWorth(0.1, 0, 0, 5), 2: ArmWorth(0.2, 0, 0, 0), 3: ArmWorth(0.3, 0, 0, 0)}
    assert least_tried(worth) == [3, 2, 1]
