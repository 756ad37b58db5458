from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from gossamer.config import Politeness
from gossamer.politeness.clock import HostClock
from gossamer.politeness.delay import Pace, pace_for
from gossamer.politeness.outcome import Answered
from gossamer.politeness.reading_time import FORGIVEN, pause_after_reading

NOW = datetime(2025, 1, 1, tzinfo=UTC)
PACE = pace_for("a.test", Politeness())
HURRIED = pace_for("a.test", Politeness(delay=timedelta(0)))


def length(seconds: float, troubles: int, pace: Pace = PACE) -> float | None:
    pause = pause_after_reading(seconds, troubles, NOW, pace)
    return None if pause is None else (pause.until - NOW).total_seconds()


def test_a_host_rests_as_long_as_its_page_was_read() -> None:
    assert length(4.0, 0) == 4.0
    pause = pause_after_reading(4.0, 0, NOW, PACE)
    assert pause is not None
    assert pause.source == "1 × last reading of 4 s"


def test_where_the_delay_is_nothing_no_reading_is_charged() -> None:
    assert length(4.0, FORGIVEN, HURRIED) is None


def test_some_pages_that_fail_are_forgiven_and_more_are_a_back_off_that_doubles() -> None:
    assert [length(1.0, count) for count in range(6)] == [1.0, 1.0, 1.0, 10.0, 20.0, 40.0]
    assert length(1.0, 100) == 3600.0
    assert length(0.0, FORGIVEN + 1, HURRIED) == 10.0


def test_a_back_off_beyond_our_patience_parks_the_host() -> None:
    pause = pause_after_reading(10.0, 9, NOW, PACE)
    assert pause is not None
    parked = HostClock(rested_from=NOW).with_pause(pause).parked(NOW, PACE)
    assert parked is not None
    assert "9 pages in a row that took too much to read" in parked.why


@given(st.floats(0, 10**7), st.integers(0, 100), st.floats(0, 10**6), st.floats(0, 10**6))
def test_a_reading_makes_a_wait_longer_and_never_shorter(
    seconds: float, troubles: int, took: float, later: float
) -> None:
    clock = HostClock().started(1, NOW, NOW + timedelta(days=30))
    ended = NOW + timedelta(seconds=took)
    clock = clock.finish(1, ended, timedelta(seconds=took), Answered(200), PACE)
    read_at = ended + timedelta(seconds=later)
    pause = pause_after_reading(seconds, troubles, read_at, PACE)
    charged = clock if pause is None else clock.with_pause(pause)
    assert charged.ready_at(PACE) >= clock.ready_at(PACE)
    assert charged.ready_at(PACE) >= read_at + timedelta(seconds=seconds) - timedelta(seconds=1)
