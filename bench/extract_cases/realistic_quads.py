"""Realistic pages, every syntax: to quads by us, to dictionaries by extruct.

Run as a module with `ours` or `peer`, it reads all pages once and prints the most memory that took,
in a process that has loaded that side alone.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

from bench.extract_cases.realistic import RealisticPage, pages

SIDES = ("ours", "peer")


def ours(page: RealisticPage) -> int:
    """How many statements we find."""
    from gossamer.reading.extraction import extract_page
    from gossamer.reading.jobs import PageJob

    return extract_page(PageJob(page.url, page.body, "text/html", find_links=False)).count


def peer(page: RealisticPage) -> int:
    """How many top-level items extruct finds in all its syntaxes."""
    import extruct

    found = extruct.extract(page.body.decode(), base_url=page.url, errors="ignore")
    return sum(map(len, found.values()))


def memory_mb(largest: int) -> dict[str, float]:
    """The most memory of a process that reads all pages, by side."""
    root = Path(__file__).resolve().parents[2]
    command = [sys.executable, "-m", "bench.extract_cases.realistic_quads"]
    told = {}
    for side in SIDES:
        done = subprocess.run(
            [*command, side, str(largest)], cwd=root, capture_output=True, text=True, check=True
        )
        told[f"{side}_memory_mb"] = round(json.loads(done.stdout), 1)
    return told


def peak_mb() -> float:
    """The most memory that this process had."""
    # Not `ru_maxrss`: a process begins with that of whoever started it.
    most = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
    return int(most[1]) / 1024 if most else 0


def main(side: str, largest: int) -> None:
    import logging
    import warnings

    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    work = {"ours": ours, "peer": peer}[side]
    for page in pages(largest):
        work(page)
    print(peak_mb())


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
