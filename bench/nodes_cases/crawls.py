"""Crawls of many nodes before a server on this machine, beside as many processes of Scrapy-Redis."""

import json
import os
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from bench import peers
from bench.crawl_cases.crawlers import UNCOMPILED
from bench.fairness_cases.measures import Request
from bench.fairness_cases.server import UnequalServer
from bench.frontier_cases.nodes import server as postgres
from bench.nodes_cases.database import by_port, looked_at, socket_file
from bench.nodes_cases.wire import Wire

SLACK = 0.001  # seconds by which the server's clock may be late


@dataclass(frozen=True, slots=True)
class Took:
    """What a crawl of some nodes found and took; a page is one that was settled."""

    pages: int
    seconds: float  # from the first request to the last
    node_cpu_ms: float  # a page
    database_cpu_ms: float  # a page
    wire_bytes: float  # a page, between nodes and database
    log_bytes: float  # a page, that the database writes first
    short_gaps: int  # requests to a host before its delay was over

    @property
    def pages_per_second(self) -> float:
        """Their rate together."""
        return self.pages / self.seconds if self.seconds else 0.0


@dataclass(frozen=True, slots=True)
class Task:
    """What is crawled, and for how long."""

    delay: float
    seconds: float
    max_pages: int | None = None


def crawl_with_nodes(web: UnequalServer, task: Task, count: int) -> Took:
    """Crawl with so many nodes on one database."""
    with tempfile.TemporaryDirectory() as folder, postgres() as dsn, Wire(socket_file(dsn)) as wire:
        seeds = Path(folder) / "seeds.txt"
        seeds.write_text("\n".join(f"http://{host}/p/0" for host in web.web.hosts))
        told = ["--scope", "any", "--delay", str(task.delay), "--workers", "1", "--local-graph"]
        told += ["--connect-to", f"*.test=127.0.0.1:{web.port}", "--agent-contact", "me@a.test"]
        told += ["--frontier", by_port(dsn, wire.port), "--max-time", str(task.seconds)]
        told += ["--max-pages", str(task.max_pages)] if task.max_pages else []
        ours = [
            sys.executable,
            "-m",
            "gossamer",
            "crawl",
            "--json",
            "--config",
            "sitemaps.use=false",
        ]
        web.requests()
        with looked_at(dsn) as database:
            before, cpu = database.work(), _children_cpu()
            first = _start([*ours, f"@{seeds}", "--data", f"{folder}/0", *told])
            _until_asked(web, first)
            more = [_start([*ours, "--data", f"{folder}/{n}", *told]) for n in range(1, count)]
            _end([first, *more])
            work, pages = database.work() - before, database.settled()
        return _took(
            pages,
            _children_cpu() - cpu,
            work.cpu_seconds,
            wire.counted(),
            work.log_bytes,
            web,
            task,
        )


def crawl_with_scrapy_redis(web: UnequalServer, task: Task, count: int) -> Took | None:
    """Crawl with as many processes of Scrapy-Redis on one Redis; nothing where there is none."""
    if shutil.which("redis-server") is None:
        print(
            "Scrapy-Redis is left out: it needs redis-server (Debian: apt-get install redis-server)",
            file=sys.stderr,
        )
        return None
    with tempfile.TemporaryDirectory() as folder, _redis(Path(folder)) as (port, ask):
        script = peers.PEERS / "scrapy_redis_peer.py"
        seeds = Path(folder) / "seeds.txt"
        seeds.write_text("\n".join(web.seeds))
        numbers = [str(task.seconds), str(128), str(task.delay)]
        command: list[str | Path] = [
            peers.PYTHON,
            script,
            *numbers,
            f"redis://127.0.0.1:{port}",
            seeds,
        ]
        web.requests()
        before, cpu = ask(), _children_cpu()
        found = _end([_start([*command, str(int(n == 0))]) for n in range(count)])
        after = ask()
        bytes_ = sum(
            after[name] - before[name]
            for name in ("total_net_input_bytes", "total_net_output_bytes")
        )
        used = sum(after[name] - before[name] for name in ("used_cpu_sys", "used_cpu_user"))
        pages = sum(each["pages"] for each in found)
        return _took(pages, _children_cpu() - cpu, used, bytes_, 0, web, task)


def _took(
    pages: int,
    node_cpu: float,
    database_cpu: float,
    wire_bytes: float,
    log_bytes: float,
    web: UnequalServer,
    task: Task,
) -> Took:
    requests = web.requests()
    begun, ended = min(r.started for r in requests), max(r.ended for r in requests)
    return Took(
        pages=pages,
        seconds=ended - begun,
        node_cpu_ms=1000 * node_cpu / pages,
        database_cpu_ms=1000 * database_cpu / pages,
        wire_bytes=wire_bytes / pages,
        log_bytes=log_bytes / pages,
        short_gaps=_short_gaps(requests, task.delay),
    )


def _short_gaps(requests: Sequence[Request], delay: float) -> int:
    """How often a host was asked for a page before its delay was over."""
    by_host: dict[str, list[Request]] = defaultdict(list)
    for request in requests:
        if request.is_page:
            by_host[request.host].append(request)
    short = 0
    for asked in by_host.values():
        asked.sort(key=lambda request: request.started)
        pairs = pairwise(asked)
        short += sum(later.started - earlier.ended < delay - SLACK for earlier, later in pairs)
    return short


def _start(command: Sequence[str | Path]) -> "subprocess.Popen[str]":
    environment = {name: value for name, value in os.environ.items() if name != UNCOMPILED}
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    )


def _until_asked(web: UnequalServer, first: "subprocess.Popen[str]") -> None:
    """Wait until the first node has told the others what to do."""
    while not web.requests() and first.poll() is None:
        time.sleep(0.05)


def _end(processes: Sequence["subprocess.Popen[str]"]) -> list[dict[str, Any]]:
    """What each says in the end."""
    told = []
    for process in processes:
        said, complaints = process.communicate()
        if process.returncode not in (0, 1) or not said.strip():
            raise SystemExit(f"A node failed:\n{complaints}")
        told.append(json.loads(said.splitlines()[-1]))
    return told


def _children_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@contextmanager
def _redis(folder: Path) -> Iterator[tuple[int, Any]]:
    """A Redis server that writes to its disk once a second, and what asks it for its figures."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    options = ["--port", str(port), "--dir", str(folder), "--appendonly", "yes", "--save", ""]
    server = subprocess.Popen(["redis-server", *options], stdout=subprocess.DEVNULL)

    def ask() -> dict[str, float]:
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.sendall(b"INFO everything\r\nQUIT\r\n")
            said = b"".join(iter(lambda: connection.recv(1 << 16), b"")).decode()
        lines = (line.partition(":") for line in said.splitlines())
        wanted = ("total_net_", "used_cpu_")
        return {name: float(value) for name, _, value in lines if name.startswith(wanted)}

    try:
        for _ in range(600):
            with socket.socket() as attempt:
                if not attempt.connect_ex(("127.0.0.1", port)):
                    break
            time.sleep(0.05)
        yield port, ask
    finally:
        server.terminate()
        server.wait()
