"""What the proxy is for: programs without manners, and a server that sees good ones in its log."""

import asyncio
import gc
import time
import tracemalloc
from collections import Counter
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

from tests.crawl.crawls import reaching
from tests.proxy.origin import Origin, origin
from tests.proxy.proxied import Proxied, run, running, until
from tests.slowness import patience

from gossamer.cli.listeners import crawl_permits, serve_proxy
from gossamer.config import Config, Crawl, Index, Politeness, Proxy
from gossamer.crawl.build import open_crawl
from gossamer.crawl.run_limits import limits_of
from gossamer.folder.data import DataFolder
from gossamer.http.listening import Address, bind_socket
from gossamer.model import Url
from gossamer.owner.crawl_answers import answer_for_crawl, read_crawl
from gossamer.settings.node import open_folder

CONTACT = "me@example.org"
AGENTS = ("client", "gossamer")


class Tried(NamedTuple):
    """A request, and what became of it."""

    status: int
    sent_at: float
    answered_at: float

    def meets(self, other: "Tried", rest: float) -> bool:
        """Whether it was on its way while another was, or while the host rested from that one."""
        return self.sent_at <= other.answered_at + rest and other.sent_at <= self.answered_at


async def every(proxied: Proxied, seconds: float, count: int, *headers: str) -> list[Tried]:
    """Ask for pages at a steady pace, whatever becomes of them."""

    async def ask(number: int) -> Tried:
        await asyncio.sleep(number * seconds)
        sent_at = time.monotonic()
        reply = await proxied.get(f"http://a.test/{number}", *headers)
        return Tried(reply.status, sent_at, time.monotonic())

    return await asyncio.gather(*map(ask, range(count)))


def requests_taken(proxied: Proxied) -> int:
    """How many requests were answered, or wait for their turn."""
    figures = proxied.parts.figures
    waiting = sum(1 for entry in figures.entries if entry.waits_from is not None)
    return figures.statuses.total() + waiting


def test_a_program_in_a_hurry_gets_one_page_a_delay(tmp_path: Path, full_size: bool) -> None:
    # As in the thesis, a request every 200 ms and a delay of 1 s; all of it a fifth as long here.
    pace, delay, count = (0.2, 1.0, 60) if full_size else (0.04, 0.2, 60)
    politeness = Politeness(delay=timedelta(seconds=delay), contact=CONTACT, slowness=0)

    async def work() -> None:
        async with running(tmp_path, politeness=politeness) as proxied:
            await proxied.get("http://a.test/first")
            await asyncio.sleep(delay * 1.1)
            answers = await every(proxied, pace, count, "X-Gossamer-Max-Wait: 0")
            assert {each.status for each in answers} == {200, 429}
            passed = [each for each in answers if each.status == 200]
            refused = [each for each in answers if each.status == 429]
            # One passes in each delay, however late requests come on a busy machine; and none is
            # refused while its host is free.
            span = max(each.answered_at for each in passed) - min(each.sent_at for each in passed)
            assert len(passed) <= span / delay + 1
            for late in refused:
                assert any(late.meets(each, delay) for each in passed)
            assert proxied.web.smallest_gap("a.test") >= delay

    run(work())


def test_a_program_that_waits_gets_all_pages_in_order(tmp_path: Path, full_size: bool) -> None:
    delay, count = (1.0, 30) if full_size else (0.1, 20)
    politeness = Politeness(delay=timedelta(seconds=delay), contact=CONTACT, slowness=0)

    async def work() -> None:
        proxy = Proxy(max_wait=timedelta(seconds=patience(60) + 2 * count * delay))
        async with running(tmp_path, proxy, politeness) as proxied:
            asking = []
            for number in range(count):
                asking.append(asyncio.create_task(proxied.get(f"http://a.test/{number}")))
                await until(lambda: requests_taken(proxied) > number)  # noqa: B023 (it is awaited here)
            assert {each.status for each in await asyncio.gather(*asking)} == {200}
            order = [each.target for each in proxied.web.pages()]
            assert order == [f"/{number}" for number in range(count)]
            assert proxied.web.smallest_gap("a.test") >= delay

    run(work())


