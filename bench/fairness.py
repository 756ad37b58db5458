"""How fair a crawl is to its hosts: 500 hosts, 20 of them endless or broken, 32 visits at once.

In virtual time at delays from nothing to a minute: the real loop, frontier, clocks and decisions, before a web that
only takes time. Then for real: a crawl in a process of its own, and Scrapy with its downloader's slots beside it, before a
server on this machine. All hosts have pages left all the time. By what the hosts saw:

| figure | what it is |
| --- | --- |
| jain | Jain's index of the pages that each equal host got: 1 where all got the same (0.95 is asked) |
| least_share, most_share | the pages of the equal host that got fewest, and most, by the mean |
| longest_wait | seconds that an equal host was ready and not asked, at most |
| bound | seconds that it may wait: ⌈hosts ÷ visits⌉ × the longest visit there may be + the limit of one request |
| bound_by_visit | the same with the longest visit that was seen |
| endless_share | pages of an endless host, by the mean of equal ones |
| over_budget_share | pages of sites over their budget, by all pages |
| bad_share | requests to endless and broken hosts, by all requests |

Ratios are the indexes, each wait's bound by the wait (1 or more is asked), and our index by Scrapy's. The endless
sites are soon over their budget; the others earn more by linking to each other.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench import peers
from bench.crawl_cases.crawlers import UNCOMPILED
from bench.fairness_cases.measures import Fairness, Rules, fairness
from bench.fairness_cases.server import UnequalServer
from bench.fairness_cases.virtual import SECONDS, crawl_in_virtual_time
from bench.fairness_cases.web import Web

from gossamer.config import Budget, Config, Crawl, Fetch, Politeness
from gossamer.crawl.loop import QUANTUM
from gossamer.crawl.page_requests import STAY
from gossamer.sending.hosts.leased import longest_request

FETCH = Fetch(
    connect_timeout=timedelta(seconds=5),
    first_byte_timeout=timedelta(seconds=5),
    total_timeout=timedelta(seconds=10),
)
BUDGET = Budget(pages=20, pages_per_linking_site=1_000)


@dataclass(frozen=True, slots=True)
class Size:
    """How much is crawled, and how long."""

    web: Web
    concurrency: int
    virtual: tuple[tuple[float, float], ...]  # delays, and seconds for each
    delay: float  # for real
    seconds: float
    max_pages: int | None = None  # for who cares about no more than that it runs


FULL = Size(
    Web(good=480, endless=10, broken=10),
    concurrency=32,
    virtual=((0, 150), (1, 640), (60, 1_200)),
    delay=0.5,
    seconds=400,
)
QUICK = Size(
    Web(good=24, endless=1, broken=1),
    concurrency=4,
    virtual=((0, 60), (1, 200), (60, 600)),
    delay=0.02,
    seconds=16,
)
TINY = Size(
    Web(good=6, endless=1, broken=1),
    concurrency=2,
    virtual=((1, 20),),
    delay=0,
    seconds=60,
    max_pages=24,
)


def rules_of(size: Size, delay: float, took: float = 0.0) -> Rules:
    """What a crawl promises at some delay, where answers take so long."""
    longest = longest_request(FETCH).total_seconds()
    stay = STAY.total_seconds()
    return Rules(
        concurrency=size.concurrency,
        delay=max(delay, took) if delay else 0.0,
        stay=stay,
        longest_visit=QUANTUM.total_seconds() + stay + longest,
        longest_request=longest,
        allowance=BUDGET.pages,
    )


def in_virtual_time(size: Size, delay: float, seconds: float) -> Fairness:
    """Measure a crawl in virtual time."""
    config = Config(
        politeness=Politeness(delay=timedelta(seconds=delay)),
        crawl=Crawl(concurrency=size.concurrency, max_time=timedelta(seconds=seconds)),
        fetch=FETCH,
        budget=BUDGET,
    )
    requests, end = crawl_in_virtual_time(size.web, config)
    return fairness(size.web, requests, rules_of(size, delay, SECONDS), end)


def for_real(size: Size, server: UnequalServer, command: Sequence[str | Path]) -> Fairness:
    """Measure a crawl in a process of its own."""
    environment = {name: value for name, value in os.environ.items() if name != UNCOMPILED}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    requests = server.requests()
    if done.returncode or not requests:
        raise SystemExit(f"The crawl failed:\n{done.stderr}")
    start = min(request.started for request in requests)
    end = max(request.ended for request in requests)
    if size.max_pages is None:  # what is still in flight then is none of this
        end = min(end, start + size.seconds)
    within = [request for request in requests if request.started <= end]
    return fairness(size.web, within, rules_of(size, size.delay), end)


def ours(size: Size, server: UnequalServer, folder: Path) -> list[str | Path]:
    """A crawl of ours."""
    command = [sys.executable, "-m", "gossamer", "crawl", f"@{_seeds(server, folder)}", "--json"]
    command += ["--scope", "any", "--only", "none", "--no-archive", "--delay", str(size.delay)]
    command += ["--connect-to", f"*.test=127.0.0.1:{server.port}", "--data", str(folder / "data")]
    command += ["--concurrency", str(size.concurrency), "--max-time", str(size.seconds)]
    for name in ("connect_timeout", "first_byte_timeout", "total_timeout"):
        command += ["--config", f"fetch.{name}={getattr(FETCH, name).total_seconds()}"]
    for name in ("pages", "pages_per_linking_site"):
        command += ["--config", f"budget.{name}={getattr(BUDGET, name)}"]
    return [*command, *([] if size.max_pages is None else ["--max-pages", str(size.max_pages)])]


def scrapy(size: Size, server: UnequalServer, folder: Path) -> list[str | Path]:
    """A crawl of Scrapy's."""
    patience = FETCH.total_timeout.total_seconds()
    options = (size.seconds, size.concurrency, size.delay, patience)
    script = peers.PEERS / "scrapy_slots.py"
    return [peers.PYTHON, script, *map(str, options), f"@{_seeds(server, folder)}"]


