"""Findings counted by rule, cause and template, with examples of each: what a report of any size fits into."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from gossamer.freshness.templates import template
from gossamer.report.causes import cause_of
from gossamer.report.finding import Finding, Severity
from gossamer.report.sections import OTHERS, SECTIONS, ReportSection, section_of

EXAMPLES: Final = 20  # of a rule
CAUSE_EXAMPLES: Final = 5  # of a cause on the pages of a template
MOST_CAUSES: Final = 2_000  # of all rules; past it, what is new is counted by rule alone
MOST_TERMS: Final = 2_000  # pairs of a type and a property
MOST_TEMPLATES: Final = 500
REST: Final = "other causes"
ANY_TEMPLATE: Final = "…"


class RuleCount(NamedTuple):
    """What one rule found in all pages, at one severity."""

    severity: Severity
    rule: str
    findings: int
    pages: int
    examples: Sequence[Finding]


class CauseKey(NamedTuple):
    """What findings have in common that are told as one."""

    severity: Severity
    rule: str
    cause: str
    template: str  # host and template of the pages


@dataclass(slots=True)
class CauseCount:
    """Findings of one cause on the pages of one template."""

    findings: int = 0
    pages: int = 0
    examples: list[Finding] = field(default_factory=list)


class Mend(NamedTuple):
    """One thing to do, and how many pages it helps."""

    key: CauseKey
    pages: int
    findings: int
    example: Finding


class SectionScore(NamedTuple):
    """How a section stands: 100 where nothing was found; a page with a warning alone counts as half."""

    section: ReportSection
    score: int
    errors: int  # pages
    warnings: int  # pages with warnings and no errors


class TermUse(NamedTuple):
    """How often entities of a type have a property."""

    type: str
    property: str
    pages: int
    of: int  # pages with an entity of the type


class ReportSummary:
    """Counts of all findings so far. Memory does not grow with the pages."""

    def __init__(self) -> None:
        self.pages = 0
        self.new = 0  # findings that the baseline does not have, notes left out
        self.causes: dict[CauseKey, CauseCount] = {}
        self.types: Counter[str] = Counter()  # pages by the types of their entities
        self.terms: Counter[tuple[str, str]] = Counter()
        self._templates: set[str] = set()
        self._findings: Counter[tuple[Severity, str]] = Counter()
        self._pages: Counter[tuple[Severity, str]] = Counter()
        self._new: set[Severity] = set()
        self._sections: defaultdict[ReportSection, Counter[Severity]] = defaultdict(Counter)
        self._examples: defaultdict[tuple[Severity, str], list[Finding]] = defaultdict(list)

    def take(
        self, findings: Sequence[Finding], uses: Mapping[str, Iterable[str]] | None = None
    ) -> None:
        """Count one more page with these findings; `uses` has the properties of its entities by type."""
        self.pages += 1
        self._count(findings)
        for kind, names in (uses or {}).items():
            if kind in self.types or len(self.types) < MOST_TERMS:
                self.types[kind] += 1
                pairs = ((kind, name) for name in set(names))
                self.terms.update(
                    pair for pair in pairs if pair in self.terms or len(self.terms) < MOST_TERMS
                )

    def take_site(self, findings: Sequence[Finding]) -> None:
        """Count what was found by looking at all pages together."""
        self._count(findings)

    def _count(self, findings: Sequence[Finding]) -> None:
        kinds = [(each.severity, each.rule) for each in findings]
        on_pages = {(kind, each.page) for kind, each in zip(kinds, findings, strict=True)}
        self._findings.update(kinds)
        self._pages.update(kind for kind, _ in on_pages)
        for kind, finding in zip(kinds, findings, strict=True):
            if finding.is_new:
                self._new.add(finding.severity)
                self.new += finding.severity is not Severity.INFO
            if len(self._examples[kind]) < EXAMPLES:
                self._examples[kind].append(finding)
        self._count_causes(findings)
        self._count_sections(findings)

    def _count_causes(self, findings: Sequence[Finding]) -> None:
        counted = set[tuple[CauseKey, str]]()
        for finding in findings:
            key = self._key(finding)
            count = self.causes.setdefault(key, CauseCount())
            count.findings += 1
            if (key, finding.page) not in counted:
                counted.add((key, finding.page))
                count.pages += 1
            if len(count.examples) < CAUSE_EXAMPLES:
                count.examples.append(finding)

    def _key(self, finding: Finding) -> CauseKey:
        where = page_template(finding.page)
        if where not in self._templates:
            if len(self._templates) >= MOST_TEMPLATES:
                where = ANY_TEMPLATE
            self._templates.add(where)
        key = CauseKey(finding.severity, finding.rule, cause_of(finding), where)
        if key in self.causes or len(self.causes) < MOST_CAUSES:
            return key
        return key._replace(cause=REST, template=ANY_TEMPLATE)

    def _count_sections(self, findings: Sequence[Finding]) -> None:
        worst: dict[tuple[ReportSection, str], Severity] = {}
        for each in findings:
            at = (section_of(each.rule), each.page)
            if at not in worst or each.severity.is_at_least(worst[at]):
                worst[at] = each.severity
        for (section, _), severity in worst.items():
            self._sections[section][severity] += 1

    def count(self, severity: Severity) -> int:
        """The number of findings of a severity."""
        return sum(n for (each, _), n in self._findings.items() if each is severity)

    def fails(self, limit: Severity | None) -> bool:
        """Whether there is a finding as bad as the limit, or worse, that the baseline does not have."""
        return limit is not None and any(each.is_at_least(limit) for each in self._new)

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

    def mends(self, most: int = 10) -> Sequence[Mend]:
        """What helps the most pages if it is mended; an error counts as three warnings."""
        found: dict[tuple[Severity, str, str], list[tuple[CauseKey, CauseCount]]] = {}
        for key, count in self.causes.items():
            if key.severity is not Severity.INFO and key.cause != REST:
                found.setdefault(key[:3], []).append((key, count))
        mends = [
            Mend(
                max(lot, key=lambda each: each[1].pages)[0],
                sum(count.pages for _, count in lot),
                sum(count.findings for _, count in lot),
                lot[0][1].examples[0],
            )
            for lot in found.values()
        ]
        weight = {Severity.ERROR: 3, Severity.WARNING: 1}
        return sorted(
            mends, key=lambda each: (-each.pages * weight[each.key.severity], each.key.cause)
        )[:most]

    def scores(self) -> Sequence[SectionScore]:
        """The score of each section; that of rules of other packages where they found something."""
        more = [OTHERS] if OTHERS in self._sections else []
        return [_score(each, self._sections[each], self.pages) for each in (*SECTIONS, *more)]

    def uses(self) -> Sequence[TermUse]:
        """Types and their properties, with the number of pages that have them, the most frequent first."""
        pairs = sorted(
            self.terms, key=lambda pair: (-self.types[pair[0]], pair[0], -self.terms[pair], pair[1])
        )
        return [TermUse(*pair, self.terms[pair], self.types[pair[0]]) for pair in pairs]


def _score(section: ReportSection, worst: Counter[Severity], pages: int) -> SectionScore:
    errors, warnings = min(worst[Severity.ERROR], pages), worst[Severity.WARNING]
    lost = min(errors + warnings / 2, pages) / max(pages, 1)
    # Rounded down: 100 means that there is nothing.
    return SectionScore(section, int(100 - 100 * lost), errors, min(warnings, pages))


def page_template(url: str) -> str:
    """The host of a page and the template of its address."""
    parts = urlsplit(url)
    return f"{parts.netloc}{template(url)}" if parts.netloc else template(url)
