"""Reports in their formats: JSON, SARIF and JUnit with every finding as it comes; Markdown and HTML by cause, with examples.

Messages, URLs and names of entities are strangers' words: each format has its own way to keep them text.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from types import MappingProxyType
from typing import IO, Final, Protocol

from gossamer.report.finding import Finding, Severity
from gossamer.report.html_report import html_report
from gossamer.report.junit import JunitReport
from gossamer.report.records import finding_record
from gossamer.report.sarif import SarifReport
from gossamer.report.summary import ReportSummary, RuleCount
from gossamer.report.trend import ReportRun

_MARKDOWN: Final = re.compile(r"([\\`*_{}\[\]<>()#+\-.!|~&])")
_LINK: Final = re.compile(r"https?://[!#-;=?-~]+")


class ReportWriter(Protocol):
    """Writes a report while pages are read."""

    def page(self, findings: Sequence[Finding]) -> None:
        """Take what was found on one more page, or on all of them together."""

    def close(self, summary: ReportSummary) -> None:
        """Write the rest, now that all pages are counted."""


@dataclass(frozen=True, slots=True)
class ReportContext:
    """What a report tells beside its findings."""

    at: datetime = datetime(2000, 1, 1, tzinfo=UTC)
    of: str = ""  # what was read, for people
    runs: Sequence[ReportRun] = ()  # earlier ones
    limit: Severity | None = None  # from which findings fail
    has_baseline: bool = False


class JsonReport:
    """One object: `findings`, a line each, then `pages`, `counts` by severity, and the `run` with its scores."""

    def __init__(self, output: IO[bytes], context: ReportContext) -> None:
        self._output = output
        self._context = context
        self._before = b'{"findings":['

    def page(self, findings: Sequence[Finding]) -> None:
        """Write the findings of one more page."""
        for finding in findings:
            record = finding_record(finding)
            if self._context.has_baseline:
                record["new"] = finding.is_new
            self._output.write(self._before + b"\n" + _json(record))
            self._before = b","

    def close(self, summary: ReportSummary) -> None:
        """Write the counts."""
        counts = {severity.value: summary.count(severity) for severity in Severity}
        run = ReportRun.of(summary, self._context.at).record()
        rest = _json({"pages": summary.pages, "counts": counts, "run": run})
        start = b"\n]," if self._before == b"," else self._before + b"],"
        self._output.write(start + rest[1:] + b"\n")


class MarkdownReport:
    """Findings by rule, for a pull request or a terminal."""

    def __init__(self, output: IO[bytes], context: ReportContext) -> None:
        self._output = output
        self._context = context

    def page(self, findings: Sequence[Finding]) -> None:
        """Nothing: the summary has what is written."""

    def close(self, summary: ReportSummary) -> None:
        """Write the report."""
        lines = _markdown(summary, self._context)
        self._output.write("".join(f"{line}\n" for line in lines).encode(errors="replace"))


class HtmlReport:
    """One page without script that loads nothing, light and dark."""

    def __init__(self, output: IO[bytes], context: ReportContext) -> None:
        self._output = output
        self._context = context

    def page(self, findings: Sequence[Finding]) -> None:
        """Nothing: the summary has what is written."""

    def close(self, summary: ReportSummary) -> None:
        """Write the report."""
        run = ReportRun.of(summary, self._context.at)
        text = html_report(summary, [*self._context.runs, run], self._context.of)
        self._output.write(text.encode(errors="replace"))


def _sarif(output: IO[bytes], _context: ReportContext) -> ReportWriter:
    return SarifReport(output)


def _junit(output: IO[bytes], context: ReportContext) -> ReportWriter:
    return JunitReport(output, context.limit or Severity.ERROR)


WRITERS: Final[Mapping[str, Callable[[IO[bytes], ReportContext], ReportWriter]]] = MappingProxyType(
    {
        "json": JsonReport,
        "markdown": MarkdownReport,
        "html": HtmlReport,
        "sarif": _sarif,
        "junit": _junit,
    }
)
SUFFIXES: Final = MappingProxyType(
    {
        ".json": "json",
        ".md": "markdown",
        ".html": "html",
        ".sarif": "sarif",
        ".xml": "junit",
    }
)


def headline(summary: ReportSummary, *, has_baseline: bool = False) -> str:
    """`3 errors and 1 warning on 12 pages`."""
    told = [
        _counted(summary.count(severity), severity.value)
        for severity in (Severity.ERROR, Severity.WARNING)
    ]
    new = f", {summary.new:,} of them new" if has_baseline else ""
    return f"{' and '.join(told)} on {_counted(summary.pages, 'page')}{new}"


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(errors="replace")


def _counted(count: int, thing: str) -> str:
    return f"{count:,} {thing}{'' if count == 1 else 's'}"


def _markdown(summary: ReportSummary, context: ReportContext) -> Iterator[str]:
    yield f"# Structured data: {headline(summary, has_baseline=context.has_baseline)}"
    for rule in summary.rules:
        yield f"\n## {_rule_head(rule)}\n"
        for finding in rule.examples:
            line = f", line {finding.line}" if finding.line else ""
            fix = f" *{_plain_markdown(finding.fix)}*" if finding.fix else ""
            where = f"<{finding.page}>" if _LINK.fullmatch(finding.page) else None
            where = where or _plain_markdown(finding.page)
            see = f" <{finding.see}>" if finding.see and _LINK.fullmatch(finding.see) else ""
            known = "" if finding.is_new else " (known)"
            yield f"- {where}{line}: {_plain_markdown(finding.message)}{fix}{see}{known}"
        if rule.findings > len(rule.examples):
            yield f"- and {rule.findings - len(rule.examples):,} more"


def _rule_head(rule: RuleCount) -> str:
    found = _counted(
        rule.findings, rule.severity.value if rule.severity is not Severity.INFO else "note"
    )
    return f"{_plain_markdown(rule.rule)}: {found} on {_counted(rule.pages, 'page')}"


def _plain_markdown(text: str) -> str:
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()))
