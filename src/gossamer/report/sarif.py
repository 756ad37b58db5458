"""Reports as SARIF 2.1.0, for code review: a result for each finding, written as pages are read."""

import json
from collections.abc import Sequence
from typing import IO, Any, Final

from gossamer.report.baseline import fingerprint
from gossamer.report.finding import Finding, Severity
from gossamer.report.sections import section_of
from gossamer.report.summary import ReportSummary

SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


class SarifReport:
    """One run: `results` first, then the tool with the rules that found something."""

    def __init__(self, output: IO[bytes]) -> None:
        self._output = output
        self._before = b'{"$schema":"%b","version":"2.1.0","runs":[{"results":[' % SCHEMA.encode()
        self._is_empty = True

    def page(self, findings: Sequence[Finding]) -> None:
        """Write the findings of one more page."""
        for finding in findings:
            self._write(result_record(finding))

    def close(self, summary: ReportSummary) -> None:
        """Write the tool, now that it is known which rules found something."""
        from gossamer import __version__

        rules = sorted({each.rule for each in summary.rules})
        driver = {
            "name": "gossamer",
            "version": __version__,
            "rules": [_rule_record(each) for each in rules],
        }
        rest = _json({"tool": {"driver": driver}, "columnKind": "utf16CodeUnits"})
        start = self._before + b"]," if self._is_empty else b"\n],"
        self._output.write(start + rest[1:] + b"]}\n")

    def _write(self, record: dict[str, Any]) -> None:
        self._output.write(self._before + b"\n" + _json(record))
        self._before, self._is_empty = b",", False


def result_record(finding: Finding) -> dict[str, Any]:
    """A finding as a result; its place is the file it was read from, or the page's URL."""
    message = finding.message if finding.fix is None else f"{finding.message} {finding.fix}"
    place: dict[str, Any] = {"artifactLocation": {"uri": _uri(finding)}}
    if finding.line is not None:
        place["region"] = {"startLine": finding.line}
    record = {
        "ruleId": finding.rule,
        "level": _LEVELS[finding.severity],
        "message": {"text": message},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {"gossamer/v1": fingerprint(finding)},
        "baselineState": "new" if finding.is_new else "unchanged",
    }
    about = {"page": finding.page, "entity": finding.entity, "see": finding.see}
    told = {name: text for name, text in about.items() if text is not None}
    return {**record, "properties": told} if told else record


def _uri(finding: Finding) -> str:
    from urllib.parse import quote

    name = finding.page if finding.file is None else finding.file
    # Whatever a page or a file is called, this has to be a reference by RFC 3986.
    return quote(name, safe="/:?#[]@!$&'()*+,;=%~._-")


def _rule_record(rule: str) -> dict[str, Any]:
    return {
        "id": rule,
        "shortDescription": {"text": f"{section_of(rule).title}: {rule}"},
        "fullDescription": {"text": section_of(rule).meaning},
    }


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(errors="replace")
