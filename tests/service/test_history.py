"""Snapshots of a crawl, the history that they make, and the file in the data folder that keeps it."""

import itertools
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from gossamer.processes import usage as process_usage
from gossamer.processes.usage import Usage, has_proc
from gossamer.service.history import (
    MOST,
    PHASES,
    SERIES,
    History,
    HistoryKeeper,
    away,
    load_history,
    save_history,
    snapshot,
    usages,
)


def status(pages: int = 0, process: int = 7, **run: Any) -> dict[str, Any]:
    told = {
        "pages_per_second": 2.0,
        "quads_per_second": 20.0,
        "bytes": 100 * pages,
        "phase_totals": {"fetch": {"seconds": 1.0, "pages": pages}},
        "visits": 3,
        "reading": 1,
        "keeping": 0,
        "state": "running",
    }
    return {"owner": {"process": process}, "left": 5, "run": {**told, **run}}


def use(cpu: float) -> list[Usage]:
    return [Usage("owner", cpu, 1000), Usage("children of owner", 1.0, 500)]


def test_a_snapshot_says_what_it_is_about_and_what_that_takes() -> None:
    seen = snapshot(status(), use(2.0), 50.0)
    assert (seen["state"], seen["at"], seen["memory"], seen["cpu_seconds"]) == (
        "running",
        50.0,
        1500,
        3.0,
    )
    assert set(seen["rates"].values()) == {None}
    assert snapshot(status(state="paused"), (), 1.0)["state"] == "paused"


def test_rates_are_what_changed_since_the_one_before() -> None:
    before = snapshot(status(10), use(2.0), 50.0)
    seen = snapshot(status(30), use(3.0), 52.0, before)
    assert seen["rates"]["fetch"] == 10.0
    assert seen["rates"]["bytes"] == 1000.0
    assert seen["rates"]["cpu"] == 0.5
    assert {seen["rates"][phase] for phase in PHASES[1:]} == {0.0}


def test_two_runs_have_no_rate_between_them() -> None:
    before = snapshot(status(10), use(2.0), 50.0)
    for now in (
        snapshot(status(30, process=8), use(2.0), 51.0, before),
        snapshot(status(30), use(2.0), 50.0, before),
        snapshot(status(30), use(2.0), 51.0, away(50.0)),
        snapshot({**status(), "run": None}, use(2.0), 51.0, before),
    ):
        assert set(now["rates"].values()) == {None}


def test_a_process_that_has_ended_makes_no_rate_negative() -> None:
    before = snapshot(status(10), use(9.0), 50.0)
    assert snapshot(status(10), use(1.0), 51.0, before)["rates"]["cpu"] == 0.0


def test_without_a_crawl_there_is_none() -> None:
    assert snapshot({**status(), "run": None}, (), 1.0)["state"] == "none"
    assert away(1.0) == {"at": 1.0, "state": "away"}


def test_a_point_is_kept_every_few_seconds() -> None:
    history = History(every=5)
    for second in range(12):
        history.note(snapshot(status(), (), second))
    kept = history.record()
    assert kept["at"] == [0, 5, 10]
    assert set(kept["series"]) == set(SERIES)
    assert kept["series"]["left"] == [5, 5, 5]
    assert kept["series"]["fetch"] == [None, None, None]


def test_it_never_holds_more_than_an_hour() -> None:
    history = History(every=5)
    for turn in range(MOST + 3):
        history.note(snapshot(status(), (), 5.0 * turn))
    kept = history.record()
    assert len(kept["at"]) == MOST
    assert kept["at"][0] == 15.0


def test_times_without_a_crawl_leave_nothing() -> None:
    history = History()
    history.note(away(1.0))
    history.note(snapshot({**status(), "run": None}, (), 2.0))
    assert history.record()["at"] == []
    assert history.record()["series"] == {name: [] for name in SERIES}


@pytest.mark.skipif(not has_proc(), reason="needs proc: this system has no /proc")
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


@pytest.mark.skipif(not has_proc(), reason="needs proc: this system has no /proc")
def test_an_owner_that_is_gone_is_left_out() -> None:
    assert "owner" not in {usage.name for usage in usages(2**22 + 1)}


def test_where_the_system_tells_nothing_we_know_ourselves(
    monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    monkeypatch.setattr(process_usage, "PROC", tmp_path)
    (usage,) = usages(1)
    assert usage.name == "service"
    assert usage.resident_bytes > 1_000_000


def test_a_run_is_kept_to_its_end_and_read_again(tmp_path: Path) -> None:
    file = tmp_path / "history.json"

    moment = itertools.count(1_000)
    keeper = HistoryKeeper(file, status, lambda: float(next(moment)))
    for _ in range(2 * MOST):
        keeper.look()
    save_history(file, keeper.history)
    kept = load_history(file).record()
    assert kept["at"][0] == 1_000
    assert kept["at"][-1] >= 1_000 + 2 * MOST - 5
    assert MOST / 2 <= len(kept["at"]) <= MOST
    assert kept["every"] > 1
    assert set(kept["series"]) == set(SERIES)
    assert set(kept["series"]["left"]) == {5}


@pytest.mark.parametrize(
    "damage", ["", "[]", "{", '{"every": 5, "at": [1], "series": {}}', "[" * 100_000]
)
def test_a_damaged_file_is_no_history(tmp_path: Path, damage: str) -> None:
    file = tmp_path / "history.json"
    assert load_history(file).record()["at"] == []
    file.write_text(damage)
    assert load_history(file).record() == History().record()


def test_figures_are_numbers_and_lines_are_as_long_as_each_other(tmp_path: Path) -> None:
    file = tmp_path / "history.json"
    series: dict[str, list[object]] = {name: [1.0] for name in SERIES}
    damaged: list[dict[str, list[object]]] = [
        {"left": ["<script>"]},
        {"left": []},
        {"left": [float("inf")]},
    ]
    for wrong in damaged:
        file.write_text(json.dumps({"every": 5, "at": [1.0], "series": {**series, **wrong}}))
        assert load_history(file).record()["at"] == []
    file.write_text(json.dumps({"every": 5, "at": [1.0], "series": series}))
    assert load_history(file).record()["series"]["left"] == [1.0]


def test_where_it_cannot_be_written_the_crawl_goes_on(tmp_path: Path) -> None:
    save_history(tmp_path / "nowhere" / "history.json", History())
    assert not [*tmp_path.iterdir()]
