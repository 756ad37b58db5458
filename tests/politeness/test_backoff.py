from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from gossamer.politeness.backoff import backoff

lengths = st.timedeltas(timedelta(0), timedelta(days=3650))


def test_the_first_failure_costs_the_first_wait_and_each_further_one_doubles_it() -> None:
    waits = [backoff(n, timedelta(seconds=10), timedelta(hours=1)) for n in range(5)]
    assert [wait.total_seconds() for wait in waits] == [0, 10, 20, 40, 80]


@given(st.integers(1, 200), lengths, lengths)
def test_back_off_never_falls_while_failures_go_on_and_never_passes_its_cap(
    failures: int, first: timedelta, most: timedelta
) -> None:
    wait = backoff(failures, first, most)
    assert backoff(failures - 1, first, most) <= wait <= most


@given(st.timedeltas(timedelta(microseconds=1), timedelta(days=1)), lengths)
def test_failures_without_end_reach_the_cap(first: timedelta, most: timedelta) -> None:
    assert backoff(10**9, first, most) == most
