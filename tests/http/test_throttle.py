"""Complaints that come too often."""

from gossamer.http.throttle import MOST, MOST_KINDS, PERIOD_SECONDS, Throttle


def test_a_few_of_each_kind_are_told_each_minute() -> None:
    now = 0.0
    throttle = Throttle(clock=lambda: now)
    assert sum(throttle.admits("one") for _ in range(1_000)) == MOST
    assert throttle.admits("another")
    now += PERIOD_SECONDS
    assert throttle.admits("one")


def test_kinds_that_somebody_makes_up_are_bounded_too() -> None:
    throttle = Throttle(clock=lambda: 0.0)
    assert sum(throttle.admits(f"kind {number}") for number in range(10_000)) == MOST_KINDS
