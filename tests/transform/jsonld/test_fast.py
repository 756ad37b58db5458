import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.transform.jsonld.fast import fast_quads
from gossamer.transform.jsonld.processing import JsonLdError, Quad
from gossamer.transform.terms import literal

BASE = "https://page.test/"
VOCABULARY = {"@vocab": "http://v.test/"}


def quads(members: dict[str, Any], *, is_covered: bool = True) -> list[Quad]:
    return list(fast_quads({"@context": VOCABULARY, **members}, BASE, is_covered=is_covered).quads)


def test_statements_come_in_document_order() -> None:
    found = quads({"@id": "x", "b": "1", "a": {"@id": "y", "c": 2}, "d": True})
    assert [(subject, predicate) for subject, predicate, _, _ in found] == [
        ("<https://page.test/x>", "<http://v.test/b>"),
        ("<https://page.test/x>", "<http://v.test/a>"),
        ("<https://page.test/y>", "<http://v.test/c>"),
        ("<https://page.test/x>", "<http://v.test/d>"),
    ]


def test_a_named_graph_is_named() -> None:
    ((subject, _, _, graph),) = quads({"@id": "g", "@graph": [{"@id": "_:b", "a": "1"}]})
    assert graph == "<https://page.test/g>"
    assert subject == "_:b"


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_is_written_as_our_own_literals_are(text: str) -> None:
    ((_, _, found, _),) = quads({"a": text})
    assert found == literal(text)
    ((_, _, found, _),) = quads({"a": {"@value": text, "@language": "de-AT"}})
    assert found == literal(text, "de-at")


@pytest.mark.parametrize(
    "iri",
    [
        *("http://a.test/b c", "http://a.test/b> <x:y> <x:z", 'http://a.test/" .\n<x:a> <x:b> "c'),
        *("http://a.test/\n", "http://a.test/{x}", "http://a.test/\\"),
    ],
)
def test_an_ill_formed_iri_gets_through_as_one_term(iri: str) -> None:
    found = quads({"@id": iri, "a": {"@id": iri, "b": "x"}})
    assert [(subject, object_) for subject, _, object_, _ in found] == [
        (f"<{iri}>", f"<{iri}>"),
        (f"<{iri}>", '"x"'),
    ]


def test_the_direction_of_a_text_is_left_out() -> None:
    ((_, _, found, _),) = quads({"a": {"@value": "x", "@language": "he", "@direction": "rtl"}})
    assert found == '"x"@he'


def test_nothing_is_said_below_a_name_that_no_context_explains() -> None:
    found = fast_quads({"unheardOf": {"x:p": "1"}, "x:q": "2"}, BASE, is_covered=False)
    assert [predicate for _, predicate, _, _ in found.quads] == ["<x:q>"]


def test_what_is_ill_formed_beside_such_a_name_is_reported() -> None:
    value = {"unheardOf": "1", "http://a.test/b c": "2", "x:q": {"@id": "x:y z"}, "x:r": "3"}
    found = fast_quads(value, BASE, is_covered=False)
    assert [predicate for _, predicate, _, _ in found.quads] == ["<x:r>"]
    assert found.ill_formed == ["http://a.test/b c", "x:y z"]


def test_what_json_ld_does_not_allow_is_an_error() -> None:
    with pytest.raises(JsonLdError, match="@id value must be a string"):
        quads({"@id": "x", "a": "1", "b": {"@id": 5}})


def test_it_has_nothing_that_loads_contexts() -> None:
    with pytest.raises(JsonLdError):
        fast_quads({"@context": "https://contexts.test/", "a": "1"}, BASE, is_covered=False)


def test_the_deepest_that_reading_lets_through_is_borne() -> None:
    text = '{"x:a":' * 512 + "1" + "}" * 512
    assert len(fast_quads(json.loads(text), BASE, is_covered=False).quads) == 512
