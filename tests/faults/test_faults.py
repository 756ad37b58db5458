"""Whatever happens to the nodes of a crawl: every page is settled once, no host is lost, no gap is shortened.

Four nodes for ten minutes in `make soak`; three for some seconds otherwise. The plan of what goes wrong is printed:
GOSSAMER_TEST_SEED makes another, or the same once more.
"""

import asyncio
import json
import os
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import psycopg
import pytest
from tests.crawl.commands import until
from tests.crawl.nodes import graph
from tests.faults.cluster import Cluster, cluster, faketime, logs
from tests.faults.network import ADDRESSES, NODES, network, within
from tests.faults.plan import Kind, draw
from tests.faults.web import GrowingWeb, body_of, digest_of, page_of, url_of, version_in
from tests.frontier.server import running

from gossamer.demo.accesslog import Access, audit

SEED = int(os.environ.get("GOSSAMER_TEST_SEED", "22"))
DATABASE = "crawl"
STANDBY = 5_433  # port
LEASE = 6  # seconds: longer than twice the longest request


@dataclass(frozen=True)
class Size:
    """How much happens to how many."""

    nodes: int
    hosts: int
    delay: float
    faults: int
    shortest: float
    longest: float


SMALL = Size(nodes=3, hosts=9, delay=0.25, faults=0, shortest=0.5, longest=2.5)
FULL = Size(nodes=4, hosts=40, delay=1.0, faults=52, shortest=4, longest=40)


