"""Sections of a report: which rules belong together, and what the score of each means. Pure."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple


class ReportSection(NamedTuple):
    """Rules that belong together."""

    title: str
    meaning: str  # of a full score
    rules: frozenset[str]


def _section(title: str, meaning: str, rules: str) -> ReportSection:
    return ReportSection(title, meaning, frozenset(rules.split()))


OTHERS: Final = ReportSection("Other rules", "Rules of other packages find nothing.", frozenset())
SECTIONS: Final[tuple[ReportSection, ...]] = (
    _section(
        "Syntax",
        "Every reader gets the same data out of the markup.",
        "syntax unreadable rule-failed",
    ),
    _section(
        "Vocabulary",
        "Every type and property exists, and is used where it belongs.",
        "unknown-type unknown-property unknown-value unknown-term superseded wrong-domain wrong-range",
    ),
    _section(
        "Values",
        "Programs can read every date, number, code and address.",
        "date time duration number boolean url price currency check-digit language country",
    ),
    _section(
        "Consistency",
        "Nothing that the data says contradicts something else.",
        "order rating coordinates price-mismatch canonical hreflang-language two-things two-ids",
    ),
    _section(
        "Links",
        "What the data refers to can be fetched, and refers back where it should.",
        "broken-link same-as hreflang sitemap blocked",
    ),
    _section("Coverage", "Pages of one template have the same data.", "coverage template"),
    _section(
        "Search and rights",
        "The data may be read and used as it says itself.",
        "noindex usage-rights",
    ),
    _section(
        "Profiles",
        "Everything is there that the chosen profiles require and recommend.",
        "required recommended shape shapes-unusable",
    ),
)
_BY_RULE: Final[Mapping[str, ReportSection]] = MappingProxyType(
    {rule: section for section in SECTIONS for rule in section.rules}
)


def section_of(rule: str) -> ReportSection:
    """The section of a rule; rules of other packages have one of their own."""
    return _BY_RULE.get(rule, OTHERS)
