"""Findings counted by rule, with examples of each: what a report of any size fits into."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Final, NamedTuple

from gossamer.report.finding import Finding, Severity

EXAMPLES: Final = 20  # of a rule


class RuleCount(NamedTuple):
    """What one rule found in all pages, at one severity."""

    severity: Severity
    rule: str
    findings: int
    pages: int
    examples: Sequence[Finding]


class ReportSummary:
    """Counts of all findings so far. Memory does not grow with the pages."""

    def __init__(self) -> None:
        self.pages = 0
        self._findings: Counter[tuple[Severity, str]] = Counter()
        self._pages: Counter[tuple[Severity, str]] = Counter()
        self._examples: defaultdict[tuple[Severity, str], list[Finding]] = defaultdict(list)

    def take(self, findings: Sequence[Finding]) -> None:
        """Count one more page with these findings."""
        self.pages += 1
        kinds = [(each.severity, each.rule) for each in findings]
        self._findings.update(kinds)
        self._pages.update(set(kinds))
        for kind, finding in zip(kinds, findings, strict=True):
            if len(self._examples[kind]) < EXAMPLES:
                self._examples[kind].append(finding)

    def count(self, severity: Severity) -> int:
        """The number of findings of a severity."""
        return sum(n for (each, _), n in self._findings.items() if each is severity)

    def fails(self, limit: Severity | None) -> bool:
        """Whether there is a finding as bad as the limit, or worse."""
        return limit is not None and any(each.is_at_least(limit) for each, _ in self._findings)

    @property
    def rules(self) -> Sequence[RuleCount]:
        """What each rule found, the worst and most frequent first."""
        order = list(Severity)
        kinds = sorted(
            self._findings, key=lambda kind: (order.index(kind[0]), -self._findings[kind], kind[1])
        )
        return [
            RuleCount(*kind, self._findings[kind], self._pages[kind], tuple(self._examples[kind]))
            for kind in kinds
        ]
