"""Duplicates: what they cost, and whether two pages are ever taken for one.

- `sketch`: CPU time of a page's sketch beside that of reading the whole page, on pages of the demo web
- `cycle`: CPU time of leasing and settling pages that all differ, with sketches beside without; the median of pairs of runs.
  The same for pages of which each has two addresses, with a parameter that is learned meanwhile
- `pairs`: pages from templates that differ in a number, a price, a sentence; each pair that is taken for one page is a mistake
- `found`: the share of pages that are found at a second address, with a session in it and half of them with another date

How many requests `urls.learned = drop` saves is in tests/crawl/test_aliases.py, on the demo web with aliases.
"""

import argparse
import json
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.duplicates_cases.goods import false_merges, found
from bench.frontier_cases.web import Web

from gossamer.config import Politeness
from gossamer.demo.rendering import rendered
from gossamer.demo.world import World
from gossamer.duplicates.sketch import Sketch, sketch_of
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import NewUrl, Settlement
from gossamer.frontier.sqlite import SqliteStore
from gossamer.processes.interpreter import set_for_crawling
from gossamer.reading.extraction import extract_page
from gossamer.reading.jobs import PageJob

NO_DELAY = Politeness(delay=timedelta(0))
TOGETHER = 5  # pages of a host, settled together
CYCLE = 100  # pages in one round
SAID = b"12345678"


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured."""

    known: int  # URLs before the cycle
    cycle: int  # pages leased and settled in each run
    runs: int  # pairs
    pages: int  # of the demo web, read
    family: int  # pages of one template
    families: int


FULL = Size(10_000_000, 10_000, 7, 2_000, 60, 180)
QUICK = Size(200_000, 2_000, 7, 300, 60, 60)
TINY = Size(5_000, 200, 1, 20, 8, 6)


def cpu(act: Callable[[], object]) -> float:
    """CPU seconds that something takes."""
    start = time.process_time()
    act()
    return time.process_time() - start


def sketch_share(pages: int) -> tuple[float, float]:
    """CPU milliseconds of a page's reading, and the share of it that its sketch takes."""
    world = World(pages=max(pages, 12), hosts=12)
    jobs = [
        PageJob(page.url, rendered(world, page).body, "text/html", bare_links=True, hashes=True)
        for page in map(world.page, range(pages))
        if page.is_html
    ]
    read = [extract_page(job) for job in jobs]
    texts = [" ".join(["word", str(number), *map(str, range(300))]) for number in range(len(jobs))]
    whole = cpu(lambda: [extract_page(job) for job in jobs])
    words = [max(sketch.words, 1) for each in read if (sketch := Sketch.unpack(each.sketch))]
    texts = [" ".join(text.split()[:count]) for text, count in zip(texts, words, strict=False)]
    sketching = cpu(lambda: [sketch_of(text, SAID, has_data=True) for text in texts])
    return 1_000 * whole / len(jobs), sketching / whole


class Cycle:
    """A frontier that grows, and the web that it crawls."""

    def __init__(
        self, folder: Path, name: str, known: int, sketch: Callable[[int], bytes] | None
    ) -> None:
        self.web = Web()
        self.frontier = SqlFrontier(SqliteStore(folder / f"{name}.db"), "bench", NO_DELAY)
        self.frontier.learn_parameters("last")
        self._sketch, self._number = sketch, 0
        while self.web.known < known:
            urls = [NewUrl(url, 3, 300) for page in self.web.batch(TOGETHER) for url in page]
            self.frontier.add(urls)

    def run(self, pages: int) -> float:
        """Lease and settle so many pages; CPU seconds."""
        done, seconds = 0, 0.0
        while done < pages:
            start = time.process_time()
            leases = self.frontier.lease(CYCLE // TOGETHER, pages=TOGETHER)
            seconds += time.process_time() - start
            settlements = [self._sketched(each) for each in self.web.settlements(leases)]
            assert settlements, "the frontier ran dry"
            start = time.process_time()
            self.frontier.settle(settlements, {})
            self.frontier.release({lease.token: lease.clock for lease in leases})
            seconds += time.process_time() - start
            done += len(settlements)
        return seconds

    def _sketched(self, settlement: Settlement) -> Settlement:
        self._number += 1
        if self._sketch is None:
            return settlement
        return settlement._replace(sketch=self._sketch(self._number))


def different(number: int) -> bytes:
    """The sketch of a page that is like no other."""
    bits = [(number * odd) & ((1 << 64) - 1) for odd in (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F)]
    return Sketch(bits[0], bits[1], bits[0] ^ bits[1], 300, True, number.to_bytes(8, "big")).pack()


def in_twos(number: int) -> bytes:
    """The sketch of a page that is like one other."""
    return different(number // 2)


def cycle_ratio(folder: Path, size: Size, sketch: Callable[[int], bytes]) -> float:
    """CPU time of the cycle with sketches to that without: the median of pairs."""
    plain = Cycle(folder, f"plain-{sketch.__name__}", size.known, None)
    sketched = Cycle(folder, sketch.__name__, size.known, sketch)
    ratios = []
    for number in range(size.runs):
        pair = (plain, sketched) if number % 2 else (sketched, plain)
        spent = {each: each.run(size.cycle) for each in pair}
        ratios.append(spent[sketched] / spent[plain])
    return statistics.median(ratios)


def say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small sizes, within a minute")
    parser.add_argument("--tiny", action="store_true", help="in seconds: whether it runs at all")
    parser.add_argument("--known", type=int, help="URLs before the cycle (10,000,000)")
    options = parser.parse_args()
    size = TINY if options.tiny else QUICK if options.quick else FULL
    known = options.known or size.known
    size = Size(known, size.cycle, size.runs, size.pages, size.family, size.families)
    folder = Path(tempfile.mkdtemp(prefix="gossamer-bench-"))
    try:
        ratios = {
            f"cycle_{sketch.__name__}": cycle_ratio(folder, size, sketch)
            for sketch in (different, in_twos)
        }
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    page_ms, share = sketch_share(size.pages)
    compared, wrong = false_merges(size.family, size.families)
    ratios["sketch_to_reading"] = share
    figures = {
        "page_ms": page_ms,
        "pairs": compared,
        "pairs_taken_for_one": wrong,
        "found_at_a_second_address": found(size.pages // 2),
    }
    for name, value in {**ratios, **figures}.items():
        say(f"{name:>30} {value:>14,.3f}")
    print(json.dumps({"name": "duplicates", "ratios": ratios, "figures": figures}))


if __name__ == "__main__":
    with set_for_crawling():
        main()
