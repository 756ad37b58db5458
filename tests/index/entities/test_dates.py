import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.index.entities.dates import date_of, is_dated, iso_date

SCHEMA, XSD = "http://schema.org/", "http://www.w3.org/2001/XMLSchema#"
STRING = ox.NamedNode(f"{XSD}string")


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("2024-05-17", "2024-05-17"),
        ("2024-05-17T10:00:00Z", "2024-05-17"),
        ("2024-05-17T10:00:00.123+02:00", "2024-05-17"),
        ("2024-05-17 10:00", "2024-05-17"),
        ("2024-05", "2024-05"),
        ("1815", "1815"),
        ("2024-02-30", None),
        ("2024-13", None),
        ("20240517", None),
        ("17 May 2024", None),
        ("0815", None),
        ("", None),
        ("2024-05-17" * 1_000_000, None),
    ],
)
def test_a_date_is_a_day_a_month_or_a_year(text: str, date: str | None) -> None:
    assert iso_date(text) == date


@given(st.dates(), st.times())
def test_every_moment_has_its_day(day: object, time: object) -> None:
    expected = str(day) if str(day) >= "1000" and str(day) < "3000" else None
    assert iso_date(f"{day}T{time}") == expected


@pytest.mark.parametrize(
    ("predicate", "dated"),
    [
        (f"{SCHEMA}datePublished", True),
        ("http://ogp.me/ns/article#published_time", True),
        (f"{SCHEMA}name", False),
        (f"{SCHEMA}numberOfPages", False),
    ],
)
def test_a_plain_literal_is_a_date_where_the_predicate_says_so(predicate: str, dated: bool) -> None:
    assert is_dated(predicate) == dated
    assert date_of("2001", STRING, is_dated=dated) == ("2001" if dated else None)
    assert date_of("2001", None, is_dated=dated) == ("2001" if dated else None)


def test_a_literal_of_a_date_type_is_one_anywhere() -> None:
    date = ox.NamedNode(f"{XSD}date")
    assert date_of("2001-01-01", date, is_dated=False) == "2001-01-01"
    assert date_of("x", date, is_dated=False) is None
