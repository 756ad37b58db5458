"""The demo web with parameters in its links that change nothing, crawled with each value of `urls.learned`."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import pytest
from tests.crawl.crawls import Crawled, crawled, hurried, reaching

from gossamer.config import Crawl, Urls
from gossamer.demo.process import DemoServer
from gossamer.demo.world import World
from gossamer.frontier.protocol import Ended

WORLD = World(seed=3, pages=100, hosts=2, crawl_delay=0, aliases=True)
# What comes next is decided when a page is settled, as where there is a delay: nothing is learned sooner.
SETTLED_FIRST = Crawl(workers=1, strategy="best")


@dataclass(frozen=True)
class Done:
    """A crawl, and which pages were asked for, each at all of its addresses."""

    crawled: Crawled
    numbers: list[int]

    @property
    def useless(self) -> int:
        """Requests for pages that had been asked for before."""
        return len(self.numbers) - len(set(self.numbers))


def crawl(folder: Path, mode: Literal["off", "last", "drop"]) -> Done:
    config = hurried(scope="any", crawl=SETTLED_FIRST)
    with DemoServer(WORLD, folder / "access.log") as server:
        config = reaching(replace(config, urls=Urls(learned=mode)), server.address)
        done = crawled(folder / "data", config, [WORLD.front(0)])
        found = (WORLD.number(f"http://{each.host}{each.path}") for each in server.accesses())
        return Done(done, [number for number in found if number is not None])


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Done:
    return crawl(tmp_path_factory.mktemp("off"), "off")


def content(done: Done) -> set[int | None]:
    pages = done.crawled.pages.items()
    return {WORLD.number(url) for url, page in pages if page.ended is Ended.CONTENT}


def test_drop_saves_most_requests_that_bring_nothing_new_and_loses_no_page(
    before: Done, tmp_path: Path
) -> None:
    done = crawl(tmp_path, "drop")
    assert content(done) == content(before)
    assert set(done.numbers) == set(before.numbers)
    assert done.useless <= 0.2 * before.useless


def test_last_asks_for_the_same_and_merges_no_two_pages(before: Done, tmp_path: Path) -> None:
    done = crawl(tmp_path, "last")
    assert sorted(done.numbers) == sorted(before.numbers)
    assert content(done) == content(before)
    depths = {url: page.depth for url, page in done.crawled.pages.items()}
    assert depths == {url: page.depth for url, page in before.crawled.pages.items()}
