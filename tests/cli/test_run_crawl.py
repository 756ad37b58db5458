"""`gossamer crawl --frontier`: what is wrong with the address is one sentence."""

import asyncio
import json
import os
import signal
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import click
import pytest
from psycopg import conninfo
from tests.crawl.commands import CrawlCommand, until
from tests.crawl.nodes import CASE, demo, ended, graph, nodes, order, some_pages
from tests.frontier.server import GUARDED, Server
from tests.slowness import patience

from gossamer.cli.interrupts import Interrupts
from gossamer.cli.options import GIVEN, KEPT, SHARED
from gossamer.cli.run_crawl import is_away, order_of_all
from gossamer.config import Frontier, Politeness
from gossamer.errors import DataFolderError, StorageAwayError
from gossamer.folder.data import DataFolder
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.postgres import PostgresStore
from gossamer.frontier.thread import FrontierThread
from gossamer.settings.crawl_options import CrawlOptions, change_options, keep_options
from gossamer.settings.node import OpenFolder, open_folder

from .conftest import Gossamer

Refused = Callable[..., tuple[int, str]]


@pytest.fixture
def refused(here: Gossamer, tmp_path: Path) -> Refused:
    """Exit status and last words of a crawl that does not begin."""
    data = tmp_path / "data"

    def run(address: str, *more: str) -> tuple[int, str]:
        done = here("crawl", "a.test", "--frontier", address, *more, "--data", str(data))
        assert "Traceback" not in done.stderr
        assert "hush" not in done.stdout + done.stderr
        assert not (data / "frontier.db").exists()
        return done.returncode, done.stderr.splitlines()[-1]

    return run


def test_what_is_no_address_is_told_what_one_looks_like(refused: Refused) -> None:
    for typo in ("postgresq://me:hush@a.test/b", "somewhere", "postgresql://me:hush@ok@a.test/b"):
        status, words = refused(typo, "--local-graph")
        assert status == 2
        assert "Write it like postgresql://user:password@host:5432/database" in words


def test_a_database_that_is_not_there_is_named(refused: Refused, server: Server) -> None:
    missing = conninfo.make_conninfo(server.dsn, dbname="mispelled")
    status, words = refused(missing, "--local-graph")
    assert status == 2
    assert "There is no such database: the database mispelled at" in words


def test_a_wrong_password_is_told_apart(refused: Refused, server: Server) -> None:
    server.require_own()
    address = conninfo.make_conninfo(server.dsn, user=GUARDED, password="hush")
    status, words = refused(address, "--local-graph")
    assert status == 2
    assert "refuses this user or password" in words


def test_a_server_that_is_not_there_is_named(refused: Refused) -> None:
    status, words = refused("postgresql://me:hush@127.0.0.1:1/b", "--local-graph")
    assert status == 1
    assert "PostgreSQL cannot be reached: the database b at 127.0.0.1:1 (Connection ref" in words


def test_where_quads_go_has_to_be_said(refused: Refused, database: str) -> None:
    status, words = refused(database)
    assert status == 2
    assert "--local-graph" in words


def test_quads_go_to_one_place(refused: Refused, database: str) -> None:
    both = ("--local-graph", "--index", "http://a.test/sparql")
    status, words = refused(database, *both)
    assert status == 2
    assert "--index none" in words


@pytest.mark.parametrize(
    ("error", "away"),
    [
        (StorageAwayError("x"), True),
        (ExceptionGroup("x", [StorageAwayError("x"), StorageAwayError("x")]), True),
        (ExceptionGroup("x", [StorageAwayError("x"), DataFolderError("x")]), False),
        (BaseExceptionGroup("x", [KeyboardInterrupt()]), False),
    ],
)
def test_an_error_is_told_from_a_server_that_is_away(error: BaseException, away: bool) -> None:
    assert is_away(error) is away


# ---- what all nodes are asked to do


def test_a_node_hears_what_another_was_told_and_keeps_what_is_its_own(
    database: str, tmp_path: Path
) -> None:
    address = Frontier(address=database)
    told: list[dict[str, object]] = []

    async def hear(place: OpenFolder) -> None:
        with FrontierThread("test") as frontier_thread:
            await order_of_all(place, frontier_thread)
            meta = click.get_current_context().meta
            told.append({**meta[KEPT], **meta[SHARED], **meta[GIVEN]})

    with (
        open_folder(DataFolder(tmp_path / "one"), address, joining=True) as one,
        open_folder(DataFolder(tmp_path / "two"), address, joining=True) as two,
        click.Context(click.Command("crawl"), obj=None).scope() as context,
    ):
        own = {"crawl.workers": "2", "frontier.address": database}
        context.meta[GIVEN] = {**own, "crawl.depth": "3"}
        keep_options(one, CrawlOptions().with_options({"crawl.depth": "3"}))
        for change in ({"politeness.delay": "5"}, {"crawl.depth": "4"}, {"crawl.depth": None}):
            change_options(two, change)
            asyncio.run(hear(one))
    assert told == [
        {**own, "politeness.delay": "5", "crawl.depth": "3"},
        {**own, "politeness.delay": "5", "crawl.depth": "4"},
        {**own, "politeness.delay": "5"},
    ]


