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
KNOWN_IN_HTML = {
    "tr013": "no script element of the page is JSON-LD, so JSON-LD is not looked for in it",
}


@pytest.mark.needs_suites
@pytest.mark.parametrize(
    ("name", "count", "failures"),
    [("jsonld-tordf", 456, KNOWN_FAILURES), ("jsonld-html", 20, KNOWN_IN_HTML)],
)
def test_exactly_the_known_failures_fail(
    suites: Path, name: str, count: int, failures: dict[str, str]
) -> None:
    failed, tests = json_ld_failures(suites, name)
    assert tests == count
    assert set(failed) == failures.keys()
