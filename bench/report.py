"""Reports: pages checked in a second, beside pySHACL page by page; and what checking adds to a crawl.

| ratio | ours | peer |
| --- | --- | --- |
| to_pyshacl | a page read and checked by all rules and the profile `rich-results` | pySHACL on its quads, read already, by shapes of the same profile and of the domains and ranges of its terms |
| crawl_cpu | CPU seconds a page of `gossamer crawl --report` | the same crawl without `--report` |

Pages for the first hold three things each of 25 sorts, in all syntaxes, and 12 KB of text. Times are CPU seconds, the best of
several rounds; shapes are read before. The pages that are crawled are those of `bench/crawl.py`. `added_percent` is what
`--report` adds to the CPU time of a crawl, of which each way goes in turn; the least of each counts.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import pyshacl
import rdflib
from bench.crawl_cases.crawlers import Crawler, crawled, ours
from bench.crawl_cases.server import WebServer
from tests.report.agreement import hierarchy_of, profile_shapes, schema_shapes
from tests.report.clean_items import CLEAN
from tests.report.markup import SYNTAXES, markup, page

import gossamer
from gossamer.reading.jobs import PageJob
from gossamer.reading.page_reading import PageReading
from gossamer.report.options import ReportOptions
from gossamer.report.profile import load_profile
from gossamer.vocabulary.schema_terms import data_types, is_property, range_of

PROFILE = "rich-results"
TEXT = "<p>" + "words and more of them " * 20


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured."""

    pages: int  # that we check
    peer_pages: int  # that pySHACL does
    rounds: int
    hosts: int
    crawls: int  # of each sort


FULL = Size(pages=100, peer_pages=20, rounds=5, hosts=60, crawls=3)
QUICK = Size(pages=50, peer_pages=5, rounds=3, hosts=8, crawls=2)
TINY = Size(pages=2, peer_pages=1, rounds=1, hosts=1, crawls=1)


def pages(count: int) -> list[bytes]:
    """Pages with three things each."""
    return [
        page(
            *(markup(CLEAN[(nth + k) % 25], SYNTAXES[(nth + k) % 4]) for k in range(3)),
            *[TEXT] * 30,
        ).encode()
        for nth in range(count)
    ]


def seconds_of(work: Callable[[], object], rounds: int) -> float:
    """CPU seconds, the best of several rounds."""
    best = float("inf")
    for _ in range(rounds):
        started = time.process_time()
        work()
        best = min(best, time.process_time() - started)
    return best


def check(bodies: Sequence[bytes], *, finds_faults: bool) -> int:
    """Read pages as a worker of a crawl does; how many findings there are."""
    found = 0
    for nth, body in enumerate(bodies):
        job = PageJob(
            f"http://a.test/p/{nth}",
            body,
            "text/html",
            bare_links=True,
            hashes=True,
            finds_faults=finds_faults,
            report=ReportOptions(profiles=(PROFILE,)),
        )
        found += len(PageReading(job).extracted().findings)
    return found


class Peer:
    """pySHACL, with shapes of what our rules look for in these pages, as far as shapes can say it."""

    def __init__(self, bodies: Sequence[bytes]) -> None:
        self.texts = []
        names, classes = set[str](), set[str]()
        for nth, body in enumerate(bodies):
            read = gossamer.extract(body, url=f"http://a.test/p/{nth}", content_type="text/html")
            self.texts.append("".join(f"{quad.triple} .\n" for quad in read.quads))
            for quad in read.quads:
                local = quad.predicate.value.rpartition("/")[2]
                if is_property(local) and range_of(local) - data_types():
                    names.add(local)
                kind = str(quad.object).rpartition("/")[2].rstrip(">")
                if quad.predicate.value.endswith("#type"):
                    classes.add(kind)
        text = schema_shapes(sorted(names)) + profile_shapes(load_profile(PROFILE).features)
        self.shapes = rdflib.Graph().parse(data=text, format="turtle")
        self.hierarchy = rdflib.Graph().parse(data=hierarchy_of(sorted(classes)), format="nt")

    def check(self) -> None:
        """Check each page."""
        for text in self.texts:
            data = rdflib.Graph().parse(data=text, format="nt")
            pyshacl.validate(
                data, shacl_graph=self.shapes, ont_graph=self.hierarchy, inference="none"
            )


def measure_pages(size: Size) -> tuple[float, float, float]:
    """Pages a second that we read, that we read and check, and that pySHACL checks."""
    bodies = pages(size.pages)
    check(bodies[:1], finds_faults=True)
    reading = seconds_of(lambda: check(bodies, finds_faults=False), size.rounds)
    checking = seconds_of(lambda: check(bodies, finds_faults=True), size.rounds)
    peer = Peer(bodies[: size.peer_pages])
    others = seconds_of(peer.check, min(size.rounds, 2))
    return size.pages / reading, size.pages / checking, size.peer_pages / others


def measure_crawls(size: Size) -> tuple[float, float]:
    """CPU seconds a page of a crawl, without and with its pages checked: the least of several, in turn."""
    crawlers = (Crawler("plain", ours()), Crawler("checked", ours("--report")))
    best = [float("inf"), float("inf")]
    with WebServer(size.hosts) as server:
        for _ in range(size.crawls):
            for nth, crawler in enumerate(crawlers):
                with tempfile.TemporaryDirectory() as folder:
                    took = crawled(crawler, server, server.web.pages, Path(folder))
                best[nth] = min(best[nth], took.cpu_per_page)
                print(f"{crawler.name:<10} {took.cpu_per_page * 1000:7.2f} ms", file=sys.stderr)
    return best[0], best[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--quick", action="store_true", help="done within a minute")
    parser.add_argument("--tiny", action="store_true", help="in seconds: whether it runs at all")
    given = parser.parse_args()
    size = TINY if given.tiny else QUICK if given.quick else FULL
    reading, checking, peer = measure_pages(size)
    plain, checked = measure_crawls(size)
    ratios = {
        "to_pyshacl": round(checking / peer, 1),
        "crawl_cpu": round(checked / plain, 3),
    }
    figures = {
        "pages_per_second_read": round(reading, 1),
        "pages_per_second_checked": round(checking, 1),
        "pages_per_second_pyshacl": round(peer, 2),
        "crawl_cpu_ms_per_page": round(plain * 1000, 2),
        "crawl_cpu_ms_per_page_checked": round(checked * 1000, 2),
        "added_percent": round((checked / plain - 1) * 100, 1),
    }
    print(json.dumps({"name": "report", "ratios": ratios, "figures": figures}))


if __name__ == "__main__":
    main()
