from gossamer.freshness.belief import known
from gossamer.freshness.plan import Plan, interval
from gossamer.freshness.steering import host_factor, steered


def test_looks_that_are_behind_make_the_price_higher_within_bounds() -> None:
    assert steered(0, 20) == 1
    assert 1 < steered(5, 20) < steered(10, 20) <= steered(1e9, 20) <= 4
    assert 1 / 4 <= steered(-1e9, 20) < steered(-5, 20) < 1


def test_a_host_with_too_little_time_has_a_price_of_its_own() -> None:
    assert host_factor(asked=5, possible=20) == host_factor(asked=20, possible=20) == 1
    assert host_factor(asked=40, possible=20) == 4
    assert host_factor(asked=40, possible=0) > 1000


def test_at_that_price_pages_ask_for_no_more_than_there_is() -> None:
    plan, belief = Plan(0.5, 1e6, 0.0), known(0.02)
    asked, possible = 100 / interval(belief, 1, plan), 3.0
    dearer = plan.at(host_factor(asked, possible))
    assert asked > possible
    assert 100 / interval(belief, 1, dearer) < possible * 1.01
