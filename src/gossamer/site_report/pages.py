"""What is found on one page, read or not."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from gossamer.model import Problem
from gossamer.reading.jobs import Extracted
from gossamer.report.finding import Finding, Severity
from gossamer.report.syntax import problem_finding

UNREADABLE: Final = "unreadable"


def page_findings(
    url: str, extracted: Extracted | None, problem: str | None = None, file: str | None = None
) -> Sequence[Finding]:
    """What is wrong with a page; also that it could not be read, or not to its end."""
    found = () if extracted is None else extracted.findings
    whys = [Problem(problem)] if problem else []
    if extracted is not None and extracted.cause is not None and not found:
        whys += extracted.problems  # its worker is gone, and all rules with it
    unread = (problem_finding(why, Severity.ERROR) for why in whys)
    both = (*(replace(each, rule=UNREADABLE, page=url) for each in unread), *found)
    return both if file is None else [replace(each, file=file) for each in both]
