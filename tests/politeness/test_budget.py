from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from gossamer.config import MIB, Budget
from gossamer.politeness.budget import (
    ASIDE,
    ELSEWHERE,
    ELSEWHERE_BYTES,
    ONE_TURN_IN,
    QUEUES,
    SLOWEST,
    URL_BYTES,
    WAITING,
    Purse,
    accounts_over,
    allowance,
    brings_nothing_new,
    cost_of,
    next_queue,
    queue_in_turn,
    queue_of,
    shares,
    used_up,
)

moments = st.none() | st.integers(0, 100)
first_ready = st.lists(moments, min_size=QUEUES, max_size=QUEUES)
ready_hosts = st.lists(
    st.lists(st.integers(0, 100), max_size=40).map(sorted), min_size=QUEUES, max_size=QUEUES
)
SMALL = Budget(waiting_bytes=5_000, aside_bytes=3_000, elsewhere_bytes=4_000)
urls = st.lists(st.tuples(st.text("ab", max_size=600), st.booleans()), max_size=40)


def test_each_linking_site_adds_to_the_allowance() -> None:
    budget = Budget(pages=100, pages_per_linking_site=10)
    assert [allowance(n, budget) for n in (0, 1, 7)] == [100, 110, 170]


def test_a_site_that_brings_nothing_new_has_little_and_gains_nothing_by_links() -> None:
    budget = Budget(pages=1_000, pages_per_linking_site=100)
    assert [allowance(n, budget, is_new=False) for n in (0, 7)] == [10, 10]
    assert allowance(0, Budget(pages=1), is_new=False) == 1
    assert not brings_nothing_new(49, 49)  # too few to judge by
    assert not brings_nothing_new(100, 79)
    assert brings_nothing_new(100, 80)


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


@given(st.integers(1, 10**12), first_ready)
def test_a_turn_is_never_wasted(turn: int, since: list[int | None]) -> None:
    queue = next_queue(turn, since)
    if queue is None:
        assert not any(moment is not None for moment in since)
    else:
        assert since[queue] is not None


@given(st.integers(1, 10**12), st.integers(0, SLOWEST))
def test_what_waits_alone_does_not_wait(turn: int, only: int) -> None:
    since = [0 if queue == only else None for queue in range(QUEUES)]
    assert next_queue(turn, since) == only


@given(st.integers(1, 10**12), first_ready)
def test_nobody_over_budget_goes_before_who_is_within_and_has_waited_longer(
    turn: int, since: list[int | None]
) -> None:
    queue = next_queue(turn, since)
    if queue is not None:
        own = since[queue]
        assert own is not None
        assert all(moment is None or own <= moment for moment in since[:queue])


@given(st.integers(1, 10**6), st.integers(0, 100), ready_hosts)
def test_a_batch_is_full_or_takes_all_and_equals_single_turns(
    turn: int, wanted: int, ready: list[list[int]]
) -> None:
    batch, left, single = shares(turn, wanted, ready), [list(each) for each in ready], [0] * QUEUES
    assert sum(batch) == min(wanted, sum(map(len, ready)))
    for now in range(turn, turn + wanted):
        queue = next_queue(now, [each[0] if each else None for each in left])
        if queue is not None:
            left[queue].pop(0)
            single[queue] += 1
    assert list(batch) == single


# A small whole crawl: sites with so many pages each, one page a turn.


def crawl(sites: list[int], linking: list[int], budget: Budget) -> list[int]:
    """The order in which pages of sites are fetched, by number of the site."""
    taken, order = [0] * len(sites), []
    since = [0] * len(sites)  # the turn in which a site was served last
    for turn in range(1, sum(sites) + 1):
        waiting: list[list[int]] = [[] for _ in range(QUEUES)]
        for site, pages in enumerate(sites):
            if taken[site] < pages:
                queue = queue_of(taken[site], allowance(linking[site], budget))
                waiting[queue].append(site)
        first = [min((since[site] for site in queue), default=None) for queue in waiting]
        queue_served = next_queue(turn, first)
        assert queue_served is not None
        site = min(waiting[queue_served], key=since.__getitem__)
        taken[site] += 1
        since[site] = turn
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
    always = [5, None, None, None, 5]  # neither has waited longer
    served = [next_queue(turn, always) for turn in range(1, 2 * ONE_TURN_IN**SLOWEST + 1)]
    assert served.count(SLOWEST) == 2


@given(urls, st.integers(0, 6_000), st.integers(0, 5_000))
def test_no_account_is_overdrawn_and_nothing_is_refused_that_fits(
    named: list[tuple[str, bool]], waiting: int, elsewhere: int
) -> None:
    purse = Purse.after(SMALL, waiting, 0, elsewhere)
    left = {True: 5_000 - waiting, False: 4_000 - elsewhere}
    for url, own in named:
        cost = cost_of(len(url), 1, own=own)
        assert purse.take(url, own=own) == (cost <= left[own])
        left[own] -= cost if cost <= left[own] else 0
    assert (purse.waiting, purse.elsewhere) == (left[True], left[False])


@given(st.lists(st.lists(st.text("ab", max_size=600), max_size=5), max_size=10), st.booleans())
def test_what_is_pledged_fits_whatever_of_it_is_new(pages: list[list[str]], own: bool) -> None:
    purse = Purse.after(SMALL, 0, 0, 0)
    pledged = [page for page in pages if purse.pledge(page, len(page))]
    assert all(purse.take(url, own=own) for page in pledged for url in page)


@given(st.lists(st.integers(0, 2_000)))
def test_what_is_kept_aside_stays_within_its_account(sizes: list[int]) -> None:
    purse = Purse.after(SMALL, 0, 0, 0)
    assert sum(size for size in sizes if purse.take_aside(size)) + purse.aside == 3_000


def test_other_sites_urls_cost_more_than_ones_own() -> None:
    assert cost_of(100, 2, own=True) == 100 + 2 * URL_BYTES
    assert cost_of(100, 2, own=False) == 100 + 2 * ELSEWHERE_BYTES


def test_a_site_of_a_million_urls_fits() -> None:
    budget = Budget()
    assert cost_of(100 * 1_000_000, 1_000_000, own=True) < budget.waiting_bytes


def test_accounts_that_are_used_up_are_named() -> None:
    assert accounts_over(Budget(), 0, 0, 0) == {}
    assert set(accounts_over(Budget(), 512 * MIB, 512 * MIB, 64 * MIB)) == {
        WAITING,
        ASIDE,
        ELSEWHERE,
    }


def test_it_names_the_site_the_number_and_the_key() -> None:
    said = used_up("a.test", 1_000)
    assert said.startswith("a.test has caused the 1,000 requests")
    assert said.endswith("(budget.requests_elsewhere)")
