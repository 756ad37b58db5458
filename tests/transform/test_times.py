import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.transform.terms import XSD
from gossamer.transform.times import time_literal, time_type


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("2011-06-28", "date"),
        ("2012-02-29", "date"),
        ("12011-06-28", "date"),
        ("2011-06-28T00:00:00", "dateTime"),
        ("2011-06-28T00:00:00Z", "dateTime"),
        ("2011-06-28T00:00:00.25+14:00", "dateTime"),
        ("00:00:00", "time"),
        ("23:59:59.9-05:30", "time"),
        ("2011-06", "gYearMonth"),
        ("2011", "gYear"),
        ("P2011Y06M28DT00H00M00S", "duration"),
        ("PT1.5S", "duration"),
        ("-P1D", "duration"),
    ],
)
def test_a_valid_spelling_has_its_type(text: str, name: str) -> None:
    assert time_type(text) == f"{XSD}{name}"
    assert time_literal(text) == f'"{text}"^^<{XSD}{name}>'


@pytest.mark.parametrize(
    "text",
    [
        *("", "foo", "28", "2011-13-01", "2011-02-29", "0000-01-01", "02011-06-28"),
        *("02011", "02011-06"),
        *("2011-06-28 00:00:00", "2011-06-28T00:00", "24:00:00", "00:00", "2011-06-28T00:00:00+1"),
        *("P", "PT", "P1DT", "P1S", "1 day", " 2011-06-28", "2011-06-28\n", "２０１１", "9" * 5000),
    ],
)
def test_anything_else_has_none(text: str) -> None:
    assert time_type(text) is None


@pytest.mark.parametrize(
    ("text", "mended", "name"),
    [
        ("2011-06-28 10:00", "2011-06-28T10:00:00", "dateTime"),
        ("2011-06-28T10:00+0100", "2011-06-28T10:00:00+01:00", "dateTime"),
        ("2011-06-28 10:00:01 GMT", "2011-06-28T10:00:01Z", "dateTime"),
        ("2011-06-28T10:00:00UT", "2011-06-28T10:00:00Z", "dateTime"),
        ("10:00", "10:00:00", "time"),
        ("Tue, 28 Jun 2011 10:00:00 GMT", "2011-06-28T10:00:00Z", "dateTime"),
        ("28 Jun 2011 10:00:00 +0200", "2011-06-28T10:00:00+02:00", "dateTime"),
        ("28 Jun 2011 10:00:00 +0000", "2011-06-28T10:00:00+00:00", "dateTime"),
        ("28 Jun 11 10:00:00 -0000", "2011-06-28T10:00:00Z", "dateTime"),
        ("Tue, 28 Jun 2011 10:00:00 +01:00", "2011-06-28T10:00:00+01:00", "dateTime"),
        ("Tue, 28 Jun 2011 10:00:00 CET", "2011-06-28T10:00:00+01:00", "dateTime"),
        ("Tue, 28 Jun 2011 10:00:00 +0100 (CET)", "2011-06-28T10:00:00+01:00", "dateTime"),
        ("28 Jun 2011 10:00 GMT+2", "2011-06-28T10:00:00+02:00", "dateTime"),
        ("28 Jun 2011 9:05:00 PDT", "2011-06-28T09:05:00-07:00", "dateTime"),
        ("Thu, 01-Jan-04 19:48:21 GMT", "2004-01-01T19:48:21Z", "dateTime"),
        ("Tue Jun 28 10:00:00 CET 2011", "2011-06-28T10:00:00+01:00", "dateTime"),
        ("28 Jun 2011 10:00:00", "2011-06-28T10:00:00", "dateTime"),  # nobody says where
        ("28 Jun 2011 10:00:00 IST", "2011-06-28T10:00:00", "dateTime"),  # in one of three places
        ("Nov 25, 2024 10:00 AM", "2024-11-25T10:00:00", "dateTime"),
        ("Nov 25, 2024 10:00 PM", "2024-11-25T22:00:00", "dateTime"),
        ("Nov. 25, 2024, 12:05 a.m. EST", "2024-11-25T00:05:00-05:00", "dateTime"),
        ("2011-06-28 10:00 PM", "2011-06-28T22:00:00", "dateTime"),
        ("5 Sept 2024 10:00:00 GMT", "2024-09-05T10:00:00Z", "dateTime"),
        ("Sept 5, 2024", "2024-09-05", "date"),
        ("Thursday, 5 September 2024", "2024-09-05", "date"),
        ("20031231", "2003-12-31", "date"),
        ("031231", "2003-12-31", "date"),
        ("20110628T100000Z", "2011-06-28T10:00:00Z", "dateTime"),
    ],
)
def test_a_loose_spelling_is_mended(text: str, mended: str, name: str) -> None:
    assert time_literal(text) == f'"{mended}"^^<{XSD}{name}>'


@pytest.mark.parametrize(
    "text",
    [
        *("soon", "31 Feb 2011 10:00:00 GMT", "2011-02-30 10:00", "x" * 99),
        *("31 Feb 2024", "5 Foo 2024", "28 Jun 2011 24:00:00 GMT", "28 Jun 2011 10:00:00 +1500"),
        *("11/25/2024", "200312", "20031", "99999999", "2003365", "10:00-12", "10:00 h"),
        *("Paris 5 May 2020", "Τρι, 29 Ιούν 2004 12:53:00 GMT"),
    ],
)
def test_what_is_no_time_stays_as_it_is(text: str) -> None:
    assert time_literal(text) == f'"{text}"'


pieces = st.lists(
    st.sampled_from(
        [*"0123456789:-+TZPYMDHS. ,", "2011", "Jun", "Tue", "GMT", "28", "\u0660", "99999999"]
    ),
    max_size=12,
).map("".join)


moments = (st.dates() | st.datetimes(timezones=st.timezones()) | st.times()).map(
    lambda moment: moment.isoformat()
)


@given(pieces | st.text() | moments)
def test_no_text_raises_and_every_typed_one_is_valid(text: str) -> None:
    time_literal(text)
    datatype = time_type(text)
    if datatype is not None:
        # The parser checks the spelling of what it computes with.
        found = ox.Store().query(
            f'ASK {{ FILTER(<{datatype}>("{text}") = "{text}"^^<{datatype}>) }}'
        )
        assert bool(found), text
