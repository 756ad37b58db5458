import json
import os
import subprocess
import sys

import pytest
from tests.processes.test_process import ask, receive
from tests.transform.pool.crew import MIB, NEEDS_PROC, worker

from gossamer.processes.process import spawned

pytestmark = [pytest.mark.timeout(30), NEEDS_PROC]


def test_a_page_finds_nothing_of_ours_in_its_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOSSAMER_SECRET", "do not tell")
    with spawned(worker()) as process:
        receive(process.connection)
        seen = json.loads(ask(process, b"surroundings")[1])
    assert seen["environment"] == ["LC_ALL", "TZ"]
    assert seen["descriptors"]["0"] == seen["descriptors"]["1"] == "/dev/null"
    # stderr, the socket, and the folder that is being read to find these out
    assert len(seen["descriptors"]) == 5
    assert seen["threads"] == 1
    assert seen["session"]
    assert seen["ignores_interrupts"]
    assert seen["core"] == 0


def test_what_the_worker_itself_holds_is_not_the_pages() -> None:
    with spawned(worker(function="heavy_functions:measure", memory_mib=64)) as process:
        receive(process.connection)
        assert ask(process, b"")[1] == b"%d" % (20 * MIB)


def test_memory_is_counted_as_the_system_counts_it() -> None:
    # In a process of its own: here, a thread may end meanwhile and give its memory back.
    run = f"""
from gossamer.processes.confine import data_bytes
before, ballast = data_bytes(), bytearray({200 * MIB})
print(data_bytes() - before - len(ballast))
"""
    done = subprocess.run([sys.executable, "-c", run], capture_output=True, check=True)
    assert 0 <= int(done.stdout) < MIB


def test_a_worker_whose_owner_is_gone_before_it_starts_does_not_start() -> None:
    run = "import sys; from gossamer.processes.confine import die_with; die_with(1); print(1)"
    assert os.getpid() != 1
    done = subprocess.run([sys.executable, "-c", run], capture_output=True, check=True)
    assert done.stdout == b""
