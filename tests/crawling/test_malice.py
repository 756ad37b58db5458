"""All that the demo web has of bad servers, at once; and the addresses that nobody may contact."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path

from tests.fetch.servers import answering, serving

from gossamer.demo.process import DemoServer
from gossamer.demo.truth import truth
from gossamer.demo.world import World
from gossamer.frontier.endings import Ending, EndKind
from gossamer.frontier.protocol import Ended
from gossamer.model import Url

from .comparing import Case, Result, assert_manners, assert_outcomes, assert_quads
from .crawls import Crawled, hurried, left_behind, opened, reaching
from .sites import Pages, Sent, served

SEED = Url("http://a.test/")
JSON = {"Content-Type": "application/ld+json"}
MEASURED = """
import resource, subprocess, sys
status = subprocess.run(sys.argv[1:]).returncode
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(status)
"""
MOST_MEMORY = 500 * 1024  # KiB, for each process of the crawl
IMPATIENT = {
    "politeness.delay": "0",
    "politeness.patience": "8s",
    "politeness.backoff_first": "0.05s",
    "politeness.backoff_most": "0.2s",
    "fetch.first_byte_timeout": "1s",
    "fetch.low_speed_time": "1s",
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
    """Crawl as people do; the most memory that one of its processes took, in KiB."""
    command = [sys.executable, "-c", MEASURED, sys.executable, "-m", "gossamer"]
    command += ["crawl", seed, "--data", str(data), "--json", "--connect-to", server.connect_to]
    for key, value in IMPATIENT.items():
        command += ["--config", f"{key}={value}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=110, check=False)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    summary, memory = done.stdout.splitlines()
    assert json.loads(summary)["ended"] == EndKind.PARKED
    return int(memory)


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
