from pathlib import Path

from gossamer.crawling.folder_size import LEAST_SECONDS, LOOK_SHARE, FolderSize


def test_a_folder_is_measured_with_all_that_is_below_it(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "c").write_bytes(b"x" * 1_000)
    (tmp_path / "d").write_bytes(b"x" * 10)
    assert FolderSize(tmp_path).bytes() == 1_010


def test_it_is_measured_again_only_after_a_while(tmp_path: Path) -> None:
    now = 0.0
    size = FolderSize(tmp_path, lambda: now)
    assert size.bytes() == 0
    (tmp_path / "a").write_bytes(b"x")
    now = LEAST_SECONDS / 2
    assert size.bytes() == 0
    now = LEAST_SECONDS
    assert size.bytes() == 1


def test_what_takes_long_is_done_rarely(tmp_path: Path) -> None:
    times = iter([0.0, 1.0, LOOK_SHARE / 2, 1.0 + LOOK_SHARE, 1.0 + LOOK_SHARE])
    size = FolderSize(tmp_path, lambda: next(times))
    assert size.bytes() == 0
    (tmp_path / "a").write_bytes(b"x")
    assert [size.bytes(), size.bytes()] == [0, 1]