def order(size: Size, web: GrowingWeb) -> tuple[str, ...]:
    """What every node is told."""
    config = {
        "frontier.lease": f"{LEASE}s",
        "fetch.connect_timeout": "1s",
        "fetch.first_byte_timeout": "1s",
        "fetch.total_timeout": "2s",
        "politeness.slowness": 0,
        # Whoever is cut off from the web has no fault to find with its pages.
        "crawl.attempts": 10_000,
        "politeness.backoff_first": "200ms",
        "politeness.backoff_most": "2s",
        "crawl.concurrency": max(2, size.hosts // size.nodes),
        "sitemaps.use": "false",
        "scope.kind": "any",
        "crawl.min_free_disk": 0,  # it is full to the last byte, and waited out
    }
    told = [word for key, value in config.items() for word in ("--config", f"{key}={value}")]
    reach = ("--connect-to", web.connect_to, "--agent-contact", "me@a.test")
    return (
        url_of(0, 0),
        *reach,
        "--delay",
        str(size.delay),
        "--workers",
        "1",
        "--local-graph",
        *told,
    )


@pytest.mark.timeout(3_600)
def test_whatever_happens_to_nodes_every_page_is_there_once_and_no_gap_is_shortened(
    full_size: bool, tmp_path: Path
) -> None:
    size = FULL if full_size else SMALL
    missing = {Kind.CLOCK} if faketime() is None else set[Kind]()
    missing |= set() if full_size else {Kind.FAILOVER}  # a second server takes seconds
    kinds = [kind for kind in Kind if kind not in missing]
    plan = draw(SEED, size.nodes, kinds, size.faults, size.shortest, size.longest)
    say(f"seed {SEED}, {size}", *map(str, plan))
    with ExitStack() as life:
        net = life.enter_context(network(size.nodes))
        server = life.enter_context(running())
        server.require_own()
        with psycopg.connect(server.dsn, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {DATABASE}")
        address = psycopg.conninfo.make_conninfo(server.dsn, dbname=DATABASE)
        dsn = within(net.hub, lambda: server.listen(ADDRESSES["db"], NODES))
        web = within(
            net.hub,
            lambda: life.enter_context(
                GrowingWeb(ADDRESSES["web"], size.hosts, tmp_path / "access.log")
            ),
        )
        short = {"connect_timeout": 3, "tcp_user_timeout": 4_000}  # as long as a lease about
        nodes_dsn = psycopg.conninfo.make_conninfo(dsn, dbname=DATABASE, **short)
        standby = None
        if full_size:
            made = server.standby(ADDRESSES["db"], STANDBY)
            standby = within(net.hub, lambda: life.enter_context(made))
            both = {"host": f"{ADDRESSES['db']},{ADDRESSES['db']}", "port": f"5432,{STANDBY}"}
            nodes_dsn = psycopg.conninfo.make_conninfo(nodes_dsn, **both)
        together = life.enter_context(
            cluster(net, server, nodes_dsn, address, size.nodes, order(size, web))
        )
        together.standby = standby
        try:
            together.nodes[0].start()
            until(lambda: sum(1 for _ in web.accesses()) > 3)  # the crawl has its options
            for node in together.nodes[1:]:
                node.start()
            until(lambda: hosts_seen(web.accesses()) == size.hosts)
            together.run(plan)
            last = web.close()
            summaries = [node.finish() for node in together.nodes]
            assert {each["ended"] for each in summaries} == {"done"}
            check(together, together.address, web, last, size.delay)
        except BaseException:
            say(*map(logs, together.nodes))
            raise


def check(
    together: Cluster, address: str, web: GrowingWeb, last: dict[int, int], delay: float
) -> None:
    """What there is to be found, beside what was found, and how hosts were treated."""
    with psycopg.connect(address) as connection:
        connection.execute("SET search_path TO gossamer")
        rows = connection.execute("SELECT url, ended, digest FROM pages").fetchall()
        held = connection.execute(
            "SELECT host, lease_node FROM hosts WHERE lease_token IS NOT NULL"
        )
        assert not held.fetchall()
    truth = {url_of(host, n) for host, end in last.items() for n in range(end + 1)}
    assert {url for url, _, _ in rows} == truth  # no host is lost, nor any page
    assert [row for row in rows if row[1] != "content"] == []
    log = list(web.accesses())
    asked = Counter(f"http://{access.host}{access.path}" for access in log)
    graphs = [version_in(asyncio.run(graph(node.data))[1]) for node in together.nodes]
    for url, _, digest in rows:
        settled = settled_version(url, bytes(digest), asked[url], last)
        versions = [found[url] for found in graphs if url in found]
        # In one graph alone, where it was replaced as a whole.
        assert versions == [[settled]], (url, settled, versions)
    assert {url for found in graphs for url in found} == truth
    again = sum(asked[url] - 1 for url in truth)
    gaps = {host: seen for host, seen in audit(log).items() if seen.smallest_gap is not None}
    smallest = min(seen.smallest_gap or 0.0 for seen in gaps.values())
    figures = {
        "pages": len(truth),
        "asked again": again,
        "smallest gap": round(smallest, 3),
    }
    say(json.dumps(figures))
    for host, seen in gaps.items():
        assert seen.most_in_flight == 1, (host, around(log, host))
        assert seen.smallest_gap is not None
        assert seen.smallest_gap >= delay, (host, seen, around(log, host))


def settled_version(url: str, digest: bytes, most: int, last: dict[int, int]) -> int:
    """Which of the answers for a page was settled."""
    host, number = page_of(url)
    for version in range(1, most + 1):
        if digest_of(body_of(host, number, version, last[host], len(last))) == digest:
            return version
    raise AssertionError(f"what was settled for {url} is no answer that was sent")


def around(log: Sequence[Access], host: str) -> list[tuple[float, float, str]]:
    """The two requests with the smallest gap between them, and those beside them."""
    seen = sorted((a.arrived, a.ended, a.path) for a in log if a.host == host)
    gaps = [later[0] - earlier[1] for earlier, later in pairwise(seen)]
    place = gaps.index(min(gaps))
    return seen[max(0, place - 2) : place + 4]


def hosts_seen(log: Iterable[Access]) -> int:
    """How many hosts were asked so far."""
    return len({access.host for access in log})


def say(*lines: str) -> None:
    """Print for those who read the output of a test that failed, or of `make soak`."""
    sys.stderr.write("\n".join((*lines, "")))
