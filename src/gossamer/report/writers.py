"""Reports in their formats: JSON with every finding as it comes; Markdown and HTML by rule, with examples.

Messages, URLs and names of entities are strangers' words: each format has its own way to keep them text.
"""

import html
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import IO, Any, Final, Protocol

from gossamer.report.finding import Finding, Severity
from gossamer.report.summary import ReportSummary, RuleCount

_MARKDOWN: Final = re.compile(r"([\\`*_{}\[\]<>()#+\-.!|~&])")
_LINK: Final = re.compile(r"https?://[!#-;=?-~]+")
_STYLE: Final = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 70rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse } th, td { text-align: start; padding: .2rem 1rem .2rem 0 }
td.n { text-align: end } li { margin: .4rem 0; overflow-wrap: anywhere } .fix { opacity: .8 }
""".strip()
_HEAD: Final = (
    '<!doctype html><html lang="en"><meta charset="utf-8">'
    '<meta name="viewport" content="width=device-width">'
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
    f"<title>Structured data</title><style>{_STYLE}</style>\n"
)


class ReportWriter(Protocol):
    """Writes a report while pages are read."""

    def page(self, findings: Sequence[Finding]) -> None:
        """Take what was found on one more page."""

    def close(self, summary: ReportSummary) -> None:
        """Write the rest, now that all pages are counted."""


class JsonReport:
    """One object: `findings`, a line each, then `pages` and `counts` by severity."""

    def __init__(self, output: IO[bytes]) -> None:
        self._output = output
        self._before = b'{"findings":['

    def page(self, findings: Sequence[Finding]) -> None:
        """Write the findings of one more page."""
        for finding in findings:
            self._output.write(self._before + b"\n" + _json(finding_record(finding)))
            self._before = b","

    def close(self, summary: ReportSummary) -> None:
        """Write the counts."""
        counts = {severity.value: summary.count(severity) for severity in Severity}
        rest = _json({"pages": summary.pages, "counts": counts})
        start = b"\n]," if self._before == b"," else self._before + b"],"
        self._output.write(start + rest[1:] + b"\n")


class MarkdownReport:
    """Findings by rule, for a pull request or a terminal."""

    def __init__(self, output: IO[bytes]) -> None:
        self._output = output

    def page(self, findings: Sequence[Finding]) -> None:
        """Nothing: the summary has what is written."""

    def close(self, summary: ReportSummary) -> None:
        """Write the report."""
        self._output.write("".join(f"{line}\n" for line in _markdown(summary)).encode())


class HtmlReport:
    """One page without script that loads nothing, light and dark."""

    def __init__(self, output: IO[bytes]) -> None:
        self._output = output

    def page(self, findings: Sequence[Finding]) -> None:
        """Nothing: the summary has what is written."""

    def close(self, summary: ReportSummary) -> None:
        """Write the report."""
        self._output.write((_HEAD + "\n".join(_html(summary)) + "\n</html>\n").encode())


WRITERS: Final[Mapping[str, type[JsonReport] | type[MarkdownReport] | type[HtmlReport]]] = (
    MappingProxyType({"json": JsonReport, "markdown": MarkdownReport, "html": HtmlReport})
)
SUFFIXES: Final = MappingProxyType({".json": "json", ".md": "markdown", ".html": "html"})


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
    }


def headline(summary: ReportSummary) -> str:
    """`3 errors and 1 warning on 12 pages`."""
    told = [
        _counted(summary.count(severity), severity.value)
        for severity in (Severity.ERROR, Severity.WARNING)
    ]
    return f"{' and '.join(told)} on {_counted(summary.pages, 'page')}"


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(errors="replace")


def _counted(count: int, thing: str) -> str:
    return f"{count:,} {thing}{'' if count == 1 else 's'}"


def _markdown(summary: ReportSummary) -> Iterator[str]:
    yield f"# Structured data: {headline(summary)}"
    for rule in summary.rules:
        yield f"\n## {_rule_head(rule)}\n"
        for finding in rule.examples:
            line = f", line {finding.line}" if finding.line else ""
            fix = f" *{_plain_markdown(finding.fix)}*" if finding.fix else ""
            where = f"<{finding.page}>" if _LINK.fullmatch(finding.page) else None
            where = where or _plain_markdown(finding.page)
            see = f" <{finding.see}>" if finding.see and _LINK.fullmatch(finding.see) else ""
            yield f"- {where}{line}: {_plain_markdown(finding.message)}{fix}{see}"
        if rule.findings > len(rule.examples):
            yield f"- and {rule.findings - len(rule.examples):,} more"


def _rule_head(rule: RuleCount) -> str:
    found = _counted(
        rule.findings, rule.severity.value if rule.severity is not Severity.INFO else "note"
    )
    return f"{_plain_markdown(rule.rule)}: {found} on {_counted(rule.pages, 'page')}"


def _plain_markdown(text: str) -> str:
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()))


def _html(summary: ReportSummary) -> Iterator[str]:
    yield f"<h1>Structured data: {headline(summary)}</h1>"
    if not summary.rules:
        yield "<p>Nothing was found to be wrong."
        return
    yield "<table><tr><th>Rule<th>Severity<th>Findings<th>Pages"
    for nth, rule in enumerate(summary.rules):
        name = f'<a href="#r{nth}">{html.escape(rule.rule)}</a>'
        counts = f'<td class="n">{rule.findings:,}<td class="n">{rule.pages:,}'
        yield f"<tr><td>{name}<td>{rule.severity.value}{counts}"
    yield "</table>"
    for nth, rule in enumerate(summary.rules):
        yield f'<h2 id="r{nth}">{html.escape(rule.rule)}: {rule.severity.value}</h2><ul>'
        for finding in rule.examples:
            yield f"<li>{_html_page(finding)}: {_html_finding(finding)}"
        if rule.findings > len(rule.examples):
            yield f"<li>and {rule.findings - len(rule.examples):,} more"
        yield "</ul>"


def _html_page(finding: Finding) -> str:
    page = html.escape(finding.page)
    # What a WARC file calls an address may be a script.
    name = f'<a href="{page}">{page}</a>' if _LINK.fullmatch(finding.page) else page
    return f"{name}, line {finding.line}" if finding.line else name


def _html_finding(finding: Finding) -> str:
    fix = f' <span class="fix">{html.escape(finding.fix)}</span>' if finding.fix else ""
    return f"{html.escape(finding.message)}{fix}"
