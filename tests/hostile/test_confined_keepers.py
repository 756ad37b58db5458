"""The sandbox, tried from inside the processes of queries, of the graph and of words.

Each is the real process, from its `main` on; only what it does once it is locked in is ours.
"""

import asyncio
import json
import os
import socket
import sys
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from tests.hostile.attacks import REFUSED, outcome, try_all, use_threads
from tests.hostile.test_confined_workers import NEEDS_ALL, PATH, neighbourhood

from gossamer.folder.data import DataFolder
from gossamer.index.graph import process as graph_process
from gossamer.index.graph import reader_process
from gossamer.index.server import process as server_writing
from gossamer.index.server import reading as server_reading
from gossamer.index.words import process as words_process
from gossamer.processes.channel import connect
from gossamer.processes.process import Program
from gossamer.processes.protocol import Kind, header

pytestmark = NEEDS_ALL
MIB = 1024 * 1024


def main(told: Mapping[str, Any], descriptor: int, owner: int) -> None:
    """Be a process of ours that was taken over as soon as it was locked in."""
    where = {**told["where"], "without": ["become a program"]}

    def attack(*_: object, **__: object) -> None:
        folder = Path(where["folder"])
        found: dict[str, object] = {"attacks": try_all(where), "threads": use_threads()}
        for name in told["own"]:
            found[name] = outcome(partial((folder / name / "draft").write_text, "mine"))
        for name in told["reads"]:
            file = folder / name / "file"
            found[name] = outcome(file.read_text)
        said = json.dumps(found).encode()
        with socket.socket(fileno=os.dup(descriptor)) as connection:
            connection.sendall(header(Kind.READY, 0, len(said)) + said)
        os._exit(0)

    module, name = told["module"], told["replace"]
    with patch(f"{module}.{name}", attack):
        sys.modules[module].main(told["told"], descriptor, owner)


def taken_over(
    program: Program,
    replaced: str,
    where: Mapping[str, Any],
    own: tuple[str, ...] = (),
    reads: tuple[str, ...] = (),
) -> dict[str, Any]:
    """What somebody gets who takes over the process of a program."""
    told = {
        "module": program.main.partition(":")[0],
        "replace": replaced,
        "told": dict(program.told),
        "where": dict(where),
        "own": own,
        "reads": reads,
    }

    async def run() -> bytes:
        hostile = replace(program, main=f"{__name__}:main", told=told)
        async with connect(hostile) as line:
            return (await line.receive()).payload

    found: dict[str, Any] = json.loads(asyncio.run(run()))
    found["got"] = {name: each for name, each in found.pop("attacks").items() if each != REFUSED}
    return found


@pytest.fixture
def data(tmp_path: Path) -> DataFolder:
    data = DataFolder(tmp_path / "data")
    for name in ("graph/snapshots", "graph/journal", "graph/quads", "words", "archive"):
        (data.path / name).mkdir(parents=True)
        (data.path / name / "file").write_text("secret")
    return data


def test_a_query_reads_snapshots_and_nothing_else(data: DataFolder) -> None:
    program = reader_process.program(data.graph_folder / "snapshots", 512 * MIB, PATH)
    with neighbourhood(data.path) as where:
        everywhere = ("graph/snapshots", "graph/quads", "words", "archive")
        found = taken_over(
            program, "ReaderProcess", where, own=("graph/journal",), reads=everywhere
        )
    assert found == {
        "got": {},
        "threads": True,
        "graph/snapshots": "got 'secret'",
        "graph/quads": REFUSED,
        "words": REFUSED,
        "archive": REFUSED,
        "graph/journal": REFUSED,
    }


def test_the_graph_has_its_own_folder_and_nothing_else(data: DataFolder) -> None:
    program = graph_process.program(data.graph_folder, 1, PATH, unfinished=False)
    with neighbourhood(data.path) as where:
        own = ("graph", "graph/quads", "words", "archive", ".")
        found = taken_over(program, "GraphStore.open", where, own=own, reads=())
    assert found == {
        "got": {},
        "threads": True,
        "graph": "got 4",
        "graph/quads": "got 4",
        "words": REFUSED,
        "archive": REFUSED,
        ".": REFUSED,
    }


def test_words_have_their_own_folder_and_the_journal(data: DataFolder) -> None:
    program = words_process.program(data.words_folder, data.graph_folder, PATH)
    with neighbourhood(data.path) as where:
        own = ("words", "graph/journal", "graph/quads", "archive", ".")
        found = taken_over(program, "WordsServer.serve", where, own=own, reads=("graph/snapshots",))
    assert found == {
        "got": {},
        "threads": True,
        "words": "got 4",
        "graph/journal": "got 4",
        "graph/quads": REFUSED,
        "archive": REFUSED,
        ".": REFUSED,
        "graph/snapshots": "got 'secret'",
    }


@pytest.mark.parametrize("program", ["reading", "writing"])
def test_whoever_speaks_to_a_server_has_the_network_and_no_file(
    data: DataFolder, program: str
) -> None:
    chosen, replaced = (
        (server_reading.program(512 * MIB, PATH), "ServerReaderProcess")
        if program == "reading"
        else (server_writing.program(PATH), "_send")
    )
    with neighbourhood(data.path) as where:
        found = taken_over(chosen, replaced, where, own=("graph", "words"), reads=("archive",))
    assert found.pop("got").keys() == {
        "connect by TCP",
        "connect by TCP, version 6",
        "send a datagram",
        "make a pair of sockets",
    }
    assert found == {"threads": True, "graph": REFUSED, "words": REFUSED, "archive": REFUSED}
