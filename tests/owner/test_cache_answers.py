from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from tests.proxy.cache.rules import HOUR
from tests.proxy.cache.world import Origin, World
from tests.proxy.proxied import run, running

from gossamer.config import Politeness
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import NewUrl
from gossamer.frontier.sqlite import SqliteStore
from gossamer.frontier.thread import FrontierThread
from gossamer.model import Url
from gossamer.owner.cache_answers import (
    PAGES,
    OpenCache,
    cache_figures,
    cache_handlers,
    cache_of_urls,
    caches_of_client,
    clear_caches,
)
from gossamer.owner.handlers import LocalAnswer
from gossamer.owner.messages import Record, record_of
from gossamer.owner.questions import CacheFigures, ClearCaches, RecordQuestion


async def asked(caches: Callable[[], list[OpenCache]], question: RecordQuestion[Any]) -> Record:
    handlers = cache_handlers(caches)
    return await record_of(LocalAnswer(partial(handlers.parts, "proxy", question)))


def test_robots_txt_is_asked_for_anew_when_its_cache_was_emptied(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied:
            caches = [*caches_of_client(proxied.client)]
            for path in ("1", "2", "3"):
                assert (await proxied.get(f"http://a.test/{path}")).status == 200
            figures = (await asked(lambda: caches, CacheFigures()))["caches"]
            assert (figures["robots"]["misses"], figures["robots"]["entries"]) == (1, 1)
            assert figures["robots"]["hits"] >= 2
            proxied.web.robots["a.test"] = b"User-agent: *\nDisallow: /4\n"
            assert (await proxied.get("http://a.test/4")).status == 200  # the old one counts
            told = await asked(lambda: caches, ClearCaches(("robots",), "b.test"))
            assert told == {"cleared": {"robots": 0}}
            assert (await proxied.get("http://a.test/4")).status == 200
            told = await asked(lambda: caches, ClearCaches(("robots",), "a.test"))
            assert told == {"cleared": {"robots": 1}}
            assert (await proxied.get("http://a.test/4")).status == 403
            robots = [each for each in proxied.web.asked if each.target == "/robots.txt"]
            assert len(robots) == 2

    run(work())


def test_pages_go_wholly_or_by_host_and_figures_of_one_name_add_up(tmp_path: Path) -> None:
    world = World(tmp_path)
    for url in ("http://a.test/x", "http://a.test/y", "http://b.test/x"):
        world.ask(origin=Origin(said=HOUR), url=url)
    pages = OpenCache(PAGES, world.cache.counters.figures, world.cache.clear)
    assert cache_figures([pages, pages])["pages"]["stored"] == 6

    async def work() -> None:
        assert await clear_caches([pages], ["names"], None) == {}
        assert await clear_caches([pages], [], "a.test") == {"pages": 2}
        assert await clear_caches([pages], ["pages"], None) == {"pages": 1}

    run(work())
    assert world.cache.counters.cleared == 3
    assert not world.ask(origin=Origin(said=HOUR), url="http://a.test/x").is_hit
    world.close()


def test_urls_seen_go_wholly_and_not_by_host(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "frontier.db")
    frontier = SqlFrontier(store, "here", Politeness())

    async def work() -> None:
        with FrontierThread("frontier") as thread:
            urls = cache_of_urls(frontier, thread)
            new = [NewUrl(Url(f"http://a.test/{number}")) for number in range(3)]
            assert await thread.do(frontier.add, new) == 3
            assert await thread.do(frontier.add, new) == 0
            assert urls.figures() == {"hits": 3, "misses": 3, "entries": 3}
            assert await clear_caches([urls], [], "a.test") == {}
            assert await clear_caches([urls], [], None) == {"urls": 3}
            assert await thread.do(frontier.add, new) == 0  # the store knows them
            assert urls.figures()["misses"] == 6

    run(work())
    store.close()
