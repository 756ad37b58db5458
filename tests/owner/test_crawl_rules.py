"""The onlooker's own rule: what is in the crawl's hands counts before what is stored."""

from datetime import timedelta
from pathlib import Path

from tests.crawl.crawls import hurried
from tests.crawl.sites import Sent, Site, on_site

from gossamer.crawl.handle import CrawlHandle
from gossamer.model import Url
from gossamer.moments import now_utc
from gossamer.owner.crawl_answers import CrawlRules, read_crawl
from gossamer.politeness.ledger import HostLedger
from gossamer.politeness.robots.record import Rules

A = "http://a.test/"
SOON = timedelta(seconds=5)


def test_rules_are_asked_for_once_and_nothing_is_left_in_the_crawls_hands(tmp_path: Path) -> None:
    async def run(running: CrawlHandle, site: Site) -> None:
        async with read_crawl(running) as crawl:
            for _ in range(2):
                onlooker = CrawlRules(running, crawl.folder, running.crawl.requests.client.rules)
                rules = await onlooker.rules(Url(A), SOON)
                assert isinstance(rules, Rules)
                assert not rules.policy.decide(Url(f"{A}x")).allowed
            assert site.asked == [f"{A}robots.txt"]
            assert not running.crawl.holdings.held
            assert not running.crawl.holdings.ledgers
            assert onlooker.ledger.wait("a.test", now_utc()) is not None

    pages = {f"{A}robots.txt": Sent("User-agent: *\nDisallow: /x")}
    on_site(tmp_path, pages, run, config=hurried(delay=30))


def test_the_clock_in_the_crawls_hands_counts_before_the_stored_one(tmp_path: Path) -> None:
    async def run(running: CrawlHandle, _: Site) -> None:
        async with read_crawl(running) as crawl:
            onlooker = CrawlRules(running, crawl.folder, running.crawl.requests.client.rules)
            await onlooker.rules(Url(A), SOON)
            assert onlooker.ledger.wait("a.test", now_utc()) is not None
            running.crawl.holdings.ledgers["a.test"] = HostLedger("a.test")
            assert onlooker.ledger.wait("a.test", now_utc()) is None

    on_site(tmp_path, {}, run, config=hurried(delay=30))
