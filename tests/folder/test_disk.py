from pathlib import Path

from gossamer.folder.disk import bytes_below


def test_all_files_below_a_folder_count_and_snapshots_do_not(tmp_path: Path) -> None:
    (tmp_path / "a" / "snapshots").mkdir(parents=True)
    (tmp_path / "a" / "b").write_bytes(b"x" * 1_000)
    (tmp_path / "a" / "snapshots" / "b").write_bytes(b"x" * 1_000)
    (tmp_path / "c").symlink_to(tmp_path / "a")
    assert bytes_below(tmp_path) - (tmp_path / "c").lstat().st_size == 1_000


def test_what_is_gone_takes_nothing(tmp_path: Path) -> None:
    assert bytes_below(tmp_path / "gone") == 0
