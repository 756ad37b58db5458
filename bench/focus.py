"""How soon a crawl finds what is wanted: things by requests, of our learned order, breadth-first and two others.

The real frontier over SQLite hands out the pages of webs whose wanted pages are known, and settles them, in virtual
time (`focus_cases`). Wanted pages are 1 %, 6 % and 30 % of all, in clusters as sites have them (sections, categories,
archives behind hubs, URLs that tell nothing, hosts) or against us (decoys, and no pattern at all).

| order | what it is |
| --- | --- |
| focus | `--want`: learned while crawling, without training |
| breadth | the default |
| best | `--strategy best`: links on pages with much data first |
| static | a classifier of URLs by their words, trained beforehand on another web of the kind |

Figures: requests until half and 90 % of the wanted pages are there, of each order; CPU milliseconds a page. Ratios are
our requests for 90 % by those of breadth-first (0.3 at most is asked at 6 % in clusters, 1.05 at most anywhere), and,
for many hosts, the share of wanted pages among the first quarter of all requests beside breadth-first's.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.focus_cases.crawls import WorldCrawl, trained
from bench.focus_cases.worlds import ADVERSARIAL, CLUSTERED

HERE = Path(__file__).resolve().parent
MEMORY = Path("/dev/shm")  # where a database waits for no disk
ORDERS = ("focus", "breadth", "best", "static")
Counts = Mapping[str, Sequence[int]]  # wanted pages so far after each request, by order


@dataclass(frozen=True, slots=True)
class Size:
    """How much is crawled."""

    pages: int
    shares: tuple[float, ...]
    worlds: tuple[str, ...]
    orders: tuple[str, ...] = ORDERS
    seeds: tuple[int, ...] = (1,)


ALL = (*CLUSTERED, *ADVERSARIAL)
FULL = Size(1_500, (0.01, 0.06, 0.3), ALL)
QUICK = Size(1_500, (0.06,), ALL, ("focus", "breadth"))
TINY = Size(240, (0.06,), ("sections", "scattered"), ("focus", "breadth"))


def measure(size: Size, name: str, share: float, seed: int) -> tuple[Counts, dict[str, float]]:
    """Crawl one world in each order; CPU milliseconds a page beside."""
    make = {**CLUSTERED, **ADVERSARIAL}[name]
    world = make(size.pages, share, seed)
    weights = trained(make(size.pages // 4, share, seed + 1_000))
    counts: dict[str, Sequence[int]] = {}
    took: dict[str, float] = {}
    for order in size.orders:
        place = MEMORY if MEMORY.is_dir() else None
        with tempfile.TemporaryDirectory(dir=place) as folder:
            begun = time.process_time()
            counts[order] = WorldCrawl(world, order, Path(folder), weights).run(1 << 30)
            took[order] = 1000 * (time.process_time() - begun) / max(len(counts[order]), 1)
    return counts, took


def requests_for(counts: Sequence[int], share: float) -> int:
    """Requests until so much of what is wanted was found."""
    wanted = share * counts[-1]
    return next(number for number, found in enumerate(counts, 1) if found >= wanted)


def draw(found: Mapping[tuple[str, float], Counts], file: Path) -> None:
    """Wanted pages by requests, a panel a world and share."""
    import matplotlib as mpl

    mpl.use("agg")
    from matplotlib import pyplot as plt

    shares = sorted({share for _, share in found})
    names = list(dict.fromkeys(name for name, _ in found))
    figure, axes = plt.subplots(
        len(shares), len(names), figsize=(3 * len(names), 2.4 * len(shares)), squeeze=False
    )
    for (name, share), counts in found.items():
        axis = axes[shares.index(share)][names.index(name)]
        for order, series in counts.items():
            axis.plot(series, label=order, linewidth=2 if order == "focus" else 1)
        axis.set_title(f"{name}, {share:.0%}", fontsize=8)
        axis.tick_params(labelsize=6)
    axes[0][0].legend(fontsize=6)
    figure.supxlabel("requests")
    figure.supylabel("wanted pages")
    figure.tight_layout()
    file.parent.mkdir(exist_ok=True)
    figure.savefig(file, dpi=120)


def main() -> None:
    """Measure, tell and draw."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--quick", action="store_true", help="done within a minute")
    parser.add_argument("--tiny", action="store_true", help="in seconds: whether it runs at all")
    parser.add_argument("--pages", type=int, help="of each world")
    parser.add_argument("--worlds", help="their names, with commas")
    given = parser.parse_args()
    size = TINY if given.tiny else QUICK if given.quick else FULL
    pages = given.pages or size.pages
    worlds = tuple(given.worlds.split(",")) if given.worlds else size.worlds
    size = Size(pages, size.shares, worlds, size.orders, size.seeds)
    found: dict[tuple[str, float], Counts] = {}
    figures: dict[str, object] = {}
    ratios: dict[str, float] = {}
    for share in size.shares:
        for name in size.worlds:
            counts, took = measure(size, name, share, size.seeds[0])
            found[name, share] = counts
            key = f"{name}_{share:.0%}"
            at = {
                order: {
                    "half": requests_for(series, 0.5),
                    "most": requests_for(series, 0.9),
                    "all": len(series),
                    "wanted": series[-1],
                    "ms": round(took[order], 2),
                }
                for order, series in counts.items()
            }
            figures[key] = at
            ratios[key] = round(at["focus"]["most"] / at["breadth"]["most"], 3)
            if name == "hosts":
                quarter = len(counts["focus"]) // 4
                ratios[f"{key}_harvest"] = round(
                    counts["focus"][quarter] / max(counts["breadth"][quarter], 1), 2
                )
            told = ", ".join(f"{order} {each['most']:,}" for order, each in at.items())
            print(f"{key:18} 90 % after {told}", file=sys.stderr, flush=True)
    if not given.tiny:
        draw(found, HERE / "out" / "focus.png")
    print(json.dumps({"name": "focus", "ratios": ratios, "figures": figures}))


if __name__ == "__main__":
    main()
