from datetime import timedelta

from gossamer.config import Politeness
from gossamer.frontier.rows import (
    CLOCK_COLUMNS,
    HOST_COLUMNS,
    HostRow,
    clock_here,
    clock_there,
    clock_values,
    delay_of,
    host_row,
    microseconds,
    ready_at,
)
from gossamer.frontier.store import Transaction
from gossamer.politeness.clock import HostClock, InFlight
from gossamer.politeness.clock_row import to_microseconds
from gossamer.politeness.delay import Delay, pace_for
from gossamer.politeness.outcome import Pause

from .worlds import START, World

CLOCK = HostClock(
    rested_from=START,
    took=timedelta(milliseconds=1500),
    failures=2,
    crawl_delay=Delay(7.0, "Crawl-delay, line 3"),
    pause=Pause(START + timedelta(seconds=20), "Retry-After, status 503"),
)
ROW = HostRow(1, "a.test", "a.test", *[None] * 12, *clock_values(CLOCK))  # type: ignore[arg-type] # only the clock counts
PACE = pace_for("a.test", Politeness())


def test_a_row_gives_its_clock_back() -> None:
    assert ROW.clock == CLOCK
    assert HostRow._fields[-len(CLOCK_COLUMNS) :] == CLOCK_COLUMNS
    assert host_row(tuple(ROW)) == ROW
    assert HOST_COLUMNS.split(", ") == list(HostRow._fields)


def test_a_host_is_promised_to_who_asked_until_that_lapses() -> None:
    row = ROW._replace(wanted_by="two", wanted_until=100)
    assert row.wanted(99)
    assert not row.wanted(100)
    assert row.promised_to_another("one", 99)
    assert not row.promised_to_another("two", 99)
    assert not row.promised_to_another("one", 100)
    assert not ROW.wanted(0)


def test_the_longest_wish_counts() -> None:
    assert delay_of(CLOCK, PACE) == 20_000_000
    assert ready_at(CLOCK, PACE) == to_microseconds(START + timedelta(seconds=20))
    assert delay_of(CLOCK._replace(pause=None), PACE) == 7_000_000
    assert microseconds(timedelta(seconds=1.5)) == 1_500_000


def test_a_clock_that_comes_and_goes_never_shortens_a_wait(world: World) -> None:
    def there_and_back(txn: Transaction) -> HostClock:
        return clock_there(clock_here(CLOCK, txn), txn)

    back = world.store().read(there_and_back)
    assert ready_at(back, PACE) >= ready_at(CLOCK, PACE)
    assert back.rested_from >= CLOCK.rested_from
    assert (back.took, back.failures, back.crawl_delay) == (
        CLOCK.took,
        CLOCK.failures,
        CLOCK.crawl_delay,
    )


def test_what_is_in_flight_stays_with_the_sender(world: World) -> None:
    flying = CLOCK._replace(in_flight=(InFlight(1, START, START),))
    assert not world.store().read(lambda txn: clock_there(flying, txn)).in_flight
