import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.crawl.crawls import (
    PATIENCE,
    Crawled,
    NotedBatches,
    crawled,
    hurried,
    left_behind,
    opened,
    reaching,
)
from tests.crawl.sites import Site, on_site
from tests.fetch.name_server import Name, naming
from tests.fetch.servers import QUICK, Conversation, serving
from tests.slowness import patience
from tests.virtual_time import in_virtual_time

from gossamer.config import Config
from gossamer.config import Crawl as CrawlOptions
from gossamer.crawl import loop
from gossamer.crawl.handle import CrawlHandle
from gossamer.crawl.loop import end_within
from gossamer.crawl.reader import PageReader
from gossamer.crawl.verdicts import PageVerdict
from gossamer.demo.process import DemoServer
from gossamer.demo.truth import truth
from gossamer.demo.world import World
from gossamer.fetch.http import HttpFetcher
from gossamer.frontier.endings import EndKind
from gossamer.frontier.protocol import Counts, Ended
from gossamer.frontier.sqlite import SqliteStore
from gossamer.model import Cause, Failed, Fetched, Url
from gossamer.moments import now_utc
from gossamer.reading.jobs import Extracted

WORLD = World(seed=5, pages=60, hosts=4, crawl_delay=0.05)
SEED = WORLD.front(0)


@pytest.fixture(scope="module")
def server() -> Iterator[DemoServer]:
    with DemoServer(WORLD) as running:
        yield running


@pytest.fixture
def config(server: DemoServer) -> Config:
    return reaching(hurried(), server.address)


def limited(config: Config, **limits: object) -> Config:
    return replace(config, crawl=replace(config.crawl, **limits))  # type: ignore[arg-type] # any


def test_a_crawl_ends_when_nothing_is_left(config: Config, tmp_path: Path) -> None:
    found = crawled(tmp_path, config, [SEED])
    said = truth(WORLD, [SEED], scope="any")
    assert found.ended.kind is EndKind.DONE
    assert found.summary.pages == len(said.visited)
    assert found.summary.quads == said.quads()


def test_several_requests_at_once_to_a_host_find_the_same(
    server: DemoServer, tmp_path: Path
) -> None:
    found = crawled(tmp_path, reaching(hurried(per_host=3), server.address), [SEED])
    assert found.ended.kind is EndKind.DONE
    assert found.summary.quads == truth(WORLD, [SEED], scope="any").quads()
    assert not found.counts.handed


def test_it_goes_on_from_where_it_was_stopped(config: Config, tmp_path: Path) -> None:
    async def stopped() -> Crawled:
        async with opened(tmp_path, config, [SEED]) as running:
            crawl = running.crawl
            # The first batch is the seed alone: whatever it links to is still to be fetched.
            crawl.batches = NotedBatches(crawl.batches, lambda _: crawl.stop())
            return await left_behind(running, await crawl.run(), [])

    first = asyncio.run(stopped())
    assert first.ended.kind is EndKind.STOPPED
    assert not first.counts.handed
    assert first.counts.left
    second = crawled(tmp_path, config)
    assert second.ended.kind is EndKind.DONE
    assert second.summary.quads == truth(WORLD, [SEED], scope="any").quads()


def test_a_limit_on_pages_ends_it_and_a_larger_one_goes_on(config: Config, tmp_path: Path) -> None:
    few = crawled(tmp_path, limited(config, max_pages=7), [SEED])
    assert few.ended.kind is EndKind.PAGES
    assert few.counts.ended[Ended.CONTENT] == 7
    more = crawled(tmp_path, limited(config, max_pages=9))
    assert more.counts.ended[Ended.CONTENT] == 9


def test_the_time_of_a_run_can_be_limited(config: Config, tmp_path: Path) -> None:
    found = crawled(tmp_path, limited(config, max_time=timedelta(0)), [SEED])
    assert found.ended.kind is EndKind.TIME
    assert not found.counts.ended


def test_a_full_disk_ends_it(config: Config, tmp_path: Path) -> None:
    found = crawled(tmp_path, limited(config, min_free_disk=1 << 60), [SEED])
    assert found.ended.kind is EndKind.DISK


def test_one_host_at_a_time_is_enough(config: Config, tmp_path: Path) -> None:
    found = crawled(tmp_path, limited(config, concurrency=1), [SEED])
    assert found.summary.pages == len(truth(WORLD, [SEED], scope="any").visited)


