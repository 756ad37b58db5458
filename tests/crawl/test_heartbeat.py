"""The heartbeat of a crawl: what its node tells of it while it runs, and that it leaves at the end."""

import asyncio
from contextlib import closing
from pathlib import Path

from tests.crawl.crawls import PATIENCE, hurried, opened, reaching

from gossamer.crawl.heartbeat import slowest
from gossamer.demo.process import DemoServer
from gossamer.demo.world import World
from gossamer.folder.data import DataFolder
from gossamer.frontier.sqlite import SqliteStore
from gossamer.nodes.report import load_report
from gossamer.nodes.store import BeatAnswer, NodeCondition, NodeStore, NodeWish

WORLD = World(seed=9, pages=20, hosts=3, crawl_delay=0)


def test_a_crawl_tells_of_itself_hears_wishes_and_leaves(tmp_path: Path) -> None:
    async def live(address: str) -> None:
        async with (
            asyncio.timeout(PATIENCE),
            opened(tmp_path, reaching(hurried(), address), [WORLD.front(0)]) as running,
        ):
            running.crawl.pause()
            heartbeat, joined, heard = running.heartbeat, asyncio.Event(), asyncio.Event()
            assert heartbeat is not None
            heartbeat.every = 0.01
            store, node = NodeStore(running.frontier.store), running.frontier.node

            def listen(answer: BeatAnswer) -> None:
                joined.set()
                if answer.wish is NodeWish.RUN:
                    heard.set()

            heartbeat.listeners.append(listen)
            crawling = asyncio.create_task(running.crawl.run())
            await joined.wait()
            assert await running.frontier_thread.do(store.wish, node, NodeWish.RUN)
            await heard.wait()
            (row,) = (await running.frontier_thread.do(store.all))[1]
            report = load_report(row.report)
            assert row.state == NodeCondition.PAUSED
            assert {each.kind for each in report.processes} >= {"crawl"}
            assert report.crawl is not None
            assert report.crawl.pages == 0
            assert report.least_free == running.config.crawl.min_free_disk
            running.crawl.resume()
            await crawling
            (row,) = (await running.frontier_thread.do(store.all))[1]
            assert not row.has_left  # there is a summary to be made
        with closing(SqliteStore(DataFolder(tmp_path).frontier_file)) as left:
            assert NodeStore(left).all()[1][0].has_left

    with DemoServer(WORLD, tmp_path.with_suffix(".log")) as server:
        asyncio.run(live(server.address))


def test_the_slowest_phase_is_where_most_pages_wait() -> None:
    assert slowest({"fetch": 3, "read": 5, "settle": 5}) == "read"
    assert slowest({"fetch": 0, "read": 0}) is None
    assert slowest({}) is None
