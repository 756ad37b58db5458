import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from tests.crawl.crawls import hurried
from tests.crawl.sites import Answering, Pages, Sent, Site, crawled_site, on_site

from gossamer.config import Config, Crawl, Fetch, Sitemaps
from gossamer.crawl import sitemaps
from gossamer.crawl.handle import CrawlHandle
from gossamer.crawl.sitemap_record import READ_AGAIN, SitemapRecord
from gossamer.events import Event, SitemapsFailed
from gossamer.frontier.protocol import Ended, NewUrl
from gossamer.model import Url
from gossamer.moments import now_utc

SEED = Url("http://a.test/")
MAP = "http://a.test/sitemap.xml"
HOUR = timedelta(hours=1)
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

    async def read_twice(running: CrawlHandle, site: Site) -> tuple[int, int]:
        reader = running.crawl.requests.sitemaps
        return await reader.read(SEED, 0), await reader.read(SEED, 1)

    assert on_site(tmp_path, pages, read_twice, seeds=[SEED], config=using()) == (1, 0)

    async def nearer(running: CrawlHandle, site: Site) -> list[str]:
        await running.crawl.requests.sitemaps.read(SEED, 0)
        return site.asked

    assert on_site(tmp_path, pages, nearer, config=using()) == []


def stopped_at(moment: datetime) -> Callable[[], datetime]:
    return lambda: moment


def test_they_are_read_again_on_the_next_day_of_the_same_run(tmp_path: Path) -> None:
    pages: Pages = {SEED: "<p>", MAP: sitemap("http://a.test/x")}

    async def work(running: CrawlHandle, site: Site) -> list[int]:
        reader, asked = running.crawl.requests.sitemaps, []
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
    monkeypatch.setattr(sitemaps, "MOST_ORIGINS", 2)
    fronts = [Url(f"http://{name}.test/") for name in "abcde"]
    pages: Pages = {f"{front}sitemap.xml": sitemap(f"{front}x") for front in fronts}

    async def work(running: CrawlHandle, site: Site) -> list[str]:
        reader = running.crawl.requests.sitemaps
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


def failing(times: int, pages: Pages, *urls: str) -> Answering:
    """A site on which some URLs answer 503 so many times."""
    asked = Counter[str]()

    def answer(url: str, _: object) -> Sent | None:
        asked[url] += 1
        if url in (urls or (MAP,)) and asked[url] <= times:
            return Sent("", 503)
        page = pages.get(url)
        return Sent(page) if isinstance(page, str) else page

    return answer


@pytest.mark.parametrize("depth", [None, 1])
def test_a_sitemap_that_fails_is_asked_for_again_though_no_page_is_left(
    tmp_path: Path, depth: int | None
) -> None:
    config = replace(using(), crawl=Crawl(depth=depth, workers=1))
    pages: Pages = {SEED: "<p>", MAP: sitemap("http://a.test/x"), "http://a.test/x": "<p>"}
    found, site = crawled_site(tmp_path, failing(2, pages), [SEED], config)
    assert {url: page.ended for url, page in found.pages.items()} == {
        SEED: Ended.CONTENT,
        "http://a.test/x": Ended.CONTENT,
    }
    assert site.asked.count(MAP) == 3
    assert not found.counts.left


def test_what_failed_of_an_index_is_asked_for_again_and_nothing_else(tmp_path: Path) -> None:
    parts = ["http://a.test/one", "http://a.test/two"]
    pages: Pages = {
        SEED: "<p>",
        MAP: sitemap(*parts, of="sitemap", within="sitemapindex"),
        parts[0]: sitemap("http://a.test/x"),
        parts[1]: sitemap("http://a.test/y"),
    }
    found, site = crawled_site(tmp_path, failing(1, pages, parts[0]), [SEED], using())
    assert set(found.pages) == {SEED, "http://a.test/x", "http://a.test/y"}
    assert [site.asked.count(url) for url in (MAP, *parts)] == [1, 2, 1]


def test_a_sitemap_that_fails_three_times_is_left_for_a_day_and_people_are_told(
    tmp_path: Path,
) -> None:
    pages: Pages = {SEED: "<p>", MAP: sitemap("http://a.test/x")}
    told: list[Event] = []

    async def work(running: CrawlHandle, site: Site) -> list[str]:
        running.crawl.requests.client.tell = told.append
        await running.crawl.run()
        return site.asked

    asked = on_site(tmp_path, failing(9, pages), work, seeds=[SEED], config=using())
    assert asked.count(MAP) == Crawl().attempts
    assert [each.sentence() for each in told if isinstance(each, SitemapsFailed)] == [
        f"http://a.test: 1 of its sitemaps could not be read, {then}: The server answered 503."
        for then in ("to be asked for again", "to be asked for again", "left alone for a day")
    ]
    _, site = crawled_site(tmp_path, failing(0, pages), config=using())
    assert site.asked == []


