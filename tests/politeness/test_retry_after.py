from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gossamer.politeness.delay import LONGEST
from gossamer.politeness.retry_after import retry_after

NOW = datetime(2026, 1, 1, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120),
        (" 120 ", 120),
        ("0", 0),
        ("000", 0),
        ("120.7", 120),
        ("Thu, 01 Jan 2026 12:02:00 GMT", 120),
        ("Thursday, 01-Jan-26 12:02:00 GMT", 120),
        ("Thu Jan  1 12:02:00 2026", 120),
        ("Thu, 01 Jan 2026 14:02:00 +0200", 120),
        ("Thu, 01 Jan 2026 11:00:00 GMT", 0),  # past: no wait
    ],
)
def test_seconds_and_all_three_date_formats_are_understood(value: str, seconds: int) -> None:
    assert retry_after(value, NOW) == timedelta(seconds=seconds)


@pytest.mark.parametrize(
    "value",
    [
        *("", " ", "-1", "NaN", "inf", "1e9", "soon", "1 hour", "٣", "0x10", "12,5"),
        *("Thu, 99 Jan 2026", "Thu, 01 Jan 2026 12:02:00 GMT" + " " * 40 + "!", "x" * 1_000_000),
    ],
)
def test_what_is_neither_seconds_nor_a_date_says_nothing(value: str) -> None:
    assert retry_after(value, NOW) is None


@pytest.mark.parametrize(
    "value", ["9" * 10, "9" * 5_000, "9" * 400 + ".5", "Fri, 31 Dec 9999 23:59:59 GMT"]
)
def test_waits_without_end_are_cut_to_a_year(value: str) -> None:
    assert retry_after(value, NOW) == LONGEST


@given(st.text() | st.from_regex(r"[A-Z][a-z]{2}, \d+ [A-Z][a-z]{2} \d+ [\d:]+ [A-Z+\d-]*"))
@example("Mon, 1 Jan 0001 00:00:00 +2359")
@example("Fri, 31 Dec 9999 23:59:59 -2359")
def test_any_text_gives_nothing_or_a_wait_within_bounds(value: str) -> None:
    wait = retry_after(value, NOW)
    assert wait is None or timedelta(0) <= wait <= LONGEST


@given(st.datetimes(datetime(2026, 1, 1, 12), datetime(2026, 12, 31), timezones=st.just(UTC)))
def test_a_date_is_waited_for_to_the_second(moment: datetime) -> None:
    moment = moment.replace(microsecond=0)
    wait = retry_after(format_datetime(moment, usegmt=True), NOW)
    assert wait is not None
    assert NOW + wait == moment
