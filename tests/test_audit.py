"""`make audit` is a program of ours: what it makes of the answers of others, without asking them."""

import json
import runpy
from pathlib import Path

AUDIT = runpy.run_path(str(Path(__file__).resolve().parent.parent / "tools/audit/__main__.py"))


def test_advisories_of_python_packages_are_counted_and_named() -> None:
    told = {
        "dependencies": [
            {"name": "a", "version": "1", "vulns": [{"id": "GHSA-1", "fix_versions": ["2"]}]},
            {"name": "b", "version": "1", "vulns": []},
        ]
    }
    found = AUDIT["python_advisories"](json.dumps(told), "")
    assert (found.known, found.asked) == (("a 1: GHSA-1, mended in 2",), 2)
    assert found.silent is None


def test_a_package_that_nobody_knows_is_not_taken_for_safe() -> None:
    told = {"dependencies": [{"name": "a", "skip_reason": "Dependency not found"}]}
    found = AUDIT["python_advisories"](json.dumps(told), "No known vulnerabilities found")
    assert (found.asked, found.silent) == (0, "1 packages are not known there")
    assert AUDIT["python_advisories"]("", "x\nno route to host\n").silent == "no route to host"


def test_an_index_that_does_not_answer_is_a_sentence() -> None:
    told = json.dumps({"message": "405", "error": {"summary": ""}})
    assert AUDIT["npm_advisories"](told, "npm error audit\n").silent == "npm error audit"
    told = json.dumps(
        {
            "vulnerabilities": {"a": {"range": "<2", "severity": "high"}},
            "metadata": {"dependencies": {"total": 7}},
        }
    )
    found = AUDIT["npm_advisories"](told, "")
    assert (found.known, found.asked) == (("a <2: high",), 7)


def test_only_what_is_delivered_counts_in_the_table_of_licences() -> None:
    development = {"name": "cdx:npm:package:development", "value": "true"}
    mit, text = {"license": {"id": "MIT"}}, {"license": {"name": "A text\nof many lines"}}
    bom = {
        "components": [
            {"name": "Ada_URL", "version": "4", "licenses": [mit, mit]},
            {"name": "pytest", "version": "9", "licenses": [mit]},
            {"name": "vite", "purl": "pkg:npm/vite@1", "properties": [development]},
            {"name": "lit", "version": "3", "purl": "pkg:npm/lit@3", "licenses": [text]},
        ]
    }
    AUDIT["mark_scope"](bom, AUDIT["pinned_names"]("ada-url==4.0.0 \\\n    --hash=sha256:0\n"))
    assert list(AUDIT["licences"](bom)) == [("Ada_URL", "4", "MIT"), ("lit", "3", "not stated")]


def test_the_tools_are_pinned_with_hashes_and_name_no_index() -> None:
    folder = Path(__file__).resolve().parent.parent / "tools/audit"
    text = (folder / "requirements.txt").read_text()
    assert {"pip-audit", "cyclonedx-bom"} <= AUDIT["pinned_names"](text)
    assert text.count("==") <= text.count("--hash=sha256:")
    assert "://" not in text
