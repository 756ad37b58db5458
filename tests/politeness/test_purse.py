from hypothesis import given
from hypothesis import strategies as st

from gossamer.config import MIB, Budget
from gossamer.politeness.purse import (
    ASIDE,
    ELSEWHERE,
    ELSEWHERE_BYTES,
    URL_BYTES,
    WAITING,
    Purse,
    accounts_over,
    cost_of,
)

SMALL = Budget(waiting_bytes=5_000, aside_bytes=3_000, elsewhere_bytes=4_000)
urls = st.lists(st.tuples(st.text("ab", max_size=600), st.booleans()), max_size=40)


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