def test_what_a_run_could_not_read_is_read_by_the_next(tmp_path: Path) -> None:
    pages: Pages = {SEED: "<p>", MAP: sitemap("http://a.test/x")}

    async def work(running: CrawlHandle, site: Site) -> int:
        return await running.crawl.requests.sitemaps.read(SEED, 0)

    assert on_site(tmp_path, failing(1, pages), work, config=using("any")) == 0
    found, _ = crawled_site(tmp_path, failing(0, pages), config=using("any"))
    assert set(found.pages) == {"http://a.test/x"}


def test_a_sitemap_larger_than_a_page_may_be_is_read(tmp_path: Path) -> None:
    config = replace(using(), fetch=Fetch(max_body_bytes=2000))
    urls = [f"http://a.test/{n:04}" for n in range(100)]
    found, _ = crawled_site(tmp_path, {SEED: "<p>", MAP: sitemap(*urls)}, [SEED], config)
    assert set(found.pages) == {SEED, *urls}


def test_of_a_sitemap_beyond_the_limit_the_beginning_counts(tmp_path: Path) -> None:
    config = replace(using(), sitemaps=Sitemaps(max_bytes=2000))
    urls = [f"http://a.test/{n:04}" for n in range(100)]
    found, _ = crawled_site(tmp_path, {SEED: "<p>", MAP: sitemap(*urls)}, [SEED], config)
    assert 20 < len(found.pages) < 60


def test_entries_that_are_out_of_scope_are_noted(tmp_path: Path) -> None:
    pages: Pages = {SEED: "<p>", MAP: sitemap("http://a.test/x", "http://sub.a.test/")}
    found, _ = crawled_site(tmp_path, pages, [SEED], using())
    assert found.refused_links == {"http://sub.a.test/": "scope-host"}


LISTED: Pages = {SEED: "<p>", MAP: sitemap("http://a.test/x"), "http://a.test/x": "<p>"}


@pytest.mark.parametrize(
    ("scope", "crawl"),
    [
        ("page", Crawl(workers=1)),
        ("host", Crawl(depth=0, workers=1)),
        ("host", Crawl(max_pages=1, workers=1)),
    ],
)
def test_nobody_asks_where_nothing_that_is_listed_can_count_until_it_can(
    tmp_path: Path, scope: str, crawl: Crawl
) -> None:
    narrow = replace(using(scope), crawl=crawl)
    _, site = crawled_site(tmp_path, LISTED, [SEED], narrow)
    assert site.pages_asked == [SEED]
    found, site = crawled_site(tmp_path, LISTED, config=using())
    assert site.pages_asked == [MAP, "http://a.test/x"]
    assert found.pages[Url("http://a.test/x")].depth == 1


def test_where_the_pages_that_are_known_fail_sitemaps_make_up_for_them(tmp_path: Path) -> None:
    config = replace(using(), crawl=Crawl(max_pages=1, workers=1))
    pages = {**LISTED, SEED: Sent("", 404)}
    found, site = crawled_site(tmp_path, pages, [SEED], config)
    assert site.pages_asked == [SEED, MAP, "http://a.test/x"]
    assert found.summary.pages == 1


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

    async def work(running: CrawlHandle, site: Site) -> list[str]:
        await running.frontier_thread.do(running.frontier.add, [NewUrl(Url("http://b.test/"), 2)])
        await running.crawl.run()
        before = list(site.asked)
        assert "http://b.test/x" not in before
        await running.frontier_thread.do(running.frontier.add, [NewUrl(Url("http://b.test/"), 1)])
        assert await running.crawl.requests.sitemaps.catch_up()
        assert not await running.crawl.requests.sitemaps.catch_up()
        state = running.frontier.page(Url("http://b.test/x"))
        assert state is not None
        assert (state.depth, state.state) == (2, "pending")
        return site.asked[len(before) :]

    asked = on_site(tmp_path, pages, work, seeds=[SEED], config=config)
    assert asked == ["http://b.test/sitemap.xml"]


