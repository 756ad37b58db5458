"""The crawl's loop in virtual time, before a web that only takes time: every ready host is visited."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from tests.crawl.crawls import hurried
from tests.crawl.sites import Sent, crawled_site
from tests.virtual_crawl import DONE, LinkedWeb, crawl_of
from tests.virtual_time import in_virtual_time
from tests.virtual_world import scene

from gossamer.config import Budget, Config, Politeness
from gossamer.config import Crawl as CrawlOptions
from gossamer.crawl.loop import QUANTUM, QUANTUM_PAGES
from gossamer.crawl.page_requests import STAY
from gossamer.frontier.endings import EndKind
from gossamer.frontier.protocol import Ended, NewUrl
from gossamer.model import Url

SECONDS = 0.1  # that an answer takes


def crawl(
    folder: Path,
    pages: dict[str, int],
    *,
    delay: float,
    concurrency: int,
    per_host: int = 1,
    budget: int = 100_000,
) -> list[tuple[str, datetime]]:
    """Crawl hosts with so many pages each; which of them was asked for a page, and when."""
    config = Config(
        politeness=Politeness(delay=timedelta(seconds=delay), slowness=0, per_host=per_host),
        crawl=CrawlOptions(concurrency=concurrency),
    )

    async def run() -> list[tuple[str, datetime]]:
        web = LinkedWeb(seconds=SECONDS)
        async with scene(folder / "frontier.db", config, web, crawling=True) as owner:
            urls = [f"https://{host}/{n}" for host, count in pages.items() for n in range(count)]
            owner.frontier.set_budget(Budget(pages=budget, pages_per_linking_site=0))
            owner.frontier.add([NewUrl(Url(url)) for url in urls])
            assert await crawl_of(owner, config, folder).run() is DONE
            counts = owner.frontier.counts()
            assert (counts.left, counts.handed, counts.ended[Ended.CONTENT]) == (0, 0, len(urls))
        return [(visit.host, visit.started_at) for visit in web.visits]

    return in_virtual_time(run())


@pytest.mark.parametrize("per_host", [1, 3])
@pytest.mark.parametrize("delay", [0, 1, 4])
def test_two_busy_hosts_do_not_keep_ten_others_waiting(
    delay: float, per_host: int, tmp_path: Path
) -> None:
    others = {f"h{n}.test": 5 for n in range(10)}
    many = (
        300 if delay <= STAY.total_seconds() else 60
    )  # a host that rests longer is given back anyway
    pages = {"endless1.test": many, "endless2.test": many} | others
    asked = crawl(tmp_path, pages, delay=delay, concurrency=2, per_host=per_host)
    first = dict(reversed(asked))
    # Each visit takes ten seconds, or ends with the last request that began before.
    longest = QUANTUM + STAY + timedelta(seconds=SECONDS)
    start = asked[0][1]
    assert max(first.values()) - start <= len(pages) / 2 * longest
    until_all = [host for host, at in asked if at < max(first.values())]
    for host in ("endless1.test", "endless2.test"):
        assert until_all.count(host) <= QUANTUM_PAGES + per_host + 1  # and robots.txt


@pytest.mark.parametrize("concurrency", [1, 2])
@pytest.mark.parametrize("delay", [0, 1])
def test_budgets_hold_while_others_have_pages(
    delay: float, concurrency: int, tmp_path: Path
) -> None:
    others = {f"h{n}.test": 60 for n in range(10)}
    pages = {"endless1.test": 300, "endless2.test": 300} | others
    asked = crawl(tmp_path, pages, delay=delay, concurrency=concurrency, budget=60)
    hosts = [host for host, _ in asked]
    # Until the first of the others has no pages left, all get visits of the same length, and a site over its
    # budget one in eight at most.
    end = min(max(n for n, host in enumerate(hosts) if host == other) for other in others)
    before = Counter(hosts[:end])
    for endless in ("endless1.test", "endless2.test"):
        assert before[endless] <= 61 + 2 * QUANTUM_PAGES
    assert sum(before[other] for other in others) >= 0.7 * end


@pytest.mark.parametrize("delay", [0, 1])
def test_no_host_of_many_waits_longer_than_a_visit_of_each_other(
    delay: float, tmp_path: Path, full_size: bool
) -> None:
    count, concurrency = (3_000, 100) if full_size else (150, 5)
    hosts = {f"h{n}.test": 60 if n % 10 == 0 else 3 for n in range(count)}
    asked = crawl(tmp_path, hosts, delay=delay, concurrency=concurrency)
    first = dict(reversed(asked))
    longest = QUANTUM + STAY + timedelta(seconds=SECONDS)
    assert max(first.values()) - asked[0][1] <= count / concurrency * longest


def test_equal_hosts_get_equal_shares(tmp_path: Path) -> None:
    hosts = {f"h{n}.test": 200 for n in range(12)}
    asked = crawl(tmp_path, hosts, delay=0, concurrency=3)
    half = Counter(host for host, _ in asked[: len(asked) // 2])
    assert len(half) == len(hosts)
    assert max(half.values()) - min(half.values()) <= QUANTUM_PAGES + 2


def test_a_visit_goes_on_where_nobody_waits(tmp_path: Path) -> None:
    """Its host is not given back, though its share was over long ago."""
    asked = crawl(tmp_path, {"a.test": 500, "b.test": 500}, delay=0, concurrency=2)
    assert len(asked) == 2 * 501
    took = asked[-1][1] - asked[0][1]
    assert took <= timedelta(seconds=501 * (SECONDS + 0.001))


def endless(url: str, _headers: Mapping[str, str]) -> Sent | None:
    """Pages of which those of endless hosts lead to four more each, and all others nowhere."""
    number = url.rpartition("/")[2]
    if not number.isdigit():
        return None
    first = int(number) * 4 + 100
    following = range(first, first + 4) if "endless" in url else ()
    return Sent("A page. " + "".join(f'<a href="/{each}">{each}</a> ' for each in following))


@pytest.mark.parametrize("budget", [100_000, 5])
def test_for_real_endless_sites_leave_room_for_all_others(budget: int, tmp_path: Path) -> None:
    config = replace(
        hurried(crawl=CrawlOptions(workers=1, concurrency=2, max_pages=300)),
        budget=Budget(pages=budget, pages_per_linking_site=0),
    )
    others = [f"h{n}.test" for n in range(10)]
    seeds = [f"http://endless{n}.test/{page}" for n in (1, 2) for page in range(80)]
    seeds += [f"http://{host}/{page}" for host in others for page in range(5)]
    found, site = crawled_site(tmp_path, endless, seeds, config)
    assert found.ended.kind is EndKind.PAGES
    # The two would take all of it if they could keep their visits.
    asked = Counter(url.split("/")[2] for url in site.pages_asked if url in seeds)
    assert {host: asked[host] for host in others} == dict.fromkeys(others, 5)
