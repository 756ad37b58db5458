import asyncio
import json
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from gossamer.errors import OutputError, StorageFullError
from gossamer.sinks.json_lines import JsonLinesFile

LINE = b'{"url": "http://a.test/"}\n'


def write(path: Path, *lines: bytes) -> int:
    """Append lines as one crawl; how many bytes were cut off when the file was opened."""
    file = JsonLinesFile.open(path)
    try:
        asyncio.run(file.write(lines))
    finally:
        file.close()
    return file.cut_bytes


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """No file of ours may have more bytes than this: a full disk, to whoever writes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_lines_are_appended_to_what_is_there(tmp_path: Path) -> None:
    path = tmp_path / "pages.jsonl"
    assert write(path, LINE, LINE) == 0
    assert write(path, LINE) == 0
    assert path.read_bytes() == LINE * 3


@pytest.mark.parametrize("torn", [LINE[:-1], LINE[:3], LINE[:9] + b"x" * 200_000])
def test_a_line_that_a_dead_crawl_left_torn_is_cut_off(tmp_path: Path, torn: bytes) -> None:
    path = tmp_path / "pages.jsonl"
    path.write_bytes(LINE + torn)
    assert write(path, LINE) == len(torn)
    assert path.read_bytes() == LINE * 2


def test_what_somebody_else_wrote_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(b"one\ntwo")
    with pytest.raises(OutputError, match=r"name another file with -o"):
        write(path, LINE)
    assert path.read_bytes() == b"one\ntwo"


def test_of_a_batch_that_has_no_room_nothing_is_there_and_it_can_be_written_later(
    tmp_path: Path,
) -> None:
    path = tmp_path / "pages.jsonl"
    file = JsonLinesFile.open(path)
    asyncio.run(file.write([LINE]))
    with room_for(len(LINE) + 5), pytest.raises(StorageFullError):
        asyncio.run(file.write([LINE, LINE]))
    assert path.read_bytes() == LINE
    asyncio.run(file.write([LINE, LINE]))
    file.close()
    assert [json.loads(line)["url"] for line in path.read_text().splitlines()] == [
        "http://a.test/"
    ] * 3


def test_two_crawls_do_not_write_to_one_file(tmp_path: Path) -> None:
    file = JsonLinesFile.open(tmp_path / "pages.jsonl")
    with pytest.raises(OutputError, match="Another crawl writes"):
        JsonLinesFile.open(tmp_path / "pages.jsonl")
    file.close()