def test_many_clients_and_a_crawl_on_the_same_hosts(tmp_path: Path, full_size: bool) -> None:
    seconds, delay = (60, 1.0) if full_size else (3, 0.2)
    hosts = [f"h{number}.test" for number in range(5)]
    politeness = Politeness(delay=timedelta(seconds=delay), contact=CONTACT)

    async def work() -> None:
        async with origin() as web:
            config = reaching(
                Config(
                    politeness=politeness,
                    crawl=Crawl(workers=1),
                    index=Index(words=False),
                    proxy=Proxy(cache_size=0),
                ),
                web.address,
            )
            data = DataFolder(tmp_path / "d")
            statuses = await _crawl_beside_clients(data, config, hosts, web, seconds)
            assert statuses[200] > len(hosts)
            assert set(statuses) <= {200, 429}
            agents = _agents(web)
            assert agents["client"] > len(hosts)
            assert agents["gossamer"] > len(hosts)  # the crawl had its share
            assert min(map(web.smallest_gap, hosts)) >= delay
            assert web.most_busy == 1

    run(work(), seconds + patience(100))


def _agents(web: Origin) -> Counter[str]:
    """Who asked for pages, and how often."""
    return Counter(each.headers["user-agent"].partition("/")[0] for each in web.pages())


async def _crawl_beside_clients(
    data: DataFolder, config: Config, hosts: list[str], web: Origin, seconds: float
) -> Counter[int]:
    """Crawl, with a proxy in the same process that twenty clients use; the statuses they got.

    It takes so many seconds, and longer on a machine on which not everybody has had a turn by then.
    """
    seeds = [Url(f"http://{host}/seed/{number}") for host in hosts for number in range(99)]
    statuses: Counter[int] = Counter()
    with data.owned(timedelta(0)), open_folder(data, config.frontier) as place:
        frontier = place.frontier(config, limits_of(config))
        async with (
            open_crawl(data, config, frontier, seeds, lambda _: None) as running_crawl,
            read_crawl(running_crawl) as asked,
            crawl_permits(running_crawl.crawl.requests.client, asked.folder) as permits,
            answer_for_crawl(asked),
        ):
            with bind_socket(Address("127.0.0.1", 0)) as ours:
                async with serve_proxy(ours, data, config, permits, lambda _: None):
                    port = ours.getsockname()[1]
                    clients = [
                        asyncio.create_task(_client(port, number, hosts, statuses))
                        for number in range(20)
                    ]
                    crawling = asyncio.create_task(running_crawl.crawl.run())
                    await asyncio.sleep(seconds)
                    await until(lambda: all(_agents(web)[each] > len(hosts) for each in AGENTS))
                    running_crawl.crawl.stop()
                    await crawling
                    for client in clients:
                        client.cancel()
                    await asyncio.gather(*clients, return_exceptions=True)
    return statuses


async def _client(port: int, number: int, hosts: list[str], statuses: Counter[int]) -> None:
    """Ask one host after the other, without a pause."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**20)
    try:
        for page in range(10_000):
            host = hosts[(number + page) % len(hosts)]
            target = f"http://{host}/client/{number}/{page}"
            writer.write(
                f"GET {target} HTTP/1.1\r\nHost: {host}\r\nUser-Agent: client/1\r\n\r\n".encode()
            )
            head = await reader.readuntil(b"\r\n\r\n")
            length = int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0])
            await reader.readexactly(length)
            statuses[int(head.split(b" ")[1])] += 1
    finally:
        writer.close()


def test_memory_does_not_grow_with_requests(tmp_path: Path, full_size: bool) -> None:
    rounds = 100_000 if full_size else 450

    async def work() -> None:
        async with running(tmp_path) as proxied:

            async def ask(count: int) -> int:
                async with proxied.connected() as client:
                    for number in range(count):
                        await client.get(f"http://h{number % 7}.test/{number}")
                proxied.web.asked.clear()
                proxied.events.clear()
                gc.collect()
                return tracemalloc.get_traced_memory()[0]

            tracemalloc.start()
            await ask(200)
            before = await ask(rounds // 3)
            after = await ask(rounds - rounds // 3)
            tracemalloc.stop()
            assert after - before < 500_000  # URLs that are remembered come and go

    run(work(), 3600)