def test_links_past_the_limit_of_a_page_are_not_taken(config: Config, tmp_path: Path) -> None:
    found = crawled(tmp_path, limited(config, links_per_page=0), [SEED])
    assert list(found.pages) == [SEED]


def test_a_paused_crawl_holds_nothing_and_does_not_end(config: Config, tmp_path: Path) -> None:
    async def paused() -> Crawled:
        async with opened(tmp_path, config, [SEED]) as running:
            running.crawl.pause()
            crawling = asyncio.create_task(running.crawl.run())
            await asyncio.sleep(3 * running.crawl.look_again)
            assert not crawling.done()
            assert not running.progress.ended
            running.crawl.resume()
            return await left_behind(running, await crawling, [])

    assert asyncio.run(paused()).summary.quads == truth(WORLD, [SEED], scope="any").quads()


def test_pausing_a_crawl_keeps_what_is_in_flight(config: Config, tmp_path: Path) -> None:
    async def paused() -> Crawled:
        async with opened(tmp_path, config, [SEED]) as running:
            crawl = running.crawl
            settled = asyncio.Event()

            def pause(_: Sequence[PageVerdict]) -> None:
                if not settled.is_set():
                    settled.set()
                    crawl.pause()

            crawl.batches = NotedBatches(crawl.batches, pause)
            crawling = asyncio.create_task(crawl.run())
            async with asyncio.timeout(PATIENCE):
                await settled.wait()
                # A host that is just being leased comes yet, and is given back.
                while (await running.frontier_thread.do(running.frontier.counts)).handed or (  # noqa: ASYNC110
                    crawl.under_way.visits
                    or crawl.under_way.unread
                    or crawl.holdings.claims
                    or crawl.holdings.held
                ):
                    await asyncio.sleep(0.01)
            assert (await running.frontier_thread.do(running.frontier.counts)).left > 0
            crawl.resume()
            return await left_behind(running, await crawling, [])

    found = asyncio.run(paused())
    assert found.ended.kind is EndKind.DONE
    assert found.summary.quads == truth(WORLD, [SEED], scope="any").quads()


def test_a_paused_crawl_can_be_stopped(config: Config, tmp_path: Path) -> None:
    async def stopped() -> Crawled:
        async with opened(tmp_path, config, [SEED]) as running:
            running.crawl.pause()
            asyncio.get_running_loop().call_soon(running.crawl.stop)
            return await left_behind(running, await running.crawl.run(), [])

    assert asyncio.run(stopped()).ended.kind is EndKind.STOPPED


def leases_lapse(file: Path) -> None:
    """Let the time pass for which all hosts and pages were handed out."""
    hosts = "UPDATE hosts SET lease_until = 0, next_at = 0 WHERE lease_token > 0"
    with closing(SqliteStore(file)) as store:
        store.transact(lambda txn: [txn.rows(hosts), txn.rows("UPDATE claims SET until = 0")])


def test_a_host_that_is_leased_anew_is_ours_when_the_visit_before_ends(tmp_path: Path) -> None:
    asked = 0

    async def run() -> Crawled:
        async def script(conversation: Conversation) -> None:
            nonlocal asked
            status = 404
            if b"robots.txt" not in conversation.request:
                asked, status = asked + 1, 200
                if asked == 1:
                    leases_lapse(running.data.frontier_file)
                    while asked == 1:  # noqa: ASYNC110 (nobody tells)
                        await asyncio.sleep(0.01)
                else:
                    while len(running.crawl.under_way.visits) > 1:  # noqa: ASYNC110
                        await asyncio.sleep(0.01)
            await conversation.say(b"HTTP/1.1 %d So\r\nContent-Length: 0\r\n\r\n" % status)

        async with serving(script) as server:
            config = reaching(hurried(), f"127.0.0.1:{server.port}")
            async with (
                opened(tmp_path, config, ["http://a.test/"]) as running,
                asyncio.timeout(patience(60)),
            ):
                found = await left_behind(running, await running.crawl.run(), [])
                assert running.progress.ended == {Ended.CONTENT: 1}, "the first came too late"
                return found

    found = asyncio.run(run())
    assert found.ended.kind is EndKind.DONE
    assert found.counts.ended == {Ended.CONTENT: 1}
    assert asked == 2


