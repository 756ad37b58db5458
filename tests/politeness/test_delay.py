from collections.abc import Mapping
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.config import Politeness
from gossamer.politeness.delay import (
    LONGEST,
    Delay,
    bounded,
    configured_delay,
    longest,
    pace_for,
)


def delays(**seconds: float) -> Mapping[str, timedelta]:
    return {name: timedelta(seconds=value) for name, value in seconds.items()}


POLITENESS = Politeness(
    delays=delays(
        **{"*": 2, "*.wiki.test": 3, "*.de.wiki.test": 4, "www.de.wiki.test": 0, "Own.Test": 0}
    )
)


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("www.de.wiki.test", Delay(0, "configured for www.de.wiki.test")),
        ("m.de.wiki.test", Delay(4, "configured for *.de.wiki.test")),
        ("a.b.wiki.test", Delay(3, "configured for *.wiki.test")),
        ("wiki.test", Delay(2, "configured for *")),
        ("notwiki.test", Delay(2, "configured for *")),
        ("own.test", Delay(0, "configured for Own.Test")),
    ],
)
def test_the_most_exact_pattern_wins(host: str, expected: Delay) -> None:
    assert configured_delay(host, POLITENESS) == expected


def test_an_exact_name_beats_a_longer_pattern() -> None:
    politeness = Politeness(delays=delays(**{"a.test": 5, "*a.test": 1, "*.a.test": 7}))
    assert configured_delay("a.test", politeness).seconds == 5


def test_without_a_pattern_the_default_holds() -> None:
    assert configured_delay("a.test", Politeness()) == Delay(1, "default")


def test_a_host_with_a_delay_of_0_owes_no_rest_after_slow_answers() -> None:
    assert pace_for("own.test", POLITENESS).slowness == 0
    assert pace_for("wiki.test", POLITENESS).slowness == 1


def test_a_delay_says_where_it_comes_from() -> None:
    assert str(bounded(2.5, "Crawl-delay, line 3")) == "2.5 s (Crawl-delay, line 3)"
    slower = Politeness(delay=timedelta(seconds=6))
    assert configured_delay("a.test", slower) == Delay(6, "configured")


@given(st.floats(), st.floats())
def test_bounded_delays_add_up_exactly(first: float, second: float) -> None:
    a, b = bounded(first, "a"), bounded(second, "b")
    assert timedelta(0) <= a.length <= LONGEST
    assert a.length.total_seconds() == a.seconds
    assert longest(a, b).length == max(a.length, b.length)


def test_among_equal_delays_the_first_names_the_source() -> None:
    assert longest(Delay(1, "a"), None, Delay(1, "b")).source == "a"
