from datetime import UTC, datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from gossamer.politeness.clock import HostClock, InFlight
from gossamer.politeness.clock_row import from_microseconds, from_row, to_microseconds, to_row
from gossamer.politeness.delay import bounded
from gossamer.politeness.outcome import Pause

moments = st.datetimes(datetime(1960, 1, 1), datetime(2300, 1, 1), timezones=st.just(UTC))
lengths = st.timedeltas(timedelta(0), timedelta(days=365))
clocks = st.builds(
    HostClock,
    rested_from=moments,
    took=lengths,
    failures=st.integers(0, 10**6),
    crawl_delay=st.none() | st.builds(bounded, st.floats(0, 1e9), st.text()),
    pause=st.none() | st.builds(Pause, moments, st.text()),
    in_flight=st.lists(st.builds(InFlight, st.integers(1), moments, moments), max_size=3).map(
        tuple
    ),
)


@given(clocks)
def test_a_clock_survives_its_row(clock: HostClock) -> None:
    assert from_row(to_row(clock)) == clock


@given(clocks)
def test_a_row_holds_only_what_every_database_can(clock: HostClock) -> None:
    assert {type(value) for value in to_row(clock)} <= {int, str, type(None)}


@given(moments)
def test_moments_of_other_zones_are_the_same_moments(moment: datetime) -> None:
    elsewhere = moment.astimezone(timezone(timedelta(hours=-7)))
    assert from_microseconds(to_microseconds(elsewhere)) == moment
