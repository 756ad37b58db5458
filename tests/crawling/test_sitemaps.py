from pathlib import Path

from gossamer.config import Config
from gossamer.crawling.opening import Running
from gossamer.model import Url

from .crawls import hurried
from .sites import Pages, Sent, Site, crawled_site, on_site

SEED = Url("http://a.test/")
MAP = "http://a.test/sitemap.xml"
XML = {"Content-Type": "application/xml"}


def sitemap(*urls: str, of: str = "url", within: str = "urlset") -> Sent:
    entries = "".join(f"<{of}><loc>{url}</loc></{of}>" for url in urls)
    namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
    return Sent(f"<{within} {namespace}>{entries}</{within}>", headers=XML)


def using(scope: str = "host") -> Config:
    return hurried(scope=scope, sitemaps=True)


def test_what_a_sitemap_lists_is_one_link_away_and_visited(tmp_path: Path) -> None:
    pages: Pages = {SEED: "<p>", MAP: sitemap("http://a.test/x", "http://a.test/y")}
    found, site = crawled_site(tmp_path, {**pages, "http://a.test/x": "<p>"}, [SEED], using())
    assert {url: page.depth for url, page in found.pages.items()} == {
        SEED: 0,
        "http://a.test/x": 1,
        "http://a.test/y": 1,
    }
    assert site.asked.count(MAP) == 1


def test_indexes_are_followed_and_entries_of_other_hosts_are_not_taken(tmp_path: Path) -> None:
    pages: Pages = {
        SEED: "<p>",
        "http://a.test/robots.txt": Sent("Sitemap: http://a.test/index"),
        "http://a.test/index": sitemap("http://a.test/one", of="sitemap", within="sitemapindex"),
        "http://a.test/one": sitemap("http://a.test/x", "http://b.test/x"),
    }
    found, site = crawled_site(tmp_path, pages, [SEED], using("any"))
    assert set(found.pages) == {SEED, "http://a.test/x"}
    assert not [url for url in site.asked if "b.test" in url]


def test_a_sitemap_that_robots_txt_forbids_is_not_asked_for(tmp_path: Path) -> None:
    pages: Pages = {
        SEED: "<p>",
        "http://a.test/robots.txt": Sent("User-agent: *\nDisallow: /sitemap.xml"),
        MAP: sitemap("http://a.test/x"),
    }
    found, site = crawled_site(tmp_path, pages, [SEED], using())
    assert set(found.pages) == {SEED}
    assert MAP not in site.asked


def test_they_are_read_once_a_day_whatever_the_run(tmp_path: Path) -> None:
    pages: Pages = {SEED: "<p>", MAP: sitemap("http://a.test/x")}

    async def read_twice(running: Running, site: Site) -> tuple[int, int]:
        reader = running.crawl.visitor.sitemaps
        return await reader.read(SEED, 0), await reader.read(SEED, 1)

    assert on_site(tmp_path, pages, read_twice, seeds=[SEED], config=using()) == (1, 0)

    async def nearer(running: Running, site: Site) -> list[str]:
        await running.crawl.visitor.sitemaps.read(SEED, 0)
        return site.asked

    assert on_site(tmp_path, pages, nearer, config=using()) == []


def test_where_they_are_not_wanted_nobody_asks(tmp_path: Path) -> None:
    pages: Pages = {SEED: "<p>", MAP: sitemap("http://a.test/x")}
    found, site = crawled_site(tmp_path, pages, [SEED])
    assert set(found.pages) == {SEED}
    assert site.pages_asked == [SEED]


def test_a_broken_sitemap_gives_what_was_good_of_it(tmp_path: Path) -> None:
    good = sitemap("http://a.test/x").body
    assert isinstance(good, str)
    broken = Sent(good.removesuffix("</urlset>") + "<url><loc>http://a.te", headers=XML)
    found, _ = crawled_site(tmp_path, {SEED: "<p>", MAP: broken}, [SEED], using())
    assert set(found.pages) == {SEED, "http://a.test/x"}
