import io
import json
from typing import Any

from pydantic_sarif.model import (
    StaticAnalysisResultsFormatSarifVersion210JsonSchema as SarifLog,
)

from gossamer.report.finding import Finding, Severity
from gossamer.report.summary import ReportSummary
from gossamer.report.writers import WRITERS, ReportContext


def written(*findings: Finding) -> dict[str, Any]:
    output, summary = io.BytesIO(), ReportSummary()
    writer = WRITERS["sarif"](output, ReportContext())
    summary.take(findings)
    writer.page(findings)
    writer.close(summary)
    told: dict[str, Any] = json.loads(output.getvalue())
    return told


FINDINGS = (
    Finding(
        "Bad <b>.",
        Severity.ERROR,
        3,
        "_:b1",
        "Mend it.",
        "price",
        "http://a.test/x y",
        "https://schema.org/price",
        "public/a b.html",
    ),
    Finding("Odd.", rule="mine", page="javascript:alert(1)", is_new=False),
    Finding("Note.", Severity.INFO, rule="syntax", page="http://a.test/%41ü"),
)


def test_a_report_is_sarif_by_its_schema() -> None:
    log = SarifLog.model_validate(written(*FINDINGS))
    (run,) = log.runs
    assert run.results is not None
    first, second, third = run.results
    assert (first.ruleId, first.message.text) == ("price", "Bad <b>. Mend it.")
    place = first.locations[0].physicalLocation
    assert place.artifactLocation.uri == "public/a%20b.html"
    assert place.region.startLine == 3
    assert [each.level.value for each in run.results] == ["error", "warning", "note"]
    assert (first.baselineState.value, second.baselineState.value) == ("new", "unchanged")
    assert {rule.id for rule in run.tool.driver.rules} == {"price", "mine", "syntax"}
    assert third.partialFingerprints


def test_an_empty_report_is_sarif_too() -> None:
    assert SarifLog.model_validate(written()).runs[0].results == []


def test_findings_are_the_same_wherever_they_stand() -> None:
    moved = Finding("Odd.", rule="price", page="http://a.test/", line=3, entity="_:b1")
    there = Finding("Odd.", rule="price", page="http://a.test/", line=9, entity="_:b2")
    prints = [each["partialFingerprints"] for each in _results(written(moved, there))]
    assert prints[0] == prints[1]


def _results(told: dict[str, Any]) -> list[dict[str, Any]]:
    results: list[dict[str, Any]] = told["runs"][0]["results"]
    return results
