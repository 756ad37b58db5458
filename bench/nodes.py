"""Many nodes on one PostgreSQL: 1, 2, 4 and 8 of them crawl 2,000 hosts with a delay, and what that costs the database.

| figure | what it is |
| --- | --- |
| nodes_N_pages_s | pages a second of N nodes together |
| nodes_N_cpu_ms | CPU a page, of all processes of all nodes |
| nodes_N_database_cpu_ms | CPU a page, of all processes of the PostgreSQL server |
| nodes_N_wire_bytes | bytes a page between nodes and database, in both directions |
| nodes_N_log_bytes | bytes a page of the database's write-ahead log |
| nodes_N_short_gaps | requests to a host before its delay was over, as the hosts saw them |
| alone_N_pages_s, alone_N_database_cpu_ms | N processes that lease and settle, ten links a page, and fetch nothing |
| database_bytes_per_url | bytes on the database's disk for each URL that is known |
| database_pages_s_a_core | pages a second that one core of the database serves, by its CPU a page in the largest crawl |
| redis_N_… | as many processes of Scrapy-Redis on one Redis, with its settings for many hosts |

Nodes, database and web share this machine's cores. So pages a second of many nodes say how busy the machine was, and
nothing about nodes on machines of their own; CPU and bytes a page carry over. Ratios: `database_cpu_8_to_1` is by how much a page costs the
database more with the most nodes than with one (1 is perfect); `node_cpu_8_to_1` the same of the nodes; `to_scrapy_redis_cpu` what a page
costs Scrapy-Redis by what it costs us (with archive, graph, words; its processes keep nothing).
"""

import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench import peers
from bench.fairness_cases.server import UnequalServer
from bench.fairness_cases.web import Web
from bench.frontier_cases.nodes import cycles
from bench.frontier_cases.nodes import server as postgres
from bench.nodes_cases.crawls import Task, Took, crawl_with_nodes, crawl_with_scrapy_redis
from bench.nodes_cases.database import looked_at

from gossamer.processes.interpreter import set_for_crawling


@dataclass(frozen=True, slots=True)
class Size:
    """How much is crawled, by how many, and how long."""

    hosts: int
    nodes: tuple[int, ...]
    task: Task
    alone: tuple[int, ...]  # processes that fetch nothing
    alone_seconds: float
    peers: tuple[int, ...]  # processes of Scrapy-Redis


FULL = Size(2_000, (1, 2, 4, 8), Task(delay=1, seconds=40), (1, 2, 4, 8), 15, (1, 4))
QUICK = Size(2_000, (1, 4), Task(delay=1, seconds=7), (4,), 3, (4,))
TINY = Size(12, (2,), Task(delay=0, seconds=60, max_pages=24), (1,), 0.5, ())


def tell(name: str, took: Took) -> dict[str, float]:
    """Print what a crawl took; its figures."""
    figures = {
        "pages_s": took.pages_per_second,
        "cpu_ms": took.node_cpu_ms,
        "database_cpu_ms": took.database_cpu_ms,
        "wire_bytes": took.wire_bytes,
        "log_bytes": took.log_bytes,
        "short_gaps": took.short_gaps,
    }
    say(f"{name:<10}{took.pages:8,} pages" + "".join(f"{v:12,.2f} {k}" for k, v in figures.items()))
    return {f"{name}_{key}": round(value, 3) for key, value in figures.items()}


def alone(processes: int, seconds: float, hosts: int) -> dict[str, float]:
    """Lease and settle, and fetch nothing: what the database makes of that."""
    with postgres() as dsn, looked_at(dsn) as database:
        before = database.work()
        pages, lasted, short = cycles(dsn, processes, seconds, hosts, together=5)
        work = database.work() - before
        figures = {
            "pages_s": pages / lasted,
            "database_cpu_ms": 1000 * work.cpu_seconds / pages,
            "log_bytes": work.log_bytes / pages,
            "short_gaps": short,
            "bytes_per_url": database.size() / database.known(),
        }
    name = f"alone_{processes}"
    say(f"{name:<10}{pages:8,} pages" + "".join(f"{v:12,.2f} {k}" for k, v in figures.items()))
    return {f"{name}_{key}": round(value, 3) for key, value in figures.items()}


def say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--quick", action="store_true", help="done within a minute")
    parser.add_argument("--tiny", action="store_true", help="in seconds: whether it runs at all")
    given = parser.parse_args()
    size = TINY if given.tiny else QUICK if given.quick else FULL
    figures: dict[str, float] = {}
    ratios: dict[str, float] = {}
    taken: dict[int, Took] = {}
    with UnequalServer(Web(good=size.hosts, endless=0, broken=0)) as web:
        for count in size.nodes:
            taken[count] = crawl_with_nodes(web, size.task, count)
            figures |= tell(f"nodes_{count}", taken[count])
        for count in size.peers if size.peers and peers.are_here() else ():
            if (theirs := crawl_with_scrapy_redis(web, size.task, count)) is not None:
                figures |= tell(f"redis_{count}", theirs)
                ours = taken[count]
                ratios["to_scrapy_redis_cpu"] = theirs.node_cpu_ms / ours.node_cpu_ms
                ratios["to_scrapy_redis_wire_bytes"] = theirs.wire_bytes / ours.wire_bytes
    for count in size.alone:
        figures |= alone(count, size.alone_seconds, size.hosts)
    least, most = min(taken), max(taken)
    largest = taken[most]
    figures["database_bytes_per_url"] = figures[f"alone_{max(size.alone)}_bytes_per_url"]
    figures["database_pages_s_a_core"] = round(1000 / largest.database_cpu_ms, 1)
    many = f"{most}_to_{least}"
    ratios[f"database_cpu_{many}"] = largest.database_cpu_ms / taken[least].database_cpu_ms
    ratios[f"node_cpu_{many}"] = largest.node_cpu_ms / taken[least].node_cpu_ms
    rounded = {name: round(value, 3) for name, value in ratios.items()}
    print(json.dumps({"name": "nodes", "ratios": rounded, "figures": figures}))


if __name__ == "__main__":
    with set_for_crawling():
        main()
