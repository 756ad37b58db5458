"""A report as JSON, for `/api/report` and the page `/report`: counts, scores, mends, causes with examples, types. Pure."""

from typing import Any, Final

from gossamer.report.finding import Finding
from gossamer.report.view import CauseView, ReportView, RuleView, ScoreView

EXAMPLES: Final = 5  # of a cause


def report_record(view: ReportView) -> dict[str, Any]:
    """The view as JSON has it."""
    return {
        "pages": view.pages,
        "errors": view.errors,
        "warnings": view.warnings,
        "score": view.score,
        "scores": [_score(each) for each in view.scores],
        "mends": [
            {
                "severity": each.key.severity.value,
                "rule": each.key.rule,
                "cause": each.key.cause,
                "pages": each.pages,
                "findings": each.findings,
                "example": finding_record(each.example),
            }
            for each in view.mends
        ],
        "rules": [_rule(each) for each in view.rules],
        "types": [
            {
                "type": each.type,
                "pages": each.pages,
                "properties": [
                    {"property": name, "pages": pages, "percent": percent}
                    for name, pages, percent in each.properties
                ],
            }
            for each in view.types
        ],
        "runs": [each.record() for each in view.runs],
    }


def finding_record(finding: Finding) -> dict[str, Any]:
    """A finding as JSON has it."""
    return {
        "rule": finding.rule,
        "severity": finding.severity.value,
        "page": finding.page,
        "line": finding.line,
        "entity": finding.entity,
        "message": finding.message,
        "fix": finding.fix,
        "see": finding.see,
        "file": finding.file,
    }


def _score(each: ScoreView) -> dict[str, Any]:
    return {
        "section": each.score.section.title,
        "meaning": each.score.section.meaning,
        "score": each.score.score,
        "before": each.before,
        "errors": each.score.errors,
        "warnings": each.score.warnings,
    }


def _rule(each: RuleView) -> dict[str, Any]:
    return {
        "severity": each.severity.value,
        "rule": each.rule,
        "section": each.section,
        "findings": each.findings,
        "pages": each.pages,
        "causes": [_cause(cause) for cause in each.causes],
    }


def _cause(cause: CauseView) -> dict[str, Any]:
    return {
        "cause": cause.cause,
        "findings": cause.findings,
        "pages": cause.pages,
        "fix": cause.fix,
        "see": cause.see,
        "templates": [
            {"template": template, "pages": count.pages, "findings": count.findings}
            for template, count in cause.templates
        ],
        "examples": [finding_record(each) for each in cause.examples[:EXAMPLES]],
    }
