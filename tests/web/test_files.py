"""Answers to be taken along."""

import pytest
from starlette.responses import Response

from gossamer.web.files import ROW_TITLES, TRIPLE_TITLES, as_file, wanted_file


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
