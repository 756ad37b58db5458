"""The command line is tested as people use it: a process, its output and its exit status."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

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
            timeout=60,
            check=False,
        )

    return run
