"""Every decision about one address."""

from typing import Any

import pytest
from tests.web.conftest import Look

from gossamer.web.pages.explain import steps

ROBOTS: dict[str, Any] = {"allowed": False, "why": "Line 2.", "line": 2, "text": "Disallow: /"}
RECORD: dict[str, Any] = {
    "given": "a.test",
    "url": "http://a.test/",
    "host": "a.test",
    "site": "a.test",
    "scope": {"kind": "host", "seeds": 1, "refused": None},
    "trap": None,
    "robots": ROBOTS,
    "delay": {"seconds": 1.0, "source": "default", "ready_at": None},
    "form": None,
    "budget": {"pages": 100},
    "order": {"strategy": "depth", "weight": 0, "rules": []},
    "verdict": {"allowed": False, "error": "robots", "retryAfter": -1},
    "page": None,
}
PAGE = {"state": "settled", "ended": "failed", "depth": 2, "why": "status-500: x", "problems": 0}


def told(**changes: Any) -> dict[str, tuple[str, str | None, bool | None]]:
    found = steps({**RECORD, **changes})
    return {each.title: (each.says, each.verdict, each.is_good) for each in found}


def test_each_part_says_its_own() -> None:
    said = told()
    assert said["robots.txt"] == ("Line 2.", "forbids", False)
    assert said["Delay"] == ("Between two requests to a.test; default.", "1 s", None)
    assert said["Scope"] == ("By the scope “host” and 1 seed.", "in", True)
    assert said["The crawl"][1] == "unknown"
    assert said["Order"] == ("No rule of crawl.priority matches it.", "depth", None)
    rules = [{"expression": "/news/", "weight": 1000}, {"expression": "a", "weight": 1}]
    order = {"strategy": "best", "weight": 1001, "rules": rules}
    assert told(order=order)["Order"] == (
        "+1,001 points by crawl.priority: “/news/”, “a”.",
        "best",
        None,
    )


def test_what_its_form_leaves_out_is_told() -> None:
    form = {"dropped": ["utm_source", "sid"], "sorted": True}
    said = "As the keys of urls ask for it: without utm_source, sid, with a sorted query."
    assert told(form=form)["Address"][0] == said
    assert told(form={"dropped": [], "sorted": True})["Address"][0].endswith(
        ": with a sorted query."
    )


def test_what_is_against_it_is_told() -> None:
    refused = {"rule": "scope-host", "why": "Elsewhere."}
    assert told(scope={**RECORD["scope"], "refused": refused})["Scope"][2] is False
    assert told(trap={"rule": "trap-length", "why": "Long."})["Traps"] == (
        "Long.",
        "trap-length",
        False,
    )
    assert told(robots=None)["robots.txt"][1] == "not known"
    assert told(page=PAGE)["The crawl"] == ("At depth 2. status-500: x", "failed", False)
    assert told(page={"state": "not followed", "why": "nofollow"})["The crawl"][1] == "left out"
    trouble = told(trouble="2 failures in a row")
    assert trouble["Failures"] == ("Of a.test: 2 failures in a row.", None, None)
    assert "Failures" not in told()
    assert [*told(url=None)] == ["Address"]


def test_the_form_stands_alone(look: Look) -> None:
    page = look("/explain")
    assert page.one("main form").attributes["action"] == "/explain"
    assert not page.all(".steps")


@pytest.mark.parametrize("url", ["javascript:alert(1)", "http://", "<script>alert(1)</script>"])
def test_nobody_can_explain_it_here_and_says_so(look: Look, url: str) -> None:
    # The service of these tests only reads: it has no client that could ask for a robots.txt.
    page = look("/explain", status=503, url=url)
    assert "sends no requests" in page.text
