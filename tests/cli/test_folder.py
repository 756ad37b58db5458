"""Whose folder it is: asked of its owner if that answers, waited for if not, and ours if nobody's."""

import asyncio
import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import click
import pytest
from tests.owner.test_unix_socket import Echo
from tests.slowness import patience

from gossamer.cli import folder
from gossamer.cli.folder import (
    ask_folder,
    exposed_secrets,
    has_password,
    in_force,
    overruled,
    remembered_options,
    require_crawl,
)
from gossamer.cli.options import GIVEN, KEPT
from gossamer.config import Politeness
from gossamer.errors import DataFolderError, FolderInUseError
from gossamer.folder.data import DataFolder
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.sqlite import SqliteStore
from gossamer.owner.messages import Answering, Record, ask
from gossamer.owner.questions import Status, StopOwner
from gossamer.owner.unix_socket import listen_at, serve_questions
from gossamer.settings.crawl_options import CrawlOptions, keep_options
from gossamer.settings.node import keep_node, node_of, open_folder

from .conftest import Gossamer

HOLDING = """
import asyncio, sys
from pathlib import Path
from gossamer.config import Config
from gossamer.folder.data import DataFolder
from gossamer.owner.opening import answer_folder

async def hold(data):
    async with answer_folder("holding", data, Config()):
        print("ready", flush=True)
        await asyncio.to_thread(sys.stdin.read)

data = DataFolder(Path(sys.argv[1]))
with data.owned():
    asyncio.run(hold(data))
"""


