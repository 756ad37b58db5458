"""The history of the last run, in the data folder."""

import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from gossamer.service.last_run import HistoryKeeper, load_history, save_history
from gossamer.service.watching import MOST, SERIES, History


def status() -> dict[str, Any]:
    phases = {name: {"seconds": 1.0, "pages": 10} for name in ("fetch", "read")}
    run: dict[str, Any] = {
        "pages_per_second": 2.5,
        "quads_per_second": 50.0,
        "visits": 3,
        "reading": 1,
    }
    run |= {"keeping": 0, "state": "running", "phase_totals": phases, "bytes": 10, "seconds": 1.0}
    return {"run": run, "left": 7, "owner": {"process": 1}}


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
    assert set(kept["series"]["left"]) == {7}


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
