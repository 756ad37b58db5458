"""The last requests, out of the log."""

import json
from pathlib import Path

import pytest
from tests.service.running import Client, service_on

from gossamer.folder.data import DataFolder
from gossamer.service.trace import last_lines, last_requests


def requested(number: int, host: str = "a.test") -> str:
    return json.dumps(
        {"at": "t", "event": "requested", "host": host, "url": f"http://{host}/{number}"}
    )


def logged(folder: Path, *files: list[str]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for number, lines in enumerate(files, 1):
        (folder / f"{number:06}.jsonl").write_text("".join(f"{line}\n" for line in lines))
    return folder


def test_the_latest_come_first_and_over_the_edge_of_files(tmp_path: Path) -> None:
    other = '{"event":"refused","url":"requested"}'
    folder = logged(
        tmp_path, [requested(1), requested(2)], [other, requested(3, "b.test"), "{torn requested"]
    )
    numbers = [event["url"][-1] for event in last_requests(folder, 10)]
    assert numbers == ["3", "2", "1"]
    assert [event["url"][-1] for event in last_requests(folder, 2)] == ["3", "2"]
    assert [event["url"][-1] for event in last_requests(folder, 9, "a.test")] == ["2", "1"]


@pytest.mark.parametrize("block", [1, 2, 3, 7, 64, 10_000])
def test_lines_are_whole_however_they_are_cut(tmp_path: Path, block: int) -> None:
    lines = ["", "é", "a" * 50, "b", ""]
    folder = logged(tmp_path, lines, ["c"])
    found = [line.decode() for line in last_lines(folder, block) if line]
    assert found == ["c", "b", "a" * 50, "é"]


def test_no_more_of_a_log_is_read_than_is_right(tmp_path: Path) -> None:
    folder = logged(tmp_path, ["x" * 99] * 100)
    assert 4 <= len([line for line in last_lines(folder, 100, 500) if line]) <= 5


def test_the_trace_is_asked_for_over_rest(tmp_path: Path) -> None:
    logged(tmp_path / "log", [requested(1), requested(2, "b.test")])
    with service_on(DataFolder(tmp_path)) as ask:
        assert [each["url"] for each in ask("/trace").json["requests"]] == [
            "http://b.test/2",
            "http://a.test/1",
        ]
        assert len(ask("/trace", host="a.test").json["requests"]) == 1
        assert ask("/trace", limit=5000).status == 400


def test_a_crawl_without_a_log_has_no_trace(ask: Client) -> None:
    assert ask("/trace").json == {"requests": []}
