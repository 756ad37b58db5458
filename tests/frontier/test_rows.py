from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from gossamer.config import Politeness
from gossamer.frontier.protocol import Outlink, RefusedLink
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
    pack_ids,
    pack_keys,
    pack_links,
    ready_at,
    unpack_ids,
    unpack_keys,
    unpack_links,
    unpack_refused,
)
from gossamer.frontier.store import Transaction
from gossamer.model import Url
from gossamer.moments import to_microseconds
from gossamer.politeness.clock import HostClock, InFlight
from gossamer.politeness.delay import Delay, pace_for
from gossamer.politeness.evidence import HostEvidence
from gossamer.politeness.outcome import Pause

from .worlds import START, World

CLOCK = HostClock(
    rested_from=START,
    took=timedelta(milliseconds=1500),
    evidence=HostEvidence(2, (7, 8)),
    crawl_delay=Delay(7.0, "Crawl-delay, line 3"),
    pause=Pause(START + timedelta(seconds=20), "Retry-After, status 503"),
)
ROW = HostRow(1, "a.test", "a.test", *[None] * 12, *clock_values(CLOCK))  # type: ignore[arg-type] # only the clock counts
PACE = pace_for("a.test", Politeness())
NUMBERS = st.integers(-(2**63), 2**63 - 1)


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
    assert (back.took, back.evidence, back.crawl_delay) == (
        CLOCK.took,
        CLOCK.evidence,
        CLOCK.crawl_delay,
    )


def test_what_is_in_flight_stays_with_the_sender(world: World) -> None:
    flying = CLOCK._replace(in_flight=(InFlight(1, START, START),))
    assert not world.store().read(lambda txn: clock_there(flying, txn)).in_flight


@given(st.lists(st.tuples(st.integers(1, 3) | NUMBERS, NUMBERS)))
def test_keys_come_back_each_once_and_in_order(keys: list[tuple[int, int]]) -> None:
    assert unpack_keys(pack_keys(keys)) == sorted(set(keys))


def test_a_host_costs_twelve_bytes_and_a_key_eight() -> None:
    assert len(pack_keys([(1, key) for key in range(10)])) == 12 + 10 * 8
    assert pack_keys([]) == b""


@given(st.lists(st.builds(Outlink, st.text().map(Url), st.integers(0, 1000)), min_size=1))
def test_links_come_back_as_they_were(links: list[Outlink]) -> None:
    packed = pack_links(links)
    assert packed is not None
    assert unpack_links(packed) == links


@given(
    st.lists(st.builds(Outlink, st.text().map(Url), st.integers(0, 1000)), min_size=1),
    st.lists(st.builds(RefusedLink, st.text().map(Url), st.text())),
)
def test_links_to_follow_and_others_are_told_apart(
    links: list[Outlink], refused: list[RefusedLink]
) -> None:
    packed = pack_links([*links, *refused])
    assert unpack_links(packed) == links
    assert unpack_refused(packed) == refused


def test_no_links_are_nothing() -> None:
    assert pack_links([]) is None
    assert unpack_links(None) == []


@given(st.lists(NUMBERS))
def test_numbers_come_back_in_order(ids: list[int]) -> None:
    assert unpack_ids(pack_ids(ids)) == tuple(ids)
