import random
from math import isclose

from hypothesis import assume, given
from hypothesis import strategies as st

from gossamer.freshness.belief import believe, known
from gossamer.freshness.evidence import NO_LOOKS, Look
from gossamer.freshness.plan import Plan, interval
from gossamer.freshness.prior import Prior
from gossamer.freshness.rates import freshness

plans = st.builds(Plan, st.floats(0.01, 100), st.floats(100, 1000))
priors = st.builds(Prior, st.floats(-8, 2), st.floats(0.5, 2.5))
histories = st.lists(st.builds(Look, st.floats(0.1, 100), st.booleans()), max_size=10)


@given(plans, priors, histories, st.floats(0.1, 10))
def test_a_look_is_due_when_it_has_gained_its_price(
    plan: Plan, prior: Prior, found: list[Look], weight: float
) -> None:
    evidence = NO_LOOKS
    for look in found:
        evidence = evidence.after(look)
    belief = believe(evidence, prior)
    days = interval(belief, weight, plan)
    assert plan.shortest <= days <= plan.longest
    if plan.shortest < days < plan.longest:
        assert isclose(weight * belief.gain(days)[0], plan.price, rel_tol=0.02)


@given(plans, priors, st.floats(0.1, 10))
def test_a_higher_price_asks_for_fewer_looks_and_weight_for_more(
    plan: Plan, prior: Prior, weight: float
) -> None:
    belief = believe(NO_LOOKS, prior)
    assert interval(belief, weight, plan.at(2)) >= interval(belief, weight, plan) * 0.99
    assert interval(belief, 2 * weight, plan) <= interval(belief, weight, plan) * 1.01


@given(plans, st.floats(1e-4, 100))
def test_no_page_starves_however_fast_it_changes(plan: Plan, rate: float) -> None:
    assert interval(known(rate), 1, plan) <= plan.longest
    assert interval(known(1e6), 0, plan) == plan.longest


@given(st.integers(0, 1000), st.floats(0.5, 20))
def test_no_other_intervals_are_fresher_for_the_same_looks(seed: int, price: float) -> None:
    chance = random.Random(seed)
    rates = [chance.lognormvariate(-3.5, 1.5) for _ in range(6)]
    plan = Plan(price, longest=1e5)
    best = [interval(known(rate), 1, plan) for rate in rates]
    looks = [1 / each if each < 1e5 else 0.0 for each in best]
    others = [each * chance.uniform(0.5, 1.5) for each in looks]
    assume(sum(others) > 0)
    others = [each * sum(looks) / sum(others) for each in others]

    def fresh(shares: list[float]) -> float:
        return sum(
            freshness(rate, 1 / each) for rate, each in zip(rates, shares, strict=True) if each
        )

    assert fresh(looks) >= fresh(others) - 1e-3