# ---- every other command


def test_commands_find_the_frontier_of_a_folder_while_it_is_crawled_and_afterwards(
    here: Gossamer, database: str, tmp_path: Path
) -> None:
    case = replace(CASE, depth=1)
    page, data, other = case.seeds[0], tmp_path / "node", tmp_path / "other"
    said = ""

    def gossamer(*arguments: str, node: Path = data) -> str:
        nonlocal said
        done = here(*arguments, "--data", str(node))
        assert done.returncode == 0, done.stderr
        said += done.stdout + done.stderr
        return done.stdout

    with demo(case, tmp_path) as web:
        told = order(case, web, f"{database} password=hush")
        with CrawlCommand(data, *told, "--delay", "1000") as crawl:
            some_pages(web, 1)
            until(lambda: (data / "gossamer.sock").exists())
            running = gossamer("status")
            assert "shared, in the database" in running
            assert "crawling for" in running
            assert "www.site0.test" in gossamer("hosts")
            gossamer("explain", page)
            changed = gossamer("config", "set", "politeness.delay=0.05", "crawl.workers=2")
            assert "politeness.delay = 0.05s  (all nodes of the crawl)" in changed
            assert "crawl.workers = 2  (runtime change" in changed
            gossamer("stop")
            assert crawl.summary()["ended"] == "stopped"
        with nodes([data, other], *told[told.index("--config") :]) as crawls:
            ended(crawls)
        assert "no crawl is running" in gossamer("status")
        assert "www.site0.test" in gossamer("hosts")
        gossamer("problems")
        assert "hush" not in gossamer("config")
        assert "content (200)" in gossamer("explain", page)
        assert "allowed" in gossamer("check", page)
        assert "things" in gossamer("query", "--example", "types")
        gossamer("export")
        gossamer("rebuild")
        assert "is left as it is" not in said  # what other nodes archived is not ours to read
        for node in (data, other):
            gossamer("forget", "www.site0.test", node=node)
            _, nquads = asyncio.run(graph(node))
            assert b"<http://www.site0.test/> ." not in nquads
        assert "not known" not in gossamer("status")
    with closing(PostgresStore(database)) as store:
        assert SqlFrontier(store, "test", Politeness()).page(page) is None
    assert "hush" not in said
    assert not any(b"hush" in file.read_bytes() for file in (data / "log").iterdir())


def test_audit_and_config_go_by_what_the_crawl_was_told_here_and_elsewhere(
    here: Gossamer, server: Server, database: str, tmp_path: Path
) -> None:
    server.require_own()
    data = ("--data", str(tmp_path / "node"))

    def value(name: str) -> object:
        done = here("config", "--json", *data)
        assert done.returncode == 0
        said.append(done.stderr)
        return json.loads(done.stdout)[name]["value"]

    said: list[str] = []
    case = replace(CASE, depth=2, delay=0)
    with demo(case, tmp_path) as web:
        told = order(case, web, database, "--per-host", "3")
        with nodes([tmp_path / "node"], *told) as crawls:
            ended(crawls)
    assert here("audit", *data).returncode == 0
    assert (value("politeness.per_host"), value("crawl.concurrency")) == (3, 2)
    assert said == ["", ""]
    server.stop()
    try:
        assert (value("crawl.concurrency")) == 2
    finally:
        server.restart()
    assert "PostgreSQL cannot be reached" in said[-1]
    assert said[-1].endswith("What all nodes share is left out here.\n")


def test_whoever_interrupts_before_the_crawl_is_open_waits_for_no_server() -> None:
    said: list[str] = []
    given_up = asyncio.Event()

    async def run() -> None:
        interrupts = Interrupts(said.append, given_up.set)
        interrupts.heed()
        os.kill(os.getpid(), signal.SIGINT)
        async with asyncio.timeout(patience(60)):
            await given_up.wait()
        assert interrupts.asked

    asyncio.run(run())
    assert len(said) == 1
    assert said[0].startswith("Stopping: ")
