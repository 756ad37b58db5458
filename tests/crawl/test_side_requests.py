from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from tests.crawl.crawls import hurried
from tests.crawl.sites import Answering, Pages, Sent, Site, on_site

from gossamer.crawl.handle import CrawlHandle
from gossamer.crawl.side_requests import fetch_sitemap
from gossamer.crawl.sitemap_record import NotYet
from gossamer.model import BodyState, Fetched, Refusal, Url

MAP = Url("http://a.test/sitemap.xml")
ROBOTS = "http://a.test/robots.txt"
ELSEWHERE = "http://b.test/map"


async def anywhere(_url: Url) -> Refusal | None:
    """Nothing is refused."""
    return None


def asked(
    folder: Path,
    pages: Pages | Answering,
    *,
    times: int = 1,
    refusal: Callable[[Url], Awaitable[Refusal | None]] = anywhere,
) -> Fetched | NotYet | Refusal | None:
    """What comes of asking so often, with little patience."""

    async def work(running: CrawlHandle, site: Site) -> Fetched | NotYet | Refusal | None:
        client = running.crawl.requests.client
        for _ in range(times):
            answer = await fetch_sitemap(client, MAP, 100, running.config.politeness.delay, refusal)
        return answer

    return on_site(folder, pages, work, config=hurried())


def test_a_sitemap_is_had_wherever_redirects_lead(tmp_path: Path) -> None:
    moved = Sent("", 302, {"Location": ELSEWHERE})
    answer = asked(tmp_path, {MAP: moved, ELSEWHERE: "<urlset>"})
    assert isinstance(answer, Fetched)
    assert (answer.url, answer.body, answer.body_state) == (ELSEWHERE, b"<urlset>", BodyState.WHOLE)


def test_each_place_that_it_leads_to_may_be_refused(tmp_path: Path) -> None:
    refused = Refusal("elsewhere", "No.")

    async def not_there(url: Url) -> Refusal | None:
        return refused if url == ELSEWHERE else None

    moved = Sent("", 302, {"Location": ELSEWHERE})
    pages: Pages = {MAP: moved, ELSEWHERE: "<urlset>"}
    assert asked(tmp_path, pages, refusal=not_there) == refused


def test_of_one_that_is_too_large_the_first_bytes_are_had(tmp_path: Path) -> None:
    answer = asked(tmp_path, {MAP: "x" * 500})
    assert isinstance(answer, Fetched)
    assert (answer.body, answer.body_state) == (b"x" * 100, BodyState.CUT)


@pytest.mark.parametrize(
    "pages",
    [
        {},
        {MAP: Sent("", 410)},
        {MAP: Sent("", 204)},
        {MAP: Sent("", 301, {"Location": MAP})},
        {MAP: Sent("", 301, {"Location": "ftp://a.test/"})},
        {MAP: Sent("", 301, {"Location": "http://10.0.0.1/"})},
        {MAP: "<urlset>", ROBOTS: Sent("User-agent: *\nDisallow: /sitemap")},
    ],
)
def test_where_there_is_none_for_us_there_will_be_none_later(tmp_path: Path, pages: Pages) -> None:
    assert asked(tmp_path, pages) is None


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_server_in_trouble_may_have_it_later(tmp_path: Path, status: int) -> None:
    not_yet = asked(tmp_path, {MAP: Sent("", status)})
    assert not_yet == NotYet(f"The server answered {status}.")


def test_a_host_that_has_to_rest_is_not_asked(tmp_path: Path) -> None:
    not_yet = asked(tmp_path, {MAP: Sent("", 503, {"Retry-After": "60"})}, times=2)
    assert isinstance(not_yet, NotYet)
    assert not_yet.until is not None
    assert "Retry-After" in not_yet.why


def test_where_rules_cannot_be_had_it_may_be_allowed_later(tmp_path: Path) -> None:
    not_yet = asked(tmp_path, {MAP: "<urlset>", ROBOTS: Sent("", 503)})
    assert isinstance(not_yet, NotYet)
    assert "robots.txt answered 503" in not_yet.why


def test_an_answer_that_breaks_off_is_no_sitemap(tmp_path: Path) -> None:
    class Short(Sent):
        def written(self) -> bytes:
            chunks = b"4\r\n<url\r\nno number\r\n"
            return b"HTTP/1.1 200 So\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks

    assert asked(tmp_path, {MAP: Short()}) == NotYet("The answer broke off before its end.")
