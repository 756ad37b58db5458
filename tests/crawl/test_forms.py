"""Canonical forms in a whole crawl: seeds, links, sitemaps and redirects lead to one page each."""

from dataclasses import replace
from pathlib import Path

from tests.crawl.crawls import hurried
from tests.crawl.sites import Pages, Sent, Site, crawled_site, on_site

from gossamer.config import Config, Urls
from gossamer.crawl.handle import CrawlHandle
from gossamer.frontier.protocol import Ended
from gossamer.model import Url

A = "http://a.test/"
SITEMAP = f"<urlset><url><loc>{A}listed?utm_c=1</loc></url></urlset>"
LINKS = ("1?utm_a=1", "1?utm_b=2", "1", "go?sid=77", "2;jsessionid=A?b=1&amp;a=1", "2?a=1&amp;b=1")
PAGES: Pages = {
    A: "".join(f"<a href='{A}{link}'>.</a>" for link in LINKS),
    f"{A}robots.txt": Sent(f"Sitemap: {A}sitemap.xml", headers={"Content-Type": "text/plain"}),
    f"{A}sitemap.xml": Sent(SITEMAP, headers={"Content-Type": "application/xml"}),
    f"{A}1": "<p>",
    f"{A}2?a=1&b=1": "<p>",
    f"{A}listed": "<p>",
    f"{A}go": Sent(status=302, headers={"Location": "/there?utm_d=1"}),
    f"{A}there": Sent(
        status=302, headers={"Location": "/there?sid=5"}
    ),  # to itself, with a session
    f"{A}there?sid=5": "<p>",
    f"{A}more": "<p>",
}
FORMS = Urls(drop_parameters=("utm_*",), drop_session_parameters=True, sort_query=True)


def config(forms: Urls) -> Config:
    return replace(hurried(scope="host", sitemaps=True), urls=forms)


def test_every_way_leads_to_one_page_in_its_form(tmp_path: Path) -> None:
    async def work(running: CrawlHandle, site: Site) -> tuple[list[str], int | None]:
        added = await running.add([Url(f"{A}more?utm_e=1"), Url(f"{A}more")])
        await running.crawl.run()
        return site.pages_asked, added

    asked, added = on_site(tmp_path, PAGES, work, seeds=[f"{A}?sid=1"], config=config(FORMS))
    assert added == 1
    expected = [A, f"{A}1", f"{A}2?a=1&b=1", f"{A}go", f"{A}listed", f"{A}more", f"{A}there"]
    assert sorted(asked) == sorted([*expected, f"{A}sitemap.xml", f"{A}there?sid=5"])


def test_what_was_known_before_forms_were_asked_for_stays_known(tmp_path: Path) -> None:
    one = {A: f"<a href='{A}1?utm_a=1'>", f"{A}1?utm_a=1": "<p>", f"{A}1": "<p>"}
    plain = replace(hurried(scope="host"), urls=Urls())
    crawled_site(tmp_path, one, [A], config=plain)
    crawled, _ = crawled_site(tmp_path, one, [f"{A}1?utm_b=2"], config=replace(plain, urls=FORMS))
    known = {url: page.ended for url, page in crawled.pages.items()}
    assert known == dict.fromkeys([A, f"{A}1?utm_a=1", f"{A}1"], Ended.CONTENT)
