"""Searches over HTTP while a crawl runs: 200 open connections, 50 searches a second in all.

| ratio | what is compared |
| --- | --- |
| polite_rate, hurried_rate | pages a second of the crawl with the searches to those without |

The crawl is begun over REST, so it runs in a process beside the service, on the demo web, once with
a second between two requests to a host (the usual delay, 100 hosts) and once without any, which takes
all of the machine. Each connection is asked at moments that are set beforehand, and an answer's time
counts from that moment: who is late because of the answer before is late. All share one machine.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.proxy_cases.clients import Load

from gossamer.demo.process import DemoServer
from gossamer.demo.world import World

A_SECOND: Final = 50  # searches, all connections together
PATIENCE: Final = 30.0  # seconds for one answer
TOKEN: Final = "bench"
DELAYS: Final = {"polite": 1.0, "hurried": 0.0}


@dataclass(frozen=True, slots=True)
class Size:
    """How long, and of how much."""

    seconds: float
    pages: int
    hosts: int = 100
    connections: int = 200
    first_pages: int = 300  # crawled before anything is measured
    kinds: tuple[str, ...] = tuple(DELAYS)


FULL: Final = Size(seconds=60, pages=200_000)
QUICK: Final = Size(seconds=6, pages=40_000)
TINY: Final = Size(1, pages=2_000, hosts=10, connections=5, first_pages=10, kinds=("polite",))


@dataclass(frozen=True, slots=True)
class Service:
    """A service, asked from here."""

    url: str

    def get(self, path: str) -> Any:  # noqa: ANN401 (JSON)
        """What is there."""
        with urllib.request.urlopen(self.url + path, timeout=PATIENCE) as answer:
            return json.load(answer)

    def post(self, path: str, told: object) -> None:
        """Tell it something."""
        headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
        request = urllib.request.Request(self.url + path, json.dumps(told).encode(), headers)
        urllib.request.urlopen(request, timeout=60).close()

    def pages(self) -> int:
        """How many pages the crawl has."""
        count: int = self.get("/api/status")["ended"]["content"]
        return count


@contextmanager
def serving(folder: Path, connect_to: str) -> Iterator[Service]:
    """`gossamer serve` over an empty folder."""
    command = [sys.executable, "-m", "gossamer", "serve", "127.0.0.1:0", "--data", str(folder)]
    command += ["--connect-to", connect_to, "--agent-contact", "bench@site0.test"]
    environment = {**os.environ, "GOSSAMER_SERVICE_TOKEN": TOKEN}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        try:
            yield Service(address_of(process))
        finally:
            process.terminate()
            process.communicate(timeout=90)


def address_of(process: "subprocess.Popen[str]") -> str:
    """Where a service listens: it says so, after whatever else it has to say about its folder."""
    assert process.stderr is not None
    said = []
    for line in process.stderr:
        if line.startswith("Serving ") and "http://" in line:
            return line.split()[-1]
        said.append(line)
    raise SystemExit(f"The service did not start:\n{''.join(said)}")


def rate(service: Service, size: Size, load: Sequence[str] = ()) -> tuple[float, Load | None]:
    """Pages a second of the crawl for so long, with searches for these words or without."""
    before, started = service.pages(), time.monotonic()
    if load:
        took = asyncio.run(searched(service.url, load, size))
    else:
        took = None
        time.sleep(size.seconds)
    return (service.pages() - before) / (time.monotonic() - started), took


async def searched(url: str, words: Sequence[str], size: Size) -> Load:
    """Search on all connections at once, each at its moments."""
    host, _, port = url.removeprefix("http://").partition(":")
    started = time.perf_counter() + 0.5
    turns = round(size.seconds * A_SECOND / size.connections)
    clients = (
        asked(
            host,
            int(port),
            words[number % len(words)],
            [started + (number + turn * size.connections) / A_SECOND for turn in range(turns)],
        )
        for number in range(size.connections)
    )
    times = await asyncio.gather(*clients)
    return Load(size.seconds, [each for some in times for each in some])


async def asked(host: str, port: int, word: str, moments: Sequence[float]) -> list[float]:
    """The times of one connection's answers; anything but an answer is an error."""
    reader, writer = await asyncio.open_connection(host, port)
    line = f"GET /api/search?q={quote(word)} HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode()
    times = []
    for moment in moments:
        await asyncio.sleep(max(0.0, moment - time.perf_counter()))
        writer.write(line)
        async with asyncio.timeout(PATIENCE):
            head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
            length = int(head.partition("content-length: ")[2].partition("\r\n")[0])
            await reader.readexactly(length)
        if not head.startswith("http/1.1 200"):
            raise SystemExit(f"A search was answered with {head.splitlines()[0]!r}.")
        times.append(time.perf_counter() - moment)
    writer.close()
    return times


def words_in(service: Service) -> list[str]:
    """Words that people may search for: out of the names of what was found."""
    results = service.get("/api/search?q=&limit=100")["results"]
    words = {word for each in results for word in each["label"].split() if word.isalpha()}
    return sorted(words) or ["lighthouse"]


def measure(name: str, delay: float, size: Size) -> dict[str, float]:
    """One kind of crawl, without searches and with."""
    world = World(seed=1, pages=size.pages, hosts=size.hosts)
    with (
        tempfile.TemporaryDirectory() as folder,
        DemoServer(world) as demo,
        serving(Path(folder) / "data", demo.connect_to) as service,
    ):
        options = {"politeness.delay": delay, "scope.kind": "any"}
        seeds = [world.front(host) for host in range(world.hosts)]
        service.post("/api/crawl/start", {"seeds": seeds, "options": options})
        while service.pages() < size.first_pages:
            time.sleep(0.5)
        time.sleep(3)  # for words to be written for the first time
        words = words_in(service)
        alone, _ = rate(service, size)
        beside, load = rate(service, size, words)
        assert load is not None
        if service.get("/api/crawl")["state"] != "running":
            raise SystemExit("The crawl ended before it was measured; give it more pages.")
    told = {
        "searches": len(load.latencies),
        "median_ms": round(load.median_ms, 2),
        "p99_ms": round(load.p99_ms, 2),
        "pages_per_second_alone": round(alone, 1),
        "pages_per_second": round(beside, 1),
    }
    print(
        f"{name:<8} {told['searches']:,} searches without an error, median {load.median_ms:.1f} ms, "
        f"99 of 100 within {load.p99_ms:.0f} ms; crawl {alone:,.0f} pages/s, meanwhile {beside:,.0f}",
        file=sys.stderr,
    )
    return told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="done within a minute")
    parser.add_argument("--tiny", action="store_true", help="in seconds: whether it runs at all")
    given = parser.parse_args()
    size = TINY if given.tiny else QUICK if given.quick else FULL
    figures = {name: measure(name, DELAYS[name], size) for name in size.kinds}
    ratios = {
        f"{name}_rate": round(
            told["pages_per_second"] / max(told["pages_per_second_alone"], 0.1), 2
        )
        for name, told in figures.items()
    }
    print(json.dumps({"name": "service", "ratios": ratios, "figures": figures}))


if __name__ == "__main__":
    main()
