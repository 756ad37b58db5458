import asyncio
import gzip
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.crawl.crawls import NotedBatches
from tests.crawl.sites import Pages, Sent, Site, on_site
from tests.slowness import patience

from gossamer.crawl import batches
from gossamer.crawl.backlog import Backlog
from gossamer.crawl.handle import CrawlHandle
from gossamer.crawl.reader import PageReader
from gossamer.crawl.steady_graph import SteadyGraph
from gossamer.crawl.verdicts import PageVerdict
from gossamer.frontier.protocol import Ended
from gossamer.index.graph.pages import PageGraphs, PageRefused
from gossamer.model import Fetched, Url
from gossamer.reading.jobs import Extracted
from gossamer.reading.pool.connection import MOST_SENT

SEED = Url("http://a.test/")
LARGE = 256 * 1024


async def is_free(places: Backlog) -> bool:
    """Whether a place is to be had at once; it is taken then."""
    asking = asyncio.create_task(places.acquire())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    if not asking.done():
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        return False
    return True


def run(work: Callable[[], Awaitable[None]]) -> None:
    async def bounded() -> None:
        async with asyncio.timeout(patience(60)):
            await work()

    asyncio.run(bounded())


def test_there_are_so_many_places() -> None:
    async def work() -> None:
        places = Backlog(2, 100)
        assert [await is_free(places) for _ in range(3)] == [True, True, False]
        places.release()
        assert [await is_free(places) for _ in range(2)] == [True, False]

    run(work)


def test_who_asks_waits_until_there_is_room_for_bytes_again() -> None:
    async def work() -> None:
        places = Backlog(10, 100)
        await places.acquire()
        places.fill(100)
        waiting = [asyncio.create_task(places.acquire()) for _ in range(2)]
        await asyncio.sleep(0)
        assert not any(each.done() for each in waiting)
        places.empty(100)
        await asyncio.gather(*waiting)

    run(work)


def test_an_answer_larger_than_all_the_room_goes_through() -> None:
    async def work() -> None:
        places = Backlog(10, 100)
        for _ in range(3):
            await places.acquire()
            places.fill(1_000)
            assert not places.has_room
            places.empty(1_000)
        assert places.bytes_in_hand == 0

    run(work)


def test_answers_on_their_way_count_as_large_as_others_were() -> None:
    async def work() -> None:
        places = Backlog(1_000, 1_000)
        for _ in range(300):
            await places.acquire()
            places.fill(100)
            places.empty(100)
        taken = 0
        while await is_free(places):
            taken += 1
        assert taken in (10, 11)

    run(work)


def test_what_answers_say_takes_room_and_nobody_waits_for_it() -> None:
    async def work() -> None:
        places = Backlog(10, 100)
        await places.acquire()
        places.fill(10)
        places.grow(1_000)
        before = places.is_crowded, await is_free(places)
        places.empty(10, 1_000)
        after = places.is_crowded, await is_free(places)
        assert (before, after) == ((True, False), (False, True))
        assert places.bytes_in_hand == 0

    run(work)


def test_who_gives_up_waiting_leaves_the_place_to_others() -> None:
    async def work() -> None:
        places = Backlog(2, 100)
        await places.acquire()
        places.fill(100)
        assert not await is_free(places)
        places.empty(100)
        assert [await is_free(places) for _ in range(3)] == [True, True, False]

    run(work)


def test_who_is_called_and_gives_up_at_once_calls_the_next() -> None:
    async def work() -> None:
        places = Backlog(1, 100)
        await places.acquire()
        first, second, third = (asyncio.create_task(places.acquire()) for _ in range(3))
        await asyncio.sleep(0)
        second.cancel()  # while it waits
        places.release()  # to the first
        first.cancel()  # which does not know yet
        await asyncio.gather(first, second, return_exceptions=True)
        await third

    run(work)


