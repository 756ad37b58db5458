"""An archive over several folders: where new files go, and what becomes of folders that are full or gone."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from datetime import timedelta
from itertools import count
from pathlib import Path

import pytest
from tests.archive.exchanges import NOON, exchanges, warcs

from gossamer import config
from gossamer.archive.folders import (
    LIST,
    MARK,
    all_rooms,
    known_folders,
    missing_folders,
    refuse_missing,
)
from gossamer.archive.reading import read_record
from gossamer.archive.writer import Archive
from gossamer.errors import ArchiveError, ArchiveFullError
from gossamer.events import ArchiveFolderAway

KIB = 1024
_SECONDS = count()  # no two archives begin at the same moment
NO_MOUNT = "Only root can mount the small disks that this test fills."


@pytest.fixture
def disks(tmp_path: Path) -> Iterator[list[Path]]:
    """Two disks of their own: 256 KiB and 1 MiB."""
    if os.geteuid() != 0:
        pytest.skip(NO_MOUNT)
    made = []
    try:
        for name, size in (("small", 256 * KIB), ("large", KIB * KIB)):
            path = tmp_path / name
            path.mkdir()
            mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(path)]
            if subprocess.run(mount, capture_output=True, check=False).returncode:
                pytest.skip(NO_MOUNT)
            made.append(path)
        yield made
    finally:
        for path in made:
            subprocess.run(["umount", "-l", str(path)], capture_output=True, check=False)


def archive_over(
    home: Path, *folders: Path | str, least_free: int = 0, most: int = 1 << 30
) -> Archive:
    settings = config.Archive(max_file_bytes=most, folders=tuple(map(str, folders)))
    moments = (NOON + timedelta(seconds=next(_SECONDS)) for _ in count())
    return Archive(home, settings, node="node", least_free=least_free, now=moments.__next__)


def names(archive: Archive) -> list[str]:
    return [event.name for event in archive.take_news()]


def why_away(archive: Archive) -> str:
    (event,) = archive.take_news()
    assert isinstance(event, ArchiveFolderAway)
    return event.why


def test_files_go_where_the_most_room_is_and_are_found_wherever_they_are(
    tmp_path: Path, disks: list[Path]
) -> None:
    small, large = disks
    home = tmp_path / "archive"
    with archive_over(home) as archive:
        (old,) = archive.write(exchanges(b"before"))
    with archive_over(home, small, large) as archive:
        places = [archive.write(exchanges(os.urandom(300 * KIB)))[0] for _ in range(2)]
        assert (len(warcs(small)), len(warcs(large))) == (0, 1)
        places += archive.write(exchanges(os.urandom(200 * KIB)))
        assert names(archive) == []
    assert read_record(home, old).body == b"before"
    assert [len(read_record(home, place).body) // KIB for place in places] == [300, 300, 200]


def test_a_full_folder_is_passed_over_and_the_batch_goes_to_the_next(
    tmp_path: Path, disks: list[Path]
) -> None:
    small, large = disks
    home = tmp_path / "archive"
    with archive_over(home, small, large) as archive:
        first = archive.write(exchanges(os.urandom(950 * KIB)))  # now the small one has more room
        second = archive.write(exchanges(os.urandom(100 * KIB)))
        assert names(archive) == ["archive-folder-away"]
        assert (len(warcs(small)), len(warcs(large))) == (1, 1)
        with pytest.raises(ArchiveFullError, match="make room"):
            archive.write(exchanges(os.urandom(200 * KIB)))
        archive.take_news()
        for place in [*first, *second]:
            assert archive.read(place).body
        (small / "other").write_bytes(b"")
        third = archive.write(exchanges(b"there is room for little"))
        assert names(archive) == ["archive-folder-back"]
    assert read_record(home, third[0]).body == b"there is room for little"


def test_a_disk_that_runs_low_is_left_for_one_that_has_room(
    tmp_path: Path, disks: list[Path]
) -> None:
    small, large = disks
    with archive_over(tmp_path / "archive", small, large, least_free=200 * KIB) as archive:
        archive.write(exchanges(os.urandom(850 * KIB)))
        archive.write(exchanges(b"to the small one, whose room is above the limit"))
        assert (len(warcs(small)), len(warcs(large))) == (1, 1)
        assert (archive.most_free or 0) >= 200 * KIB
        archive.write(exchanges(os.urandom(100 * KIB)))
        archive.write(exchanges(b"none has enough: the one with the most"))
        assert (archive.most_free or 0) < 200 * KIB


def test_an_unmounted_disk_is_missing_and_its_mount_point_stays_empty(
    tmp_path: Path, disks: list[Path]
) -> None:
    small, large = disks
    home = tmp_path / "archive"
    with archive_over(home, small, large) as archive:
        (away,) = archive.write(exchanges(b"on the large one"))
    kept = tmp_path / "kept"
    shutil.copytree(large, kept)
    subprocess.run(["umount", str(large)], check=True)
    with archive_over(home, small, large) as archive:
        assert names(archive) == ["archive-folder-away"]
        archive.write(exchanges(b"on the small one"))
        assert [*large.iterdir()] == []
        with pytest.raises(ArchiveError, match="Is its disk mounted"):
            archive.read(away)
        shutil.copytree(kept, large, dirs_exist_ok=True)  # it is back
        archive.close()
        archive.write(exchanges(b"more"))
        assert archive.read(away).body == b"on the large one"
    assert not missing_folders(home)


def test_a_folder_mounted_read_only_is_passed_over(tmp_path: Path, disks: list[Path]) -> None:
    small, large = disks
    with archive_over(tmp_path / "archive", small, large) as archive:
        archive.write(exchanges(b"one"))
        archive.close()
        subprocess.run(["mount", "-o", "remount,ro", str(large)], check=True)
        archive.write(exchanges(b"two"))
        assert "read-only" in why_away(archive)
        assert len(warcs(small)) == 1


def test_all_folders_gone_is_an_error_that_names_them(tmp_path: Path) -> None:
    home = tmp_path / "archive"
    with archive_over(home, tmp_path / "one", tmp_path / "two") as archive:
        shutil.rmtree(tmp_path / "one")
        shutil.rmtree(tmp_path / "two")
        with pytest.raises(ArchiveError, match=r"No folder .* can be used now: .*one .*two"):
            archive.write(exchanges(b"body"))


def test_a_folder_whose_parent_is_missing_is_not_made(tmp_path: Path) -> None:
    home = tmp_path / "archive"
    with archive_over(home, tmp_path / "no" / "disk", tmp_path / "disk") as archive:
        assert f"{tmp_path / 'no'} does not exist" in why_away(archive)
        archive.write(exchanges(b"body"))
    assert not (tmp_path / "no").exists()
    assert not missing_folders(home)  # nothing of ours was ever there
    (tmp_path / "no").mkdir()
    with archive_over(home, tmp_path / "no" / "disk", tmp_path / "disk") as archive:
        assert names(archive) == []


def test_relative_folders_are_in_the_data_folder_and_the_home_may_be_one(tmp_path: Path) -> None:
    home = tmp_path / "archive"
    with archive_over(home, "archive", "more") as archive:
        archive.write(exchanges(b"body"))
    assert (tmp_path / "more" / MARK).exists()
    assert not (home / MARK).exists()
    assert [each.path for each in known_folders(home)] == [tmp_path / "more"]


def test_an_archive_of_one_folder_is_as_it_always_was(tmp_path: Path) -> None:
    with archive_over(tmp_path / "archive") as archive:
        archive.write(exchanges(b"body"))
    assert [path.suffix for path in (tmp_path / "archive").iterdir()] == [".gz"]
    assert all_rooms(tmp_path / "archive") == []


def test_a_folder_that_is_no_longer_named_is_still_read_and_forgotten_in(tmp_path: Path) -> None:
    home, before, now = (tmp_path / name for name in ("archive", "before", "now"))
    with archive_over(home, before) as archive:
        (place, gone) = archive.write(exchanges(b"stays", b"goes"))
    with archive_over(home, now) as archive:
        archive.write(exchanges(b"stays too"))
        moved = {
            old: new
            for rewritten in archive.forget(lambda url: url.endswith("/1"))
            for old, new in rewritten.moved.items()
        }
        assert archive.read(moved[place]).body == b"stays"
        with pytest.raises(ArchiveError):
            archive.read(gone)
    assert [(each.path, each.is_in_use) for each in known_folders(home)] == [
        (before, False),
        (now, True),
    ]
    assert b"goes" not in b"".join(path.read_bytes() for path in before.iterdir())


def test_what_a_dead_writer_left_is_mended_in_every_folder(tmp_path: Path) -> None:
    home, disk = tmp_path / "archive", tmp_path / "disk"
    with archive_over(home, disk) as archive:
        archive.write(exchanges(b"body"))
    (path,) = warcs(disk)
    path.write_bytes(path.read_bytes() + b"\x1f\x8b\x08torn")
    path.with_name(path.name + ".open").touch()
    with archive_over(home, disk) as archive:
        (mended,) = archive.mended
    assert (mended.file, mended.records, mended.cut_bytes) == (path.name, 3, 7)


def test_a_folder_moved_with_its_mark_is_the_same_folder(tmp_path: Path) -> None:
    home, old, new = (tmp_path / name for name in ("archive", "old", "new"))
    with archive_over(home, old) as archive:
        (place,) = archive.write(exchanges(b"moved"))
    old.rename(new)
    assert missing_folders(home)
    with archive_over(home, new) as archive:
        assert archive.read(place).body == b"moved"
    assert [each.path for each in known_folders(home)] == [new]
    assert not missing_folders(home)


def test_the_folder_of_another_crawl_is_refused(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    with archive_over(tmp_path / "one" / "archive", shared):
        pass
    with pytest.raises(ArchiveError, match="another crawl"):
        archive_over(tmp_path / "two" / "archive", shared)


def test_what_needs_all_folders_is_refused_while_one_is_missing(tmp_path: Path) -> None:
    home, disk = tmp_path / "archive", tmp_path / "disk"
    with archive_over(home, disk):
        pass
    refuse_missing(home, "`gossamer forget`")
    shutil.rmtree(disk)
    with pytest.raises(ArchiveError, match=r"`gossamer forget` needs all folders"):
        refuse_missing(home, "`gossamer forget`")
    (room,) = [each for each in all_rooms(home) if each.trouble]
    assert room.path == disk


def test_a_damaged_list_of_folders_is_named(tmp_path: Path) -> None:
    home = tmp_path / "archive"
    home.mkdir()
    (home / LIST).write_text("{")
    with pytest.raises(ArchiveError, match=f"{LIST}, which lists .* is damaged"):
        archive_over(home)
