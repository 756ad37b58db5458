"""The trend of a report: how earlier runs ended, carried in the HTML report that a new one replaces. Pure.

No store is kept: whoever writes a report over the last one, or names a baseline, has the trend.
"""

import html
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from gossamer.report.finding import Severity
from gossamer.report.summary import ReportSummary

NAME: Final = "gossamer-report"  # of the meta element
MOST_RUNS: Final = 30
_META: Final = re.compile(rf'<meta name="{NAME}" content="([^"]{{1,200000}})">')


@dataclass(frozen=True, slots=True)
class ReportRun:
    """How one report ended: counts, and the score of each section."""

    at: datetime
    pages: int
    errors: int
    warnings: int
    scores: Mapping[str, int]  # by the title of the section

    @classmethod
    def of(cls, summary: ReportSummary, at: datetime) -> "ReportRun":
        """How this report ends."""
        return cls(
            at,
            summary.pages,
            summary.count(Severity.ERROR),
            summary.count(Severity.WARNING),
            {each.section.title: each.score for each in summary.scores()},
        )

    @classmethod
    def parse(cls, told: object) -> "ReportRun":
        """The run that `record` tells; raises `ValueError` for anything else."""
        match told:
            case {
                "at": str(at),
                "pages": int(pages),
                "errors": int(errors),
                "warnings": int(warnings),
                "scores": dict(scores),
            }:
                known = {str(title): int(score) for title, score in scores.items()}
                return cls(datetime.fromisoformat(at), pages, errors, warnings, known)
        raise ValueError("no run of a report")

    def record(self) -> dict[str, object]:
        """The run as JSON has it."""
        return {
            "at": self.at.isoformat(timespec="seconds"),
            "pages": self.pages,
            "errors": self.errors,
            "warnings": self.warnings,
            "scores": dict(self.scores),
        }


def runs_in_html(text: str) -> Sequence[ReportRun]:
    """The runs that an HTML report tells of, its own last; none where it is something else."""
    found = _META.search(text)
    try:
        told = json.loads(html.unescape(found[1])) if found else []
        return [ReportRun.parse(each) for each in told][-MOST_RUNS:]
    except (TypeError, ValueError):
        return []


def run_in_json(text: bytes) -> Sequence[ReportRun]:
    """The run that a JSON report tells of; none where it is of an earlier version, or something else."""
    try:
        return [ReportRun.parse(json.loads(text)["run"])]
    except (KeyError, TypeError, ValueError):
        return []


def meta_element(runs: Sequence[ReportRun]) -> str:
    """The element that carries the runs."""
    told = json.dumps([each.record() for each in runs[-MOST_RUNS:]], separators=(",", ":"))
    return f'<meta name="{NAME}" content="{html.escape(told)}">'
