import json
from typing import Any

import pytest

from gossamer.transform.jsonld.contexts import MOST_IN_PLACE, Prepared, only_language, prepare
from gossamer.transform.jsonld.schema_org import SCHEMA, WHOLE

BASE = "https://page.test/dir/"
ADDRESS = "https://contexts.test/one"
SMALL = {"@vocab": SCHEMA}


def prepared(value: Any, *given: str) -> Prepared:
    text = json.dumps(value)
    return prepare(json.loads(text), text, BASE, dict.fromkeys(given, b"{}"))


@pytest.mark.parametrize("address", ["https://schema.org", "//schema.org/", "http://schema.org"])
def test_a_known_context_is_put_in_place(address: str) -> None:
    found = prepared({"@context": address, "name": "x"})
    assert found.value == {"@context": SMALL, "name": "x"}
    assert found.unknown == ()
    assert found.is_covered
    assert not found.needs_full


def test_it_is_put_in_place_among_others_and_further_down_too() -> None:
    own = {"a": "http://a.test/"}
    found = prepared([{"@context": [own, "https://schema.org"]}, {"b": {"@context": None}}])
    assert found.value == [{"@context": [own, SMALL]}, {"b": {"@context": None}}]
    assert not found.is_covered
    found = prepared({"b": [[{"@context": "https://schema.org"}]]})
    assert found.value == {"b": [[{"@context": SMALL}]]}
    assert not found.is_covered


def test_an_unknown_context_is_taken_for_empty_and_named_once() -> None:
    found = prepared({"@context": ["more", ADDRESS], "a": {"@context": ADDRESS}})
    assert found.value == {"@context": [{}, {}], "a": {"@context": {}}}
    assert found.unknown == (f"{BASE}more", ADDRESS)


def test_a_context_that_was_given_needs_a_processor_that_can_load() -> None:
    found = prepared({"@context": "../one"}, "https://page.test/one")
    assert found.value == {"@context": "https://page.test/one"}
    assert found.needs_full
    assert found.unknown == ()


def test_a_given_context_counts_instead_of_ours() -> None:
    assert prepared({"@context": "https://schema.org"}, "https://schema.org").needs_full


@pytest.mark.parametrize(
    "context",
    [
        {"@base": "http://a.test/../b"},
        {"@import": ADDRESS},
        {"a": {"@id": "http://a.test/", "@container": "@type"}},
        {"a": {"@id": "http://a.test/", "@container": ["@type", "@set"]}},
    ],
)
def test_what_pyoxigraph_gets_wrong_needs_the_other_processor(context: object) -> None:
    assert prepared({"@context": context}).needs_full
    assert prepared({"a": [{"@context": context}]}).needs_full


def test_what_may_be_a_json_literal_is_not_touched() -> None:
    value = {"@context": {"j": {"@id": "x:j", "@type": "@json"}}, "j": {"@context": ADDRESS}}
    found = prepared(value)
    assert found.value == value
    assert found.needs_full


def test_beside_another_vocabulary_the_whole_context_is_wanted() -> None:
    value = {"@context": ["https://schema.org", {"@vocab": "http://a.test/"}], "name": "x"}
    assert prepared(value).unknown == (WHOLE,)
    found = prepared(value, WHOLE)
    assert found.unknown == ()
    assert found.value["@context"][0] == WHOLE
    assert found.needs_full


def test_a_page_of_nothing_but_contexts_does_not_grow() -> None:
    found = prepared([{"@context": "https://schema.org"} for _ in range(MOST_IN_PLACE + 2)])
    assert found.needs_full
    assert [each["@context"] for each in found.value].count("https://schema.org") == 2


def test_names_written_with_escapes_are_seen() -> None:
    text = '{"@context": "https://schema.org", "\\u0075rl": "x", "a": {"@context": {}}}'
    found = prepare(json.loads(text), text, BASE, {})
    assert found.value["@context"] == {**SMALL, "url": {"@type": "@id"}}


def test_deep_nesting_takes_no_stack() -> None:
    value: Any = {"@context": "https://schema.org"}
    for _ in range(100_000):
        value = [value]
    assert prepare(value, "", BASE, {}).unknown == ()
    while isinstance(value, list):  # or else freeing it would
        value = value.pop()
    assert value == {"@context": SMALL}


@pytest.mark.parametrize(
    ("context", "language"),
    [
        *(({"@language": tag}, tag) for tag in ("de", "en-GB", "zh-Hant-TW", "es-419")),
        *(({"@language": tag}, None) for tag in (None, "", 5, "no tag", "i-klingon")),
        *(({"@language": "de", "@vocab": "x:"}, None), ({}, None), ("de", None), (None, None)),
    ],
)
def test_a_context_of_a_language_alone_is_told_from_others(
    context: object, language: str | None
) -> None:
    assert only_language(context) == language


def test_a_language_beside_a_known_context_leaves_nothing_unexplained() -> None:
    context = ["https://schema.org", {"@language": "de"}]
    assert prepared({"@context": context, "name": "x"}).is_covered
