import errno
import os
import resource
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from gossamer.errors import ArchiveError, ArchiveFullError
from gossamer.fetch.archive.files import (
    WarcFile,
    archive_files,
    failure,
    file_name,
    mark_of,
    take_over,
)
from gossamer.fetch.archive.place import FILE_NAME

from .exchanges import NOON, names

HOLD = """
import sys
from pathlib import Path
from gossamer.fetch.archive.files import WarcFile
WarcFile(Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
"""


def test_a_name_carries_moment_node_and_number() -> None:
    assert file_name(NOON, "web-1", 7) == "gossamer-20260101120000000-web-1-00007.warc.gz"


@pytest.mark.parametrize("node", ["../../etc", "", "a:b c\n", "n" * 300, "\u00e9", "..", "a/b"])
def test_any_node_name_makes_a_file_name(node: str) -> None:
    name = file_name(NOON, node, 1)
    assert FILE_NAME.fullmatch(name)
    assert len(name) < 200


def test_files_sort_by_time(tmp_path: Path) -> None:
    moments = [NOON + timedelta(seconds=step) for step in (0, 1, 100_000)]
    for at in reversed(moments):
        (tmp_path / file_name(at, "node", 1)).touch()
    (tmp_path / "other.warc.gz").touch()
    assert [path.name for path in archive_files(tmp_path)] == [
        file_name(at, "node", 1) for at in moments
    ]


def test_a_file_has_a_mark_while_it_is_written(tmp_path: Path) -> None:
    file = WarcFile(tmp_path / "a.warc.gz")
    assert take_over(mark_of(file.path)) is None
    assert [file.append(b"one"), file.append(b"two")] == [0, 3]
    file.close()
    assert file.path.read_bytes() == b"onetwo"
    assert not mark_of(file.path).exists()


def test_a_name_that_is_taken_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "a.warc.gz").write_bytes(b"old")
    with pytest.raises(FileExistsError):
        WarcFile(tmp_path / "a.warc.gz")
    assert names(tmp_path) == ["a.warc.gz"]
    assert (tmp_path / "a.warc.gz").read_bytes() == b"old"


def test_the_mark_of_a_dead_writer_can_be_taken_over(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"held\n"
        assert take_over(mark_of(path)) is None
        writer.kill()
    lock = take_over(mark_of(path))
    assert lock is not None
    os.close(lock)


def test_no_mark_is_nothing_to_take_over(tmp_path: Path) -> None:
    assert take_over(tmp_path / "a.warc.gz.open") is None


def test_a_batch_that_finds_no_room_leaves_nothing_behind(tmp_path: Path) -> None:
    file = WarcFile(tmp_path / "a.warc.gz")
    file.append(b"first")
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, usual[1]))
    try:
        with pytest.raises(ArchiveFullError, match=r"no room for .*a\.warc\.gz: .* make room"):
            file.append(b"x" * 200)
        assert file.path.read_bytes() == b"first"
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)
    assert file.usable
    assert file.append(b"x" * 200) == 5
    file.close()


def test_a_file_that_failed_for_other_reasons_keeps_its_mark(tmp_path: Path) -> None:
    file = WarcFile(tmp_path / "a.warc.gz")
    file.append(b"first")
    read_only = os.open(file.path, os.O_RDONLY)
    os.dup2(read_only, file._fd)  # no write succeeds any more, nor can anything be cut
    os.close(read_only)
    with pytest.raises(ArchiveError, match=r"cannot use .*a\.warc\.gz: "):
        file.append(b"second")
    assert not file.usable
    file.close()
    assert mark_of(file.path).exists()


@pytest.mark.parametrize(
    ("number", "full"), [(errno.ENOSPC, True), (errno.EDQUOT, True), (errno.EIO, False)]
)
def test_only_want_of_room_is_want_of_room(number: int, full: bool) -> None:
    error = failure(OSError(number, os.strerror(number)), Path("a.warc.gz"))
    assert isinstance(error, ArchiveFullError) == full
    assert os.strerror(number) in str(error)


def test_a_file_that_is_discarded_leaves_nothing(tmp_path: Path) -> None:
    file = WarcFile(tmp_path / "a.warc.gz")
    file.append(b"one")
    file.discard()
    assert names(tmp_path) == []
