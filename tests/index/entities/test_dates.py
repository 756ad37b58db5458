import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.index.entities.dates import date_of, iso_date

SCHEMA = "http://schema.org/"


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


def test_a_plain_literal_is_a_date_where_the_predicate_says_so() -> None:
    year = ox.Literal("2001")
    assert date_of(f"{SCHEMA}datePublished", year) == "2001"
    assert date_of("http://ogp.me/ns/article#published_time", ox.Literal("2024-05-17")) is not None
    assert date_of(f"{SCHEMA}name", year) is None
    assert date_of(f"{SCHEMA}numberOfPages", year) is None


def test_a_literal_of_a_date_type_is_one_anywhere() -> None:
    typed = ox.Literal("2001-01-01", datatype=ox.NamedNode("http://www.w3.org/2001/XMLSchema#date"))
    assert date_of(f"{SCHEMA}whatever", typed) == "2001-01-01"
    assert date_of(f"{SCHEMA}whatever", ox.Literal("x", datatype=typed.datatype)) is None
