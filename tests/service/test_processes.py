"""What processes take."""

import os
import subprocess
import sys

import pytest

from gossamer.service import processes
from gossamer.service.processes import PROC, usages


@pytest.mark.skipif(not PROC.exists(), reason="needs proc: this system has no /proc")
def test_the_owner_and_those_it_started_are_told_apart() -> None:
    command = [sys.executable, "-c", "input()"]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as other:
        found = {usage.name: usage for usage in usages(os.getpid())}
        beside = {usage.name for usage in usages(other.pid)}
        other.communicate(b"\n")
    assert found["owner"].resident_bytes > 1_000_000
    assert found["owner"].cpu_seconds > 0
    assert found["children of owner"].resident_bytes > 0
    assert {"service", "owner"} <= beside


@pytest.mark.skipif(not PROC.exists(), reason="needs proc: this system has no /proc")
def test_an_owner_that_is_gone_is_left_out() -> None:
    assert "owner" not in {usage.name for usage in usages(2**22 + 1)}


def test_where_the_system_tells_nothing_we_know_ourselves(
    monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    monkeypatch.setattr(processes, "PROC", tmp_path)
    (usage,) = usages(1)
    assert usage.name == "service"
    assert usage.resident_bytes > 1_000_000
