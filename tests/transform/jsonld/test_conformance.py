from pathlib import Path

import pytest
from tests.transform.jsonld.suite import json_ld_failures

_MENDED = "an IRI that browsers mend is mended, and its statements kept"
KNOWN_FAILURES = {
    "te075": "asks for generalized RDF: blank nodes as predicates, which N-Quads cannot write",
    "tli12": _MENDED,
    "twf01": _MENDED,
    "twf03": _MENDED,
    "twf05": "a language tag that is none is left out, and the text kept",
    "twf07": _MENDED,
}
CASES = 456
CASES_IN_HTML = 20


@pytest.mark.needs_suites
@pytest.mark.parametrize(
    ("name", "count", "failures"),
    [("jsonld-tordf", CASES, KNOWN_FAILURES), ("jsonld-html", CASES_IN_HTML, {})],
)
def test_exactly_the_known_failures_fail(
    suites: Path, name: str, count: int, failures: dict[str, str]
) -> None:
    failed, tests = json_ld_failures(suites, name)
    assert tests == count
    assert set(failed) == failures.keys()
