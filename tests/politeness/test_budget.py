from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from gossamer.config import Budget
from gossamer.politeness.budget import (
    ONE_TURN_IN,
    QUEUES,
    SLOWEST,
    allowance,
    next_queue,
    queue_in_turn,
    queue_of,
    shares,
)

ready_counts = st.lists(st.integers(0, 40), min_size=QUEUES, max_size=QUEUES)


def test_each_linking_site_adds_to_the_allowance() -> None:
    budget = Budget(pages=100, pages_per_linking_site=10)
    assert [allowance(n, budget) for n in (0, 1, 7)] == [100, 110, 170]


def test_each_doubling_past_the_allowance_is_one_queue_slower() -> None:
    taken = [0, 99, 100, 199, 200, 399, 400, 799, 800, 10**9]
    assert [queue_of(pages, 100) for pages in taken] == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]


@given(st.integers(0, 10**7), st.integers(1, 10**6), st.integers(0, 100))
def test_taking_more_never_helps_and_being_linked_never_hurts(
    taken: int, allowed: int, more: int
) -> None:
    assert 0 <= queue_of(taken, allowed) <= queue_of(taken + more, allowed) <= SLOWEST
    assert queue_of(taken, allowed + more) <= queue_of(taken, allowed)


def test_each_queue_gets_an_eighth_of_the_turns_of_the_one_before() -> None:
    turns = Counter(queue_in_turn(turn) for turn in range(1, ONE_TURN_IN**SLOWEST + 1))
    assert [turns[queue] for queue in range(QUEUES)] == [3584, 448, 56, 7, 1]


@given(st.integers(1, 10**12), ready_counts)
def test_a_turn_is_never_wasted(turn: int, ready: list[int]) -> None:
    queue = next_queue(turn, ready)
    if queue is None:
        assert not any(ready)
    else:
        assert ready[queue] > 0


@given(st.integers(1, 10**12), st.integers(0, SLOWEST))
def test_what_waits_alone_does_not_wait(turn: int, only: int) -> None:
    ready = [int(queue == only) for queue in range(QUEUES)]
    assert next_queue(turn, ready) == only


@given(st.integers(1, 10**6), st.integers(0, 100), ready_counts)
def test_a_batch_is_full_or_takes_all_and_equals_single_turns(
    turn: int, wanted: int, ready: list[int]
) -> None:
    batch, left, single = shares(turn, wanted, ready), list(ready), [0] * QUEUES
    assert sum(batch) == min(wanted, sum(ready))
    for now in range(turn, turn + wanted):
        queue = next_queue(now, left)
        if queue is not None:
            left[queue] -= 1
            single[queue] += 1
    assert list(batch) == single


# A small whole crawl: sites with so many pages each, one page a turn.


def crawl(sites: list[int], linking: list[int], budget: Budget) -> list[int]:
    """The order in which pages of sites are fetched, by number of the site."""
    taken, order = [0] * len(sites), []
    for turn in range(1, sum(sites) + 1):
        waiting: list[list[int]] = [[] for _ in range(QUEUES)]
        for site, pages in enumerate(sites):
            if taken[site] < pages:
                queue = queue_of(taken[site], allowance(linking[site], budget))
                waiting[queue].append(site)
        queue_served = next_queue(turn, [len(queue) for queue in waiting])
        assert queue_served is not None
        site = min(waiting[queue_served], key=taken.__getitem__)
        taken[site] += 1
        order.append(site)
    return order


@given(st.lists(st.tuples(st.integers(0, 120), st.integers(0, 5)), min_size=1, max_size=5))
def test_every_page_is_reached_in_the_end_once(sites: list[tuple[int, int]]) -> None:
    pages, linking = [site[0] for site in sites], [site[1] for site in sites]
    order = crawl(pages, linking, Budget(pages=10, pages_per_linking_site=5))
    assert Counter(order) == Counter({n: count for n, count in enumerate(pages) if count})


def test_regular_sites_go_first_while_the_one_over_budget_still_moves() -> None:
    order = crawl([2000, 2000], [0, 1000], Budget(pages=10, pages_per_linking_site=5))
    while_both_wait = order[:2200]
    spam, liked = while_both_wait.count(0), while_both_wait.count(1)
    assert 10 < spam < liked / 4


def test_the_slowest_site_is_served_however_much_regular_work_there_is() -> None:
    always = [1000, 0, 0, 0, 1]
    served = [next_queue(turn, always) for turn in range(1, 2 * ONE_TURN_IN**SLOWEST + 1)]
    assert served.count(SLOWEST) == 2