PARTS = [f"http://a.test/part-{number:02}" for number in range(20)]
MANY: Pages = {
    SEED: "<p>",
    MAP: sitemap(*PARTS, of="sitemap", within="sitemapindex"),
    **{part: sitemap(*(f"{part}/{number}" for number in range(5))) for part in PARTS},
}


def parts_asked(site: Site) -> list[str]:
    return [url for url in site.asked if url in PARTS]


def test_no_more_of_them_are_read_than_the_limit_of_pages_has_use_for(tmp_path: Path) -> None:
    few = replace(using(), crawl=Crawl(max_pages=3, workers=1))
    pages = {**MANY, f"{PARTS[0]}/0": "<p>", f"{PARTS[0]}/1": "<p>"}
    found, site = crawled_site(tmp_path, pages, [SEED], few)
    assert parts_asked(site) == PARTS[:1]
    assert found.summary.pages == 3
    found, site = crawled_site(tmp_path, pages, config=using())
    assert parts_asked(site) == PARTS[1:]
    assert MAP not in site.asked
    assert len(found.pages) == 1 + 20 * 5


def interrupted(then: Callable[[], object]) -> Answering:
    """A site with many sitemaps, on which something happens when the sixth is asked for."""

    def answer(url: str, _: object) -> Sent | None:
        if url == PARTS[5]:
            then()
        page = MANY.get(url)
        return Sent(page) if isinstance(page, str) else page

    return answer


def test_who_is_stopped_between_them_goes_on_where_they_were(tmp_path: Path) -> None:
    readings: list[asyncio.Task[int]] = []

    async def work(running: CrawlHandle, site: Site) -> list[str]:
        reading = asyncio.create_task(running.crawl.requests.sitemaps.read(SEED, 0))
        readings.append(reading)
        with pytest.raises(asyncio.CancelledError):
            await reading
        return parts_asked(site)

    site = interrupted(lambda: readings[0].cancel())
    assert on_site(tmp_path, site, work, seeds=[SEED], config=using()) == PARTS[:6]
    found, again = crawled_site(tmp_path, MANY, config=using())
    assert parts_asked(again) == PARTS[5:]
    assert MAP not in again.asked
    assert len(found.pages) == 1 + 20 * 5


def test_a_crawl_that_is_stopped_reads_no_further_one(tmp_path: Path) -> None:
    crawls: list[CrawlHandle] = []

    async def work(running: CrawlHandle, site: Site) -> list[str]:
        crawls.append(running)
        await running.crawl.run()
        return site.pages_asked

    site = interrupted(lambda: crawls[0].crawl.stop())
    assert on_site(tmp_path, site, work, seeds=[SEED], config=using()) == [MAP, *PARTS[:6]]
    found, again = crawled_site(tmp_path, MANY, config=using())
    assert parts_asked(again) == PARTS[6:]
    assert len(found.pages) == 1 + 20 * 5


def test_a_crawl_that_is_paused_reads_the_others_when_it_goes_on(tmp_path: Path) -> None:
    crawls: list[CrawlHandle] = []

    async def work(running: CrawlHandle, site: Site) -> list[str]:
        crawls.append(running)
        run = asyncio.create_task(running.crawl.run())
        await running.crawl.limits.pausing.wait()
        await asyncio.wait(running.crawl.under_way.visits)
        before = site.pages_asked
        running.crawl.resume()
        await run
        assert site.pages_asked.count(MAP) == 1
        assert parts_asked(site) == PARTS
        return before

    site = interrupted(lambda: crawls[0].crawl.pause())
    assert on_site(tmp_path, site, work, seeds=[SEED], config=using()) == [MAP, *PARTS[:6]]


def test_what_another_node_has_read_meanwhile_is_owed_no_more(tmp_path: Path) -> None:
    pages: Pages = {SEED: "<p>", MAP: sitemap("http://a.test/x")}

    async def work(running: CrawlHandle, site: Site) -> list[bool]:
        reader, do = running.crawl.requests.sitemaps, running.frontier_thread.do
        await reader.read(SEED, 0)
        await reader.catch_up()
        assert reader._owing
        record = SitemapRecord(0, now_utc() + READ_AGAIN)
        await do(running.frontier.facts.keep, "sitemaps http://a.test", record.written())
        reader.now = stopped_at(now_utc() + HOUR)
        return [await reader.catch_up(), await reader.catch_up()]

    config = replace(using("any"), politeness=replace(using().politeness, backoff_first=HOUR / 2))
    assert on_site(tmp_path, failing(1, pages), work, config=config) == [True, False]
