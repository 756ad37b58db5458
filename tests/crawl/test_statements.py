from datetime import timedelta

import pyoxigraph
import pytest
from tests.crawl.cases import NOW, PAGE, QUAD, answered, assignment, extracted, failed, judge

from gossamer.crawl.statements import graphs_of
from gossamer.crawl.verdicts import PageVerdict
from gossamer.index.graph.page_diff import Holding, replacement, sizes_of
from gossamer.index.graph.pages import PageGraphs, content_of
from gossamer.model import BodyState, Cause, Problem, Refusal
from gossamer.politeness.usage import UsageStatement

LATER = NOW + timedelta(minutes=1)


def graphs(verdict: PageVerdict) -> PageGraphs:
    found = graphs_of(verdict, LATER)
    assert found is not None
    content_of(found)  # the graph takes it
    return found


def said(verdict: PageVerdict) -> str:
    return graphs(verdict).fetch.decode()


def test_content_brings_its_quads_and_how_they_came() -> None:
    verdict = judge().answered(assignment(), answered(), extracted(problems=(Problem("Hm."),)), NOW)
    found = graphs(verdict)
    assert (found.url, found.nquads) == (PAGE, QUAD)
    assert all(
        str(quad.graph_name) == f"<{PAGE}#fetch>"
        for quad in pyoxigraph.parse(found.fetch, pyoxigraph.RdfFormat.N_QUADS)
    )
    assert "Hm." in found.fetch.decode()
    assert "2026-03-04T12:00:00" in said(verdict)


@pytest.mark.parametrize("status", [404, 500])
def test_failures_are_told_with_their_status(status: int) -> None:
    verdict = judge().answered(assignment(attempts=9), answered(status), None, NOW)
    assert f"status-{status}" in said(verdict)
    assert graphs(verdict).nquads == (b"" if status == 404 else None)


def test_a_failed_request_is_told_with_its_cause() -> None:
    text = said(judge().failed(assignment(attempts=9), failed(Cause.RESET, "It was cut off.")))
    assert "reset" in text
    assert "It was cut off." in text


def test_an_attempt_that_is_to_be_repeated_changes_nothing() -> None:
    assert graphs_of(judge().failed(assignment(), failed(Cause.RESET)), LATER) is None


def test_a_page_put_aside_is_not_in_the_graph_at_all() -> None:
    aside = judge().aside(assignment(), Refusal("scope-host", "Too far."))
    assert graphs_of(aside, LATER) is None


def test_a_refusal_takes_the_graph_away_and_says_why() -> None:
    verdict = judge().refused(assignment(), Refusal("robots", "Disallow: /: it is private."))
    assert graphs(verdict).nquads == b""
    assert "robots" in said(verdict)
    assert "Disallow: /: it is private." in said(verdict)
    assert "2026-03-04T12:01:00" in said(verdict)  # nobody was asked: the time is ours


def test_a_page_out_of_reach_keeps_its_graph_and_says_why() -> None:
    verdict = judge().out_of_reach(assignment(), Refusal("robots", "The host is closed."))
    assert graphs(verdict).nquads is None
    assert "The host is closed." in said(verdict)


def test_a_redirect_names_its_target_and_leaves_no_quads() -> None:
    fetched = answered(301, b"", location="/there")
    verdict = judge().answered(assignment(), fetched, None, NOW)
    assert graphs(verdict).nquads == b""
    assert "<http://a.test/there>" in said(verdict)


def test_a_304_leaves_the_quads_and_says_that_they_stand() -> None:
    page = assignment(etag='"1"')
    verdict = judge().answered(page, answered(304, b""), None, NOW)
    assert graphs(verdict).nquads is None
    assert "304" in said(verdict)


def test_what_was_skipped_says_of_what_type_it_is() -> None:
    image = answered(body=b"", state=BodyState.SKIPPED, content_type="image/png")
    assert "image/png" in said(judge().answered(assignment(), image, None, NOW))


@pytest.mark.parametrize("path", ['/a"b', "/100%", "/{x}", "/a|b", "/[1]"])
def test_urls_that_are_no_iris_still_name_a_graph(path: str) -> None:
    url = f"http://a.test{path}"
    graphs(judge().answered(assignment(url), answered(url=url), extracted(nquads=b""), NOW))


OF_THE_SITE = (UsageStatement("content-usage", "train-ai=n", "robots.txt"),)


def test_what_is_said_about_the_use_of_content_is_stated_with_its_source() -> None:
    metas = (("tdm-reservation", "1"), ("tdm-policy", "../policy#b"), ("tdm-policy", "http://["))
    fetched = answered(content_usage="search=y")
    read = extracted(directives=metas)
    text = said(judge().answered(assignment(), fetched, read, NOW, OF_THE_SITE))
    one = '"1"^^<http://www.w3.org/2001/XMLSchema#integer>'
    assert f"<{PAGE}#usage-meta> <http://www.w3.org/ns/tdmrep#reservation> {one}" in text
    assert (
        f"<{PAGE}#usage-meta> <http://www.w3.org/ns/tdmrep#policy> <http://a.test/policy#b>" in text
    )
    assert text.count("tdmrep#policy") == 1
    assert f'<{PAGE}#usage-header> <urn:gossamer:contentUsage> "search=y"' in text
    assert f'<{PAGE}#usage-robots> <urn:gossamer:contentUsage> "train-ai=n"' in text


@pytest.mark.parametrize(("status", "stated"), [(304, True), (500, True), (404, False)])
def test_content_that_a_page_keeps_is_under_what_its_site_says_now(
    status: int, stated: bool
) -> None:
    page = assignment(etag='"1"', attempts=9)
    unread = answered(status, b"", tdm_reservation="1")
    text = said(judge().answered(page, unread, None, NOW, OF_THE_SITE))
    assert ("train-ai=n" in text) == stated
    assert "tdmrep#reservation" not in text  # that of the content stays with it


def test_the_fields_of_a_response_are_stated_with_its_content() -> None:
    fetched = answered(etag='"1"', server="nginx", content_language="de", link="</>; rel=up")
    text = said(judge().answered(assignment(), fetched, extracted(), NOW))
    for name, value in (("etag", r"\"1\""), ("server", "nginx"), ("contentLanguage", "de")):
        assert f'<{PAGE}#fetch> <urn:gossamer:{name}> "{value}" <{PAGE}#fetch> .' in text
    assert '<urn:gossamer:link> "</>; rel=up"' in text


@pytest.mark.parametrize("status", [304, 500])
def test_content_that_a_page_keeps_keeps_the_fields_it_came_with(status: int) -> None:
    """A 304 or an error page has a length and a server of its own."""
    page = assignment(etag='"1"', attempts=9)
    first = content_of(graphs(judge().answered(page, answered(server="first"), extracted(), NOW)))
    assert first.source is not None
    later = judge().answered(page, answered(status, b"", server="other"), None, NOW)
    assert "other" not in said(later)
    step = replacement(
        Holding(first.fetch, first.source, sizes_of(first.source)), content_of(graphs(later))
    )
    assert not [quad for quad in step.removed if quad.predicate.value == "urn:gossamer:server"]
