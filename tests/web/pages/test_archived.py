"""Archived copies, which can do nothing."""

from typing import Any

import pytest
from tests.service.conftest import WORLD
from tests.service.running import Answered, Client
from tests.web.conftest import BROWSER, Look

FRONT = WORLD.front(0)


def with_media_type(ask: Client, media_type: str) -> str:
    rows = ask(
        "/sparql",
        query=f"SELECT ?page {{ GRAPH ?f {{ ?page dcterms:format '{media_type}' ; "
        "prov:wasGeneratedBy ?f } } ORDER BY ?page LIMIT 1",
        headers={"Accept": "application/json"},
    ).json["results"]["bindings"]
    name: str = rows[0]["page"]["value"]
    return name


def check_harmless(answer: Answered) -> None:
    policy = [part.strip() for part in answer.headers["content-security-policy"].split(";")]
    assert {"sandbox", "default-src 'none'", "form-action 'none'", "base-uri 'none'"} <= set(policy)
    assert not [part for part in policy if "script" in part or "http" in part or "*" in part]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "set-cookie" not in answer.headers


def test_a_page_comes_as_a_document_of_no_origin(ask: Client) -> None:
    answer = ask("/archived", url=FRONT)
    assert (answer.status, answer.media_type) == (200, "text/html")
    assert "<html" in answer.body.decode().lower()
    check_harmless(answer)
    assert "frame-ancestors 'self'" in answer.headers["content-security-policy"]
    assert answer.headers["x-frame-options"] == "SAMEORIGIN"


@pytest.mark.parametrize(
    "media_type", ["text/turtle", "application/rdf+xml", "application/ld+json"]
)
def test_what_is_no_page_comes_as_plain_text(ask: Client, media_type: str) -> None:
    answer = ask("/archived", url=with_media_type(ask, media_type))
    assert (answer.status, answer.media_type) == (200, "text/plain")
    check_harmless(answer)


def test_its_source_has_every_line_as_text(look: Look, ask: Client) -> None:
    lines = ask("/archived", url=FRONT).body.decode().splitlines()
    page = look("/source", url=FRONT)
    shown = page.all(".source li")
    assert len(shown) == len(lines)
    assert [each.text(deep=True) for each in shown] == lines
    assert shown[-1].attributes["id"] == f"L{len(lines)}"


@pytest.mark.parametrize("path", ["/archived", "/source"])
def test_without_a_copy_there_is_none(look: Look, ask: Client, path: str) -> None:
    failed: list[Any] = ask("/api/problems", kind="refused").json["pages"]
    assert "There is none" in look(path, status=404, url=failed[0]["url"]).text
    look(path, status=404, url="http://nobody.test/")
    look(path, status=400)


def test_errors_of_copies_are_not_framed_as_copies(ask: Client) -> None:
    answer = ask("/archived", url="http://nobody.test/", headers={"Accept": BROWSER})
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
