"""Sitemaps of hostile hosts: they are read by workers, and cost no more than one of these."""

import gzip
import os
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from tests.crawl.crawls import hurried
from tests.crawl.sites import Pages, Sent, Site, on_site
from tests.hostile.sleeping_worker import MARK

from gossamer.config import MIB, Transform
from gossamer.crawl.handle import CrawlHandle
from gossamer.events import Event, SitemapsFailed
from gossamer.model import Url

SEED = Url("http://a.test/")
MAP = "http://a.test/sitemap.xml"
OPEN = b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
PACKED = {"Content-Type": "application/gzip"}


def owner_megabytes() -> float:
    """What this process holds in memory now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / MIB


def test_a_tag_of_a_million_attributes_costs_the_owner_nothing(tmp_path: Path) -> None:
    attributes = b"".join(b' a%x=""' % number for number in range(1_000_000))
    packed = gzip.compress(b"<urlset" + attributes + b"><url><loc>/x</loc></url></urlset>", 1)
    del attributes
    config = hurried(scope="host", sitemaps=True)

    async def work(running: CrawlHandle, _: Site) -> float:
        before = owner_megabytes()
        await running.crawl.requests.sitemaps.read(SEED, 0)
        return owner_megabytes() - before

    grown = on_site(tmp_path, {SEED: "<p>", MAP: Sent(packed, headers=PACKED)}, work, config=config)
    assert grown < 40


def test_a_sitemap_that_takes_too_long_is_told_and_not_asked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gossamer.reading.page_pool.WORKER", "tests.hostile.sleeping_worker:answer")
    slow = OPEN + b"<url><loc>http://a.test/x</loc></url><!-- " + MARK + b" --></urlset>"
    config = replace(
        hurried(scope="host", sitemaps=True),
        transform=Transform(time_limit=timedelta(seconds=1)),
    )
    pages: Pages = {SEED: "<p>", MAP: Sent(slow, headers={"Content-Type": "application/xml"})}
    told: list[Event] = []

    async def work(running: CrawlHandle, site: Site) -> list[str]:
        sitemaps = running.crawl.requests.sitemaps
        sitemaps.client.tell = told.append
        for depth in (0, 0, 1):
            assert await sitemaps.read(SEED, depth) == 0
        await running.crawl.run()
        return site.pages_asked

    asked = on_site(tmp_path, pages, work, seeds=[SEED], config=config)
    assert asked.count(MAP) == 1
    assert asked.count(SEED) == 1
    failed = [event for event in told if isinstance(event, SitemapsFailed)]
    assert [(event.why, event.then) for event in failed] == [
        ("The sitemap took longer than 1s to read.", "left alone for a day")
    ]
