"""Crawls whose graph is on a SPARQL server: a real one, and one that misbehaves."""

import json
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import pyoxigraph as ox
import pytest
from tests.cli.conftest import Gossamer, here
from tests.crawl.commands import CrawlCommand, until
from tests.crawl.comparing import Case, assert_truth, by_graph, right_graphs, run
from tests.crawl.door import Door
from tests.index.server.gate import Gate, Seen, Told, always
from tests.index.server.oxigraph import Oxigraph

from gossamer.config import Config, Index
from gossamer.demo.process import DemoServer
from gossamer.demo.world import World
from gossamer.index.graph.blanks import shown_quad

__all__ = ["here"]  # a fixture
WORLD = World(seed=23, pages=30, hosts=5, crawl_delay=0.05)
SEEDS = [WORLD.front(0)]
ORDER = (
    *("--scope", "any", "--delay", "0.05", "--workers", "1", "--agent-contact", "me@a.test"),
    *("--config", "sitemaps.use=false", "--config", "politeness.backoff_first=0.2"),
    *("--config", "politeness.slowness=0"),
)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DemoServer]:
    with DemoServer(WORLD, tmp_path_factory.mktemp("demo") / "access.jsonl") as server:
        yield server


@pytest.fixture
def oxigraph(tmp_path: Path) -> Iterator[Oxigraph]:
    with Oxigraph(tmp_path / "oxigraph") as server:
        yield server


@pytest.fixture
def door(demo: DemoServer) -> Iterator[Door]:
    """A door before the demo web that lets some answers through: no crawl is over before it opens."""
    with Door(demo.address) as door:
        door.close(after=8)
        yield door


def order(demo: DemoServer | Door, index: str) -> tuple[str, ...]:
    return (*SEEDS, *ORDER, "--connect-to", f"*.test={demo.address}", "--index", index)


def assert_complete(oxigraph: Oxigraph) -> None:
    """The server holds what the pages of the world say, and nothing else."""
    nquads = ox.serialize(map(shown_quad, oxigraph.quads()), format=ox.RdfFormat.N_QUADS)
    assert nquads is not None
    assert by_graph(nquads) == right_graphs(Case(WORLD, tuple(SEEDS)))


@dataclass(frozen=True)
class OnServer(Case):
    """A crawl into a server."""

    index: str = ""

    def config(self, address: str) -> Config:
        return replace(super().config(address), index=Index(url=self.index))


def test_the_graph_on_a_server_equals_the_truth(oxigraph: Oxigraph, tmp_path: Path) -> None:
    assert_truth(run(OnServer(WORLD, tuple(SEEDS), timings=3, index=oxigraph.url), tmp_path))
    assert_complete(oxigraph)
    assert not (tmp_path / "data" / "graph").exists()


def test_a_folder_whose_graph_is_on_a_server_is_asked_there(
    demo: DemoServer, oxigraph: Oxigraph, tmp_path: Path, here: Gossamer
) -> None:
    data = tmp_path / "data"
    with CrawlCommand(data, *order(demo, oxigraph.url)) as crawl:
        summary = crawl.summary()
    at = ("--data", str(data))
    assert json.loads(here("status", "--json", *at).stdout)["graph"]["quads"] == summary["quads"]
    rows = here("query", "SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } }", "--to", "csv", *at)
    assert int(rows.stdout.split()[1]) == len(oxigraph.quads())
    assert len(here("export", *at).stdout.splitlines()) == len(oxigraph.quads())

    before = oxigraph.quads()
    oxigraph.update("DROP ALL")
    rebuilt = json.loads(here("rebuild", "--json", *at).stdout)
    assert 0 < rebuilt["added"] <= summary["quads"]  # some pages do not want to be archived
    now = {quad for quad in oxigraph.quads() if "#fetch>" not in str(quad.graph_name)}
    assert now < before

    host = SEEDS[0].split("/")[2]
    assert here("forget", host, *at).returncode == 0
    assert not any(f"//{host}/" in str(quad.graph_name) for quad in oxigraph.quads())


def test_a_server_that_is_killed_pauses_the_crawl_and_nothing_is_lost(
    door: Door, oxigraph: Oxigraph, tmp_path: Path, here: Gossamer
) -> None:
    with CrawlCommand(tmp_path / "data", *order(door, oxigraph.url)) as crawl:
        until(lambda: oxigraph.quads())
        oxigraph.kill()
        door.open()
        crawl.says(r"paused: The SPARQL server at \S+ does not answer: .* until 20\d\d-")
        status = here("status", "--data", str(tmp_path / "data"))
        assert "does not answer" in status.stdout, status.stderr
        oxigraph.start()
        crawl.says("going on: the SPARQL server answers again")
        assert crawl.summary()["ended"] == "done"
        assert crawl.words.count("paused:") == 1
    assert_complete(oxigraph)


def test_a_server_that_is_busy_for_a_while_gets_everything(
    demo: DemoServer, oxigraph: Oxigraph, tmp_path: Path
) -> None:
    updates: list[Seen] = []

    def rule(seen: Seen) -> Told | None:
        if not seen.is_update:
            return None
        updates.append(seen)
        return Told(503, b"later") if 2 <= len(updates) <= 5 else None

    with Gate(oxigraph.url) as gate:
        gate.rule = rule
        with CrawlCommand(tmp_path / "data", *order(demo, gate.url)) as crawl:
            assert crawl.summary()["ended"] == "done"
            assert "answers 503: later" in crawl.words
    assert_complete(oxigraph)


