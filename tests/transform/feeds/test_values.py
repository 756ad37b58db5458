import pytest

from gossamer.model import Problem
from gossamer.transform.feeds import values
from gossamer.transform.feeds.values import Kind, Scope

XSD = "http://www.w3.org/2001/XMLSchema#"
SCOPE = Scope("https://example.test/a/", "de-AT")


@pytest.mark.parametrize(
    ("kind", "value", "term"),
    [
        (values.text, "Öl & Holz", '"Öl & Holz"@de-at'),
        (values.code, "audio/mpeg", '"audio/mpeg"'),
        (values.address, "b c", "<https://example.test/a/b%20c>"),
        (values.link, "../b", '"https://example.test/b"'),
        (values.mailbox, "mailto:a@b.test", "<mailto:a@b.test>"),
        (values.time, "Sat, 07 Sep 2002 09:42:31 GMT", f'"2002-09-07T09:42:31Z"^^<{XSD}dateTime>'),
        (values.time, "2003-12-13", f'"2003-12-13"^^<{XSD}date>'),
        (values.time, "yesterday", '"yesterday"'),
        (values.integer, "007", f'"007"^^<{XSD}integer>'),
        (values.integer, "seven", '"seven"'),
        (values.duration, "90", f'"PT90S"^^<{XSD}duration>'),
        (values.duration, "1:30", f'"PT1M30S"^^<{XSD}duration>'),
        (values.duration, "01:00:05", f'"PT1H5S"^^<{XSD}duration>'),
        (values.duration, "0:00", f'"PT0S"^^<{XSD}duration>'),
        (values.duration, "12.50", f'"PT12.5S"^^<{XSD}duration>'),
        (values.duration, "PT5M", f'"PT5M"^^<{XSD}duration>'),
        (values.duration, "an hour", '"an hour"'),
        (values.opposite, "Yes", f'"false"^^<{XSD}boolean>'),
        (values.opposite, "clean", f'"true"^^<{XSD}boolean>'),
        (values.opposite, "maybe", '"maybe"'),
    ],
)
def test_a_value_becomes_a_term_of_its_kind(kind: Kind, value: str, term: str) -> None:
    assert kind(value, SCOPE) == term


@pytest.mark.parametrize(
    ("kind", "value"),
    [(values.address, "http://[x/"), (values.link, "//[/"), (values.mailbox, "nobody")],
)
def test_what_cannot_be_an_iri_is_a_problem(kind: Kind, value: str) -> None:
    found = kind(value, SCOPE)
    assert isinstance(found, Problem)
    assert value in found.message
