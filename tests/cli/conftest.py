"""The command line is tested as people use it: a process, its output and its exit status."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from tests.owner.small_crawl import made
from tests.slowness import patience

from gossamer.cli import errors, program
from gossamer.folder.data import DataFolder

Gossamer = Callable[..., CompletedProcess[str]]


@pytest.fixture
def gossamer(tmp_path: Path) -> Gossamer:
    """Run `gossamer ARGUMENTS…` in an empty folder, with variables of ours alone."""

    def run(*arguments: str, **variables: str) -> CompletedProcess[str]:
        clean = {name: value for name, value in os.environ.items() if "GOSSAMER" not in name}
        return subprocess.run(
            [str(Path(sys.executable).with_name("gossamer")), *arguments],
            cwd=tmp_path,
            env={**clean, "COLUMNS": "120", **variables},
            capture_output=True,
            text=True,
            timeout=patience(60),
            check=False,
        )

    return run


@pytest.fixture
def here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Gossamer:
    """The same in this process: for what needs no process of its own, and many times as fast."""

    def run(*arguments: str, **variables: str) -> CompletedProcess[str]:
        for name in [name for name in os.environ if "GOSSAMER" in name]:
            monkeypatch.delenv(name)
        for name, value in {"COLUMNS": "120", **variables}.items():
            monkeypatch.setenv(name, value)
        monkeypatch.chdir(tmp_path)
        terminate = signal.getsignal(signal.SIGTERM)
        try:
            with pytest.raises(SystemExit) as ended:
                errors.run(program, arguments)
        finally:
            signal.signal(signal.SIGTERM, terminate)
        status = ended.value.code
        assert isinstance(status, int)
        return CompletedProcess(arguments, status, *capfd.readouterr())

    return run


@pytest.fixture
def small_crawl(tmp_path: Path) -> DataFolder:
    """A crawl of a few pages in the folder where `gossamer` looks for it."""
    return asyncio.run(made(tmp_path / "gossamer-data"))
