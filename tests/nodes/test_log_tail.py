from pathlib import Path

import pytest

from gossamer.nodes.log_tail import LogPlace, LogTail


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def write(folder: Path, number: int, *lines: str, end: str = "\n") -> None:
    with (folder / f"{number:06}.jsonl").open("a") as file:
        file.write("\n".join(lines) + end)


def read_all(tail: LogTail, place: LogPlace | None = None) -> tuple[list[bytes], LogPlace | None]:
    lines: list[bytes] = []
    while True:
        part = tail.read(place, 50)
        lines += part.lines
        place = part.place
        if part.is_last:
            return lines, place


def test_what_was_added_is_read_once_also_over_files(folder: Path) -> None:
    tail = LogTail(folder)
    assert tail.read(None).place is None
    write(folder, 1, "one", "two")
    lines, place = read_all(tail)
    assert lines == [b"one", b"two"]
    write(folder, 1, "three")
    write(folder, 2, "four")
    lines, place = read_all(tail, place)
    assert lines == [b"three", b"four"]
    assert read_all(tail, place) == ([], place)
    assert place == tail.end()


def test_a_line_that_is_being_written_waits_for_its_end(folder: Path) -> None:
    tail = LogTail(folder)
    write(folder, 1, "one", "tw", end="")
    lines, place = read_all(tail)
    assert lines == [b"one"]
    write(folder, 1, "o")
    assert read_all(tail, place)[0] == [b"two"]


def test_without_a_place_it_begins_where_the_last_run_did(folder: Path) -> None:
    started = '{"at": "x", "event": "started"}'
    write(folder, 1, "old", started, "older run", started, "new")
    assert read_all(LogTail(folder))[0] == [started.encode(), b"new"]


def test_what_is_too_much_is_passed_over_and_counted(folder: Path) -> None:
    for number in (1, 2, 3):
        write(folder, number, *["0123456789"] * 10)  # 110 bytes
    part = LogTail(folder, most_behind=120).read(LogPlace("000001.jsonl", 0), 1_000)
    lines, _ = read_all(LogTail(folder, most_behind=120), LogPlace("000001.jsonl", 0))
    assert part.passed_over + len([line for line in lines if len(line) == 10]) in (29, 30)
    assert 4 <= len(lines) <= 11


def test_files_that_are_gone_or_shorter_are_no_trouble(folder: Path) -> None:
    tail = LogTail(folder)
    write(folder, 2, "one")
    assert read_all(tail, LogPlace("000001.jsonl", 500))[0] == [b"one"]
    assert read_all(tail, LogPlace("000002.jsonl", 500))[0] == []
    assert read_all(tail, LogPlace("000009.jsonl", 0))[0] == [b"one"]
