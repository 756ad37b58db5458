import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.transform.jsonld.reading_back import graph, items, lines, messages

from gossamer.config import Transform as Options
from gossamer.transform.document import Document, Item
from gossamer.transform.jsonld.processing import Processing, Scripts

Test = dict[str, Any]

_MENDED = "an IRI that browsers mend is mended, and its statements kept"
KNOWN_FAILURES = {
    "te075": "asks for generalized RDF: blank nodes as predicates, which N-Quads cannot write",
    "tli12": _MENDED,
    "twf01": _MENDED,
    "twf03": _MENDED,
    "twf05": "a language tag that is none is left out, and the text kept",
    "twf07": _MENDED,
}
# By the letter of its purpose a page with comments in its script is an error. We read it, with a
# problem on record that names the repair and not the code.
REPAIRED = {"tr014", "tr015", "tr016", "tr017"}


def entries_of(suite: Path) -> Iterator[Test]:
    for test in json.loads((suite / "manifest.json").read_bytes()):
        if test["kind"] == "toRdf" and test["spec_version"] != "json-ld-1.0":
            yield test


def processing_of(suite: Path, test: Test) -> Processing:
    options = test["options"]
    context = options.get("expandContext")
    return Processing(
        processing_mode=options.get("processingMode", "json-ld-1.1"),
        expand_context=json.loads((suite / context).read_bytes()) if context else None,
        rdf_direction=options.get("rdfDirection"),
        scripts=Scripts.MERGED if test["extract_all_scripts"] else Scripts.FIRST,
    )


def found_by(suite: Path, test: Test, contexts: dict[str, bytes], media_type: str) -> list[Item]:
    body = (suite / test["input"]).read_bytes()
    document = Document(
        test["base"],
        body,
        media_type=test["content_type"] or media_type,
        options=Options(strict=True),
        contexts=contexts,
    )
    return items(document, processing_of(suite, test))


def passes(suite: Path, test: Test, found: list[Item]) -> bool:
    match test["outcome"]:
        case "error":
            codes = [message.partition(":")[0].lower() for message in messages(found)]
            if test["id"] in REPAIRED:
                return bool(codes)
            return test["expect_error"].lower() in codes
        case "no-error":
            return messages(found) == []
    try:
        return graph(lines(found)) == graph([(suite / test["expect"]).read_text()])
    except SyntaxError:  # of the expectation: it is generalized RDF
        return False


@pytest.mark.needs_suites
@pytest.mark.parametrize(
    ("name", "media_type", "count", "failures"),
    [
        ("jsonld-tordf", "application/ld+json", 456, KNOWN_FAILURES),
        ("jsonld-html", "text/html", 20, {}),
    ],
)
def test_exactly_the_known_failures_fail(
    suites: Path, name: str, media_type: str, count: int, failures: dict[str, str]
) -> None:
    suite = suites / name
    files = json.loads((suite / "documents.json").read_bytes())
    contexts = {address: (suite / file).read_bytes() for address, file in files.items()}
    tests = list(entries_of(suite))
    failed = {
        test["id"]
        for test in tests
        if not passes(suite, test, found_by(suite, test, contexts, media_type))
    }
    assert len(tests) == count
    assert failed == failures.keys()