def test_a_server_that_is_busy_when_all_is_done_is_waited_for(
    demo: DemoServer, oxigraph: Oxigraph, tmp_path: Path
) -> None:
    asked: list[Seen] = []

    def rule(seen: Seen) -> Told | None:
        if b"AS ?quads" not in seen.body:
            return None
        asked.append(seen)
        return Told(503, b"later") if len(asked) == 1 else None

    with Gate(oxigraph.url) as gate:
        gate.rule = rule
        order_of_few = (*order(demo, gate.url), "--max-pages", "3")
        with CrawlCommand(tmp_path / "data", *order_of_few) as crawl:
            summary = crawl.summary()
            assert "paused: The SPARQL server does not answer the query: 503: later" in crawl.words
            assert "going on: the SPARQL server answers again" in crawl.words
    assert (summary["pages"], summary["ended"]) == (3, "pages")
    assert summary["quads"]


def test_a_page_that_the_server_refuses_stops_nobody(
    demo: DemoServer, oxigraph: Oxigraph, tmp_path: Path
) -> None:
    refused = f"GRAPH <{SEEDS[0]}#fetch>".encode()
    with Gate(oxigraph.url) as gate:
        gate.rule = lambda seen: Told(400, b"bad") if refused in seen.body else None
        with CrawlCommand(tmp_path / "data", *order(demo, gate.url)) as crawl:
            assert crawl.summary()["ended"] == "done"
            assert f"{SEEDS[0]} is not in the graph: The SPARQL server refuses" in crawl.words
    assert oxigraph.quads()


@pytest.mark.parametrize(
    ("command", "why", "status"),
    [
        ((), "It was stopped.", 130),
        (("stop",), "It was stopped.", 130),
        (("config", "set", "crawl.max_time=0s"), "The time is up: 0s.", 1),
    ],
    ids=["Ctrl-C", "stop", "time"],
)
def test_a_crawl_that_waits_for_its_server_can_be_stopped_and_goes_on(
    command: tuple[str, ...],
    why: str,
    status: int,
    door: Door,
    oxigraph: Oxigraph,
    tmp_path: Path,
    here: Gossamer,
) -> None:
    data = tmp_path / "data"
    at = ("--data", str(data))
    with CrawlCommand(data, *order(door, oxigraph.url)) as crawl:
        until(lambda: oxigraph.quads())
        oxigraph.kill()
        door.open()
        crawl.says("paused:")
        if command:
            assert here(*command, *at).returncode == 0
        else:
            crawl.interrupt(signal.SIGINT)
        assert crawl.ended() == status, crawl.words
        assert crawl.last_line["partial"]
        assert f"{why} A server is still away" in crawl.words
        assert "go on with `gossamer crawl" in crawl.words
        assert "Traceback" not in crawl.words
    oxigraph.start()
    here("config", "unset", "crawl.max_time", *at)
    with CrawlCommand(data) as crawl:  # where the graph is was remembered
        assert crawl.summary()["ended"] == "done"
    assert_complete(oxigraph)


def assert_nothing_was_fetched(demo: DemoServer, before: int) -> None:
    assert len(list(demo.accesses())) == before


@pytest.mark.parametrize(
    ("status", "words"),
    [(401, "does not let us in"), (404, "There is no SPARQL server")],
)
def test_a_server_that_says_no_at_the_start_is_one_sentence_and_nothing_is_fetched(
    status: int, words: str, demo: DemoServer, tmp_path: Path
) -> None:
    before = len(list(demo.accesses()))
    with Gate() as gate:
        gate.rule = always(status)
        address = gate.url.replace("//", "//me:mellon7@")
        with CrawlCommand(tmp_path / "data", *order(demo, address)) as crawl:
            assert crawl.ended() == 1
            said = crawl.words
    assert words in said.splitlines()[-1]
    assert "mellon7" not in said
    assert_nothing_was_fetched(demo, before)


def test_a_typo_in_the_host_is_one_sentence(demo: DemoServer, tmp_path: Path) -> None:
    before = len(list(demo.accesses()))
    with CrawlCommand(tmp_path / "data", *order(demo, "http://127.0.0.1:1")) as crawl:
        assert crawl.ended() == 1
        assert "http://127.0.0.1:1 does not answer" in crawl.words.splitlines()[-1]
    assert_nothing_was_fetched(demo, before)


def test_a_password_opens_the_server_and_is_written_nowhere(
    demo: DemoServer, oxigraph: Oxigraph, tmp_path: Path, here: Gossamer
) -> None:
    def rule(seen: Seen) -> Told | None:
        is_known = seen.headers.get("Authorization") == "Basic bWU6bWVsbG9uNw=="  # me:mellon7
        return None if is_known else Told(401)

    data = tmp_path / "data"
    with Gate(oxigraph.url) as gate:
        gate.rule = rule
        address = gate.url.replace("//", "//me:mellon7@")
        few = ("--max-pages", "3")
        with CrawlCommand(data, *order(demo, address), *few) as crawl:
            crawl.summary()
        at = ("--data", str(data))
        locked = here("query", "ASK { ?s ?p ?o }", *at)
        assert locked.returncode == 1
        assert "GOSSAMER_INDEX_PASSWORD" in locked.stderr
        asked = here("query", "ASK { ?s ?p ?o }", *at, GOSSAMER_INDEX_PASSWORD="mellon7")
        assert asked.returncode == 0, asked.stderr
    written = [
        path for path in data.rglob("*") if path.is_file() and b"mellon7" in path.read_bytes()
    ]
    assert not written
    with closing(sqlite3.connect(data / "frontier.db")) as frontier:
        assert "mellon7" not in "".join(frontier.iterdump())
