"""Hosts whose pages take for ever to read: the others are read as if they were not there."""

from collections import Counter
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from tests.crawl.crawls import hurried
from tests.crawl.sites import Pages, Site, on_site

from gossamer.config import Crawl, Transform
from gossamer.crawl.handle import CrawlHandle
from gossamer.frontier.endings import EndKind
from gossamer.frontier.protocol import Ended, HostStage
from gossamer.model import Url
from gossamer.urls import host_of

GOOD = [f"http://good{number}.test/" for number in range(3)]
BAD = ["http://one.example.test/", "http://two.another.test/"]
GOOD_PAGES, BAD_PAGES = 6, 300
MARK = "takes for ever"  # as `sleeping_worker` knows it


def site() -> Pages:
    """Hosts of a few pages each, and two with many pages that nobody can read."""
    pages = {}
    for front in (*GOOD, *BAD):
        count, text = (BAD_PAGES, MARK) if front in BAD else (GOOD_PAGES, "good")
        links = "".join(f'<a href="/{number}">x</a>' for number in range(1, count))
        pages[front] = f"<p>{links}"
        pages |= {f"{front}{number}": f"<p>{text}" for number in range(1, count)}
    return pages


def test_the_pages_of_good_hosts_are_all_read_and_hostile_hosts_are_parked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gossamer.reading.page_pool.WORKER", "tests.hostile.sleeping_worker:answer")
    config = replace(
        hurried(
            delay=0.5,
            crawl=Crawl(workers=2),
            backoff_first=timedelta(minutes=10),
            patience=timedelta(minutes=5),
        ),
        # Long enough for good pages on a busy machine, where a worker may stand still for a while.
        transform=Transform(time_limit=timedelta(seconds=3)),
    )

    async def work(running: CrawlHandle, site: Site) -> None:
        ended = await running.crawl.run()
        do, frontier = running.frontier_thread.do, running.frontier
        read = Counter[str]()
        for url in site.pages_asked:
            page = await do(frontier.page, Url(url))
            read[host_of(Url(url))] += page is not None and page.ended is Ended.CONTENT
        assert read == {
            "good0.test": GOOD_PAGES,
            "good1.test": GOOD_PAGES,
            "good2.test": GOOD_PAGES,
            "one.example.test": 1,
            "two.another.test": 1,
        }
        # The third that failed in a row has the host left alone; the end of the crawl names it.
        assert ended.kind is EndKind.PARKED
        for host in await do(lambda: frontier.hosts(stage=HostStage.PARKED)):
            assert "pages in a row that took too much to read" in host.why
            assert host.pending > 0
            assert host.host in ended.why

    on_site(tmp_path, site(), work, seeds=[*GOOD, *BAD], config=config)
