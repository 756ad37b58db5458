import json
from typing import Any

import pytest

import gossamer

URL = "http://a.test/"


def texts(*values: dict[str, Any], **options: Any) -> tuple[list[str], list[str]]:
    document = {"@context": {"n": "http://n.test/"}, "@id": URL, "n": list(values)}
    body = json.dumps(document).encode()
    page = gossamer.extract(body, url=URL, content_type="application/ld+json", **options)
    found = [line.split(" ", 2)[2].removesuffix(f" <{URL}> .") for line in _lines(page.nquads)]
    return found, [problem.message for problem in page.problems]


def _lines(nquads: bytes) -> list[str]:
    return nquads.decode().splitlines()


ARABIC = {"@value": 'x"', "@language": "ar", "@direction": "rtl"}


def test_directions_of_texts_are_kept_as_in_rdf_1_2() -> None:
    assert texts(ARABIC, {"@value": "y"}) == ([r'"x\""@ar--rtl', '"y"'], [])


def test_a_direction_without_a_language_is_a_problem() -> None:
    found, (problem,) = texts({"@value": "x", "@direction": "ltr"})
    assert found == ['"x"']
    assert "direction" in problem


def test_by_the_letter_a_direction_has_no_place() -> None:
    assert texts(ARABIC, strict=True) == ([r'"x\""@ar'], [])


@pytest.mark.parametrize("direction", ["i18n-datatype", "compound-literal"])
def test_whoever_says_where_a_direction_goes_gets_it_there(direction: Any) -> None:
    found, _ = texts(ARABIC, json_ld=gossamer.JsonLdOptions(rdf_direction=direction))
    assert not any("--rtl" in each for each in found)


def test_a_context_may_give_the_direction() -> None:
    body = b'{"@context": [{"@vocab": "http://schema.org/"}, {"@language": "he", "@direction": "rtl"}], "name": "x"}'
    page = gossamer.extract(body, url=URL, content_type="application/ld+json")
    assert b'"x"@he--rtl' in page.nquads