@given(st.lists(st.integers(0, 300), max_size=60), st.integers(1, 8), st.integers(1, 200))
def test_whatever_comes_everybody_has_a_turn(sizes: list[int], most: int, most_bytes: int) -> None:
    async def work() -> None:
        places = Backlog(most, most_bytes)

        async def answered(size: int) -> None:
            await places.acquire()
            await asyncio.sleep(0)
            if size % 7 == 0:
                places.release()
                return
            places.fill(size)
            await asyncio.sleep(0)
            places.empty(size)

        await asyncio.gather(*map(answered, sizes))
        assert places.bytes_in_hand == 0

    run(work)


# In a crawl


class Slow(PageReader):
    """A reader that takes longer than the network; it notes how many bytes were in hand at most."""

    most = 0
    now = 0

    async def read(self, fetched: Fetched) -> Extracted | None:
        """What the answer says, some moments later."""
        self.now += len(fetched.body)
        self.most = max(self.most, self.now)
        await asyncio.sleep(0.05)
        return await super().read(fetched)


def test_large_answers_make_the_crawl_wait_before_they_fill_the_memory(tmp_path: Path) -> None:
    urls = [f"{SEED}{number}" for number in range(12)]
    large = "<p>" + "x" * LARGE
    pages: Pages = {
        SEED: "".join(f'<a href="{url}">x</a>' for url in urls),
        **dict.fromkeys(urls, large),
    }

    async def work(running: CrawlHandle, site: Site) -> tuple[int, set[str]]:
        crawl = running.crawl
        reader = crawl.reader = Slow(crawl.reader.config, crawl.reader.pool, crawl.reader.contexts)
        crawl.backlog = Backlog(1_000, 2 * LARGE)

        def note(batch: Sequence[PageVerdict]) -> None:
            reader.now -= sum(len(v.answer.body) for v in batch if isinstance(v.answer, Fetched))

        crawl.batches = NotedBatches(crawl.batches, note)
        await crawl.run()
        assert crawl.backlog.bytes_in_hand == 0
        return reader.most, set(site.pages_asked)

    most, asked = on_site(tmp_path, pages, work, seeds=[SEED])
    assert asked == {SEED, *urls}
    assert most < 4 * LARGE  # two that use the room up, and one that was asked for before


SAID = 256 * 1024
PACKED = {"Content-Type": "application/n-triples", "Content-Encoding": "gzip"}