def test_names_are_looked_up_while_hosts_before_them_are_visited(tmp_path: Path) -> None:
    hosts = [f"{letter}.example.org" for letter in "abc"]
    heard: list[set[str]] = []  # for which names somebody asked before the first answer, and later

    async def run() -> None:
        async def script(conversation: Conversation) -> None:
            with suppress(TimeoutError):
                async with asyncio.timeout(patience(30)):
                    while {name for name, _ in dns.asked} < set(hosts):  # noqa: ASYNC110 (nobody tells)
                        await asyncio.sleep(0.01)
            heard.append({name for name, _ in dns.asked})
            await conversation.say(b"HTTP/1.1 404 So\r\nContent-Length: 0\r\n\r\n")

        async with (
            naming({host: Name(["127.0.0.1"]) for host in hosts}) as dns,
            serving(script) as server,
        ):
            fetch = replace(QUICK, allow_net=("127.0.0.1",), name_servers=(dns.address,))
            config = hurried(fetch=fetch, crawl=CrawlOptions(workers=1, concurrency=1))
            seeds = [f"http://{host}:{server.port}/" for host in hosts]
            async with opened(tmp_path, config, seeds) as running:
                await running.crawl.run()

    asyncio.run(run())
    assert heard[0] == set(hosts)


class Patient(PageReader):
    """A reader that takes one answer after the other, from when it may, and its time for each."""

    def __init__(self, reader: PageReader) -> None:
        super().__init__(reader.config, reader.pool, reader.contexts)
        self.may = asyncio.Event()
        self._turn = asyncio.Lock()

    async def read(self, fetched: Fetched) -> Extracted | None:
        """What the answer says, when it is its turn."""
        await self.may.wait()
        async with self._turn:
            await asyncio.sleep(0.1)
            return await super().read(fetched)


MANY = {f"http://{number}.test/": "<p>" for number in range(20)}


@pytest.mark.parametrize("is_read", [True, False])
def test_what_was_answered_is_read_when_we_stop_and_given_back_where_it_cannot_be(
    is_read: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop, "READING_GRACE", 60 if is_read else 0.1)

    async def stopped(running: CrawlHandle, _: Site) -> tuple[Counter[Ended], Counts]:
        crawl = running.crawl
        reader = crawl.reader = Patient(crawl.reader)
        crawling = asyncio.create_task(crawl.run())
        while len(crawl.under_way.unread) < len(MANY):  # noqa: ASYNC110 (nobody tells)
            await asyncio.sleep(0.01)
        crawl.stop()
        if is_read:
            reader.may.set()
        await crawling
        return running.progress.ended, await running.frontier_thread.do(running.frontier.counts)

    ended, counts = on_site(tmp_path, MANY, stopped, seeds=list(MANY), config=hurried())
    assert not counts.handed
    assert (ended[Ended.CONTENT], counts.pending) == ((20, 0) if is_read else (0, 20))


@pytest.mark.parametrize(("lengths", "ended"), [([1, 4, 6], [True, True, False]), ([], [])])
def test_tasks_end_by_themselves_or_are_given_up(lengths: list[float], ended: list[bool]) -> None:
    async def run() -> list[bool]:
        tasks: list[asyncio.Task[None]] = [
            asyncio.create_task(asyncio.sleep(length)) for length in lengths
        ]
        await end_within(5, tasks)
        return [not task.cancelled() for task in tasks]

    assert in_virtual_time(run()) == ended


def test_names_that_cannot_be_looked_up_for_now_do_not_use_up_the_pages_of_a_host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = {"http://a.test/": "".join(f'<a href="/{number}">x</a>' for number in range(50))}
    get = HttpFetcher.get
    tried: list[Url] = []

    async def away(self: HttpFetcher, url: Url, **options: Any) -> Fetched | Failed:
        if url in ("http://a.test/", "http://a.test/robots.txt"):
            return await get(self, url, **options)
        tried.append(url)
        return Failed(url, Cause.NAME_LOOKUP, "The name server is away.", now_utc(), now_utc())

    monkeypatch.setattr(HttpFetcher, "get", away)

    async def work(running: CrawlHandle, _: Site) -> None:
        ended = await running.crawl.run()
        assert ended.kind is EndKind.PARKED
        assert "50 pages are left" in ended.why

    config = hurried(backoff_first=timedelta(minutes=10), patience=timedelta(minutes=5))
    on_site(tmp_path, pages, work, seeds=["http://a.test/"], config=config)
    assert len(tried) < 10  # of fifty pages, each of which has several attempts
