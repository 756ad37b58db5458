from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.http.wire.fields import Fields
from gossamer.proxy.cache.fields import (
    SHORT,
    block_of,
    combined,
    date_text,
    end_to_end,
    fields_of,
    first,
    members,
    read_date,
    remembering,
    without,
)

NAMES = st.from_regex(rb"\A[A-Za-z0-9-]{1,12}\Z")
VALUES = st.binary(max_size=20).map(lambda value: value.translate(None, b"\r\n").strip())
FIELDS = st.lists(st.tuples(NAMES, VALUES), max_size=8).map(tuple)

TWICE: Fields = ((b"A", b"1"), (b"b", b"2"), (b"a", b"3"))


@given(FIELDS)
def test_fields_written_as_lines_are_read_as_they_were(fields: Fields) -> None:
    assert fields_of(block_of(fields)) == fields


def test_lines_of_one_field_make_one_list() -> None:
    assert combined(TWICE, b"a") == b"1, 3"
    assert combined(TWICE, b"c") is None
    assert first(TWICE, b"a") == b"1"
    assert without(TWICE, {b"a"}) == ((b"b", b"2"),)


def test_members_of_a_list_are_names_in_lower_case() -> None:
    assert [*members(((b"Vary", b"A, ,b"), (b"vary", b"C")), b"vary")] == [b"a", b"b", b"c"]


def test_what_is_for_the_next_hop_ends_there() -> None:
    fields = ((b"Connection", b"close, X-Hop"), (b"x-hop", b"1"), (b"TE", b"t"), (b"B", b"2"))
    assert end_to_end(fields) == ((b"B", b"2"),)


def test_nobody_hides_no_store_behind_connection() -> None:
    fields = ((b"Connection", b"Cache-Control"), (b"Cache-Control", b"no-store"))
    assert end_to_end(fields) == ((b"Cache-Control", b"no-store"),)


calls: list[bytes] = []


@remembering(2)
def doubled(value: bytes) -> bytes:
    calls.append(value)
    return value * 2


def test_short_values_are_remembered_and_long_ones_are_not() -> None:
    short, long = b"x" * SHORT, b"x" * (SHORT + 1)
    calls.clear()
    assert [doubled(value) for value in (short, short, long, long)] == [
        short * 2,
        short * 2,
        long * 2,
        long * 2,
    ]
    assert calls == [short, long, long]


NOW = datetime(2026, 11, 16, tzinfo=UTC).timestamp()
SPACECRAFT = datetime(1994, 11, 6, 8, 49, 37, tzinfo=UTC).timestamp()


@given(st.integers(0, 4_000_000_000))
def test_what_is_written_is_read_as_the_same_moment(moment: int) -> None:
    assert read_date(date_text(moment), NOW) == moment


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
    assert read_date(text, NOW) == SPACECRAFT


def test_two_digits_are_the_year_that_is_near() -> None:
    soon = read_date(b"Thursday, 18-Aug-50 02:01:18 GMT", NOW)
    assert soon == datetime(2050, 8, 18, 2, 1, 18, tzinfo=UTC).timestamp()
    past = read_date(b"Thursday, 18-Aug-77 02:01:18 GMT", NOW)
    assert past == datetime(1977, 8, 18, 2, 1, 18, tzinfo=UTC).timestamp()


def test_a_leap_second_is_the_one_before() -> None:
    leap = read_date(b"Sat, 31 Dec 2016 23:59:60 GMT", NOW)
    assert leap == read_date(b"Sat, 31 Dec 2016 23:59:59 GMT", NOW)
    assert read_date(b"Sat, 31 Dec 2016 23:59:61 GMT", NOW) is None


@given(st.binary(max_size=40))
def test_anything_else_is_no_date(text: bytes) -> None:
    assert read_date(text, NOW) is None


@pytest.mark.parametrize(
    "text", [b"Sun, 31 Feb 2026 00:00:00 GMT", b"Sun, 06 Nov 1994 24:00:00 GMT"]
)
def test_a_day_that_never_was_is_no_date(text: bytes) -> None:
    assert read_date(text, NOW) is None
