from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from gossamer.config import Config, Crawl
from gossamer.crawling.opening import Running
from gossamer.frontier.protocol import NewUrl
from gossamer.model import Url
from gossamer.moments import now_utc

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


def stopped_at(moment: datetime) -> Callable[[], datetime]:
    return lambda: moment


def test_they_are_read_again_on_the_next_day_of_the_same_run(tmp_path: Path) -> None:
    pages: Pages = {SEED: "<p>", MAP: sitemap("http://a.test/x")}

    async def work(running: Running, site: Site) -> list[int]:
        reader, asked = running.crawl.visitor.sitemaps, []
        began = now_utc()
        for hours in (0, 23, 25, 47, 50):
            reader.now = stopped_at(began + timedelta(hours=hours))
            await reader.read(SEED, 0)
            asked.append(site.asked.count(MAP))
        return asked

    assert on_site(tmp_path, pages, work, config=using()) == [1, 1, 2, 2, 3]


def test_only_so_many_origins_are_known_by_heart_and_the_others_are_looked_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gossamer.crawling.sitemaps.MOST_ORIGINS", 2)
    fronts = [Url(f"http://{name}.test/") for name in "abcde"]
    pages: Pages = {f"{front}sitemap.xml": sitemap(f"{front}x") for front in fronts}

    async def work(running: Running, site: Site) -> list[str]:
        reader = running.crawl.visitor.sitemaps
        for front in fronts * 2:
            await reader.read(front, 0)
        assert len(reader._read) == 2
        return site.pages_asked

    assert on_site(tmp_path, pages, work, config=using()) == list(pages)


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


def test_entries_that_are_out_of_scope_are_noted(tmp_path: Path) -> None:
    pages: Pages = {SEED: "<p>", MAP: sitemap("http://a.test/x", "http://sub.a.test/")}
    found, _ = crawled_site(tmp_path, pages, [SEED], using())
    assert found.refused_links == {"http://sub.a.test/": "scope-host"}


def test_sitemaps_are_left_alone_where_no_page_of_the_host_may_be_asked_for(
    tmp_path: Path,
) -> None:
    rules = Sent("User-agent: *\nDisallow: /\nAllow: /sitemap.xml")
    pages: Pages = {SEED: "<p>", "http://a.test/robots.txt": rules, MAP: sitemap("http://a.test/x")}
    found, site = crawled_site(tmp_path, pages, [SEED], using())
    assert set(found.pages) == {SEED}
    assert site.pages_asked == []


def test_what_is_listed_comes_nearer_with_the_page_that_led_there(tmp_path: Path) -> None:
    config = replace(using("any"), crawl=Crawl(depth=2, workers=1))
    pages: Pages = {
        SEED: "<p>",
        "http://b.test/": "<p>",
        "http://b.test/sitemap.xml": sitemap("http://b.test/x"),
    }

    async def work(running: Running, site: Site) -> list[str]:
        await running.clerk.do(running.frontier.add, [NewUrl(Url("http://b.test/"), 2)])
        await running.crawl.run()
        before = list(site.asked)
        assert "http://b.test/x" not in before
        await running.clerk.do(running.frontier.add, [NewUrl(Url("http://b.test/"), 1)])
        assert await running.crawl.visitor.sitemaps.catch_up()
        assert not await running.crawl.visitor.sitemaps.catch_up()
        state = running.frontier.page(Url("http://b.test/x"))
        assert state is not None
        assert (state.depth, state.state) == (2, "pending")
        return site.asked[len(before) :]

    asked = on_site(tmp_path, pages, work, seeds=[SEED], config=config)
    assert asked == ["http://b.test/sitemap.xml"]
