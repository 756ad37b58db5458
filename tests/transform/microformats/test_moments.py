import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.transform.microformats.moments import Moment, date_of, joined_moment


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        (["2009-06-26", "7pm"], "2009-06-26 19:00"),
        (["7:30 a.m.", "2009-06-26"], "2009-06-26 07:30"),
        (["2009-06-26", "12am"], "2009-06-26 00:00"),
        (["2009-06-26", "12:05 PM"], "2009-06-26 12:05"),
        (["2009-06-26", "19:00", "-08:00"], "2009-06-26 19:00-0800"),
        (["2009-06-26", "19:00Z", "+01:00"], "2009-06-26 19:00Z"),
        (["2009-06-26", "2010-01-01", "10:00", "11:00"], "2009-06-26 10:00"),
        (["2009-06-26T19:00:30.5+0100"], "2009-06-26 19:00:30.5+0100"),
        (["2009-177", "9:00"], "2009-177 09:00"),
        (["2009-06"], "2009-06"),
        (["19:00"], "19:00"),
    ],
)
def test_parts_make_a_moment(parts: list[str], text: str) -> None:
    moment = joined_moment(parts, None)
    assert moment
    assert moment.text == text


@pytest.mark.parametrize("parts", [[], ["tomorrow"], ["Z"], ["2009-06-26Tnoon"], [""]])
def test_parts_that_are_none_make_none(parts: list[str]) -> None:
    assert joined_moment(parts, "2009-06-26") is None


def test_a_time_alone_is_one_of_the_date_before() -> None:
    assert joined_moment(["22:00"], "2009-06-26") == Moment("2009-06-26 22:00", "2009-06-26")


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("2009-06-26T19:00", "2009-06-26"),
        ("2009-06-26", "2009-06-26"),
        ("2009-06-260", None),
        ("soon", None),
    ],
)
def test_the_date_of_a_moment_is_what_it_begins_with(text: str, date: str | None) -> None:
    assert date_of(text) == date


@given(st.times(), st.dates(), st.booleans())
def test_a_date_and_a_time_come_out_as_they_went_in(
    time: object, date: object, time_first: bool
) -> None:
    parts = [str(date), str(time)]
    moment = joined_moment(parts[::-1] if time_first else parts, None)
    assert moment == Moment(f"{date} {time}", str(date))


@given(st.lists(st.text(alphabet="0123456789-:+ZTapm. ", max_size=20)), st.none() | st.text())
def test_no_parts_are_too_strange(parts: list[str], date: str | None) -> None:
    moment = joined_moment(parts, date)
    assert moment is None or moment.text
