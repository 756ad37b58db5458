"""Runs the W3C suites of JSON-LD by `gossamer.extract`, as a user would."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.transform.jsonld.reading_back import graph

import gossamer
from gossamer import JsonLdOptions, Page

Test = dict[str, Any]

MEDIA_TYPES = {"jsonld-tordf": "application/ld+json", "jsonld-html": "text/html"}


def json_ld_failures(suites: Path, name: str) -> tuple[list[str], int]:
    """The ids of the cases of `jsonld-tordf` or `jsonld-html` that fail, and how many were run."""
    suite = suites / name
    files = json.loads((suite / "documents.json").read_bytes())
    contexts = {address: (suite / file).read_bytes() for address, file in files.items()}
    tests = list(_entries_of(suite))
    failed = [
        test["id"]
        for test in tests
        if not _passes(suite, test, _extracted(suite, test, contexts, MEDIA_TYPES[name]))
    ]
    return failed, len(tests)


def _entries_of(suite: Path) -> Iterator[Test]:
    for test in json.loads((suite / "manifest.json").read_bytes()):
        if test["kind"] == "toRdf" and test["spec_version"] != "json-ld-1.0":
            yield test


def _options_of(suite: Path, test: Test) -> JsonLdOptions:
    options = test["options"]
    context = options.get("expandContext")
    return JsonLdOptions(
        base=test["base"],
        processing_mode=options.get("processingMode", "json-ld-1.1"),
        expand_context=(suite / context).read_text() if context else None,
        rdf_direction=options.get("rdfDirection"),
        produce_generalized_rdf=options.get("produceGeneralizedRdf", False),
        extract_all_scripts=test["extract_all_scripts"],
    )


def _extracted(suite: Path, test: Test, contexts: dict[str, bytes], media_type: str) -> Page:
    fragment = test["fragment"]
    return gossamer.extract(
        (suite / test["input"]).read_bytes(),
        url=test["url"].partition("#")[0] + (f"#{fragment}" if fragment else ""),
        content_type=test["content_type"] or media_type,
        syntaxes=["jsonld"],
        contexts=contexts,
        keep_graphs=True,
        strict=True,
        json_ld=_options_of(suite, test),
    )


def _passes(suite: Path, test: Test, page: Page) -> bool:
    match test["outcome"]:
        case "error":
            codes = [problem.message.partition(":")[0].lower() for problem in page.problems]
            return test["expect_error"].lower() in codes
        case "no-error":
            return page.problems == ()
    try:
        return graph([page.nquads.decode()]) == graph([(suite / test["expect"]).read_text()])
    except SyntaxError:  # of the expectation: it is generalized RDF
        return False
