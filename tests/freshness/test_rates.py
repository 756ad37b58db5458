from math import isclose

from hypothesis import given
from hypothesis import strategies as st

from gossamer.freshness.rates import freshness, gain

rates = st.floats(1e-6, 100)
days = st.floats(1e-3, 1000)


@given(rates, days)
def test_the_gain_is_the_derivative_of_freshness_by_looks_a_day(rate: float, each: float) -> None:
    looks, little = 1 / each, 1e-4 / each
    change = freshness(rate, 1 / (looks + little)) - freshness(rate, 1 / (looks - little))
    assert isclose(change / (2 * little), gain(rate, each), rel_tol=1e-3, abs_tol=1e-6 * each)


@given(rates, days, days)
def test_pages_are_less_fresh_and_looks_gain_more_the_longer_they_wait(
    rate: float, one: float, other: float
) -> None:
    short, long = sorted((one, other))
    assert freshness(rate, short) >= freshness(rate, long) * (1 - 1e-9)
    assert gain(rate, short) <= gain(rate, long) * (1 + 1e-6)
    assert gain(rate, long) <= 1 / rate * (1 + 1e-9)
