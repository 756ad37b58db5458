"""Many nodes on one crawl: what they find together is what the world says, whatever happens to them."""

import asyncio
import json
from collections import Counter
from contextlib import ExitStack, closing
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pyoxigraph as ox
import pytest
from tests.cli.conftest import Gossamer, here
from tests.conftest import empty_database
from tests.crawl.commands import CrawlCommand
from tests.crawl.comparing import (
    Case,
    assert_manners,
    assert_outcomes,
    assert_quads,
    assert_truth,
    by_graph,
    right_graphs,
)
from tests.crawl.crawls import PATIENCE
from tests.crawl.door import Door, Held
from tests.crawl.nodes import CASE, demo, ended, folders, nodes, order, result, some_pages
from tests.crawl.test_truth import drawn
from tests.frontier.server import Server
from tests.index.server.oxigraph import Oxigraph

from gossamer.cli.run_crawl import is_away
from gossamer.config import Config
from gossamer.crawl import build
from gossamer.crawl.build import open_crawl
from gossamer.crawl.loop import Crawl
from gossamer.demo.truth import Rules
from gossamer.errors import StorageAwayError
from gossamer.folder.data import DataFolder
from gossamer.frontier.endings import EndKind
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.postgres import SERVER_CLOCK, PostgresStore
from gossamer.index.graph.blanks import shown_quad
from gossamer.log import read_events
from gossamer.model import Url
from gossamer.moments import now_utc
from gossamer.urls import host_of

__all__ = ["here"]  # a fixture

SHARED = replace(CASE, concurrency=1)  # a node has one host at a time


def elsewhere(case: Case) -> Held:
    """Hold back pages that say something, of other hosts than the seed's."""
    (seed,), said = case.seeds, right_graphs(case).keys()
    return lambda url: host_of(Url(url)) != host_of(seed) and url in said


# ---- together


@pytest.mark.parametrize(
    ("count", "case"),
    [(2, SHARED), (3, replace(SHARED, depth=3, rules=Rules(sitemaps=True)))],
    ids=["two", "three"],
)
def test_nodes_find_together_what_there_is(
    count: int, case: Case, database: str, tmp_path: Path
) -> None:
    data = folders(tmp_path, count)
    with demo(case, tmp_path) as server, Door(server.address) as door:
        door.close(holds=elsewhere(case))
        with nodes(data, *order(case, door, database)) as crawls:
            door.wait(count)  # each node has a host, and asks it for a page that says something
            door.open()
            summaries = ended(crawls)
        found = result(case, server, database, data, summaries[0])
    assert {each["ended"] for each in summaries} == {"done"}
    assert {each["pages"] for each in summaries} == {len(found.said.visited)}
    assert {each["refused"] for each in summaries} == {len(found.said.refused)}
    assert all(each["quads"] for each in summaries)  # nobody was idle
    assert_truth(found)


def test_nodes_that_share_a_sparql_server_too_fill_it_with_what_there_is(
    database: str, tmp_path: Path
) -> None:
    data = folders(tmp_path, 2)
    with Oxigraph(tmp_path / "oxigraph") as graph, demo(SHARED, tmp_path) as server:
        with nodes(data, *order(SHARED, server, database, graph=("--index", graph.url))) as crawls:
            summaries = ended(crawls)
        quads = ox.serialize(map(shown_quad, graph.quads()), format=ox.RdfFormat.N_QUADS)
    assert {each["ended"] for each in summaries} == {"done"}
    assert quads is not None
    assert by_graph(quads) == right_graphs(SHARED)
    assert not any((each / "graph").exists() for each in data)


@pytest.mark.timeout(1800)
def test_whatever_the_seeds_sizes_depths_scopes_and_timings(
    server: Server, tmp_path_factory: pytest.TempPathFactory, full_size: bool
) -> None:
    for number in range(40) if full_size else [6]:
        # Without a delay: we hang up on one host, whose robots.txt has no end, before it has noticed.
        case, folder = replace(drawn(number, 60), delay=0), tmp_path_factory.mktemp("crawl")
        data = folders(folder, 2 + number % 3)
        with empty_database(server) as address, demo(case, folder) as web:
            with nodes(data, *order(case, web, address)) as crawls:
                summaries = ended(crawls)
            found = result(case, web, address, data, summaries[0])
        try:
            assert_truth(found)
        except AssertionError as error:
            raise AssertionError(f"crawl {number}: {case}") from error


def test_a_limit_counts_all_nodes_and_ends_all_nodes(database: str, tmp_path: Path) -> None:
    with (
        demo(CASE, tmp_path) as server,
        nodes(folders(tmp_path, 2), *order(CASE, server, database, "--max-pages", "15")) as crawls,
    ):
        summaries = ended(crawls)
    assert [(each["pages"], each["ended"]) for each in summaries] == [(15, "pages")] * 2


