import json
from typing import Any

import pytest

from gossamer.transform.jsonld.contexts import prepare
from gossamer.transform.jsonld.processing import Found, JsonLdError, JsonLdOptions
from gossamer.transform.jsonld.processors import Processors

BASE = "https://page.test/"
ADDRESS = "https://contexts.test/one"
CONTEXT = json.dumps({"@context": {"name": "http://v.test/name"}}).encode()


def found(value: Any, contexts: dict[str, bytes] | None = None, **options: Any) -> Found:
    known = contexts or {}
    text = json.dumps(value)
    prepared = prepare(json.loads(text), text, BASE, known)
    return Processors(BASE, known, JsonLdOptions(**options)).found(prepared, prepared.value)


def test_a_document_without_remote_contexts_is_for_pyoxigraph() -> None:
    (quad,) = found({"@id": "_:mine", "x:p": "1"}).quads
    assert quad[0] == "_:mine"  # PyLD would give it another name


def test_a_document_with_a_remote_context_is_for_pyld() -> None:
    (quad,) = found({"@context": ADDRESS, "@id": "_:mine", "name": "N"}, {ADDRESS: CONTEXT}).quads
    assert quad == ("_:1-0", "<http://v.test/name>", '"N"', "")


def test_options_are_for_pyld() -> None:
    (quad,) = found({"@id": "_:mine", "name": "N"}, expand_context='{"name": "x:n"}').quads
    assert quad == ("_:1-0", "<x:n>", '"N"', "")


def test_what_pyld_cannot_read_pyoxigraph_may() -> None:
    value = {"@context": {"@base": "http://a.test/"}, "x:p": {"@id": "@ignored"}, "x:q": "1"}
    assert [quad[1] for quad in found(value).quads][-1] == "<x:q>"


def test_where_both_see_an_error_it_has_a_code() -> None:
    with pytest.raises(JsonLdError) as caught:
        found({"x:p": {"@value": {}}})
    assert caught.value.code == "invalid value object value"


def test_two_blocks_share_no_blank_nodes_by_accident() -> None:
    processors = Processors(
        BASE, {}, JsonLdOptions(processing_mode="json-ld-1.1", expand_context="{}")
    )
    prepared = prepare({"x:p": "1"}, "", BASE, {})
    first, second = (processors.found(prepared, prepared.value).quads[0][0] for _ in range(2))
    assert first != second
