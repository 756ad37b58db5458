"""Crawls in virtual time, each strategy in its order, though pages are read long after they are answered."""

import asyncio
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import pytest
from tests.crawl.commands import crawl as run_crawl
from tests.virtual_crawl import LinkedWeb, crawl_of
from tests.virtual_time import in_virtual_time
from tests.virtual_world import scene

from gossamer.config import Config, Politeness
from gossamer.config import Crawl as CrawlOptions
from gossamer.crawl.reader import PageReader
from gossamer.crawl.run_limits import hold_to_ranking
from gossamer.demo.links import links_of as links_of_page
from gossamer.demo.process import DemoServer
from gossamer.demo.world import World
from gossamer.frontier.protocol import NewUrl
from gossamer.model import Fetched, Url
from gossamer.politeness.priority import MOST
from gossamer.politeness.ranking import Ranking
from gossamer.reading.jobs import Extracted
from gossamer.urls import host_of

DOCS = Path(__file__).resolve().parents[2] / "docs" / "crawling.md"
WORLD = World(pages=300, hosts=3)
HOST = "https://a.test/"
LATE = 2.5  # seconds from an answer until it is read, where the delay is one
TREE = {"": 3, "1": 2, "2": 2, "3": 2, "11": 1, "21": 1}  # how many pages each leads to
RICH = ("2", "21")  # pages with much data
NEWS = {"/3": 1000, "/22": 1000}


def links_of(path: str) -> list[str]:
    return [f"{path}{n + 1}" for n in range(TREE.get(path, 0))]


class Tree(LinkedWeb):
    """A small tree of pages, which remembers the paths that were asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def links(self, page: Url) -> Sequence[Url]:
        return [Url(HOST + path) for path in links_of(page.removeprefix(HOST))]

    async def get(self, url: Url, **rest: Any) -> Fetched:
        if not url.endswith("/robots.txt"):
            self.asked.append(url.removeprefix(HOST))
        return await super().get(url, **rest)


class SlowReader:
    """A reader that takes its time, and finds much in some pages."""

    def __init__(self, reader: PageReader) -> None:
        self._reader = reader
        self.pool, self.contexts = reader.pool, reader.contexts

    async def read(self, fetched: Fetched) -> Extracted:
        await asyncio.sleep(LATE)
        extracted = await self._reader.read(fetched)
        assert extracted is not None
        return replace(extracted, count=500 if fetched.url.removeprefix(HOST) in RICH else 0)


def crawl(
    folder: Path,
    strategy: Any = "breadth",
    priority: Mapping[str, int] | None = None,
    per_host: int = 1,
) -> list[str]:
    """Crawl the tree; the paths of its pages in the order of requests."""
    config = Config(
        politeness=Politeness(delay=timedelta(seconds=1), slowness=0, per_host=per_host),
        crawl=CrawlOptions(concurrency=2, strategy=strategy, priority=priority or {}),
    )
    web = Tree()

    async def run() -> None:
        async with scene(folder / "frontier.db", config, web, crawling=True) as owner:
            hold_to_ranking(owner.frontier, Ranking.of(config.crawl))
            owner.frontier.add([NewUrl(Url(HOST), priority=MOST, seed=True)])
            crawl = crawl_of(owner, config, folder)
            crawl.reader = cast(PageReader, SlowReader(crawl.reader))
            await crawl.run()

    in_virtual_time(run())
    return web.asked


@pytest.mark.parametrize(
    ("strategy", "priority", "order"),
    [
        ("breadth", {}, ["", "1", "2", "3", "11", "12", "21", "22", "31", "32", "111", "211"]),
        ("depth", {}, ["", "1", "11", "111", "12", "2", "21", "211", "22", "3", "31", "32"]),
        ("best", {}, ["", "1", "2", "21", "22", "211", "3", "11", "12", "31", "32", "111"]),
        ("breadth", NEWS, ["", "3", "31", "32", "1", "2", "22", "11", "12", "21", "111", "211"]),
        ("depth", NEWS, ["", "3", "31", "32", "1", "11", "111", "12", "2", "22", "21", "211"]),
    ],
)
def test_pages_are_requested_in_the_order_of_the_strategy(
    tmp_path: Path, strategy: str, priority: Mapping[str, int], order: list[str]
) -> None:
    assert crawl(tmp_path, strategy, priority) == order


def test_the_worked_example_of_the_docs_asks_for_articles_first(tmp_path: Path) -> None:
    told = re.search(r"^gossamer crawl (.*articles.*)$", DOCS.read_text(), re.MULTILINE)
    assert told is not None
    with DemoServer(WORLD, tmp_path / "access.jsonl") as web:
        words = shlex.split(told[1].replace("127.0.0.1:8099", web.address))
        summary = run_crawl(tmp_path / "data", *words, "--workers", "1")
        asked = [Url(f"http://{each.host}{each.path}") for each in web.accesses()]
    assert summary["pages"] == 25
    pages = [url for url in asked if not url.endswith("/robots.txt")]
    assert pages[0] == WORLD.front(0)
    known: set[str] = set()  # articles that wait
    for url in pages:
        assert not known or url in known
        known |= set(articles_on(url)) - set(pages[: pages.index(url)])
        known.discard(url)
    assert sum("/articles/" in url for url in pages) == 8


def articles_on(url: Url) -> list[str]:
    """The articles of its host that a page of the demo web leads to."""
    number = WORLD.number(url)
    page = None if number is None else WORLD.page(number)
    if page is None or page.nofollow("gossamer"):
        return []
    targets = [link.target for link in links_of_page(WORLD, page) if not link.nofollow]
    own = [target for target in targets if target is not None and host_of(target) == host_of(url)]
    return [target for target in own if "/articles/" in target]


@pytest.mark.parametrize("strategy", ["depth", "random"])
def test_all_pages_are_found_with_several_requests_at_once(tmp_path: Path, strategy: str) -> None:
    everything = {"", *(path for page in TREE for path in links_of(page))}
    asked = crawl(tmp_path, strategy, per_host=3)
    assert len(asked) == len(everything)
    assert {*asked} == everything
