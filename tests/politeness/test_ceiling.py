from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.config import Politeness
from gossamer.politeness.ceiling import CATCH_UP_SECONDS, AddressLimit, Ceiling, Ceilings

NOW = datetime(2026, 1, 1, tzinfo=UTC)
SECOND = timedelta(seconds=1)


def starts(ceiling: Ceiling, lateness: list[timedelta]) -> list[datetime]:
    """When requests start that come as early as they may, each late by so much."""
    now, moments = NOW, []
    for late in lateness:
        now = ceiling.next_moment(now) + late
        ceiling = ceiling.spent(now)
        moments.append(now)
    return moments


def test_a_low_rate_is_evenly_spaced() -> None:
    moments = starts(Ceiling(4), [timedelta(0)] * 5)
    assert [(moment - NOW) / SECOND for moment in moments] == [0, 0.25, 0.5, 0.75, 1]


@given(
    st.integers(1, 400) | st.floats(0.01, 400),
    st.lists(st.timedeltas(timedelta(0), timedelta(milliseconds=300)), min_size=2, max_size=60),
)
def test_no_second_holds_more_than_the_rate_and_a_little_catching_up(
    rate: float, lateness: list[timedelta]
) -> None:
    moments = starts(Ceiling(rate), lateness)
    for i, first in enumerate(moments):
        within = sum(first <= moment < first + SECOND for moment in moments[i:])
        assert within <= rate * (1 + CATCH_UP_SECONDS) + 1


def test_a_late_loop_catches_up_so_that_a_high_rate_is_reached() -> None:
    moments = starts(
        Ceiling(1000), [timedelta(0)] * 20 + [timedelta(milliseconds=40)] * 1 + [timedelta(0)] * 979
    )
    assert moments[-1] - NOW <= SECOND


@given(st.integers(1, 10**9), st.lists(st.integers(0, 10**7), min_size=1, max_size=30))
def test_bytes_are_paid_before_anything_new_starts(rate: int, bodies: list[int]) -> None:
    now, ceiling = NOW, Ceiling(rate)
    for body in bodies:
        now = ceiling.next_moment(now)
        ceiling = ceiling.spent(now, body)
    after = ceiling.next_moment(now) + timedelta(seconds=CATCH_UP_SECONDS)
    assert (after - NOW).total_seconds() >= sum(bodies) / rate - 1e-5


@given(st.integers(1, 1000), st.timedeltas(timedelta(0), timedelta(days=1)))
def test_an_idle_crawl_saves_nothing_up(rate: int, idle: timedelta) -> None:
    later = Ceiling(rate).spent(NOW).spent(NOW + idle).spent(NOW + idle)
    fresh = Ceiling(rate).spent(NOW + idle).spent(NOW + idle)
    assert later.next_moment(NOW + idle) >= fresh.next_moment(NOW + idle)


def test_the_later_of_both_ceilings_holds() -> None:
    ceilings = Ceilings.of(Politeness(requests_per_second=10, bytes_per_second=1000))
    after = ceilings.after_start(NOW)
    assert after.next_moment(NOW) == NOW + SECOND / 10
    assert after.after_bytes(NOW, 3000).next_moment(NOW) == NOW + SECOND * (3 - CATCH_UP_SECONDS)


def test_without_ceilings_nothing_waits() -> None:
    ceilings = Ceilings.of(Politeness()).after_start(NOW).after_bytes(NOW, 10**9)
    assert ceilings.next_moment(NOW) == NOW


def test_an_address_is_full_until_somebody_leaves() -> None:
    limit = AddressLimit(2)
    assert limit.enter("192.0.2.1")
    assert limit.enter("192.0.2.1")
    assert not limit.enter("192.0.2.1")
    assert limit.enter("192.0.2.2")
    limit.leave("192.0.2.1")
    assert limit.enter("192.0.2.1")


@pytest.mark.parametrize(
    ("one", "other"),
    [("192.0.2.1", "::ffff:192.0.2.1"), ("2001:db8::1", "2001:0DB8:0:0:0:0:0:1")],
)
def test_spellings_of_one_address_count_together(one: str, other: str) -> None:
    limit = AddressLimit(1)
    assert limit.enter(one)
    assert not limit.admits(other)


def test_hosts_reached_through_connect_to_are_exempt() -> None:
    limit = AddressLimit(1)
    assert all(limit.enter(None) for _ in range(100))
    limit.leave(None)
    assert len(limit) == 0


def test_leaving_without_entering_is_a_mistake_of_ours() -> None:
    with pytest.raises(ValueError, match="nothing is in flight"):
        AddressLimit(1).leave("192.0.2.1")


@given(st.integers(1, 4), st.lists(st.tuples(st.booleans(), st.integers(1, 3)), max_size=80))
def test_counts_follow_any_history_and_nothing_at_rest_is_kept(
    per_address: int, history: list[tuple[bool, int]]
) -> None:
    limit, inside = AddressLimit(per_address), {1: 0, 2: 0, 3: 0}
    for entering, number in history:
        address = f"192.0.2.{number}"
        if entering:
            assert limit.enter(address) == (inside[number] < per_address)
            inside[number] = min(inside[number] + 1, per_address)
        elif inside[number]:
            limit.leave(address)
            inside[number] -= 1
        assert limit.in_flight(address) == inside[number]
    assert len(limit) == sum(count > 0 for count in inside.values())
