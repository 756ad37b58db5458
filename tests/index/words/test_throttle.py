"""What is slow waits, and all that is slow together takes no more than its share."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.index.words import throttle
from gossamer.index.words.throttle import REST, REST_SECONDS, SLOW_SECONDS, WordsThrottle


class Clock:
    """Time as we like it."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_what_took_long_rests_and_what_did_not_does_not() -> None:
    clock = Clock()
    pace = WordsThrottle(clock)
    pace.took("fast", SLOW_SECONDS / 2)
    pace.took("slow", SLOW_SECONDS)
    pace.took("slowest", 1.0)
    assert [pace.is_due(each) for each in ("fast", "slow", "slowest")] == [True, False, False]
    clock.now += REST_SECONDS
    assert [pace.is_due(each) for each in ("slow", "slowest")] == [True, False]
    clock.now += REST
    assert pace.is_due("slowest")


def test_what_has_become_fast_rests_no_more() -> None:
    pace = WordsThrottle(Clock())
    pace.took("thing", 1.0)
    pace.took("thing", 0.0)
    assert pace.is_due("thing")


@given(st.lists(st.floats(SLOW_SECONDS, 2.0), min_size=1, max_size=40))
def test_however_many_are_slow_they_take_a_tenth_of_the_time(costs: list[float]) -> None:
    clock = Clock()
    pace, spent = WordsThrottle(clock), 0.0
    for number, seconds in enumerate(costs):  # as they are met first
        pace.took(str(number), seconds)
    until = clock.now + 100 * REST * sum(costs)
    began, steps = clock.now, 0
    while clock.now < until and steps < 500:
        steps += 1
        for number, seconds in enumerate(costs):
            if pace.is_due(str(number)):
                clock.now += seconds
                spent += seconds
                pace.took(str(number), seconds)
        clock.now += REST * sum(costs) / 4
    assert spent <= (clock.now - began) / REST + 2 * sum(costs)


def test_only_so_many_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throttle, "MOST_SLOW", 10)
    clock = Clock()
    pace = WordsThrottle(clock)
    for number in range(10):
        pace.took(str(number), 1.0)
    clock.now += 10 * REST
    pace.took("last", 1.0)
    assert list(pace._slow) == ["last"]
    clock.now += REST
    assert pace.is_due("last")
