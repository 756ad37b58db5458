"""Good hosts beside hostile ones that try every attack at once: `bench/hostile.py`, small."""

import os
import sqlite3
import time
from contextlib import suppress
from pathlib import Path

import psutil
from bench.hostile_cases.exactness import differences, settled_good_pages
from bench.hostile_cases.server import HostileServer
from bench.hostile_cases.web import ATTACKS, BAD, Web
from tests.crawl.commands import CrawlCommand
from tests.slowness import patience

MOST_OWNER_BYTES = 400_000_000
MOST_DISK_BYTES = 200_000_000
PATIENCE = patience(100)  # seconds; a crawl that takes longer hangs
WEB = Web(good=4, bad=2, pages=30, weight=0.05)


def test_hostile_hosts_cost_good_ones_nothing_but_time(tmp_path: Path) -> None:
    """All good pages are read exactly, within bounds of memory and disk, and a stop ends it."""
    data = tmp_path / "data"
    with HostileServer(WEB) as server:
        options = ["--scope", "any", "--delay", "0.1", "--connect-to", server.connect_to]
        seeds = WEB.seeds(hostile=True)
        with CrawlCommand(data, *seeds, *options) as crawl:
            owner = psutil.Process(crawl.process.pid)
            most = 0
            deadline = time.monotonic() + PATIENCE
            while settled(data) < WEB.good * WEB.pages:
                assert crawl.process.poll() is None, crawl.words
                assert time.monotonic() < deadline, server.asked()
                most = max(most, owner.memory_info().rss)
                time.sleep(0.1)
            crawl.interrupt()
            crawl.summary(PATIENCE)
        asked = server.asked()
    assert differences(data, WEB) == []
    assert most < MOST_OWNER_BYTES
    assert size_of(data) < MOST_DISK_BYTES
    hostile = sum(count for host, count in asked.items() if BAD in host)
    assert hostile >= len(ATTACKS), "the hostile hosts had their turns too"


def settled(data: Path) -> int:
    """How many good pages are settled by now; none while there is no frontier yet."""
    with suppress(sqlite3.OperationalError):
        return len(settled_good_pages(data))
    return 0


def size_of(folder: Path) -> int:
    """The bytes of all files below a folder."""
    return sum(
        (Path(where) / name).stat().st_size for where, _, names in os.walk(folder) for name in names
    )
