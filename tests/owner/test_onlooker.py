"""The onlooker's own rule: what is in the crawl's hands counts before what is stored."""

from datetime import timedelta
from pathlib import Path

import pytest
from tests.crawling.crawls import hurried
from tests.crawling.sites import Sent, Site, on_site

from gossamer.crawling.running import Running
from gossamer.model import Url
from gossamer.moments import now_utc
from gossamer.owner.crawl_answers import answering_for
from gossamer.owner.onlooker import Onlooker
from gossamer.politeness.host_ledger import HostLedger
from gossamer.politeness.robots.rules import Rules

pytestmark = pytest.mark.timeout(60)
A = "http://a.test/"
SOON = timedelta(seconds=5)


def test_rules_are_asked_for_once_and_nothing_is_left_in_the_crawls_hands(tmp_path: Path) -> None:
    async def run(running: Running, site: Site) -> None:
        async with answering_for(running) as asked:
            for _ in range(2):
                onlooker = Onlooker(running, asked.answers, running.crawl.visitor.client.rules)
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
    async def run(running: Running, _: Site) -> None:
        async with answering_for(running) as asked:
            onlooker = Onlooker(running, asked.answers, running.crawl.visitor.client.rules)
            await onlooker.rules(Url(A), SOON)
            assert onlooker.ledger.wait("a.test", now_utc()) is not None
            running.crawl.holdings.ledgers["a.test"] = HostLedger("a.test")
            assert onlooker.ledger.wait("a.test", now_utc()) is None

    on_site(tmp_path, {}, run, config=hurried(delay=30))
