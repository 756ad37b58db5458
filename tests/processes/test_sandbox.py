"""What a sandbox is made of; that it holds is tried in `tests/hostile/test_confined_workers.py`."""

import json
import signal
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest

from gossamer.folder.data import DataFolder
from gossamer.processes import sandbox
from gossamer.processes.landlock import EXECUTE, READ, WRITE, add_rights
from gossamer.processes.sandbox import (
    Sandbox,
    confinement_record,
    file_rights,
    find_confinement,
    hidden_folders,
)


def test_a_sandbox_comes_through_json_as_it_was() -> None:
    box = Sandbox(reads=("/a",), writes=("/b", "/c"), network=True)
    assert Sandbox.of(json.loads(json.dumps(asdict(box)))) == box


def test_writers_want_a_newer_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "landlock_version", lambda: 1)
    monkeypatch.setattr(sandbox, "missing_seccomp", lambda: None)
    monkeypatch.setattr("sys.platform", "linux")
    record = confinement_record()
    assert record["workers"].startswith("landlock 1, seccomp")
    assert record["graph"] == record["words"]
    assert record["words"].startswith("seccomp, no new privileges, without landlock 2")


def test_what_was_asked_for_is_what_there_is(tmp_path: Path) -> None:
    folder = tmp_path.resolve()
    rights = add_rights(
        file_rights(Sandbox(reads=(str(folder / "r"),), writes=(str(folder / "w"),)))
    )
    assert rights[folder / "r"] == READ
    assert rights[folder / "w"] == WRITE
    assert not WRITE & EXECUTE
    assert not any(bits & EXECUTE for bits in rights.values())
    assert Path("/etc/resolv.conf").resolve() not in rights


@pytest.mark.parametrize(
    ("version", "seccomp", "sentence"),
    [
        (7, None, "landlock 7, seccomp, no new privileges"),
        (
            3,
            None,
            "landlock 3, seccomp, no new privileges, "
            "without landlock 4 (the kernel has 3): TCP is guarded by seccomp alone",
        ),
        (
            0,
            "not known for riscv64",
            "no new privileges, without landlock (the kernel has none): files and TCP are not "
            "guarded; seccomp (not known for riscv64): system calls are not filtered",
        ),
    ],
)
def test_what_is_missing_is_told(
    monkeypatch: pytest.MonkeyPatch, version: int, seccomp: str | None, sentence: str
) -> None:
    monkeypatch.setattr(sandbox, "landlock_version", lambda: version)
    monkeypatch.setattr(sandbox, "missing_seccomp", lambda: seccomp)
    monkeypatch.setattr("sys.platform", "linux")
    assert find_confinement().sentence == sentence


@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux: others count CPU time otherwise")
def test_a_process_that_computes_for_too_long_is_killed() -> None:
    code = (
        "from gossamer.processes.sandbox import Sandbox, limit_resources\n"
        "limit_resources(Sandbox(cpu_seconds=1))\n"
        "while True: pass"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -signal.SIGKILL


def test_a_data_folder_in_use_is_hidden(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path / "data")
    assert str(folder.path) not in hidden_folders()
    with folder.owned():
        assert str(folder.path.resolve()) in hidden_folders()