def test_a_node_that_comes_later_needs_no_seeds_and_what_it_is_told_all_hear(
    database: str, tmp_path: Path
) -> None:
    first, second = folders(tmp_path, 2)
    with demo(CASE, tmp_path) as server:
        told = order(CASE, server, database)
        own = told[told.index("--config") :]
        with CrawlCommand(first, *told, "--delay", "1000") as one:
            some_pages(server, 1)
            with CrawlCommand(second, *own, "--delay", "0", "--max-pages", "10") as two:
                summaries = ended([one, two])
    assert [(each["pages"], each["ended"]) for each in summaries] == [(10, "pages")] * 2
    changed = [event for event in read_events(first / "log") if event["event"] == "config-changed"]
    assert {event["key"]: event["value"] for event in changed} == {
        "politeness.delay": "0s",
        "crawl.max_pages": "10",
    }


# ---- one dies


def lease_lapses(address: str, data: Path) -> None:
    """Let an hour pass for what a node that is dead has in hand."""
    name = json.loads((data / "node.json").read_text())["name"]
    past = 60 * 60 * 1_000_000
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("SET search_path TO gossamer")
        hosts = f"lease_until = lease_until - {past}, next_at = next_at - {past}"
        connection.execute(f"UPDATE hosts SET {hosts} WHERE lease_node = %s", [name])
        connection.execute(f"UPDATE claims SET until = until - {past} WHERE node = %s", [name])


def test_when_a_node_is_killed_the_others_finish(database: str, tmp_path: Path) -> None:
    data = folders(tmp_path, 3)
    with demo(CASE, tmp_path) as server, Door(server.address) as door:
        door.close(holds=elsewhere(CASE))
        with CrawlCommand(data[0], *order(CASE, door, database)) as victim:
            door.wait()
            with nodes(data[1:], *order(CASE, server, database)) as others:
                some_pages(server, 5)
                victim.kill()
                lease_lapses(database, data[0])
                summaries = ended(others)
        found = result(CASE, server, database, data, summaries[0])
    assert {each["ended"] for each in summaries} == {"done"}
    assert_outcomes(found)
    assert_manners(found)


def test_a_node_that_starts_again_takes_over_what_it_had_in_hand(
    database: str, tmp_path: Path
) -> None:
    data = folders(tmp_path, 2)
    with demo(CASE, tmp_path) as server, Door(server.address) as door:
        door.close(holds=elsewhere(CASE))
        with CrawlCommand(data[0], *order(CASE, door, database)) as victim:
            door.wait()
            with CrawlCommand(data[1], *order(CASE, server, database)) as other:
                some_pages(server, 5)
                victim.kill()
                door.open()
                with CrawlCommand(data[0]) as heir:  # its leases would last for minutes
                    summaries = ended([heir, other])
        found = result(CASE, server, database, data, summaries[0])
    assert {each["ended"] for each in summaries} == {"done"}
    assert_outcomes(found)
    assert_manners(found)


# ---- the server is away


def test_when_the_server_goes_away_nodes_wait_and_go_on(
    server: Server, database: str, tmp_path: Path
) -> None:
    server.require_own()
    data = folders(tmp_path, 2)
    with demo(CASE, tmp_path) as web, ExitStack() as life:
        doors = [life.enter_context(Door(web.address)) for _ in data]
        crawls = []
        for folder, door in zip(data, doors, strict=True):
            door.close(holds=elsewhere(CASE))
            crawls.append(life.enter_context(CrawlCommand(folder, *order(CASE, door, database))))
        for door in doors:
            door.wait()
        server.stop()
        for door in doors:
            door.open()
        for crawl in crawls:
            crawl.says(r"PostgreSQL cannot be reached: .*\. Retrying until \d\d:\d\d:\d\d\.")
        server.restart()
        summaries = ended(crawls)
        for crawl in crawls:
            assert crawl.words.count("cannot be reached") == 1
            assert crawl.words.count("PostgreSQL is back") == 1
        found = result(CASE, web, database, data, summaries[0])
    assert {each["ended"] for each in summaries} == {"done"}
    assert_outcomes(found)
    assert_quads(found)
    assert_manners(found)
    away = [event for event in read_events(data[0] / "log") if event["event"] == "frontier-away"]
    assert len(away) == 2


@pytest.mark.parametrize("how", ["Ctrl-C", "gossamer stop"])
def test_a_crawl_whose_server_is_away_can_be_stopped_and_goes_on(
    how: str, server: Server, database: str, tmp_path: Path, here: Gossamer
) -> None:
    server.require_own()
    data = tmp_path / "node"
    with demo(CASE, tmp_path) as web, Door(web.address) as door:
        door.close(after=10)
        with CrawlCommand(data, *order(CASE, door, database)) as crawl:
            door.wait()
            server.stop()
            door.open()
            crawl.says("PostgreSQL cannot be reached")
            if how == "Ctrl-C":
                crawl.interrupt()
            else:
                assert here("stop", "--data", str(data)).returncode == 0
            status = crawl.ended()
            server.restart()
            assert status == 130
            assert crawl.last_line["partial"]
            assert crawl.last_line["ended"] == "stopped"
            assert f"go on with `gossamer crawl --data {data}`" in crawl.words
            assert "Traceback" not in crawl.words
        with CrawlCommand(data) as again:
            summary = again.summary()
        found = result(CASE, web, database, [data], summary)
    assert_outcomes(found)
    assert_quads(found)
    assert_manners(found)


