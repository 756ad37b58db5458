import io

from junitparser import Failure, JUnitXml, Skipped

from gossamer.report.finding import Finding, Severity
from gossamer.report.summary import ReportSummary
from gossamer.report.writers import WRITERS, ReportContext

PAGES: tuple[list[Finding], ...] = (
    [
        Finding("<b>\x00\udc80 & \"'", Severity.ERROR, 3, None, "Mend.", "price", "http://a.test/"),
        Finding("Odd.", rule="date", page="http://a.test/"),
        Finding("Known.", Severity.ERROR, rule="date", page="http://a.test/", is_new=False),
    ],
    [],
)


def written(limit: Severity | None) -> JUnitXml:
    output, summary = io.BytesIO(), ReportSummary()
    writer = WRITERS["junit"](output, ReportContext(limit=limit))
    for findings in PAGES:
        summary.take(findings)
        writer.page(findings)
    writer.close(summary)
    return JUnitXml.fromstring(output.getvalue())


def outcomes(xml: JUnitXml) -> list[list[type]]:
    return [[type(each) for each in case.result] for suite in xml for case in suite]


def test_findings_from_the_limit_on_fail_and_known_ones_are_skipped() -> None:
    assert outcomes(written(Severity.ERROR)) == [[Failure], [], [Skipped], []]
    assert outcomes(written(Severity.WARNING)) == [[Failure], [Failure], [Skipped], []]
    first, _ = written(None)
    assert (first.name, first.tests, first.failures, first.skipped) == ("http://a.test/", 3, 1, 1)


def test_what_xml_cannot_have_is_replaced() -> None:
    first, last = written(None)
    (case, *_) = first
    assert "<b>" in case.result[0].message
    assert "2 pages" in next(iter(last)).name
