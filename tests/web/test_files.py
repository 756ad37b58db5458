"""Answers to be taken along."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.responses import Response

from gossamer.web.files import ROW_TITLES, TRIPLE_TITLES, SafeCsv, as_file, safe_cell, wanted_file


@pytest.mark.parametrize(
    ("name", "media_type"),
    [("json", "application/sparql-results+json"), ("xml", "application/sparql-results+xml"),
     ("csv", "text/csv"), ("turtle", "text/turtle"), ("jsonld", "application/ld+json"),
     ("rdfxml", "application/rdf+xml")],
)  # fmt: skip
def test_a_file_has_the_media_type_of_its_format(name: str, media_type: str) -> None:
    assert wanted_file(name).media_type == media_type


def test_every_format_that_is_offered_can_be_had() -> None:
    for name in (*ROW_TITLES, *TRIPLE_TITLES):
        assert wanted_file(name).format == name


def test_a_file_has_a_name_with_the_usual_ending() -> None:
    answer = as_file(Response(b""), "thing", wanted_file("turtle"))
    assert answer.headers["content-disposition"] == 'attachment; filename="thing.ttl"'


@pytest.mark.parametrize("cell", ["=1+1", "+cmd", "-cmd", "@SUM(A1)", "\t=1", "\r=1", "-", "=x\ny"])
def test_what_looks_like_a_formula_is_text(cell: str) -> None:
    assert safe_cell(cell) == f"'{cell}"


@pytest.mark.parametrize("cell", ["", "a=b", "-5", "+1.5e-3", "http://a.test/?x=@y", " =1"])
def test_the_rest_and_numbers_stay(cell: str) -> None:
    assert safe_cell(cell) == cell


@given(
    st.lists(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0")), min_size=2)),
    st.integers(1, 9),
)
def test_rows_are_the_same_however_they_come(rows: list[list[str]], size: int) -> None:
    told = io.StringIO(newline="")
    csv.writer(told).writerows(rows)
    sent, safe = told.getvalue().encode(), SafeCsv()
    pieces = [safe.feed(sent[at : at + size]) for at in range(0, len(sent), size)]
    found = b"".join([*pieces, safe.feed(b"", is_last=True)]).decode()
    expected = [[safe_cell(cell) for cell in row] for row in rows]
    assert [*csv.reader(io.StringIO(found, newline=""))] == expected
