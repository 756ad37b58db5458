import json
from dataclasses import replace
from typing import Any

import pytest
from tests.crawl.cases import NOW, PAGE, QUAD, answered, assignment, extracted, judge

from gossamer.crawl.page_records import page_line
from gossamer.crawl.verdicts import PageVerdict
from gossamer.model import Problem, Refusal, Url
from gossamer.reading.jobs import Targets

HTML: dict[str, Any] = {"content_type": "text/html"}
NEXT, SHUNNED = Url("http://a.test/next"), Url("http://b.test/")


def record(verdict: PageVerdict) -> dict[str, Any]:
    line = page_line(verdict)
    assert line is not None
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    found: dict[str, Any] = json.loads(line)
    return found


def test_a_page_with_content_says_what_it_says_and_where_it_leads() -> None:
    page = replace(
        extracted(),
        targets=Targets.to([NEXT], [SHUNNED]),
        problems=(Problem("It is odd.", "rdfa", 3),),
    )
    found = record(judge().answered(assignment(), answered(**HTML), page, NOW))
    assert next(iter(found)) == "url"  # which `sinks.json_lines` knows its lines by
    assert found["url"] == PAGE
    assert (found["outcome"], found["status"], found["depth"]) == ("fetched", 200, 1)
    assert found["nquads"] == QUAD.decode()
    assert found["quads"] == 1
    assert (found["links"], found["nofollow"]) == ([NEXT], [SHUNNED])
    assert found["problems"] == [{"syntax": "rdfa", "message": "It is odd.", "line": 3}]


def test_what_is_not_to_be_indexed_is_not_handed_out() -> None:
    page = replace(extracted(), directives=(("robots", "noindex"),))
    found = record(judge().answered(assignment(), answered(**HTML), page, NOW))
    assert (found["outcome"], found["nquads"], found["quads"]) == ("fetched", "", 0)


def test_a_page_that_was_not_had_names_the_cause() -> None:
    found = record(judge().answered(assignment(), answered(404), None, NOW))
    assert (found["outcome"], found["status"], found["cause"]) == ("missing", 404, "status-404")
    assert found["nquads"] is None
    refused = record(judge().refused(assignment(), Refusal("robots", "It is forbidden.")))
    assert (refused["outcome"], refused["cause"]) == ("refused", "robots")
    assert (refused["message"], refused["fetched_at"]) == ("It is forbidden.", None)


def test_a_redirect_says_where_it_leads() -> None:
    found = record(judge().answered(assignment(), answered(301, location="/there"), None, NOW))
    assert (found["outcome"], found["redirect"]) == ("redirected", "http://a.test/there")


def test_a_page_that_is_to_be_tried_again_or_was_put_aside_has_no_line() -> None:
    assert page_line(judge().answered(assignment(), answered(503), None, NOW)) is None
    assert page_line(judge().aside(assignment(), Refusal("scope-host", "It is elsewhere."))) is None


@pytest.mark.parametrize(
    "said", [b'{}}, {"url": 1', b"[" * 100_000, b'{"json-ld": [{"name": "A"}]}']
)
def test_items_are_json_or_nothing(said: bytes) -> None:
    page = replace(extracted(), items_json=said)
    found = record(judge().answered(assignment(), answered(**HTML), page, NOW))
    assert found["url"] == PAGE
    assert found["items"] == ({"json-ld": [{"name": "A"}]} if b"json-ld" in said else {})


def test_half_of_a_pair_of_characters_does_no_harm() -> None:
    page = replace(extracted(), problems=(Problem("What is \ud83d?"),))
    found = record(judge().answered(assignment(), answered(**HTML), page, NOW))
    assert found["problems"][0]["message"] == "What is \ud83d?"
