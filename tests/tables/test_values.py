from datetime import UTC, date, datetime, time, timedelta, timezone

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.sparql.prefixes import PREFIXES
from gossamer.tables.values import Iri, typed, value_of

XSD = PREFIXES["xsd"]
CET = timezone(timedelta(hours=1))


@pytest.mark.parametrize(
    ("text", "datatype", "value"),
    [
        ("7", "integer", 7),
        (" -7 ", "int", -7),
        ("seven", "integer", "seven"),
        ("٧", "integer", "٧"),  # a digit, and none of XML Schema's
        ("9" * 5000, "integer", "9" * 5000),
        ("19.90", "decimal", 19.9),
        ("1e3", "double", 1000.0),
        ("1_000", "double", "1_000"),
        ("INF", "double", float("inf")),
        ("true", "boolean", True),
        ("0", "boolean", False),
        ("maybe", "boolean", "maybe"),
        ("2024-05-17", "date", date(2024, 5, 17)),
        ("2024-05-17+01:00", "date", date(2024, 5, 17)),
        ("2024-02-30", "date", "2024-02-30"),
        ("20240517", "date", "20240517"),
        ("2024-05-17T10:00:00Z", "dateTime", datetime(2024, 5, 17, 10, tzinfo=UTC)),
        ("2024-05-17T10:00:00.5+01:00", "dateTime", datetime(2024, 5, 17, 10, 0, 0, 500_000, CET)),
        ("2024-05-17T10:00:00", "dateTime", datetime(2024, 5, 17, 10)),
        ("-0044-03-15T00:00:00", "dateTime", "-0044-03-15T00:00:00"),
        ("10:30:00", "time", time(10, 30)),
        ("2024", "gYear", "2024"),
        ("7", "string", "7"),
    ],
)
def test_a_literal_has_the_type_of_its_datatype_if_it_is_written_so(
    text: str, datatype: str, value: object
) -> None:
    found = typed(text, XSD + datatype)
    assert (found, type(found)) == (value, type(value))


def test_schema_org_has_datatypes_too() -> None:
    assert typed("2024-05-17", "http://schema.org/Date") == date(2024, 5, 17)
    assert typed("2024-05-17T10:00", "https://schema.org/DateTime") == datetime(2024, 5, 17, 10)
    assert typed("http://schema.org/True", "http://schema.org/Boolean") is True
    assert typed("7", "http://schema.org/Number") == 7


def test_names_are_strings_that_say_what_they_are() -> None:
    name = value_of(ox.NamedNode("http://a.test/"))
    blank = value_of(ox.BlankNode("b1"))
    assert isinstance(name, Iri)
    assert isinstance(blank, Iri)
    assert (name, name.is_blank) == ("http://a.test/", False)
    assert (blank, blank.is_blank) == ("_:b1", True)
    assert value_of(ox.Literal("7", language="en")) == "7"


@given(st.text(max_size=40), st.sampled_from(["integer", "double", "date", "dateTime", "time"]))
def test_whatever_is_written_has_a_value(text: str, datatype: str) -> None:
    assert typed(text, XSD + datatype) is not None
