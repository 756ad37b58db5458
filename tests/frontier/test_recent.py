import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.frontier.recent import DEEPEST, FEWEST, Page, RecentUrls

KEYS = st.integers(-(2**63), 2**63 - 1)
DEPTHS = st.integers(0, DEEPEST + 2)
PRIORITIES = st.integers(0, 1000)


def page(depth: int = 0, priority: int = 0, *, seed: bool = False) -> Page:
    return ("http://a.test/", depth, priority, 0, seed)


def knows(recent: RecentUrls, key: int, depth: int = 0, priority: int = 0) -> bool:
    return not list(recent.news([key], [page(depth, priority)]))


def test_what_was_learned_is_known_and_what_is_better_is_news() -> None:
    recent = RecentUrls()
    assert not knows(recent, 1, 2, 500)
    recent.learn({1: page(2, 500)})
    assert knows(recent, 1, 2, 500)
    assert knows(recent, 1, 3, 499)
    assert not knows(recent, 1, 1, 500)
    assert not knows(recent, 1, 2, 501)


def test_a_seed_is_always_news() -> None:
    recent = RecentUrls()
    recent.learn({1: page()})
    assert list(recent.news([1, 2], [page(seed=True), page()])) == [
        (1, page(seed=True)),
        (2, page()),
    ]


@pytest.mark.parametrize("key", [0, -1, 2**63 - 1, -(2**63)])
def test_no_key_is_known_from_the_start(key: int) -> None:
    assert not knows(RecentUrls(), key, DEEPEST)


@given(st.dictionaries(KEYS, st.tuples(DEPTHS, PRIORITIES)), st.integers(0, 9), st.data())
def test_it_never_claims_more_than_it_was_told(
    told: dict[int, tuple[int, int]], most: int, data: st.DataObject
) -> None:
    recent = RecentUrls(most)
    recent.learn({key: page(*known) for key, known in told.items()})
    key = data.draw(st.sampled_from(sorted(told)) if told else KEYS)
    depth, priority = data.draw(DEPTHS), data.draw(PRIORITIES)
    if knows(recent, key, depth, priority):
        assert told[key][0] <= depth
        assert told[key][1] >= priority


def test_it_grows_with_what_it_knows_and_forgets_nothing_by_that() -> None:
    recent, many = RecentUrls(), 8 * FEWEST
    for key in range(many):
        recent.learn({key: page()})
    assert all(knows(recent, key) for key in range(many))


def test_memory_is_bounded_and_the_newer_takes_the_place_of_the_older() -> None:
    recent = RecentUrls(16)
    recent.learn({key: page() for key in range(100)})
    assert [key for key in range(100) if knows(recent, key)] == list(range(84, 100))


def test_a_memory_for_nothing_keeps_nothing() -> None:
    recent = RecentUrls(0)
    recent.learn({1: page()})
    assert not knows(recent, 1)


def test_it_can_be_made_to_forget() -> None:
    recent = RecentUrls()
    recent.learn({1: page()})
    recent.clear()
    assert not knows(recent, 1)
