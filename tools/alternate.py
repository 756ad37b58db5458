"""Compare the CPU a page of two crawls in turn: of two checkouts, or with options and without.

    tools/alternate.py --old ../before
    tools/alternate.py --options='--strategy depth'

Each pair is one crawl of `bench/crawl.py`'s web by the old checkout's environment (`.venv` there)
and one by this, the order changing from pair to pair, so that a machine that grows slower or busier
meets both alike. The median of the pairs' ratios counts: 1.03 means three per cent dearer.
"""

import argparse
import json
import shlex
import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.crawl_cases.crawlers import Command, Crawler, Took, crawled, ours
from bench.crawl_cases.server import WebServer


def by(python: Path, *options: str) -> Command:
    """A crawl of ours by the interpreter of a checkout."""
    command = ours(*options)

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
    parser.add_argument("--old", type=Path, help="a checkout with a .venv; without one, this")
    parser.add_argument("--options", default="", help="of `gossamer crawl`, for the new one alone")
    parser.add_argument("--both", default="", help="options for both, such as `--delay 0.1`")
    parser.add_argument("--pairs", type=int, default=7)
    parser.add_argument("--hosts", type=int, default=40, help="of sixty pages each")
    given = parser.parse_args()
    here, both = Path(sys.executable), shlex.split(given.both)
    old = here if given.old is None else given.old.resolve() / ".venv" / "bin" / "python"
    crawlers = [
        Crawler("old", by(old, *both)),
        Crawler("new", by(here, *both, *shlex.split(given.options))),
    ]
    cpu, rates = [], []
    with WebServer(given.hosts) as server:
        for number in range(given.pairs):
            order = crawlers if number % 2 == 0 else crawlers[::-1]
            took = {crawler.name: crawl(crawler, server) for crawler in order}
            before, after = took["old"], took["new"]
            cpu.append(after.cpu_per_page / before.cpu_per_page)
            rates.append(after.pages_per_second / before.pages_per_second)
            print(
                f"old {before.cpu_per_page * 1000:.2f} ms, new {after.cpu_per_page * 1000:.2f} ms a page: "
                f"{cpu[-1]:.3f}; old {before.pages_per_second:.0f}, new {after.pages_per_second:.0f} "
                f"pages/s: {rates[-1]:.3f}",
                file=sys.stderr,
            )
    ratios = {"cpu_a_page": _median(cpu), "pages_per_second": _median(rates)}
    figures = {"pairs": [round(ratio, 3) for ratio in cpu]}
    print(json.dumps({"name": "alternate", "ratios": ratios, "figures": figures}))


def _median(ratios: list[float]) -> float:
    return round(statistics.median(ratios), 3)


if __name__ == "__main__":
    main()
