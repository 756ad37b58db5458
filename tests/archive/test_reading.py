from pathlib import Path

import pytest
from tests.archive.exchanges import archive_in, exchanges

from gossamer.archive.exchange import ArchivePlace
from gossamer.archive.reading import read_record
from gossamer.errors import ArchiveError


def test_an_answer_is_read_from_its_place(tmp_path: Path) -> None:
    with archive_in(tmp_path) as archive:
        places = archive.write(exchanges(b"zero", b"one"))
    assert [read_record(tmp_path, place).body for place in places] == [b"zero", b"one"]


def test_a_place_that_is_none_is_an_error_that_names_it(tmp_path: Path) -> None:
    with archive_in(tmp_path) as archive:
        (good,) = archive.write(exchanges(b"zero"))
    wrong = [
        ArchivePlace(good.file, good.offset + 1, good.length),
        ArchivePlace(good.file, good.offset, good.length - 1),
        ArchivePlace(good.file, good.offset, good.length + 1),
        ArchivePlace(good.file, 0, good.offset),  # the head of the file
        ArchivePlace(good.file, 1 << 40, 5),
        ArchivePlace("gossamer-none.warc.gz", 0, 5),
    ]
    for place in wrong:
        with pytest.raises(ArchiveError, match=place.file):
            read_record(tmp_path, place)


def test_no_place_leads_out_of_the_folder(tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match="no file of an archive"):
        read_record(tmp_path / "archive", ArchivePlace("../secret.warc.gz", 0, 5))
