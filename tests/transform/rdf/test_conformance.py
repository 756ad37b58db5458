"""The suite `rdf`: W3C cases of the syntaxes of RDF, but for exceptions with reasons."""

from pathlib import Path

import pytest
from tests.transform.rdf.suite import cases, count

pytestmark = pytest.mark.needs_suites

_IN_SCOPE = "the parser keeps all namespaces in scope in XML literals, used in them or not"

CASES = 992
EXCEPTIONS = {
    "rdf-xml/xml-canon-test001": _IN_SCOPE,
    "rdf-xml/xml-canon-test002": _IN_SCOPE,
}


def test_exactly_the_exceptions_fail(suites: Path) -> None:
    assert {case.id for case in cases(suites) if not case.passes} == EXCEPTIONS.keys()


def test_all_other_cases_pass(suites: Path) -> None:
    assert count(suites) == (CASES - len(EXCEPTIONS), CASES)
