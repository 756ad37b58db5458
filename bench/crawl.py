"""Whole crawls, beside Scrapy and Crawlee: 6,000 pages of 15 KB over 100 hosts, 40 links each.

| ratio | ours | peer |
| --- | --- | --- |
| to_scrapy_extruct_store | `gossamer crawl`: quads, graph, archive, and words that can be searched | Scrapy, extruct with all its syntaxes, a pyoxigraph store |
| without_words_to_scrapy_extruct_store | the same with `index.words=false`, as the peer keeps none | the same |
| links_to_scrapy | `gossamer crawl --only none --no-archive` | Scrapy, following links |
| links_to_crawlee | the same | Crawlee with Parsel, following links |
| archived_links_to_crawlee | `gossamer crawl --only none`, which archives every page | Crawlee, which keeps nothing |

No delay, robots.txt obeyed, all from the same seeds (each host's first page), one after the other
on one machine, with the server on the same cores. A rate counts from the first request to the end
of the process; of several rounds the best counts. Ratios that end in `_cpu` compare CPU seconds a
page, with all child processes, which other work on the machine disturbs less.

extruct takes some 50 ms a page, so that peer crawls a tenth of the pages; with `--quick`, others
crawl a part too, and its rate counts. What a crawler finds is checked: all it was sent for, and a
robots.txt of every host. The peers live in an environment of their own: `make bench` sets it up.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench import peers
from bench.crawl_cases.crawlers import Crawler, Took, crawled, crawlee, ours, scrapy
from bench.crawl_cases.server import WebServer
from bench.crawl_cases.web import PAGES_PER_HOST

OUT = Path(__file__).parent / "out"
CRAWLERS = {
    "gossamer": Crawler("Gossamer", ours()),
    "gossamer_without_words": Crawler(
        "Gossamer, without words", ours("--config", "index.words=false")
    ),
    "scrapy_extruct_store": Crawler("Scrapy, extruct, pyoxigraph", scrapy("extruct")),
    "gossamer_links": Crawler("Gossamer, links only", ours("--only", "none", "--no-archive")),
    "gossamer_archived_links": Crawler("Gossamer, links and archive", ours("--only", "none")),
    "scrapy_links": Crawler("Scrapy, links only", scrapy("links")),
    "crawlee_links": Crawler("Crawlee, links only", crawlee),
}
RATIOS = {
    "to_scrapy_extruct_store": ("gossamer", "scrapy_extruct_store"),
    "without_words_to_scrapy_extruct_store": ("gossamer_without_words", "scrapy_extruct_store"),
    "links_to_scrapy": ("gossamer_links", "scrapy_links"),
    "links_to_crawlee": ("gossamer_links", "crawlee_links"),
    "archived_links_to_crawlee": ("gossamer_archived_links", "crawlee_links"),
}


@dataclass(frozen=True, slots=True)
class Size:
    """How much is crawled."""

    hosts: int
    rounds: int
    extruct_pages: int
    link_pages: int  # of the peers that follow links
    crawlers: tuple[str, ...] = tuple(CRAWLERS)

    def most(self, name: str) -> int:
        """How many pages a crawler is sent for."""
        if name == "scrapy_extruct_store":
            return self.extruct_pages
        return self.link_pages if name in ("scrapy_links", "crawlee_links") else self.pages

    @property
    def pages(self) -> int:
        """How many there are."""
        return self.hosts * PAGES_PER_HOST


FULL = Size(hosts=100, rounds=3, extruct_pages=600, link_pages=6000)
QUICK = Size(hosts=40, rounds=1, extruct_pages=100, link_pages=600)
TINY = Size(hosts=1, rounds=1, extruct_pages=0, link_pages=0, crawlers=("gossamer",))
OURS = "gossamer"
PARTS = ("archive", "frontier", "graph", "log", "words")  # of a data folder


def measured(server: WebServer, size: Size, crawlers: Mapping[str, Crawler]) -> dict[str, Took]:
    """The best of each crawler, taken in turn."""
    best: dict[str, Took] = {}
    for _ in range(size.rounds):
        for name, crawler in crawlers.items():
            most = size.most(name)
            with tempfile.TemporaryDirectory() as folder:
                took = crawled(crawler, server, most, Path(folder))
            check(crawler, took.pages, most, server.web.pages)
            tell(crawler, took)
            if name not in best or took.seconds < best[name].seconds:
                best[name] = took
    return best


def check(crawler: Crawler, pages: int, most: int, there_are: int) -> None:
    """Make sure that all of it was found; who stops halfway may be a few pages late with it."""
    if pages < most or pages > there_are:
        raise SystemExit(f"{crawler.name} found {pages} pages, not {most}.")


def tell(crawler: Crawler, took: Took) -> None:
    print(
        f"{crawler.name:<28} {took.pages:6,} pages {took.pages_per_second:8,.1f} /s "
        f"{took.cpu_per_page * 1000:7.2f} ms CPU a page {took.cpu_seconds:7.1f} s CPU "
        f"{took.memory_bytes / 1e6:6.0f} MB {took.quads:8,} quads",
        file=sys.stderr,
    )


def ratios_of(best: Mapping[str, Took]) -> dict[str, float]:
    ratios = {}
    for name, (one, other) in RATIOS.items():
        if not {one, other} <= best.keys():
            continue
        ratios[name] = round(best[one].pages_per_second / best[other].pages_per_second, 2)
        ratios[f"{name}_cpu"] = round(best[other].cpu_per_page / best[one].cpu_per_page, 2)
        print(
            f"{name:<26} {ratios[name]:6.1f} x   CPU {ratios[f'{name}_cpu']:6.1f} x",
            file=sys.stderr,
        )
    return ratios


def figures_of(best: Mapping[str, Took]) -> dict[str, dict[str, float]]:
    return {
        name: {
            "pages": took.pages,
            "quads": took.quads,
            "pages_per_second": round(took.pages_per_second, 1),
            "cpu_seconds": round(took.cpu_seconds, 2),
            "server_cpu_seconds": round(took.server_cpu_seconds, 2),
            "cpu_ms_per_page": round(took.cpu_per_page * 1000, 2),
            "memory_mb": round(took.memory_bytes / 1e6),
            **{
                f"{part}_bytes_per_page": round(size / took.pages)
                for part, size in took.disk_bytes.items()
                if part in PARTS
            },
        }
        for name, took in best.items()
    }


def plot(best: Mapping[str, Took], path: Path) -> None:
    import matplotlib as mpl

    mpl.use("agg")
    from matplotlib import pyplot as plt

    names = [CRAWLERS[name].name for name in best]
    panels = {
        "pages a second": [took.pages_per_second for took in best.values()],
        "CPU a page (ms)": [took.cpu_per_page * 1000 for took in best.values()],
        "most memory (MB)": [took.memory_bytes / 1e6 for took in best.values()],
    }
    figure, axes = plt.subplots(1, len(panels), figsize=(14, 3.2), sharey=True)
    for axis, (title, values) in zip(axes, panels.items(), strict=True):
        bars = axis.barh(
            names, values, color=["C0" if "Gossamer" in each else "C7" for each in names]
        )
        axis.bar_label(bars, fmt="%.3g", padding=3)
        axis.set(title=title, xscale="log", xlim=(min(values) / 3, max(values) * 4))
    axes[0].invert_yaxis()
    figure.tight_layout()
    path.parent.mkdir(exist_ok=True)
    figure.savefig(path, dpi=120)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--quick", action="store_true", help="done within a minute")
    parser.add_argument("--tiny", action="store_true", help="in seconds: whether it runs at all")
    given = parser.parse_args()
    size = TINY if given.tiny else QUICK if given.quick else FULL
    crawlers = {name: CRAWLERS[name] for name in size.crawlers}
    if not given.tiny and not peers.are_here():
        crawlers = {name: each for name, each in crawlers.items() if name.startswith(OURS)}
    with WebServer(size.hosts) as server:
        best = measured(server, size, crawlers)
    ratios = ratios_of(best)
    if not given.tiny:
        plot(best, OUT / "crawl.png")
    print(json.dumps({"name": "crawl", "ratios": ratios, "figures": figures_of(best)}))


if __name__ == "__main__":
    main()
