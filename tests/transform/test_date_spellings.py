from hypothesis import given
from hypothesis import strategies as st

from gossamer.transform.date_spellings import respell

PIECES = ["Tue", ",", " ", "28", "Jun", "2011", "10:00", ":05", "PM", "CET", "+0100", "T", "-", "("]


@given(st.text(max_size=64) | st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_any_text_is_respelled_or_is_not(text: str) -> None:
    assert respell(text) != ""


def test_twelve_is_noon_or_midnight() -> None:
    assert respell("12:30 PM") == "12:30:00"
    assert respell("12:30 am") == "00:30:00"
    assert respell("13:30 PM") == "13:30:00"


def test_a_year_of_two_digits_is_near() -> None:
    assert respell("1 Jan 68") == "2068-01-01"
    assert respell("1 Jan 69") == "1969-01-01"
