"""The crawlers that are compared: how each is started, and what one crawl of it took."""

import json
import os
import resource
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil
from bench import peers
from bench.crawl_cases.server import WebServer

LOOK = 0.1  # seconds between two looks at the memory
UNCOMPILED = "PYTHONDONTWRITEBYTECODE"  # with which modules are compiled at every start

Command = Callable[[WebServer, int, Path], Sequence[str | Path]]


@dataclass(frozen=True, slots=True)
class Crawler:
    """How a crawl of so many pages is started."""

    name: str
    command: Command


@dataclass(frozen=True, slots=True)
class Took:
    """What one crawl found and took."""

    pages: int
    quads: int
    seconds: float  # from its first request to the end of the process
    cpu_seconds: float  # of the process and all it started, from its start to its end
    server_cpu_seconds: float
    memory_bytes: int  # most, of all its processes together
    disk_bytes: Mapping[str, int]  # in its data folder at the end, by part

    @property
    def pages_per_second(self) -> float:
        """Its rate."""
        return self.pages / self.seconds

    @property
    def cpu_per_page(self) -> float:
        """Seconds."""
        return self.cpu_seconds / self.pages


def ours(*options: str) -> Command:
    """A crawl of ours."""

    def command(server: WebServer, most: int, folder: Path) -> list[str | Path]:
        assert most == server.web.pages, "ours goes to the end"
        seeds = folder / "seeds.txt"
        seeds.write_text("\n".join(server.web.seeds))
        gossamer = [sys.executable, "-m", "gossamer", "crawl", f"@{seeds}", "--json"]
        where = ["--scope", "any", "--delay", "0", "--connect-to", f"*.test={server.address}"]
        return [*gossamer, *where, "--data", folder / "data", *options]

    return command


def scrapy(kind: str) -> Command:
    """A crawl of Scrapy's."""

    def command(server: WebServer, most: int, folder: Path) -> list[str | Path]:
        script = peers.PEERS / "scrapy_peer.py"
        return [peers.PYTHON, script, kind, str(most), folder, *server.web.seeds]

    return command


def crawlee(server: WebServer, most: int, folder: Path) -> list[str | Path]:
    """A crawl of Crawlee's."""
    script = peers.PEERS / "crawlee_peer.py"
    return [peers.PYTHON, script, str(most), server.address, *server.web.seeds]


def crawled(crawler: Crawler, server: WebServer, most: int, folder: Path) -> Took:
    """Run one crawl to its end."""
    before, cpu = server.tally(), _children_cpu()
    command = crawler.command(server, most, folder)
    # The peers were compiled when they were installed; ours is to be compiled no more than once.
    environment = {name: value for name, value in os.environ.items() if name != UNCOMPILED}
    process = subprocess.Popen(
        command,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )
    memory = _Memory(process.pid)
    said, complaints = process.communicate()
    ended, after = time.monotonic(), server.tally()
    if process.returncode:
        raise SystemExit(f"{crawler.name} failed:\n{complaints}")
    found = json.loads(said.splitlines()[-1])
    assert after.first_at is not None
    if after.robots < min(most, server.web.hosts):
        raise SystemExit(f"{crawler.name} asked for {after.robots} robots.txt files only.")
    return Took(
        pages=found["pages"],
        quads=found.get("quads", 0),
        seconds=ended - after.first_at,
        cpu_seconds=_children_cpu() - cpu,
        server_cpu_seconds=after.cpu_seconds - before.cpu_seconds,
        memory_bytes=memory.most(),
        disk_bytes=_disk(folder / "data"),
    )


def _disk(data: Path) -> dict[str, int]:
    """How many bytes each part of a data folder has."""
    sizes: Counter[str] = Counter()
    for file in data.rglob("*"):
        if file.is_file():
            sizes[file.relative_to(data).parts[0].partition(".")[0]] += file.stat().st_size
    return dict(sizes)


def _children_cpu() -> float:
    """Of all that was started from here and has ended, with what that started."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class _Memory:
    """Looks at a process and its children, in a thread, until they have ended."""

    def __init__(self, pid: int) -> None:
        self._most = 0
        self._thread = threading.Thread(target=self._watch, args=(pid,), daemon=True)
        self._thread.start()

    def most(self) -> int:
        """The most they had at one time."""
        self._thread.join()
        return self._most

    def _watch(self, pid: int) -> None:
        try:
            process = psutil.Process(pid)
            while process.is_running():
                self._most = max(self._most, _resident(process))
                time.sleep(LOOK)
        except psutil.NoSuchProcess:
            return


def _resident(process: psutil.Process) -> int:
    total = 0
    for each in (process, *process.children(recursive=True)):
        try:
            total += each.memory_info().rss
        except psutil.NoSuchProcess:  # it ended just now
            continue
    return total
