import json
from typing import Any

import pytest

from gossamer.transform.jsonld.limits import MOST_CHAIN, MOST_LEVELS, check_contexts
from gossamer.transform.jsonld.processing import JsonLdError


def check(value: Any, given: dict[str, bytes] | None = None) -> None:
    check_contexts(value, json.dumps(value), given or {})


def terms(count: int) -> dict[str, Any]:
    return {f"t{i}": f"http://h.test/{i}" for i in range(count)}


def chain(count: int) -> dict[str, Any]:
    return {f"t{i}": f"t{i + 1}:x" for i in range(count - 1)} | {f"t{count - 1}": "http://h.test/"}


def test_chains_are_measured() -> None:
    check({"@context": chain(MOST_CHAIN)})
    with pytest.raises(JsonLdError, match="in a chain"):
        check({"@context": chain(MOST_CHAIN + 1)})


def test_a_circle_is_a_chain() -> None:
    with pytest.raises(JsonLdError, match="in a chain"):
        check({"@context": {f"t{i}": f"t{(i + 1) % 1000}:x" for i in range(1000)}})


def test_contexts_of_terms_nest_so_far_only() -> None:
    def levels(count: int) -> Any:
        context: dict[str, Any] = {"end": "http://h.test/", **terms(30)}
        for _ in range(count - 1):
            context = {"a": {"@id": "http://h.test/", "@context": context}}
        return {"@context": context}

    check(levels(MOST_LEVELS))
    with pytest.raises(JsonLdError, match="nested too deep"):
        check(levels(MOST_LEVELS + 1))


SCOPED = {"p": {"@id": "http://h.test/p", "@context": terms(500)}}
MAPPED = {"p": {**SCOPED["p"], "@container": "@id"}}


@pytest.mark.parametrize(
    "value",
    [
        {"@context": terms(5000), "@graph": [{"@context": {"a": "b"}} for _ in range(5000)]},
        {"@context": [terms(5000), *({} for _ in range(5000))]},
        {"@context": SCOPED, "p": [{"t0": 1} for _ in range(5000)]},
        {"@context": SCOPED, "@graph": [{"p": 1} for _ in range(5000)]},
        {"@context": SCOPED, "p": [1] * 5000},
        {"@context": SCOPED, "@type": ["p"] * 5000},
        {"@context": SCOPED, "@graph": [{"@type": "p"} for _ in range(5000)]},
        {"@context": MAPPED, "p": {f"http://h.test/{i}": {"t0": 1} for i in range(5000)}},
    ],
)
def test_uses_times_terms_are_bounded(value: Any) -> None:
    with pytest.raises(JsonLdError, match="too often"):
        check(value)


def test_a_context_that_is_given_counts_by_its_size() -> None:
    value = {"@context": "http://h.test/c", "@graph": [{"@context": {}} for _ in range(5000)]}
    check(value, {"http://h.test/c": b"x" * 1000})
    with pytest.raises(JsonLdError, match="too often"):
        check(value, {"http://h.test/c": b"x" * 500_000})


def test_a_long_array_of_documents_with_contexts_is_fine() -> None:
    check([{"@context": terms(50), "t1": i} for i in range(5000)])
