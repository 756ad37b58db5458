import json
from typing import Any

import pytest

from gossamer.transform.jsonld.full import full_quads
from gossamer.transform.jsonld.processing import Found, JsonLdError, JsonLdOptions

BASE = "https://page.test/"
ADDRESS = "https://contexts.test/one"
CONTEXT = json.dumps({"@context": {"name": "http://v.test/name"}}).encode()


def found(value: Any, contexts: dict[str, bytes] | None = None, **options: Any) -> Found:
    return full_quads(value, BASE, (contexts or {}).get, JsonLdOptions(**options), "s-")


def test_a_remote_context_is_taken_from_what_we_have() -> None:
    result = found({"@context": ADDRESS, "@id": "x", "name": "N"}, {ADDRESS: CONTEXT})
    assert result.quads == [("<https://page.test/x>", "<http://v.test/name>", '"N"', "")]
    assert result.unknown == []


def test_a_context_may_name_another() -> None:
    outer = json.dumps({"@context": ["one", {"more": "http://v.test/more"}]}).encode()
    value = {"@context": "https://contexts.test/outer", "name": "N", "more": "M"}
    known = {"https://contexts.test/outer": outer, ADDRESS: CONTEXT}
    assert len(found(value, known).quads) == 2
    assert found(value, {"https://contexts.test/outer": outer}).unknown == [ADDRESS]


def test_an_unknown_context_is_empty_and_noted() -> None:
    result = found({"@context": ADDRESS, "name": "N", "x:p": "1"})
    assert [predicate for _, predicate, _, _ in result.quads] == ["<x:p>"]
    assert result.unknown == [ADDRESS]


def test_schema_org_is_known() -> None:
    result = found({"@context": "https://schema.org", "url": "u"})
    assert result.quads == [("_:s-0", "<http://schema.org/url>", "<https://page.test/u>", "")]


def test_what_one_page_brings_is_forgotten_before_the_next() -> None:
    value = {"@context": ADDRESS, "name": "N"}
    assert len(found(value, {ADDRESS: CONTEXT}).quads) == 1
    assert found(value).quads == []
    other = CONTEXT.replace(b"v.test", b"w.test")
    assert found(value, {ADDRESS: other}).quads[0][1] == "<http://w.test/name>"


@pytest.mark.parametrize("body", [b"", b"<html>", b"[" * 100_000, b"\xff", b"5"])
def test_a_context_that_is_none_is_an_error(body: bytes) -> None:
    with pytest.raises(JsonLdError):
        found({"@context": ADDRESS, "name": "N"}, {ADDRESS: body})


def test_contexts_that_name_each_other_come_to_an_end() -> None:
    circle = {ADDRESS: json.dumps({"@context": ADDRESS}).encode()}
    with pytest.raises(JsonLdError) as caught:
        found({"@context": ADDRESS}, circle)
    assert caught.value.code == "context overflow"


def test_an_error_has_the_code_of_the_specification() -> None:
    with pytest.raises(JsonLdError) as caught:
        found({"@id": 5, "x:p": 1})
    assert caught.value.code == "invalid @id value"


@pytest.mark.parametrize(
    "value", [{"@context": {"a": {"@id": "b", "@type": []}}}, {"@type": {"@id": 1}}]
)
def test_whatever_goes_wrong_is_our_error(value: object) -> None:
    with pytest.raises(JsonLdError):
        found(value)


def test_nesting_beyond_its_stack_is_an_error_like_others() -> None:
    value: Any = {"x:p": "1"}
    for _ in range(512):
        value = {"x:p": value}
    with pytest.raises(JsonLdError):
        found(value)


def test_options_reach_the_processor() -> None:
    value = {"x:p": {"@value": "t", "@language": "he", "@direction": "rtl"}, "name": "N"}
    (quad,) = found(value, rdf_direction="i18n-datatype").quads
    assert quad[2] == '"t"^^<https://www.w3.org/ns/i18n#he_rtl>'
    assert len(found(value, expand_context='{"name": "x:name"}').quads) == 2
    with pytest.raises(JsonLdError):
        found({"@context": {"@version": 1.1}}, processing_mode="json-ld-1.0")


def test_named_graphs_and_blank_nodes() -> None:
    quads = found({"@id": "_:g", "@graph": {"@id": "_:n", "x:p": {"@id": "x:o"}}}).quads
    ((subject, _, object_, graph),) = quads
    assert subject.startswith("_:s-")
    assert graph.startswith("_:s-")
    assert subject != graph
    assert object_ == "<x:o>"
