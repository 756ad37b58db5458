"""Compare the CPU a page of two checkouts, crawled in turn: `tools/alternate.py --old ../before`.

Each pair is one crawl of `bench/crawl.py`'s web by the old checkout's environment (`.venv` there)
and one by this, the order changing from pair to pair, so that a machine that grows slower or busier
meets both alike. The median of the pairs' ratios counts: 1.03 means three per cent dearer.
"""

import argparse
import json
import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.crawl_cases.crawlers import Command, Crawler, Took, crawled, ours
from bench.crawl_cases.server import WebServer


def by(python: Path) -> Command:
    """A crawl of ours by the interpreter of a checkout."""
    command = ours()

    def run(server: WebServer, most: int, folder: Path) -> list[str | Path]:
        return [python, *command(server, most, folder)[1:]]

    return run


def crawl(crawler: Crawler, server: WebServer) -> Took:
    """One crawl of the whole web, in a folder that is removed."""
    with tempfile.TemporaryDirectory() as folder:
        return crawled(crawler, server, server.web.pages, Path(folder))


def main() -> None:
    """Crawl in pairs, print each, and end with one line of JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--old", type=Path, required=True, help="a checkout with a .venv")
    parser.add_argument("--pairs", type=int, default=7)
    parser.add_argument("--hosts", type=int, default=40, help="of sixty pages each")
    given = parser.parse_args()
    crawlers = [
        Crawler("old", by(given.old.resolve() / ".venv" / "bin" / "python")),
        Crawler("new", by(Path(sys.executable))),
    ]
    ratios = []
    with WebServer(given.hosts) as server:
        for number in range(given.pairs):
            order = crawlers if number % 2 == 0 else crawlers[::-1]
            took = {crawler.name: crawl(crawler, server).cpu_per_page for crawler in order}
            ratios.append(took["new"] / took["old"])
            print(
                f"old {took['old'] * 1000:.2f} ms, new {took['new'] * 1000:.2f} ms a page: "
                f"{ratios[-1]:.3f}",
                file=sys.stderr,
            )
    figures = {"pairs": [round(ratio, 3) for ratio in ratios]}
    median = round(statistics.median(ratios), 3)
    print(json.dumps({"name": "alternate", "ratios": {"cpu_a_page": median}, "figures": figures}))


if __name__ == "__main__":
    main()