def talkative(number: int) -> Sent:
    """A page that is small on its way, and says a lot."""
    line = f'<http://a.test/{number}> <http://n.test/name> "{{:06}} {"x" * 1_000}" .\n'
    text = "".join(map(line.format, range(SAID // 1_000)))
    return Sent(gzip.compress(text.encode()), headers=PACKED)


class Noting(PageReader):
    """A reader that notes how many bytes pages say that are not settled."""

    most = 0
    now = 0

    async def read(self, fetched: Fetched) -> Extracted | None:
        """What the answer says."""
        extracted = await super().read(fetched)
        self.now += len(extracted.nquads) if extracted else 0
        self.most = max(self.most, self.now)
        return extracted


class SlowGraph:
    """A graph that is slower than the reader."""

    def __init__(self, graph: SteadyGraph) -> None:
        self._graph = graph
        self.sizes: list[int] = []

    async def keep(self, pages: Sequence[PageGraphs]) -> tuple[PageRefused, ...]:
        """Keep pages, when others have had the time to read all there is."""
        self.sizes.append(sum(len(page.nquads or b"") for page in pages))
        await asyncio.sleep(0.1)
        return await self._graph.keep(pages)


def test_small_answers_that_say_a_lot_make_the_crawl_wait_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batches, "MOST_BYTES", 2 * SAID)
    urls = [f"http://{number}.test/" for number in range(24)]
    pages = {url: talkative(number) for number, url in enumerate(urls)}

    async def work(running: CrawlHandle, site: Site) -> tuple[int, int]:
        crawl = running.crawl
        reader = crawl.reader = Noting(
            crawl.reader.config, crawl.reader.pool, crawl.reader.contexts
        )
        crawl.backlog = Backlog(1_000, 2 * SAID)
        graph = crawl.batches.graph = SlowGraph(running.graph)

        def note(batch: Sequence[PageVerdict]) -> None:
            reader.now -= sum(len(v.extracted.nquads) for v in batch if v.extracted)

        crawl.batches = NotedBatches(crawl.batches, note)
        await crawl.run()
        assert running.frontier.counts().ended[Ended.CONTENT] == len(urls)
        assert crawl.backlog.bytes_in_hand == 0
        return reader.most, max(graph.sizes)

    most, together = on_site(tmp_path, pages, work, seeds=urls)
    assert SAID <= most < (2 + MOST_SENT + 4) * SAID  # the room, and what a worker has at hand
    assert together < 4 * SAID


def test_every_end_of_a_page_gives_its_room_back(tmp_path: Path) -> None:
    answers = [
        Sent("", 302, {"Location": "/x"}),
        Sent("gone", 410),
        Sent("sorry", 500),
        Sent("<meta name=robots content='noindex, noarchive'>"),
        Sent(b"\x89PNG", headers={"Content-Type": "image/png"}),
        Sent(b"not gzip", headers={"Content-Encoding": "gzip"}),
    ]
    pages = {f"{SEED}{number}": answer for number, answer in enumerate(answers)}

    async def work(running: CrawlHandle, site: Site) -> int:
        await running.crawl.run()
        assert set(site.pages_asked) == {*pages, f"{SEED}x"}
        return running.crawl.backlog.bytes_in_hand

    assert on_site(tmp_path, pages, work, seeds=list(pages)) == 0


def test_enormous_pages_of_some_sites_leave_room_for_ordinary_ones_of_others() -> None:
    async def work() -> None:
        places = Backlog(100, 6_400)
        for site in ("a.test", "b.test", "c.test"):  # nobody knows yet what they have
            await places.acquire(site)
        for site in ("a.test", "b.test", "c.test"):
            places.fill(50, site)
            places.grow(5_000, 50, site)
        assert not places.has_room
        assert places.has_room_for("good.test")
        assert not places.has_room_for("a.test")
        for site in ("a.test", "b.test", "c.test"):
            places.empty(50, 5_000, site)
        await places.acquire("a.test")
        assert not places.has_room_for("b.test")  # one heavy site at a time
        assert places.has_room_for("good.test")
        places.release("a.test")
        assert places.has_room_for("b.test")
        assert places.bytes_in_hand == 0

    run(work)


def test_a_site_whose_pages_are_ordinary_again_is_forgiven() -> None:
    async def work() -> None:
        places = Backlog(100, 6_400)
        await places.acquire("a.test")
        places.fill(2_000, "a.test")
        places.empty(2_000, 0, "a.test")
        await places.acquire("b.test")
        places.fill(2_000, "b.test")
        places.empty(2_000, 0, "b.test")
        for _ in range(40):
            await places.acquire("a.test")
            assert places.has_room_for("b.test") or places.has_room_for("good.test")
            places.fill(10, "a.test")
            places.grow(20, 10, "a.test")
            places.empty(10, 20, "a.test")
        await places.acquire("b.test")
        assert places.has_room_for("a.test")

    run(work)


@given(
    st.lists(
        st.tuples(st.sampled_from(["a", "b", "c"]), st.integers(0, 3000), st.integers(0, 3000))
    )
)
def test_whatever_comes_and_goes_the_sums_end_at_nothing(pages: list[tuple[str, int, int]]) -> None:
    async def work() -> None:
        places = Backlog(1_000, 6_400)
        for site, size, said in pages:
            places.fill(size, site)
            places.grow(said, size, site)
        for site, size, said in pages:
            places.empty(size, said, site)
        assert places.bytes_in_hand == 0
        assert places.has_room_for("new")
        assert not places.is_crowded

    run(work)
