"""`tools/walk.py`: the cheapest of its walks, as anybody would run it."""

import importlib
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
WALK = ROOT / "tools" / "walk.py"
PAGE = ROOT / "docs" / "architecture.md"
A_FEW = 4  # files, of threads in the background
# Functions on the way of `POST /politeness` for a host that nobody knows, in the order of their calls.
ON_THE_WAY = [
    "http/connection.py ServerConnection.next_head",
    "service/routes.py call_of",
    "sending/check.py check_all",
    "sending/robots_rules.py RobotsRules.ask",
    "sending/rights.py Rights.take_unjudged",
    "sending/line.py HostLines.take",
    "fetch/http.py HttpFetcher.get",
    "politeness/robots/response.py after_response",
]


@pytest.fixture(scope="module")
def printed() -> list[str]:
    command = [sys.executable, str(WALK), "--walk", "politeness", "--functions"]
    return subprocess.check_output(command, text=True).splitlines()


def entered(printed: list[str]) -> list[tuple[str, str]]:
    pairs = (line.split(" ", 1) for line in printed if re.match(r"\S+\.py \S", line))
    return [(file, function) for file, function in pairs]


def test_a_walk_meets_functions_in_the_order_of_their_calls(printed: list[str]) -> None:
    met = [line for line in printed if line in ON_THE_WAY]
    assert met == ON_THE_WAY


def test_a_walk_enters_each_function_once_and_only_those_of_the_package(printed: list[str]) -> None:
    found = entered(printed)
    assert len(set(found)) == len(found)
    assert all((ROOT / "src" / "gossamer" / file).is_file() for file, _ in found)


def test_what_runs_while_a_module_is_imported_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = "def early():\n    len('')\n\ndef late():\n    pass\n\nlen('')\nearly()\n"
    (tmp_path / "walked_over.py").write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    trace = runpy.run_path(str(WALK))["Trace"](tmp_path)
    trace.start()
    try:
        importlib.import_module("walked_over").late()
    finally:
        trace.stop()
    assert [each.function for each in trace.entered()] == ["late"]


def test_the_counts_at_the_end_are_those_of_the_list(printed: list[str]) -> None:
    found = entered(printed)
    files = {file for file, _ in found}
    assert printed[-1].startswith(f"| politeness | {len(files)} | {len(found)} | ")


def test_the_page_of_the_tree_has_the_count_of_today(printed: list[str]) -> None:
    told = re.search(r"^\| politeness \| (\d+) \|", PAGE.read_text(), re.MULTILINE)
    assert told is not None
    files = {file for file, _ in entered(printed)}
    assert abs(len(files) - int(told[1])) <= A_FEW, "print the walks again for docs/architecture.md"
