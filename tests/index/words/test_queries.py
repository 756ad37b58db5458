"""Queries say what somebody asks for, in the engine's terms."""

from datetime import date

import pytest

from gossamer.index.words.asked import SearchError
from gossamer.index.words.queries import day


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2024", date(2024, 1, 1), date(2024, 12, 31)),
        ("2024-02", date(2024, 2, 1), date(2024, 2, 29)),
        (" 2024-02-10 ", date(2024, 2, 10), date(2024, 2, 10)),
        ("9999", date(9999, 1, 1), date(9999, 12, 31)),
    ],
)
def test_a_date_is_its_first_or_its_last_day(text: str, first: date, last: date) -> None:
    assert day(text, "--since") == first.toordinal()
    assert day(text, "--until", is_last=True) == last.toordinal()


@pytest.mark.parametrize(
    "text", ["", "0000", "24", "2024-13", "2023-02-29", "last year", "２０２４"]
)
def test_what_is_no_date_is_refused_with_what_would_be_one(text: str) -> None:
    for is_last in (False, True):
        with pytest.raises(SearchError, match="write a day such as 2024-05-17"):
            day(text, "--since", is_last=is_last)
