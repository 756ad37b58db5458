"""The sandbox, tried from inside: whoever takes a page worker over gets nothing."""

import asyncio
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.hostile.attacks import INT80, REFUSED, X32, act

from gossamer.config import Transform as Options
from gossamer.folder.data import DataFolder
from gossamer.processes.landlock import landlock_version
from gossamer.processes.process import Lost
from gossamer.processes.sandbox import Sandbox, find_confinement
from gossamer.processes.seccomp import missing_seccomp
from gossamer.reading.page_pool import sandbox_of
from gossamer.reading.pool.connection import Answer
from gossamer.reading.pool.pool import WorkerPool
from gossamer.reading.pool.worker import WorkerSpec

ROOT = str(Path(__file__).resolve().parents[2])
PATH = (ROOT, *sys.path)
MIB = 1024 * 1024

NEEDS_ALL = [
    pytest.mark.skipif(landlock_version() < 6, reason="needs Landlock 6: an older kernel"),
    pytest.mark.skipif(missing_seccomp() is not None, reason="needs seccomp: an unknown machine"),
]
pytestmark = NEEDS_ALL


@contextmanager
def neighbourhood(folder: Path) -> Iterator[Mapping[str, Any]]:
    """A data folder with secrets, and who listens around it."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("gossamer.toml", "frontier.db", "token"):
        (folder / name).write_text("secret")
    with (
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(socket.AF_UNIX) as owner,
        socket.socket(socket.AF_UNIX) as abstract,
    ):
        owner.bind(os.path.relpath(folder / "gossamer.sock"))
        owner.listen()
        abstract.bind("")  # the kernel chooses a name
        abstract.listen()
        name = abstract.getsockname().decode()
        port = tcp.getsockname()[1]
        yield {"folder": str(folder), "port": port, "owner": os.getpid(), "abstract": name}


def in_a_worker(
    *jobs: Mapping[str, Any], sandbox: Sandbox | None = None, path: tuple[str, ...] = PATH
) -> list[Answer]:
    """What a real page worker answers to these jobs."""
    spec = WorkerSpec(f"{act.__module__}:act", path, 512 * MIB, 60, sandbox or Sandbox())

    async def run() -> list[Answer]:
        async with WorkerPool(spec, workers=1) as pool:
            return [await pool.run(json.dumps(job).encode()) for job in jobs]

    return asyncio.run(run())


def said(answer: Answer) -> dict[str, str]:
    assert isinstance(answer, bytes), answer
    found: dict[str, str] = json.loads(answer)
    return found


def test_a_worker_that_was_taken_over_is_refused_everything(tmp_path: Path) -> None:
    with neighbourhood(tmp_path / "data") as told:
        [answer] = in_a_worker(told, sandbox=sandbox_of(Options()))
    got = {name: outcome for name, outcome in said(answer).items() if outcome != REFUSED}
    assert got == {}
    assert (tmp_path / "data" / "frontier.db").read_text() == "secret"
    assert not (tmp_path / "outside.txt").exists()


def test_the_attacks_are_real_where_nothing_confines_them(tmp_path: Path) -> None:
    harmless = [
        "connect by TCP",
        "ask the owner",
        "ask an abstract socket",
        "read gossamer.toml",
        "read /etc/passwd",
        "list the data folder",
        "change the rights of frontier.db",
        "write beside the folder",
        "fork",
        "run a program",
        "signal the owner",
        "delete frontier.db",
    ]
    with neighbourhood(tmp_path / "data") as told:
        run = "import sys; from tests.hostile.attacks import act; print(act(sys.argv[1].encode()).decode())"
        job = json.dumps({**told, "only": harmless})
        command = [sys.executable, "-c", run, job]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    outcomes = said(done.stdout)
    assert [*outcomes] == harmless
    assert [name for name, each in outcomes.items() if not each.startswith("got")] == []


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="needs x86-64: its other kinds of calls")
@pytest.mark.parametrize("code", [INT80, X32], ids=["int 0x80", "x32"])
def test_calls_of_another_kind_end_the_worker(code: bytes) -> None:
    killed, alive = in_a_worker({"call": code.hex()}, {"look": []})
    assert isinstance(killed, Lost)
    assert alive == b"{}"  # its successor


def test_a_data_folder_among_modules_is_not_read(tmp_path: Path) -> None:
    project = tmp_path / "project"
    package = project / "some_package"
    data = DataFolder(package / "data")
    for folder in (package, project / "papers", data.path):
        folder.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "module.py").write_text("")
    for secret in (data.settings_file, project / "notes.txt", project / "papers" / "letter.txt"):
        secret.write_text("secret")
    wanted = [
        package / "module.py",
        data.settings_file,
        project / "notes.txt",
        project / "papers" / "letter.txt",
    ]
    with data.owned():
        [answer] = in_a_worker({"look": [*map(str, wanted)]}, path=(str(project), *PATH))
    assert [*said(answer).values()] == ["got b''", REFUSED, REFUSED, REFUSED]


def test_a_data_folder_that_is_on_the_module_path_is_not_read(tmp_path: Path) -> None:
    data = DataFolder(tmp_path)
    data.settings_file.write_text("secret")
    (tmp_path / "module.py").write_text("")
    with data.owned():
        looked = {"look": [str(data.settings_file), str(tmp_path / "module.py")]}
        [answer] = in_a_worker(looked, path=(*PATH, str(tmp_path)))
    assert [*said(answer).values()] == [REFUSED, REFUSED]


def test_plug_ins_may_do_what_the_user_says_and_no_more(tmp_path: Path) -> None:
    with neighbourhood(tmp_path / "data") as told:
        options = Options(plugin_reads=(told["folder"],), plugin_programs=("/bin/true",))
        kept = {**told, "without": ["become a program"]}
        [reads] = in_a_worker(kept, sandbox=sandbox_of(options))
        [linked] = in_a_worker(told, sandbox=sandbox_of(Options(plugin_network=True)))
    got = {name for name, outcome in said(reads).items() if outcome != REFUSED}
    assert got == {
        "read gossamer.toml",
        "read frontier.db",
        "read a token",
        "list the data folder",
        "fork",
        "run a program",
    }
    got = {name for name, outcome in said(linked).items() if outcome != REFUSED}
    # A pair of sockets is what an event loop is woken by.
    assert got == {
        "connect by TCP",
        "connect by TCP, version 6",
        "send a datagram",
        "make a pair of sockets",
    }


def test_what_confines_workers_is_told() -> None:
    assert find_confinement().sentence == (
        f"landlock {landlock_version()}, seccomp, no new privileges"
    )
