"""Questions to a crawl while it runs."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.crawl.crawls import hurried
from tests.crawl.sites import Sent, Site, on_site
from tests.slowness import patience

from gossamer.crawl.handle import CrawlHandle
from gossamer.crawl.plain_seeds import PlainSeeds
from gossamer.frontier.endings import Ending, EndKind
from gossamer.log import Sink
from gossamer.model import Url
from gossamer.owner.crawl_answers import answer_for_crawl, read_crawl
from gossamer.owner.messages import AnswerError, ask
from gossamer.owner.questions import (
    AddSeeds,
    Check,
    Explain,
    Query,
    Status,
    SteerCrawl,
    Steering,
    StopOwner,
    Who,
)
from gossamer.owner.unix_socket import Owner

A, B = "http://a.test/", "http://b.test/"
PAGES: dict[str, Sent | str] = {
    A: "<p vocab='http://schema.org/' typeof='Person'><b property='name'>Ada</b>"
    + "".join(f"<a href='{A}{number}'>.</a>" for number in range(500)),
    **{f"{A}{number}": "<p>" for number in range(500)},
    f"{A}robots.txt": Sent("User-agent: *\nDisallow: /3", headers={"Content-Type": "text/plain"}),
    f"{B}robots.txt": Sent("User-agent: *\nDisallow: /x", headers={"Content-Type": "text/plain"}),
}


def asked_while_crawling(
    folder: Path,
    work: Callable[[Owner, CrawlHandle, Site], Awaitable[None]],
    *,
    delay: float = 0.05,
) -> Ending:
    """Crawl, and ask when the first request was answered; then the crawl is stopped."""

    async def run(running: CrawlHandle, site: Site) -> Ending:
        async with read_crawl(running) as asked, answer_for_crawl(asked):
            crawling = asyncio.create_task(running.crawl.run())
            await until(lambda: bool(site.asked))
            owner = Owner(running.data.socket_file)
            await work(owner, running, site)
            await ask(owner, StopOwner())
            return await crawling

    return on_site(folder, PAGES, run, seeds=[A], config=hurried(delay=delay, scope="host"))


async def until(so: Callable[[], bool]) -> None:
    """Wait for something of which nobody tells."""
    async with asyncio.timeout(patience(60)):
        while not so():  # noqa: ASYNC110 (nobody does)
            await asyncio.sleep(0.01)


def test_the_status_tells_of_this_run(tmp_path: Path) -> None:
    async def work(owner: Owner, running: CrawlHandle, _: Site) -> None:
        await until(lambda: bool(running.progress.quads))
        # Between two leases of the host there is no visit for a moment.
        while (status := await ask(owner, Status()))["run"]["visits"] != 1:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        run = status["run"]
        assert status["owner"]["command"] == "crawl"
        assert run["ended"]["content"] >= 1
        assert run["quads"] >= 1
        assert {"fetch", "read", "archive", "graph", "settle"} <= set(run["phases"])
        assert list(run["queues"]) == ["fetch", "read", "archive", "graph", "settle"]
        assert run["queues"]["fetch"] == 1
        assert all(0 <= count < 50 for count in run["queues"].values())

    ended = asked_while_crawling(tmp_path, work)
    assert ended.kind is EndKind.STOPPED


def test_the_graph_is_asked_while_it_grows(tmp_path: Path) -> None:
    async def work(owner: Owner, running: CrawlHandle, _: Site) -> None:
        await until(lambda: bool(running.progress.quads))
        text = "SELECT ?name { ?s <http://schema.org/name> ?name }"
        answer = owner.answer(Query(text, ("csv",)))
        assert b"".join([part async for part in answer]) == b"csv\nname\r\nAda\r\n"

    asked_while_crawling(tmp_path, work)


def test_what_the_crawl_knows_is_explained_without_a_request(tmp_path: Path) -> None:
    async def work(owner: Owner, running: CrawlHandle, site: Site) -> None:
        await until(lambda: bool(running.progress.ended))
        before = site.asked.count(f"{A}robots.txt")
        front = await ask(owner, Explain(A))
        assert (front["page"]["ended"], front["page"]["seed"]) == ("content", True)
        assert front["delay"]["seconds"] >= 0.05
        closed = await ask(owner, Explain(f"{A}3"))
        assert closed["robots"]["text"] == "Disallow: /3"
        verdicts = (await ask(owner, Check((f"{A}3", f"{A}30", "mailto:x"))))["verdicts"]
        assert [verdict["retryAfter"] for verdict in verdicts] == [-1, -1, -1]
        assert site.asked.count(f"{A}robots.txt") == before

    asked_while_crawling(tmp_path, work)


def test_a_host_that_the_crawl_does_not_know_is_asked_for_its_rules_once(tmp_path: Path) -> None:
    async def work(owner: Owner, running: CrawlHandle, site: Site) -> None:
        for _ in range(2):
            verdicts = (await ask(owner, Check((f"{B}x", f"{B}y"))))["verdicts"]
            assert [verdict["allowed"] for verdict in verdicts] == [False, True]
        assert site.asked.count(f"{B}robots.txt") == 1
        assert "b.test" not in running.crawl.holdings.ledgers
        assert f"{B}y" not in site.asked

    asked_while_crawling(tmp_path, work)


def test_a_host_that_rests_is_told_to_wait_by_its_stored_clock(tmp_path: Path) -> None:
    async def work(owner: Owner, running: CrawlHandle, _: Site) -> None:
        await until(lambda: "a.test" not in running.crawl.holdings.held)  # it has to rest
        (verdict,) = (await ask(owner, Check((f"{A}1",))))["verdicts"]
        assert 0 < verdict["retryAfter"] <= 60_000
        assert "rests between requests" in str(verdict["error"])

    asked_while_crawling(tmp_path, work, delay=60)


def test_a_crawl_is_steered(tmp_path: Path) -> None:
    async def work(owner: Owner, _: CrawlHandle, __: Site) -> None:
        async def told(how: Steering) -> Any:
            return (await ask(owner, SteerCrawl(how)))["state"]

        assert await told("pause") == "paused"
        assert (await ask(owner, Status()))["run"]["state"] == "paused"
        assert (await ask(owner, Who()))["state"] == "paused"
        assert await told("resume") == "running"
        assert (await ask(owner, Who()))["state"] == "running"
        assert await told("stop") == "stopping"

    assert asked_while_crawling(tmp_path, work).kind is EndKind.STOPPED


class Expecting(PlainSeeds):
    """Seeds that may be http in the end, for us to see."""

    def __init__(self, tell: Sink) -> None:
        super().__init__(tell)
        self.expected: dict[Url, Url] = {}

    def expect(self, instead: Mapping[Url, Url]) -> None:
        """Note what is expected."""
        super().expect(instead)
        self.expected.update(instead)


def test_seeds_are_added_as_people_type_them(tmp_path: Path) -> None:
    async def work(running: CrawlHandle, _: Site) -> None:
        plain = running.plain_seeds = Expecting(running.crawl.batches.tell)
        async with (
            read_crawl(running) as asked,
            answer_for_crawl(asked),
        ):  # of a crawl that has not begun: nothing is looked up
            owner = Owner(running.data.socket_file)
            added = await ask(owner, AddSeeds(("c.example", "https://d.example", A)))
            assert (added["added"], added["known"]) == (2, 1)
            assert plain.expected == {"https://c.example/": "http://c.example/"}
            with pytest.raises(AnswerError, match="mailto:me: "):
                await ask(owner, AddSeeds(("mailto:me",)))

    on_site(tmp_path, PAGES, work, seeds=[A])
