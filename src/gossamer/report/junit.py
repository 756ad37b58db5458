"""Reports as JUnit XML, for CI: a suite for each page, a case for each finding on it."""

import re
from collections.abc import Sequence
from typing import IO, Final
from xml.sax.saxutils import escape, quoteattr

from gossamer.report.finding import Finding, Severity
from gossamer.report.summary import ReportSummary

CLEAN: Final = "structured data"  # the one case of a page without findings
# What XML 1.0 has no way to write, section 2.2.
_NO_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class JunitReport:
    """Suites as pages are read: findings as bad as the limit fail, others pass, known ones are skipped."""

    def __init__(self, output: IO[bytes], limit: Severity = Severity.ERROR) -> None:
        self._output = output
        self._limit = limit
        self._output.write(
            b'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="gossamer">\n'
        )

    def page(self, findings: Sequence[Finding]) -> None:
        """Write the suite of one more page; nothing for a page where nothing was found."""
        by_page: dict[str, list[Finding]] = {}
        for each in findings:
            by_page.setdefault(each.page, []).append(each)
        for page, found in by_page.items():
            self._suite(page, found)

    def close(self, summary: ReportSummary) -> None:
        """Write a case for all pages where nothing was found, so that no report is empty."""
        case = f'<testcase classname="gossamer" name="{CLEAN}: {summary.pages} pages read"/>'
        self._write('<testsuite name="gossamer" tests="1" failures="0" errors="0" skipped="0">')
        self._write(f"{case}</testsuite>\n</testsuites>\n")

    def _suite(self, page: str, findings: Sequence[Finding]) -> None:
        known = sum(not each.is_new for each in findings)
        failed = sum(self._fails(each) for each in findings)
        counts = f'tests="{len(findings)}" failures="{failed}" errors="0" skipped="{known}"'
        self._write(f"<testsuite name={_attribute(page)} {counts}>\n")
        for each in findings:
            self._write(self._case(each))
        self._write("</testsuite>\n")

    def _fails(self, finding: Finding) -> bool:
        return finding.is_new and finding.severity.is_at_least(self._limit)

    def _case(self, finding: Finding) -> str:
        at = "" if finding.line is None else f", line {finding.line}"
        name = _attribute(f"{finding.rule}{at}: {finding.message}")
        words = [finding.message, finding.fix, finding.see and f"See {finding.see}"]
        text = escape(_clean("\n".join(filter(None, words))))
        inside = f"<system-out>{text}</system-out>"
        if not finding.is_new:
            inside = '<skipped message="known from the baseline"/>'
        elif self._fails(finding):
            message = _attribute(finding.message)
            inside = f"<failure type={_attribute(finding.rule)} message={message}>{text}</failure>"
        where = _attribute(finding.file or finding.page)
        line = "" if finding.line is None else f' line="{finding.line}"'
        return f"<testcase classname={where} name={name} file={where}{line}>{inside}</testcase>\n"

    def _write(self, text: str) -> None:
        self._output.write(text.encode(errors="replace"))


def _attribute(text: str) -> str:
    return quoteattr(_clean(text), {"\n": " ", "\r": " ", "\t": " "})


def _clean(text: str) -> str:
    return _NO_XML.sub("�", text)
