from tests.report.pages import rule_page

import gossamer
from gossamer.model import Cause
from gossamer.report.finding import Finding, Severity
from gossamer.report.page import RulePage
from gossamer.report.syntax import reader_problems


def test_what_a_reader_mended_is_an_error_with_its_line() -> None:
    broken = '<script type="application/ld+json">\n{"@type": "http://a.test/Thing",}\n</script>'
    assert [*reader_problems(rule_page(more=broken))] == [
        Finding("jsonld: Comma too many left out.", Severity.ERROR, line=5)
    ]


def test_a_context_that_is_not_at_hand_is_no_mistake_of_the_page() -> None:
    page = rule_page({"@context": "http://other.test/context", "name": "Ada"})
    assert [each.severity for each in reader_problems(page)] == [Severity.INFO]


def test_why_a_page_was_not_read_comes_first_and_is_an_error() -> None:
    long = gossamer.extract(b"\x1f\x8bno gzip", url="http://a.test/", content_type="text/html")
    page = RulePage(long)
    assert all(each.severity is Severity.WARNING for each in reader_problems(page))
    page.cause = Cause.UNREADABLE
    page.problems = (gossamer.Problem("It is too much."),)
    assert [each.severity for each in reader_problems(page)] == [Severity.ERROR]
