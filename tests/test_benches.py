"""Every benchmark runs: what it measures at this size means nothing, that it ends well does."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).resolve().parents[1] / "bench"
NAMES = sorted(path.stem for path in BENCH.glob("*.py"))


@pytest.mark.parametrize("name", NAMES)
def test_a_benchmark_runs_at_its_smallest_size_and_ends_with_its_figures(
    name: str, tmp_path: Path
) -> None:
    done = subprocess.run(
        [sys.executable, BENCH / f"{name}.py", "--tiny"],
        cwd=tmp_path,
        env={key: value for key, value in os.environ.items() if "GOSSAMER" not in key},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    assert told.keys() == {"name", "ratios", "figures"}
    assert told["name"] == name
    assert told["figures"]
    assert all(ratio > 0 for ratio in told["ratios"].values())
    assert "Traceback" not in done.stderr
