from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

from tests.crawl.cases import assignment
from tests.crawl.crawls import hurried
from tests.crawl.sites import Answering, Sent, Site, crawled_site, on_site

from gossamer.config import Config
from gossamer.crawl.handle import CrawlHandle
from gossamer.frontier.protocol import Ended
from gossamer.model import Url

SEED = Url("http://a.test/")
NEXT = Url("http://a.test/next")
ROBOTS = "http://a.test/robots.txt"


def config() -> Config:
    return hurried(backoff_first=timedelta(milliseconds=1))


def answering(rules: Callable[[], Sent]) -> Answering:
    return lambda url, _: rules() if url == ROBOTS else Sent("<p>")


FAILING = answering(lambda: Sent("", 503))
HEALTHY = answering(lambda: Sent("", 404))
FORBIDDEN = answering(lambda: Sent("", 403))


def test_pages_of_a_host_that_was_closed_for_now_are_taken_up_by_the_next_run(
    tmp_path: Path,
) -> None:
    found, site = crawled_site(tmp_path, FAILING, [SEED, NEXT], config())
    assert {page.ended for page in found.pages.values()} == {Ended.REFUSED}
    assert site.pages_asked == []
    assert "`gossamer crawl` takes the page up again then." in (found.pages[SEED].why or "")
    found, site = crawled_site(tmp_path, FAILING, [], config())
    assert {page.ended for page in found.pages.values()} == {Ended.REFUSED}
    assert set(site.asked) == {ROBOTS}  # once or more, by how long the run takes
    found, site = crawled_site(tmp_path, HEALTHY, [], config())
    assert {page.ended for page in found.pages.values()} == {Ended.CONTENT}
    assert sorted(site.pages_asked) == [SEED, NEXT]
    assert found.summary.refused == 0


def test_a_host_that_is_closed_by_its_own_wish_stays_so_for_the_day(tmp_path: Path) -> None:
    crawled_site(tmp_path, FORBIDDEN, [SEED], config())
    found, site = crawled_site(tmp_path, HEALTHY, [], config())
    assert found.pages[SEED].ended is Ended.REFUSED
    assert site.asked == []


def test_they_are_taken_up_in_the_same_run_when_a_page_finds_that_the_host_is_back(
    tmp_path: Path,
) -> None:
    rules = [Sent("", 503)] * 3 + [Sent("", 404)]

    async def work(running: CrawlHandle, site: Site) -> str:
        await running.crawl.run()
        refused = await running.frontier_thread.do(running.frontier.page, SEED)
        assert refused is not None
        assert refused.ended is Ended.REFUSED
        await running.crawl.requests.admit(assignment(NEXT))
        page = await running.frontier_thread.do(running.frontier.page, SEED)
        assert page is not None
        return page.state

    site = answering(lambda: rules.pop(0))
    assert on_site(tmp_path, site, work, seeds=[SEED], config=config()) == "pending"
