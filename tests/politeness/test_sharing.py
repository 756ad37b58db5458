"""Shares of limits add up to no more than the limit, whoever asks, dies or joins; in virtual time."""

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.politeness.sharing import (
    SECOND,
    Stretch,
    allowed_share,
    charge,
    fair_shares,
    take_stretch,
    whole_share,
)

NEEDS = st.dictionaries(st.text("abcdefgh", min_size=1, max_size=2), st.floats(0, 1e6), min_size=1)


@given(st.floats(0, 1e6), NEEDS)
def test_shares_are_within_the_total_and_the_needs_and_leave_nothing_that_is_needed(
    total: float, needs: dict[str, float]
) -> None:
    shares = fair_shares(total, needs)
    assert shares.keys() == needs.keys()
    assert sum(shares.values()) <= total + 1e-6 * (1 + total)
    assert all(0 <= shares[name] <= needs[name] for name in needs)
    assert sum(shares.values()) == pytest.approx(min(total, sum(needs.values())))


def test_who_needs_little_gets_it_and_the_others_share_the_rest() -> None:
    assert fair_shares(10, {"a": 1, "b": 20, "c": 30}) == {"a": 1, "b": 4.5, "c": 4.5}


@given(st.integers(0, 1_000_000), st.sampled_from([0.01, 0.5, 1, 3, 40, 1000]))
def test_nodes_that_ask_die_and_join_as_they_like_never_take_more_than_the_limit(
    seed: int, per_second: float
) -> None:
    chance, paid, now, taken = random.Random(seed), 0, SECOND, list[Stretch]()
    seconds = 60 / min(per_second, 1)
    while now < (1 + seconds) * SECOND:
        needs = {f"n{number}": chance.randrange(1, 50) for number in range(chance.randrange(1, 6))}
        node = chance.choice(list(needs))
        others = {name: need for name, need in needs.items() if name != node}
        stretch, paid = take_stretch(paid, now, per_second, needs[node], others, node)
        if stretch.amount:  # and whether it is used, or the node is dead by then, does not matter
            taken.append(stretch)
        now += chance.randrange(1, round(0.3 * SECOND / min(per_second, 1)))
    assert all(one.ends <= other.begins for one, other in pairwise(taken))
    assert all(
        each.amount <= per_second * (each.ends - each.begins) / SECOND + 1e-6 for each in taken
    )
    units = sum(each.amount for each in taken)
    assert units <= per_second * (seconds + 2 * max(1, 1 / per_second)) + 1
    if per_second >= 1:  # those who ask often enough have nearly all of it
        assert units >= 0.5 * min(per_second, 40) * seconds


def test_a_node_gets_what_the_needs_of_others_leave_and_one_unit_at_least() -> None:
    stretch, paid = take_stretch(0, 5 * SECOND, 10, 8, {"b": 8}, "a")
    assert stretch == Stretch(5, 5 * SECOND, 5_500_000)
    assert paid == stretch.ends
    stretch, _ = take_stretch(0, 0, 0.5, 8, {"b": 8}, "a")
    assert stretch == Stretch(1, 0, 2 * SECOND)


def test_who_comes_when_the_line_is_taken_is_told_when_to_ask_again() -> None:
    stretch, paid = take_stretch(9 * SECOND, 5 * SECOND, 10, 8, {}, "a")
    assert (stretch.amount, paid) == (0, 9 * SECOND)
    assert take_stretch(paid, stretch.begins, 10, 8, {}, "a")[0].amount


def test_what_came_beyond_a_stretch_is_paid_afterwards() -> None:
    assert charge(9 * SECOND, 5 * SECOND, 100, 50) == 9_500_000
    assert charge(3 * SECOND, 5 * SECOND, 100, 50) == 5_500_000
    assert charge(3 * SECOND, 5 * SECOND, 100, 0) == 3 * SECOND


@given(st.integers(1, 40), st.integers(1, 20))
def test_whole_shares_add_up_to_the_limit(limit: int, count: int) -> None:
    nodes = [f"n{number}" for number in range(count)]
    assert sum(whole_share(limit, nodes, node) for node in nodes) == limit


@given(st.integers(0, 1_000_000), st.integers(1, 20))
def test_requests_at_once_to_an_address_never_exceed_the_limit(seed: int, limit: int) -> None:
    """Nodes join, renew, send and die; a dead node's share is its own until it lapses."""
    chance, shares, in_use = random.Random(seed), dict[str, int](), dict[str, int]()
    for step in range(200):
        match chance.randrange(4):
            case 0 if len(shares) < 12:
                shares[f"n{step}"], in_use[f"n{step}"] = 0, 0
            case 1 if shares:  # dead for long enough
                gone = chance.choice(list(shares))
                del shares[gone], in_use[gone]
            case 2 if shares:
                node = chance.choice(list(shares))
                in_use[node] = chance.randrange(shares[node] + 1)
            case _ if shares:
                node = chance.choice(list(shares))
                others = sum(share for name, share in shares.items() if name != node)
                shares[node] = allowed_share(limit, shares.keys(), node, others, in_use[node])
        assert sum(shares.values()) <= limit
        assert all(in_use[node] <= shares[node] for node in shares)
    for _ in range(2):  # everybody renews: then nothing of the limit lies idle
        for node in shares:
            in_use[node] = 0
            others = sum(share for name, share in shares.items() if name != node)
            shares[node] = allowed_share(limit, shares.keys(), node, others, 0)
    assert not shares or sum(shares.values()) == limit
