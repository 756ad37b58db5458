"""What people are shown of a report: scores with their trend, mends, findings by cause and template, types in use. Pure.

The HTML file and the page `/report` show the same view.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from gossamer.report.finding import Finding, Severity
from gossamer.report.sections import section_of
from gossamer.report.summary import CauseCount, CauseKey, Mend, ReportSummary, SectionScore
from gossamer.report.trend import ReportRun

MENDS: Final = 10
CAUSES: Final = 40  # of a rule that are shown
TEMPLATES: Final = 12  # of a cause
TYPES: Final = 40
PROPERTIES: Final = 30  # of a type
FULL: Final = 100


@dataclass(frozen=True, slots=True)
class ScoreView:
    """The score of a section and what it was at the last run."""

    score: SectionScore
    before: int | None

    @property
    def grade(self) -> str:
        """A word for how it stands."""
        return "good" if self.score.score >= 95 else "fair" if self.score.score >= 75 else "poor"

    @property
    def change(self) -> int:
        """The points since the last run."""
        return 0 if self.before is None else self.score.score - self.before


@dataclass(frozen=True, slots=True)
class CauseView:
    """Findings of one cause, on the pages of all templates."""

    cause: str
    findings: int
    pages: int
    fix: str | None
    see: str | None
    templates: Sequence[tuple[str, CauseCount]]  # the most pages first
    more_templates: int

    @property
    def more(self) -> int:
        """Findings that are not among the examples."""
        return self.findings - len(self.examples)

    @property
    def examples(self) -> Sequence[Finding]:
        """Findings of the first templates."""
        return [each for _, count in self.templates[:3] for each in count.examples[:3]]


@dataclass(frozen=True, slots=True)
class RuleView:
    """What one rule found at one severity, by cause."""

    severity: Severity
    rule: str
    section: str
    findings: int
    pages: int
    causes: Sequence[CauseView]
    more_causes: int


@dataclass(frozen=True, slots=True)
class TypeView:
    """A type in use with its properties: on how many pages, and what part of them that is."""

    type: str
    pages: int
    properties: Sequence[tuple[str, int, int]]  # name, pages, percent
    more: int


@dataclass(frozen=True, slots=True)
class ReportView:
    """A report as people see it."""

    pages: int
    errors: int
    warnings: int
    scores: Sequence[ScoreView]
    runs: Sequence[ReportRun]
    mends: Sequence[Mend]
    rules: Sequence[RuleView]
    types: Sequence[TypeView]

    @property
    def score(self) -> int:
        """The mean of all sections."""
        return sum(each.score.score for each in self.scores) // max(len(self.scores), 1)


def report_view(summary: ReportSummary, runs: Sequence[ReportRun] = ()) -> ReportView:
    """The view of a summary; the last of the runs is this one, the one before is compared."""
    last = runs[-2].scores if len(runs) > 1 else {}
    return ReportView(
        summary.pages,
        summary.count(Severity.ERROR),
        summary.count(Severity.WARNING),
        [ScoreView(each, last.get(each.section.title)) for each in summary.scores()],
        runs,
        summary.mends(MENDS),
        [
            RuleView(
                each.severity,
                each.rule,
                section_of(each.rule).title,
                each.findings,
                each.pages,
                *_causes(summary, each.severity, each.rule),
            )
            for each in summary.rules
        ],
        list(_types(summary)),
    )


def trend_points(runs: Sequence[ReportRun], width: int, height: int) -> str:
    """The mean score of each run as points of a polyline."""
    means = [sum(run.scores.values()) / max(len(run.scores), 1) for run in runs]
    step = width / max(len(means) - 1, 1)
    rows = (
        f"{nth * step:.1f},{height - mean * height / FULL:.1f}" for nth, mean in enumerate(means)
    )
    return " ".join(rows)


def _causes(
    summary: ReportSummary, severity: Severity, rule: str
) -> tuple[Sequence[CauseView], int]:
    found: dict[str, list[tuple[CauseKey, CauseCount]]] = {}
    for key, count in summary.causes.items():
        if (key.severity, key.rule) == (severity, rule):
            found.setdefault(key.cause, []).append((key, count))
    views = sorted((_cause(*each) for each in found.items()), key=lambda view: -view.pages)
    return views[:CAUSES], max(len(views) - CAUSES, 0)


def _cause(cause: str, lot: Iterable[tuple[CauseKey, CauseCount]]) -> CauseView:
    templates = sorted(
        ((key.template, count) for key, count in lot), key=lambda each: (-each[1].pages, each[0])
    )
    first = templates[0][1].examples[0]
    return CauseView(
        cause,
        sum(count.findings for _, count in templates),
        sum(count.pages for _, count in templates),
        first.fix,
        first.see,
        templates[:TEMPLATES],
        max(len(templates) - TEMPLATES, 0),
    )


def _types(summary: ReportSummary) -> Iterable[TypeView]:
    by_type = groupby(summary.uses(), key=lambda use: use.type)
    for nth, (kind, uses) in enumerate(by_type):
        if nth == TYPES:
            return
        rows = [(use.property, use.pages, FULL * use.pages // max(use.of, 1)) for use in uses]
        yield TypeView(kind, summary.types[kind], rows[:PROPERTIES], max(len(rows) - PROPERTIES, 0))