def _seeds(server: UnequalServer, folder: Path) -> Path:
    file = folder / "seeds.txt"
    file.write_text("\n".join(server.seeds))
    return file


def measure(size: Size, *, with_scrapy: bool) -> dict[str, Fairness]:
    """Measure all crawls, one after the other."""
    found = {}
    for delay, seconds in size.virtual:
        name = f"virtual_delay_{delay:g}"
        found[name] = in_virtual_time(size, delay, seconds)
        tell(name, found[name])
    crawls = {"real": ours} | ({"scrapy": scrapy} if with_scrapy else {})
    for name, command in crawls.items():
        with UnequalServer(size.web) as server, tempfile.TemporaryDirectory() as folder:
            found[name] = for_real(size, server, command(size, server, Path(folder)))
        tell(name, found[name])
    return found


def tell(name: str, found: Fairness) -> None:
    print(
        f"{name:<18} {found.pages:7,} pages, Jain {found.jain:.4f}, share {found.least_share:.2f} to "
        f"{found.most_share:.2f}, longest wait {found.longest_wait:6.1f} s of {found.bound_by_visit:6.1f} "
        f"and {found.bound:6.1f}, endless {found.endless_share:.2f}, over budget "
        f"{found.over_budget_share:.4f}, bad {found.bad_share:.4f}",
        file=sys.stderr,
    )


def ratios_of(found: dict[str, Fairness]) -> dict[str, float]:
    ratios = {}
    for name, each in found.items():
        ratios[f"jain_{name}"] = round(each.jain, 4)
        if name != "scrapy":  # which promises nothing
            ratios[f"bound_to_wait_{name}"] = round(each.bound / each.longest_wait, 2)
    if "scrapy" in found:
        ratios["jain_to_scrapy"] = round(found["real"].jain / found["scrapy"].jain, 2)
    return ratios


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--quick", action="store_true", help="done within a minute")
    parser.add_argument("--tiny", action="store_true", help="in seconds: whether it runs at all")
    parser.add_argument("--seconds", type=float, help="of the real crawls")
    given = parser.parse_args()
    size = TINY if given.tiny else QUICK if given.quick else FULL
    if given.seconds is not None:
        size = replace(size, seconds=given.seconds)
    found = measure(size, with_scrapy=not given.tiny and peers.are_here())
    figures = {
        name: {key: round(value, 4) for key, value in asdict(each).items()}
        for name, each in found.items()
    }
    print(json.dumps({"name": "fairness", "ratios": ratios_of(found), "figures": figures}))


if __name__ == "__main__":
    main()