@contextmanager
def owner(data: DataFolder) -> Iterator["subprocess.Popen[bytes]"]:
    """Another process that owns the folder and answers questions."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDING, str(data.path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        assert process.stdout.readline() == b"ready\n"
        yield process
        process.stdin.close()


async def status(answering: Answering) -> Record:
    return await ask(answering, Status())


async def stop(answering: Answering) -> Record:
    return await ask(answering, StopOwner())


def test_while_somebody_owns_the_folder_that_one_is_asked(
    gossamer: Gossamer, here: Gossamer, small_crawl: DataFolder
) -> None:
    with owner(small_crawl) as process:
        record = json.loads(gossamer("status", "--json").stdout)
        assert record["owner"] == {"process": process.pid, "command": "holding"}
        assert "a.test" in gossamer("hosts").stdout
    assert json.loads(here("status", "--json").stdout)["owner"]["command"] == "status"


def test_an_owner_that_was_killed_is_no_owner(here: Gossamer, small_crawl: DataFolder) -> None:
    with owner(small_crawl) as process:
        os.kill(process.pid, signal.SIGKILL)
    assert small_crawl.socket_file.exists()
    assert json.loads(here("status", "--json").stdout)["owner"]["command"] == "status"
    assert not small_crawl.socket_file.exists()


def test_an_owner_that_does_not_answer_is_waited_for_a_while(
    small_crawl: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder, "PATIENCE", 0.3)
    with (
        small_crawl.owned(),
        pytest.raises(FolderInUseError, match=f"in use by process {os.getpid()}"),
    ):
        ask_folder("test", small_crawl, status)


def test_an_owner_that_cannot_answer_this_is_waited_for_too(
    small_crawl: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder, "PATIENCE", 0.3)
    asked = []

    async def run() -> None:
        async with serve_questions(small_crawl.socket_file, Echo()):
            with pytest.raises(FolderInUseError):
                await asyncio.to_thread(ask_folder, "test", small_crawl, stop)
            asked.append(await asyncio.to_thread(ask_folder, "test", small_crawl, status))

    with small_crawl.owned():
        asyncio.run(run())
    assert asked == [{"asked": "Status"}]


def test_the_folder_of_an_owner_that_leaves_instead_of_answering_is_taken(
    here: Gossamer, small_crawl: DataFolder
) -> None:
    """As of two commands at once: the first is done, and leaves while the second asks it."""
    came = threading.Event()
    with listen_at(small_crawl.socket_file) as leaving:

        def leave() -> None:
            leaving.accept()[0].close()
            leaving.close()
            came.set()

        thread = threading.Thread(target=leave)
        thread.start()
        assert json.loads(here("status", "--json").stdout)["owner"]["command"] == "status"
        thread.join(patience(30))
    assert came.is_set()


def rows(file: Path) -> dict[str, list[tuple[object, ...]]]:
    """Everything in a database."""
    with closing(sqlite3.connect(file)) as store:
        names = store.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        return {name: store.execute(f'SELECT * FROM "{name}"').fetchall() for (name,) in names}


def test_whoever_only_reads_voids_no_lease_and_takes_over_nothing(
    here: Gossamer, small_crawl: DataFolder
) -> None:
    with closing(SqliteStore(small_crawl.frontier_file)) as store:
        (lease,) = SqlFrontier(store, "dead", Politeness()).lease(1, pages=1)
        assert lease.pages
    before = rows(small_crawl.frontier_file)
    for asked in (
        ["status"],
        ["hosts"],
        ["problems"],
        ["query", "ASK { ?s ?p ?o }"],
        ["export"],
        ["search", "three"],
        ["config", "added"],
    ):
        assert here(*asked).returncode == 0
    assert rows(small_crawl.frontier_file) == before


def test_who_would_do_more_than_read_does_it_as_the_owner(small_crawl: DataFolder) -> None:
    def own() -> Record:
        with pytest.raises(FolderInUseError):
            small_crawl.owned(timedelta(0)).__enter__()
        return {"own": True}

    assert ask_folder("test", small_crawl, status, own) == {"own": True}


def test_where_there_is_no_crawl_the_way_to_one_is_told(small_crawl: DataFolder) -> None:
    require_crawl(small_crawl)
    with pytest.raises(DataFolderError, match="Begin one with `gossamer crawl"):
        require_crawl(DataFolder(small_crawl.path / "elsewhere"))


@pytest.mark.parametrize(
    ("runtime", "said"),
    [
        ({}, []),
        ({"politeness.delay": "0.5s"}, []),  # which is the same
        (
            {"politeness.delay": "5"},
            [
                "--delay does not count: politeness.delay is 5s by `gossamer config set`. "
                "Take that back with `gossamer config unset politeness.delay`."
            ],
        ),
    ],
)
def test_an_option_that_a_change_overrules_is_told(
    tmp_path: Path, runtime: dict[str, str], said: list[str]
) -> None:
    data = DataFolder(tmp_path)
    data.runtime_file.write_text(json.dumps(runtime))
    with click.Context(click.Command("any")) as context:
        context.meta[GIVEN] = {"politeness.delay": "500ms"}
        assert list(overruled(data)) == said


def test_whoever_is_locked_out_by_another_token_is_told_so_without_the_token(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = DataFolder(tmp_path)
    data.runtime_file.write_text(json.dumps({"service.token": "zzz"}))
    told = (
        "{} does not count: another service.token was set with `gossamer config set` or over "
        "HTTP. Take that back with `gossamer config unset service.token`."
    )
    with click.Context(click.Command("any")) as context:
        context.meta[GIVEN] = {"service.token": "abc"}
        assert list(overruled(data)) == [told.format("--token")]
    monkeypatch.setenv("GOSSAMER_SERVICE_TOKEN", "abc")
    with click.Context(click.Command("any")):
        assert list(overruled(data)) == [told.format("GOSSAMER_SERVICE_TOKEN")]
    monkeypatch.setenv("GOSSAMER_SERVICE_TOKEN", "zzz")
    with click.Context(click.Command("any")):
        assert list(overruled(data)) == []


def test_what_a_folder_has_kept_counts_after_what_is_typed(small_crawl: DataFolder) -> None:
    kept = {"politeness.delay": "7", "crawl.depth": "3"}
    with click.Context(click.Command("any")) as context:
        context.meta[GIVEN] = {"crawl.depth": "2"}
        with open_folder(small_crawl, in_force(small_crawl).config.frontier) as place:
            keep_options(place, CrawlOptions(kept))
        each = in_force(small_crawl).each
    assert each["politeness.delay"].value == timedelta(seconds=7)
    assert each["politeness.delay"].source == "command line of an earlier crawl"
    assert (each["crawl.depth"].value, each["crawl.depth"].source) == (2, "command line")


def test_what_a_folder_remembers_is_said_in_one_line_as_far_as_it_counts(
    small_crawl: DataFolder,
) -> None:
    kept = {
        "politeness.delay": "7",
        "crawl.depth": "3",  # typed otherwise
        "crawl.max_pages": "none",  # as it is without being said
        "crawl.workers": "4",  # changed since
        "scope.exclude": ["/a b/", "/c"],
        "crawl.follow_query": "SELECT ?page {\n" + "  ?thing rdfs:seeAlso ?page .\n" * 9 + "}",
    }
    with click.Context(click.Command("any")) as context:
        assert remembered_options(small_crawl) is None
        context.meta[KEPT] = kept
        context.meta[GIVEN] = {"crawl.depth": "2"}
        assert remembered_options(small_crawl) == (
            "This folder remembers, from earlier command lines: --delay 7s, "
            "--exclude '/a b/' --exclude /c, "
            "--follow-query SELECT ?page { ?thing rdfs:seeAlso ?page . ?…, --workers 4."
        )
        small_crawl.keep_runtime_changes({"crawl.workers": "3", "crawl.depth": "9"})
        said = remembered_options(small_crawl) or ""
    assert "--workers 4" not in said
    assert said.endswith("; from `gossamer config set`: --workers 3.")


def test_limits_of_one_run_that_a_node_kept_once_are_not_in_force(tmp_path: Path) -> None:
    data = DataFolder(tmp_path / "node")
    options = {"crawl.max_time": "3s", "crawl.workers": "4"}
    data.make()
    keep_node(data, replace(node_of(data), address="postgresql://a.test/b", options=options))
    with click.Context(click.Command("any")):
        config = in_force(data).config
    assert (config.crawl.max_time, config.crawl.workers) == (None, 4)


@pytest.mark.parametrize(
    ("address", "has_one"),
    [
        ("postgresql://me:secret@db.test/crawl", True),
        ("postgresql://me:se%40cret@a.test:5432,b.test:5433/crawl", True),
        ("postgresql://me@db.test/crawl?password=secret", True),
        ("host=db.test password=secret", True),
        ("password = 'se cret' host=db.test", True),
        ("postgresql://me@db.test:5432/crawl", False),
        ("postgresql://[::1]:5432/crawl?sslmode=require", False),
        ("host=db.test passfile=/x user=me", False),
        ("http://me:secret@proxy.test:3128", True),
        ("http://proxy.test:3128", False),
    ],
)
def test_an_address_with_a_password_is_told_from_one_without(address: str, has_one: bool) -> None:
    assert has_password(address) is has_one


def test_a_secret_on_the_command_line_is_warned_about_with_a_safer_way() -> None:
    address = "postgresql://me:s3cret@db.test/crawl"
    given = {"frontier.address": address, "service.token": "t0ken", "politeness.delay": "1"}
    first, second = exposed_secrets(given)
    assert first.startswith("warning: --frontier holds a password")
    assert "~/.pgpass" in first
    assert "GOSSAMER_FRONTIER_ADDRESS" in first
    assert "GOSSAMER_SERVICE_TOKEN" in second
    assert "s3cret" not in first
    assert "t0ken" not in second


def test_nothing_is_said_where_nothing_is_given_away() -> None:
    given = {
        "frontier.address": "postgresql://me@db.test/crawl",
        "proxy.users": ("anna:scrypt:a:b",),
    }
    assert list(exposed_secrets(given)) == []
