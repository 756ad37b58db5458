"""Every benchmark runs: what it measures at this size means nothing, that it ends well does."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from bench.extract_cases.realistic import pages as realistic_pages

import gossamer

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


def test_realistic_pages_are_of_20_kb_to_2_mb_and_hold_the_syntaxes_they_claim() -> None:
    sizes = [len(page.body) for page in realistic_pages()]
    assert min(sizes) >= 20_000
    assert 1_500_000 < max(sizes) <= 2 << 20
    for page in realistic_pages(largest=100_000):
        for syntax in page.syntaxes:
            assert gossamer.extract(page.body, url=page.url, syntaxes=[syntax]).count > 1, page.kind
