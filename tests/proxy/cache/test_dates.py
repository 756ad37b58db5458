from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.proxy.cache import dates

NOW = datetime(2026, 11, 16, tzinfo=UTC).timestamp()
SPACECRAFT = datetime(1994, 11, 6, 8, 49, 37, tzinfo=UTC).timestamp()


@given(st.integers(0, 4_000_000_000))
def test_what_is_written_is_read_as_the_same_moment(moment: int) -> None:
    assert dates.parsed(dates.written(moment), NOW) == moment


@pytest.mark.parametrize(
    "text",
    [
        b"Sun, 06 Nov 1994 08:49:37 GMT",
        b"Sunday, 06-Nov-94 08:49:37 GMT",
        b"Sun Nov  6 08:49:37 1994",
        b"sun, 06 nov 1994 08:49:37 gmt",
    ],
)
def test_the_three_forms_mean_the_same(text: bytes) -> None:
    assert dates.parsed(text, NOW) == SPACECRAFT


def test_two_digits_are_the_year_that_is_near() -> None:
    soon = dates.parsed(b"Thursday, 18-Aug-50 02:01:18 GMT", NOW)
    assert soon == datetime(2050, 8, 18, 2, 1, 18, tzinfo=UTC).timestamp()
    past = dates.parsed(b"Thursday, 18-Aug-77 02:01:18 GMT", NOW)
    assert past == datetime(1977, 8, 18, 2, 1, 18, tzinfo=UTC).timestamp()


def test_a_leap_second_is_the_one_before() -> None:
    leap = dates.parsed(b"Sat, 31 Dec 2016 23:59:60 GMT", NOW)
    assert leap == dates.parsed(b"Sat, 31 Dec 2016 23:59:59 GMT", NOW)
    assert dates.parsed(b"Sat, 31 Dec 2016 23:59:61 GMT", NOW) is None


@given(st.binary(max_size=40))
def test_anything_else_is_no_date(text: bytes) -> None:
    assert dates.parsed(text, NOW) is None


@pytest.mark.parametrize(
    "text", [b"Sun, 31 Feb 2026 00:00:00 GMT", b"Sun, 06 Nov 1994 24:00:00 GMT"]
)
def test_a_day_that_never_was_is_no_date(text: bytes) -> None:
    assert dates.parsed(text, NOW) is None
