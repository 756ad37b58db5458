import random
from math import exp, expm1, isclose, log

from hypothesis import given
from hypothesis import strategies as st

from gossamer.freshness.belief import Belief, believe, known
from gossamer.freshness.evidence import NO_LOOKS, Look
from gossamer.freshness.prior import Prior
from gossamer.freshness.rates import freshness, gain

PRIOR = Prior(mean=-4.0, spread=1.8)


def exact(found: list[Look]) -> Belief:
    """The posterior on a fine grid, from every look by itself."""
    grid = [-16 + 0.05 * i for i in range(440)]
    heights = [
        -(((x - PRIOR.mean) / PRIOR.spread) ** 2) / 2
        + sum(
            log(-expm1(-exp(x) * look.days)) if look.changed else -exp(x) * look.days
            for look in found
        )
        for x in grid
    ]
    highest = max(heights)
    shares = [exp(height - highest) for height in heights]
    total = sum(shares)
    return Belief(tuple(map(exp, grid)), tuple(share / total for share in shares))


def some_looks(chance: random.Random) -> list[Look]:
    rate = chance.lognormvariate(PRIOR.mean, PRIOR.spread)
    days = [chance.choice([2.0, 5.0, 10.0, 20.0, 60.0]) for _ in range(chance.randrange(12))]
    return [Look(each, chance.random() < 1 - exp(-rate * each)) for each in days]


def test_few_rates_and_five_sums_stand_for_the_whole_posterior() -> None:
    chance = random.Random(1)
    for _ in range(80):
        evidence, found = NO_LOOKS, some_looks(chance)
        for look in found:
            evidence = evidence.after(look, fading=False)
        believed, wanted = believe(evidence, PRIOR), exact(found)
        (mean, variance), (true_mean, true_variance) = believed.logarithm(), wanted.logarithm()
        assert abs(mean - true_mean) < 0.2
        assert 0.6 < variance / true_variance < 1.5
        for days in (5.0, 20.0, 80.0):
            assert isclose(believed.gain(days)[0], wanted.gain(days)[0], rel_tol=0.2)
            assert isclose(believed.still_fresh(days), wanted.still_fresh(days), abs_tol=0.05)


def test_without_looks_the_prior_is_believed() -> None:
    mean, variance = believe(NO_LOOKS, PRIOR).logarithm()
    assert isclose(mean, PRIOR.mean, abs_tol=1e-9)
    assert isclose(variance, PRIOR.spread**2, rel_tol=0.05)


@given(st.floats(1e-5, 50), st.floats(0.01, 500))
def test_a_known_rate_is_the_closed_form(rate: float, days: float) -> None:
    believed = known(rate)
    assert isclose(believed.gain(days)[0], gain(rate, days), rel_tol=1e-6, abs_tol=1e-12)
    assert isclose(believed.freshness(days), freshness(rate, days))
    assert believed.rate == rate
