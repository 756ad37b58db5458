"""Challenges in a whole crawl: a host that has a bot wall is left alone, and people are told."""

import gzip
from pathlib import Path

import pytest
from tests.crawl.crawls import hurried
from tests.crawl.sites import Pages, Sent, Site, crawled_site, on_site
from tests.politeness.test_challenge import ANUBIS

from gossamer.crawl.handle import CrawlHandle
from gossamer.events import Challenged
from gossamer.frontier.endings import EndKind
from gossamer.frontier.protocol import Ended
from gossamer.model import Url
from gossamer.moments import now_utc

A, B = Url("http://a.test/"), Url("http://b.test/")
LINKS = "".join(f"<a href='{A}{number}'>.</a>" for number in range(9))
CLOUDFLARE = Sent("<title>Just a moment...</title>", 403, {"cf-mitigated": "challenge"})
CHALLENGES = {
    "header": CLOUDFLARE,
    "header of a page": Sent("<title>.</title>", 200, {"x-amzn-waf-action": "challenge"}),
    "busy": Sent("", 429, {"x-vercel-mitigated": "challenge"}),
    "form of an error": Sent(gzip.compress(ANUBIS), 503, {"Content-Encoding": "gzip"}),
    "form of a page": Sent(gzip.compress(ANUBIS), 200, {"Content-Encoding": "gzip"}),
}


@pytest.mark.parametrize("kind", CHALLENGES)
def test_a_challenge_is_a_no(tmp_path: Path, kind: str) -> None:
    pages: Pages = {A: CHALLENGES[kind], B: f"<title>b</title>{LINKS}"}
    crawled, site = crawled_site(tmp_path, pages, [A, B], hurried(scope="any"))
    assert sorted(site.pages_asked) == [A, B]  # nothing is retried, or asked for beside it
    assert crawled.ended.kind is EndKind.PARKED
    walled = crawled.pages[A]
    assert (walled.ended, walled.quads) == (Ended.REFUSED, 0)
    assert (walled.why or "").startswith("challenge: ")
    assert crawled.pages[B].ended is Ended.CONTENT
    states = {page.state for url, page in crawled.pages.items() if url not in (A, B)}
    assert states == {"pending"}  # the others are known, and left alone
    told = [event for event in crawled.events if isinstance(event, Challenged)]
    assert [(event.host, event.url) for event in told] == [("a.test", A)]
    assert "Ask the owner" in told[0].why


def test_a_page_about_a_wall_with_links_is_a_page(tmp_path: Path) -> None:
    about = ANUBIS.decode() + "".join(
        f"<a href='#{n}'>.</a><a href='/{n}'>.</a>" for n in range(10)
    )
    crawled, _ = crawled_site(tmp_path, {A: about}, [A], hurried())
    assert crawled.pages[Url(A)].ended is Ended.CONTENT


def test_what_a_page_said_before_its_wall_stays(tmp_path: Path) -> None:
    crawled_site(tmp_path, {A: "<title>as it was</title>"}, [A], hurried())

    async def work(running: CrawlHandle, _: Site) -> tuple[int, bytes]:
        await running.frontier_thread.do(running.frontier.refetch, now_utc())
        await running.crawl.run()
        page = await running.frontier_thread.do(running.frontier.page, Url(A))
        assert page is not None
        assert page.ended is Ended.REFUSED
        return page.quads, page.digest or b""

    quads, digest = on_site(tmp_path, {A: CLOUDFLARE}, work, config=hurried())
    assert quads > 0
    assert digest
