import io
import json
import re
from collections.abc import Sequence

import pytest
from selectolax.lexbor import LexborHTMLParser

from gossamer.report.finding import Finding, Severity
from gossamer.report.summary import ReportSummary
from gossamer.report.writers import WRITERS, ReportContext

SCRIPT = "<script>alert(1)</script> [a](javascript:b) `x`"
PAGES = [
    [
        Finding(SCRIPT, Severity.ERROR, 3, "_:b1", "Mend it.", "unknown-type", "http://a.test/"),
        Finding("Odd.", rule="price", page="javascript:alert(1)"),
    ],
    [],
]


def written(format_: str, pages: Sequence[Sequence[Finding]] = PAGES) -> str:
    output, summary = io.BytesIO(), ReportSummary()
    writer = WRITERS[format_](output, ReportContext())
    for findings in pages:
        summary.take(findings)
        writer.page(findings)
    writer.close(summary)
    return output.getvalue().decode()


def test_json_has_every_finding_and_the_counts() -> None:
    told = json.loads(written("json"))
    assert told["findings"][0] == {
        "rule": "unknown-type",
        "severity": "error",
        "page": "http://a.test/",
        "line": 3,
        "entity": "_:b1",
        "message": SCRIPT,
        "fix": "Mend it.",
        "see": None,
        "file": None,
    }
    assert told["pages"] == 2
    assert told["counts"] == {"error": 1, "warning": 1, "info": 0}
    clean = json.loads(written("json", [[]]))
    assert (clean["findings"], clean["pages"]) == ([], 1)
    assert clean["counts"] == {"error": 0, "warning": 0, "info": 0}
    assert set(clean["run"]["scores"].values()) == {100}


def test_nothing_that_a_page_says_becomes_markup() -> None:
    tree = LexborHTMLParser(written("html"))
    assert tree.css("script") == []
    assert {each.attributes["href"] for each in tree.css("a")} == {"http://a.test/"}
    assert "<script>alert(1)" in (tree.css("ol.mends li")[0].text() or "")
    markdown = written("markdown")
    assert "<http://a.test/>, line 3: \\<script\\>alert\\(1\\)" in markdown
    assert "\\[a\\]\\(javascript:b\\) \\`x\\`" in markdown


def test_markdown_and_html_have_the_worst_first() -> None:
    for format_ in ("markdown", "html"):
        text = written(format_)
        assert "1 error and 1 warning on 2 pages" in text
        assert text.index("unknown") < text.index("price")
    assert "0 errors and 0 warnings on 1 page" in written("markdown", [[]])
    assert "Nothing was found to be wrong." in written("html", [[]])


@pytest.mark.parametrize("format_", ["markdown", "html"])
def test_of_many_findings_some_are_examples_and_all_are_counted(format_: str) -> None:
    many = [
        [Finding(f"Odd {nth}.", rule="price", page=f"http://a.test/{nth}")] for nth in range(50)
    ]
    text = written(format_, many)
    assert re.search(r"and \d+ more", text)
    assert "50 pages" in text


def test_a_limit_is_reached_by_what_is_as_bad_or_worse() -> None:
    summary = ReportSummary()
    summary.take([Finding("Odd.", Severity.WARNING, rule="price")])
    assert (summary.fails(Severity.WARNING), summary.fails(Severity.ERROR)) == (True, False)
    assert not summary.fails(None)
    summary.take([Finding("Bad.", Severity.ERROR, rule="price")])
    assert (summary.fails(Severity.WARNING), summary.fails(Severity.ERROR)) == (True, True)
