import gzip
import os
from pathlib import Path

import pytest

from gossamer.fetch.archive.files import WarcFile, mark_of
from gossamer.fetch.archive.mend import Mended, mend
from gossamer.fetch.archive.place import ArchivePlace

from .exchanges import archive_in, exchanges, names, seen_by_warcio, warcs


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
