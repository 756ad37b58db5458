import json
import subprocess
import sys


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gossamer.demo", *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_it_prints_its_address_and_ends_with_its_input() -> None:
    done = run("--pages=20", "--hosts=2")
    assert done.returncode == 0
    assert json.loads(done.stdout)["address"].startswith("127.0.0.1:")
    assert done.stderr == ""


def test_numbers_out_of_range_are_bad_usage() -> None:
    done = run("--pages=3")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == "demo: pages must be from 10 to 1,000,000, not 3\n"
