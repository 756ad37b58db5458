"""The rule `syntax`: every problem that a reader had with the page is a finding."""

from collections.abc import Iterator

from gossamer.model import Problem
from gossamer.report.finding import Finding, Severity
from gossamer.report.page import RulePage


def reader_problems(page: RulePage) -> Iterator[Finding]:
    """Problems of the page as findings; the first says why a page was not read to its end."""
    for nth, problem in enumerate(page.problems):
        is_cause = nth == 0 and page.cause is not None
        yield problem_finding(problem, Severity.ERROR if is_cause else _severity(problem))


def problem_finding(problem: Problem, severity: Severity) -> Finding:
    """A problem as a finding."""
    syntax = f"{problem.syntax}: " if problem.syntax else ""
    return Finding(f"{syntax}{problem.message}", severity, problem.line)


def _severity(problem: Problem) -> Severity:
    if (
        problem.wants is not None
    ):  # a context or stylesheet that was not at hand: no mistake of the page
        return Severity.INFO
    # What we mend, others refuse: a mistake within a syntax is an error, whether anything was lost or not.
    return Severity.ERROR if problem.syntax else Severity.WARNING
