import json

import pytest

from gossamer.report.baseline import Baseline
from gossamer.report.finding import Finding
from gossamer.report.records import finding_record

KNOWN = Finding("Odd.", rule="price", page="http://a.test/", line=3, entity="_:b1")


def baseline(*findings: Finding) -> Baseline:
    return Baseline.parse(json.dumps({"findings": [*map(finding_record, findings)]}).encode())


def test_what_a_baseline_has_is_known_wherever_it_stands_now() -> None:
    moved = Finding("Odd.", rule="price", page="http://a.test/", line=70, entity="_:b2")
    other = Finding("Odd.", rule="price", page="http://a.test/other")
    assert [each.is_new for each in baseline(KNOWN).marked([moved, other])] == [False, True]


@pytest.mark.parametrize("text", ["[]", "{", '{"findings": [1]}', '{"findings": {}}', "\udc80"])
def test_anything_else_is_no_baseline(text: str) -> None:
    with pytest.raises(ValueError):
        Baseline.parse(text.encode(errors="surrogatepass"))
