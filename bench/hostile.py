"""A crawl of good hosts alone, and of the same hosts beside hostile ones.

Fifteen good hosts and five hostile ones, five minutes each at a delay of one second. Every hostile
host tries all the attacks of `hostile_cases/web.py` in turn, without end. The ratio is of good
pages in that time: 1 means that the good hosts did not notice. What the crawl keeps of the good
hosts is checked: every page that it settled says exactly what the page says. The most memory of the
owner's process and of all processes together, and the size of the data folder, are figures.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.hostile_cases.exactness import differences, settled_good_pages
from bench.hostile_cases.server import HostileServer
from bench.hostile_cases.web import GOOD, Web

LOOK = 0.5  # seconds between two looks at memory and disk


@dataclass(frozen=True, slots=True)
class Size:
    """How much is crawled, and how long."""

    web: Web
    seconds: int
    delay: float
    max_disk: str
    max_pages: int | None = None  # for who cares about no more than that it runs
    crawls: tuple[str, ...] = ("alone", "beside hostile")


FULL = Size(Web(good=15, bad=5, pages=1_000), seconds=300, delay=1, max_disk="2GiB")
QUICK = Size(Web(good=6, bad=2, pages=1_000, weight=0.2), seconds=20, delay=1, max_disk="1GiB")
TINY = Size(
    Web(good=2, bad=1, pages=4, weight=0.001),
    seconds=60,
    delay=0.1,
    max_disk="1GiB",
    max_pages=12,
    crawls=("beside hostile",),
)


@dataclass(frozen=True, slots=True)
class Took:
    """One crawl, as seen from outside."""

    good_requests: int
    bad_requests: int
    settled: int  # good pages
    wrong: int  # of those, pages whose statements are not what the page says
    owner_bytes: int
    all_bytes: int
    disk_bytes: int
    summary: dict[str, object]


def crawl(size: Size, *, hostile: bool, folder: Path) -> Took:
    """Crawl for the given time."""
    with HostileServer(size.web) as server:
        seeds = folder / "seeds.txt"
        seeds.write_text("\n".join(size.web.seeds(hostile=hostile)))
        command = [sys.executable, "-m", "gossamer", "crawl", f"@{seeds}", "--json"]
        command += ["--data", str(folder / "data"), "--scope", "any", "--delay", str(size.delay)]
        command += ["--connect-to", server.connect_to, "--max-time", str(size.seconds)]
        command += ["--config", f"crawl.max_disk={size.max_disk}"]
        if size.max_pages is not None:
            command += ["--max-pages", str(size.max_pages)]
        with (folder / "stderr").open("w") as stderr:
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=stderr, text=True)
            watch = Watch(process.pid, folder / "data")
            said, _ = process.communicate()
        watch.join()
        if process.returncode:
            raise SystemExit(f"The crawl failed:\n{(folder / 'stderr').read_text()}")
        asked = server.asked()
    good = sum(count for host, count in asked.items() if host.startswith(GOOD))
    return Took(
        good_requests=good,
        bad_requests=asked.total() - good,
        settled=len(settled_good_pages(folder / "data")),
        wrong=len(differences(folder / "data", size.web)),
        owner_bytes=watch.owner_bytes,
        all_bytes=watch.all_bytes,
        disk_bytes=watch.disk_bytes,
        summary=json.loads(said.splitlines()[-1]),
    )


class Watch(threading.Thread):
    """Looks at memory and disk of a crawl until its process has ended."""

    def __init__(self, pid: int, folder: Path) -> None:
        super().__init__(daemon=True)
        self._process = psutil.Process(pid)
        self._folder = folder
        self.owner_bytes = 0
        self.all_bytes = 0
        self.disk_bytes = 0
        self.start()

    def run(self) -> None:
        """Keep the largest of what is seen."""
        with suppress(psutil.NoSuchProcess):
            while self._process.is_running() and self._process.status() != psutil.STATUS_ZOMBIE:
                owner = self._process.memory_info().rss
                family = self._process.children(recursive=True)
                self.owner_bytes = max(self.owner_bytes, owner)
                self.all_bytes = max(self.all_bytes, owner + sum(map(_resident, family)))
                self.disk_bytes = max(self.disk_bytes, _size(self._folder))
                time.sleep(LOOK)


def _resident(process: psutil.Process) -> int:
    with suppress(psutil.NoSuchProcess):
        return int(process.memory_info().rss)
    return 0


def _size(folder: Path) -> int:
    total = 0
    for where, _, names in os.walk(folder):
        for name in names:
            with suppress(FileNotFoundError):
                total += (Path(where) / name).lstat().st_size
    return total


def tell(name: str, took: Took) -> None:
    print(
        f"{name:<18} {took.good_requests:6,} good requests {took.settled:6,} settled "
        f"{took.wrong} wrong {took.bad_requests:6,} hostile requests, owner "
        f"{took.owner_bytes / 1e6:4.0f} MB, all {took.all_bytes / 1e6:5.0f} MB, "
        f"disk {took.disk_bytes / 1e6:6.0f} MB",
        file=sys.stderr,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="done within a minute")
    parser.add_argument("--tiny", action="store_true", help="in seconds: whether it runs at all")
    parser.add_argument("--keep", type=Path, help="keep the data folders below this one")
    given = parser.parse_args()
    size = TINY if given.tiny else QUICK if given.quick else FULL
    took = {}
    for name in size.crawls:
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(given.keep / name.split()[0] if given.keep else temporary)
            folder.mkdir(parents=True, exist_ok=True)
            took[name] = crawl(size, hostile=name != "alone", folder=folder)
        tell(name, took[name])
    beside, ratios = took["beside hostile"], {}
    if "alone" in took:
        ratio = beside.settled / took["alone"].settled
        ratios["good_pages_beside_hostile"] = round(ratio, 3)
    figures = {
        "good_pages": beside.settled,
        "wrong_pages": beside.wrong,
        "owner_mb": round(beside.owner_bytes / 1e6),
        "all_processes_mb": round(beside.all_bytes / 1e6),
        "disk_mb": round(beside.disk_bytes / 1e6),
        "hostile_requests": beside.bad_requests,
    }
    print(json.dumps({"name": "hostile", "ratios": ratios, "figures": figures}))


if __name__ == "__main__":
    main()
