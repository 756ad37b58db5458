from typing import Any

from gossamer.processes.usage import Usage
from gossamer.service.watching import PHASES, away, snapshot


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
