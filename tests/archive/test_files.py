import errno
import gzip
import os
import resource
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from tests.archive.exchanges import NOON, archive_in, exchanges, names, seen_by_warcio, warcs

from gossamer.archive.exchange import FILE_NAME, ArchivePlace
from gossamer.archive.files import (
    Mended,
    WarcFile,
    archive_files,
    failure,
    file_name,
    mark_of,
    mend,
    take_over,
)
from gossamer.errors import ArchiveError, ArchiveFullError

HOLD = """
import sys
from pathlib import Path
from gossamer.archive.files import WarcFile
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


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file of three pages whose writer died: seven records, the first about the file."""
    with archive_in(tmp_path) as archive:
        archive.write(exchanges(b"zero", b"one", b"two" * 500))
    (path,) = warcs(tmp_path)
    mark_of(path).touch()
    return path


def last_record(path: Path) -> int:
    """Where the last record begins."""
    data = path.read_bytes()
    return data.rindex(b"\x1f\x8b\x08\x00\x00\x00\x00\x00")


def test_a_whole_file_stays_as_it_is(file: Path) -> None:
    data = file.read_bytes()
    assert mend(file.parent) == [Mended(file.name, 7)]
    assert file.read_bytes() == data
    assert names(file.parent) == [file.name]


def test_wherever_a_record_is_torn_the_whole_ones_stay(file: Path) -> None:
    data, last = file.read_bytes(), last_record(file)
    for end in range(last + 1, len(data)):
        file.write_bytes(data[:end])
        mark_of(file).touch()
        assert mend(file.parent) == [Mended(file.name, 6, end - last)]
        assert file.read_bytes() == data[:last]
    assert len(seen_by_warcio(file)) == 6


@pytest.mark.parametrize("end", [0, 1, 5, 9, 20])
def test_a_file_without_a_whole_record_is_removed(file: Path, end: int) -> None:
    file.write_bytes(file.read_bytes()[:end])
    assert mend(file.parent) == [Mended(file.name, 0, end)]
    assert names(file.parent) == []


def test_zeros_at_the_end_are_cut_as_after_a_power_failure(file: Path) -> None:
    data = file.read_bytes()
    file.write_bytes(data + bytes(5000))
    assert mend(file.parent) == [Mended(file.name, 7, 5000)]
    assert file.read_bytes() == data


def test_damage_before_whole_records_is_told_and_nothing_is_cut(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[last_record(file) - 4] ^= 1
    file.write_bytes(data)
    (told,) = mend(file.parent)
    assert (told.records, told.cut_bytes) == (6, 0)
    assert told.left_alone is not None
    assert "whole records follow" in told.left_alone
    assert file.read_bytes() == data


@pytest.mark.parametrize(
    "data",
    [
        b"my diary",
        b"PK\x03\x04",
        gzip.compress(b"x", mtime=7),
        gzip.compress(b"my diary", mtime=0),
        bytes(9),
    ],
)
def test_a_file_of_another_kind_is_never_touched(file: Path, data: bytes) -> None:
    file.write_bytes(data)
    (told,) = mend(file.parent)
    assert told.left_alone is not None
    assert file.read_bytes() == data


def test_a_file_whose_first_record_decayed_is_told_and_stays(file: Path) -> None:
    with archive_in(file.parent) as archive:
        archive.write(exchanges(os.urandom(100_000)))
    large = max(warcs(file.parent), key=lambda path: path.stat().st_size)
    data = bytearray(large.read_bytes())
    data[40] ^= 1
    large.write_bytes(data)
    mark_of(large).touch()
    told = {each.file: each for each in mend(file.parent)}
    assert told[large.name].left_alone is not None
    assert large.read_bytes() == data


def test_a_file_without_a_mark_is_not_even_read(file: Path) -> None:
    mark_of(file).unlink()
    file.write_bytes(file.read_bytes()[:-3])
    assert mend(file.parent) == []


def test_the_file_of_a_living_writer_is_left_to_it(tmp_path: Path) -> None:
    living = WarcFile(tmp_path / "gossamer-a.warc.gz")
    living.append(b"half a rec")
    assert mend(tmp_path) == []
    assert living.path.read_bytes() == b"half a rec"
    living.close()


def test_a_mark_without_a_file_goes(tmp_path: Path) -> None:
    (tmp_path / "gossamer-a.warc.gz.open").touch()
    assert mend(tmp_path) == []
    assert names(tmp_path) == []


def test_records_are_at_their_places_after_a_cut(tmp_path: Path) -> None:
    with archive_in(tmp_path) as archive:
        places: list[ArchivePlace] = archive.write(exchanges(b"zero", b"one"))
    (path,) = warcs(tmp_path)
    mark_of(path).touch()
    path.write_bytes(path.read_bytes() + b"\x1f\x8b\x08 torn")
    with archive_in(tmp_path) as archive:
        assert [each.cut_bytes for each in archive.mended] == [8]
        assert [archive.read(place).body for place in places] == [b"zero", b"one"]
