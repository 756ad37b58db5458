"""Which format somebody wants."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.service.negotiation import ROWS, TRIPLES, Wanted, wanted


@pytest.mark.parametrize(
    ("accept", "first"),
    [
        (None, "application/sparql-results+json"),
        ("", "application/sparql-results+json"),
        ("*/*", "application/sparql-results+json"),
        ("nonsense", "application/sparql-results+json"),
        ("application/json", "application/json"),
        ("text/csv", "text/csv"),
        ("TEXT/CSV;q=0.2", "text/csv"),
        ("text/csv;q=0.2, application/sparql-results+xml", "application/sparql-results+xml"),
        ("text/*", "text/xml"),
        ("text/*;q=0.5, text/csv", "text/csv"),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "application/xml"),
        ("application/*, application/json;q=0, */*;q=0.1", "application/sparql-results+json"),
        ("text/turtle, text/csv; charset=utf-8 ;q=.3", "text/csv"),
    ],
)
def test_the_dearest_offer_comes_first(accept: str | None, first: str) -> None:
    assert wanted(accept, ROWS)[0] == Wanted(first, ROWS[first])


@pytest.mark.parametrize("accept", ["text/html", "text/csv;q=0", "image/*"])
def test_who_takes_none_of_them_gets_none(accept: str) -> None:
    assert list(wanted(accept, ROWS)) == []


def test_what_is_not_wanted_is_left_out() -> None:
    left = wanted("*/*, text/turtle;q=0, application/json;q=0", TRIPLES)
    assert {"text/turtle", "application/json"}.isdisjoint(each.media_type for each in left)


@given(st.text() | st.text("*/,;q=0.1 textcsv"))
def test_no_header_breaks_it(accept: str) -> None:
    for each in wanted(accept, ROWS):
        assert ROWS[each.media_type] == each.format
