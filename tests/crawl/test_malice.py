"""All that the demo web has of bad servers, at once; and the addresses that nobody may contact."""

import asyncio
import json
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import psutil
from tests.crawl.comparing import Case, Result, assert_manners, assert_outcomes, assert_quads
from tests.crawl.crawls import Crawled, hurried, left_behind, opened, reaching
from tests.crawl.sites import Pages, Sent, served
from tests.fetch.servers import answering, serving
from tests.slowness import patience

from gossamer.demo.process import DemoServer
from gossamer.demo.truth import truth
from gossamer.demo.world import World
from gossamer.frontier.endings import Ending, EndKind
from gossamer.frontier.protocol import Ended
from gossamer.model import Url

SEED = Url("http://a.test/")
JSON = {"Content-Type": "application/ld+json"}
MOST_MEMORY = 500_000_000  # bytes, for all processes of the crawl together
LOOK = 0.25  # seconds between two looks at the memory
IMPATIENT = {
    "politeness.delay": "0",
    "politeness.patience": "8s",
    "politeness.backoff_first": "0.05s",
    "politeness.backoff_most": "0.2s",
    "fetch.first_byte_timeout": "3s",
    "fetch.low_speed_time": "2s",
    "sitemaps.use": "false",
    "scope.kind": "any",
    "crawl.workers": "2",
}


def test_all_malice_at_once_costs_little_and_comes_to_what_the_world_says(
    tmp_path: Path, full_size: bool
) -> None:
    pages = 2_000 if full_size else 40
    world = World(seed=3, pages=pages, hosts=12, malice=True, slow_seconds=0.2, crawl_delay=0.05)
    seed = world.front(0)
    with DemoServer(world, tmp_path / "access.jsonl") as server:
        memory = crawl_by_command(tmp_path / "data", seed, server)
    found = asyncio.run(looked_into(tmp_path / "data"))
    case = Case(world, (seed,))
    result = Result(case, found, truth(world, [seed], scope="any"), list(server.accesses()))
    assert_outcomes(result)
    assert_quads(result)
    assert_manners(result)
    assert memory < MOST_MEMORY


def crawl_by_command(data: Path, seed: str, server: DemoServer) -> int:
    """Crawl as people do; the most bytes of memory that its processes had at one time."""
    command = [sys.executable, "-m", "gossamer", "crawl", seed, "--data", str(data), "--json"]
    command += ["--connect-to", server.connect_to]
    for key, value in IMPATIENT.items():
        command += ["--config", f"{key}={value}"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        memory = Memory(process.pid)
        try:
            said, complaints = process.communicate(timeout=patience(110))
        finally:
            process.kill()  # where it goes on without end
    assert process.returncode == 0, complaints
    assert "Traceback" not in complaints
    assert json.loads(said.splitlines()[-1])["ended"] == EndKind.PARKED
    return memory.most()


class Memory:
    """Looks at a process and all that it starts, until it has ended."""

    def __init__(self, pid: int) -> None:
        self._process = psutil.Process(pid)
        self._most = 0
        self._looking = threading.Thread(target=self._look, daemon=True)
        self._looking.start()

    def most(self) -> int:
        """The most bytes that they had at one time, when it has ended."""
        self._looking.join()
        return self._most

    def _look(self) -> None:
        with suppress(psutil.NoSuchProcess):
            while self._process.is_running():
                family = [self._process, *self._process.children(recursive=True)]
                self._most = max(self._most, sum(map(taken, family)))
                time.sleep(LOOK)


def taken(process: psutil.Process) -> int:
    """A process's share of memory; nothing, where it ended just now.

    What several have in common counts once: each has the same libraries, some 30 MB of them.
    """
    with suppress(psutil.NoSuchProcess):
        memory = process.memory_full_info()
        return int(getattr(memory, "pss", memory.uss))  # the former only Linux knows
    return 0


async def looked_into(folder: Path) -> Crawled:
    """What an earlier crawl left in its folder."""
    async with opened(folder, hurried()) as running:
        return await left_behind(running, Ending(EndKind.PARKED, ""), [])


# Addresses within


def ways_in(port: int) -> list[str]:
    """URLs that lead to a port of this machine, in several spellings."""
    hosts = ["127.0.0.1", "127.1", "0x7f000001", "2130706433", "0", "[::1]", "[::ffff:7f00:1]"]
    return [f"http://{host}:{port}/" for host in [*hosts, "localhost", "x.localhost"]]


def test_nothing_on_a_site_brings_us_to_contact_this_machine(tmp_path: Path) -> None:
    async def run() -> tuple[Crawled, int]:
        nothing = answering(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        async with serving(nothing) as within, served(luring(ways_in(within.port))) as site:
            config = reaching(hurried(sitemaps=True), site.address)
            async with opened(tmp_path, config, [SEED]) as running:
                ended = await running.crawl.run()
                return await left_behind(running, ended, []), within.connections

    found, connections = asyncio.run(run())
    assert connections == 0
    rules = {
        url: (page.why or "").partition(":")[0]
        for url, page in found.pages.items()
        if page.ended is Ended.REFUSED
    }
    assert rules.pop(Url("http://b.test/page")) == "robots"
    assert rules.keys() == {url for url in found.pages if ".test/" not in url}
    assert set(rules.values()) == {"address"}
    assert len(rules) > 4


def luring(within: list[str]) -> Pages:
    """A site whose links, redirects, rules, sitemaps and contexts all lead within."""
    moved = [Sent("", 302, {"Location": url}) for url in within]
    links = "".join(f'<a href="{url}">in</a>' for url in within)
    links += "".join(f'<a href="/page/{number}">page</a>' for number in range(2 * len(within)))
    links += '<a href="http://b.test/page">b</a>'
    pages: dict[str, Sent | str] = {SEED: links, "http://b.test/robots.txt": moved[0]}
    sitemaps = [f"Sitemap: {url}" for url in (*within, "http://a.test/moved")]
    pages["http://a.test/robots.txt"] = "\n".join(sitemaps)
    pages["http://a.test/moved"] = moved[0]
    for number, url in enumerate(within):
        pages[f"{SEED}page/{number}"] = moved[number]
        context = json.dumps({"@context": url, "@id": "x", "name": "y"})
        pages[f"{SEED}page/{number + len(within)}"] = Sent(context, headers=JSON)
    return pages