def test_a_crawl_whose_server_is_away_ends_when_its_time_is_up(
    server: Server, database: str, tmp_path: Path
) -> None:
    server.require_own()
    away = asyncio.Event()
    crawls: list[Crawl] = []

    async def run(config: Config, door: Door) -> None:
        loop = asyncio.get_running_loop()

        def tell(_: str) -> None:
            loop.call_soon_threadsafe(away.set)

        with closing(PostgresStore(database, tell=tell)) as store:
            frontier = SqlFrontier(store, "test", config.politeness)
            data, seeds = DataFolder(tmp_path / "data"), [Url(seed) for seed in CASE.seeds]
            open_ = partial(open_crawl, data, config, frontier, seeds, lambda _: None)
            async with asyncio.timeout(PATIENCE), open_(give_up=store.give_up) as running:
                crawls.append(running.crawl)
                crawling = asyncio.create_task(running.crawl.run())
                await asyncio.to_thread(door.wait)
                await asyncio.to_thread(server.stop)
                door.open()
                await away.wait()
                limits = replace(config.crawl, max_time=timedelta(0))
                await running.configure(replace(config, crawl=limits))
                await crawling

    try:
        with demo(CASE, tmp_path) as web, Door(web.address) as door:
            door.close(after=10)
            with pytest.raises((StorageAwayError, ExceptionGroup)) as broken:
                asyncio.run(run(CASE.config(door.address), door))
    finally:
        server.restart()
    assert is_away(broken.value)
    assert crawls[0].stop_reason
    assert crawls[0].stop_reason.kind is EndKind.TIME


class LongOutage:
    """An outage of an hour on the clocks of node and server, however soon the server is back.

    The server's clock jumps for who connects from now on; the node's, when it hears that the server
    is away. So all leases lapse, and no test waits for that.
    """

    LASTS = timedelta(hours=1)
    CLOCK = f"({SERVER_CLOCK} + coalesce(current_setting('test.jump', true), '0')::bigint)"

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._ahead = timedelta(0)
        self.told: list[str] = []
        self.away = asyncio.Event()

    def begin(self, address: str, server: Server) -> None:
        """Stop the server; whoever connects to this database from now on comes an hour later."""
        name = psycopg.conninfo.conninfo_to_dict(address)["dbname"]
        jump = self.LASTS // timedelta(microseconds=1)
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute(f"ALTER DATABASE {name} SET test.jump = '{jump}'")
        server.stop()

    def now(self) -> datetime:
        """The node's time."""
        return now_utc() + self._ahead

    def hear(self, message: str) -> None:
        """Take what the store tells, in its thread: first of all that the server is away."""
        self._ahead = self.LASTS
        self.told.append(message.partition(":")[0])
        self._loop.call_soon_threadsafe(self.away.set)


def test_after_an_outage_longer_than_a_lease_a_crawl_is_exact(
    server: Server, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.require_own()
    folder = tmp_path / "node-0"

    async def run(config: Config, door: Door) -> tuple[dict[str, Any], list[str], list[str]]:
        outage = LongOutage()
        monkeypatch.setattr(build, "now_utc", outage.now)
        with closing(
            PostgresStore(database, tell=outage.hear, now=outage.now, clock=outage.CLOCK)
        ) as store:
            frontier = SqlFrontier(store, "test", config.politeness)
            assert frontier.lease_length < outage.LASTS
            data, seeds = DataFolder(folder), [Url(seed) for seed in CASE.seeds]
            async with (
                asyncio.timeout(PATIENCE),
                open_crawl(data, config, frontier, seeds, lambda _: None) as running,
            ):
                crawling = asyncio.create_task(running.crawl.run())
                await asyncio.to_thread(door.wait)
                held = [*door.waiting]
                await asyncio.to_thread(outage.begin, database, server)
                door.open()
                await outage.away.wait()
                await asyncio.to_thread(server.restart)
                summary = await running.summary(await crawling)
        return asdict(summary), held, outage.told

    with demo(CASE, tmp_path) as web, Door(web.address) as door:
        door.close(holds=elsewhere(CASE))
        try:
            summary, held, told = asyncio.run(run(CASE.config(door.address), door))
        finally:
            server.restart()
        found = result(CASE, web, database, [folder], summary)
    assert told == ["PostgreSQL cannot be reached", "PostgreSQL is back"]
    assert summary["ended"] == EndKind.DONE
    assert_outcomes(found)
    assert_quads(found)
    # The lease had lapsed: what was answered meanwhile could not be settled, and was asked for again.
    asked = Counter(f"http://{access.host}{access.path}" for access in found.log)
    assert [asked[url] for url in held] == [2] * len(held)
    assert (found.found.counts.handed, found.found.counts.pending) == (0, 0)
