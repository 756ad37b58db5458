"""Whose folder it is: asked of its owner if that answers, waited for if not, and ours if nobody's."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import click
import pytest
from tests.owner.test_serving import Echo

from gossamer.cli import folder
from gossamer.cli.folder import ask_folder, in_force, overruled, there_is_a_crawl
from gossamer.cli.options import GIVEN
from gossamer.crawling.options import CrawlOrder, keep_order
from gossamer.data import DataFolder
from gossamer.errors import DataFolderError, FolderInUseError
from gossamer.node import opened
from gossamer.owner.messages import Answering, Question, Record, record_of
from gossamer.owner.serving import serving

from .conftest import Gossamer

pytestmark = pytest.mark.timeout(60)

HOLDING = """
import asyncio, sys
from pathlib import Path
from gossamer.config import Config
from gossamer.data import DataFolder
from gossamer.owner.opening import answering

async def hold(data):
    async with answering("holding", data, Config()):
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
    return await record_of(answering.answer(Question(what="status")))


async def stop(answering: Answering) -> Record:
    return await record_of(answering.answer(Question(what="stop")))


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
        async with serving(small_crawl.socket_file, Echo()):
            with pytest.raises(FolderInUseError):
                await asyncio.to_thread(ask_folder, "test", small_crawl, stop)
            asked.append(await asyncio.to_thread(ask_folder, "test", small_crawl, status))

    with small_crawl.owned():
        asyncio.run(run())
    assert asked == [{"asked": "status"}]


def test_who_would_do_more_than_read_does_it_as_the_owner(small_crawl: DataFolder) -> None:
    def own() -> Record:
        with pytest.raises(FolderInUseError):
            small_crawl.owned(timedelta(0)).__enter__()
        return {"own": True}

    assert ask_folder("test", small_crawl, status, own) == {"own": True}


def test_where_there_is_no_crawl_the_way_to_one_is_told(small_crawl: DataFolder) -> None:
    there_is_a_crawl(small_crawl)
    with pytest.raises(DataFolderError, match="Begin one with `gossamer crawl"):
        there_is_a_crawl(DataFolder(small_crawl.path / "elsewhere"))


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
        with opened(small_crawl, in_force(small_crawl).config.frontier) as place:
            keep_order(place, CrawlOrder(kept))
        each = in_force(small_crawl).each
    assert each["politeness.delay"].value == timedelta(seconds=7)
    assert each["politeness.delay"].source == "command line of an earlier crawl"
    assert (each["crawl.depth"].value, each["crawl.depth"].source) == (2, "command line")
