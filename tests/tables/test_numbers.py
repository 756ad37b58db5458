from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.tables.numbers import amount, value_at


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("19.90", 19.9),
        ("1249", 1249),
        ("1,249.00", 1249.0),
        ("1.249,00", 1249.0),
        ("19,90", 19.9),
        ("1,249", 1249),
        ("1.249.000", 1249000),
        ("1'249.50", 1249.5),
        ("1 249,50", 1249.5),
        ("€ 19.90", 19.9),
        ("19.90 EUR", 19.9),
        ("$1,249.00", 1249.0),
        ("-3.5", -3.5),
        ("12 cm", 12),
        ("Call us", None),
        ("", None),
        ("from 10 to 20", None),
        ("2024-05-17", None),
    ],
)
def test_an_amount_is_read_as_people_write_it(text: str, number: float | None) -> None:
    assert amount(text) == number


def test_digits_that_are_a_name_stay_text() -> None:
    assert value_at("sku", "007", None) == "007"
    assert value_at("gtin13", "4006381333931", None) == "4006381333931"
    assert value_at("price", "007.5", None) == 7.5


def test_dates_are_read_where_a_property_has_dates() -> None:
    assert value_at("datePublished", "2024-05-17", None) == date(2024, 5, 17)
    assert value_at("startDate", "2024-05-17T10:00Z", None) == datetime(2024, 5, 17, 10, tzinfo=UTC)
    assert value_at("validThrough", "soon", None) == "soon"
    assert value_at("name", "2024-05-17", None) == "2024-05-17"
    assert value_at("startDate", "2024-02-31", None) == "2024-02-31"


@given(st.text(alphabet="0123456789.,' €$EUR+-x", max_size=60))
def test_whatever_is_written_is_a_number_or_none(text: str) -> None:
    assert amount(text) is None or isinstance(amount(text), int | float)
