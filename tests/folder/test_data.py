import json
import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from gossamer.errors import DataFolderError
from gossamer.folder.data import DataFolder, bytes_below

HOLD_THE_LOCK = """
import sys, pathlib
from gossamer.folder.data import DataFolder, bytes_below
with DataFolder(pathlib.Path(sys.argv[1])).owned():
    print("owned", flush=True)
    sys.stdin.read()
"""


def holder(folder: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD_THE_LOCK, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "owned\n"
    return process


def test_a_folder_has_one_owner_and_the_refusal_names_it(tmp_path: Path) -> None:
    process = holder(tmp_path)
    try:
        with (
            pytest.raises(DataFolderError, match=f"in use by process {process.pid}"),
            DataFolder(tmp_path).owned(patience=timedelta(0)),
        ):
            pass
    finally:
        process.communicate()
    with DataFolder(tmp_path).owned(patience=timedelta(0)):
        assert (tmp_path / "lock").read_text() == f"{os.getpid()}\n"


def test_the_lock_of_a_killed_owner_keeps_nobody_out(tmp_path: Path) -> None:
    process = holder(tmp_path)
    process.kill()
    process.communicate()
    with DataFolder(tmp_path).owned(patience=timedelta(seconds=5)):
        pass


def test_a_folder_that_cannot_be_made_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DataFolderError, match="Choose another with --data"):
        DataFolder(tmp_path / "file" / "data").make()


def test_runtime_changes_are_replaced_as_a_whole(tmp_path: Path) -> None:
    data = DataFolder(tmp_path / "data")
    data.keep_runtime_changes({"a": "1", "b": "2"})
    data.keep_runtime_changes({"b": "3"})
    assert json.loads(data.runtime_file.read_text()) == {"b": "3"}
    assert [path.name for path in data.path.iterdir()] == ["runtime.json"]


def test_changes_that_cannot_be_kept_leave_the_old_ones(tmp_path: Path) -> None:
    data = DataFolder(tmp_path)
    data.runtime_file.mkdir()  # a folder cannot be replaced by a file, whoever asks
    with pytest.raises(DataFolderError, match="Nothing was changed"):
        data.keep_runtime_changes({"a": "1"})
    assert [path.name for path in tmp_path.iterdir()] == ["runtime.json"]


def test_making_a_value_of_it_touches_nothing(tmp_path: Path) -> None:
    data = DataFolder(tmp_path / "data")
    assert data.settings_file.name == "gossamer.toml"
    assert data.frontier_file.name == "frontier.db"
    assert data.graph_folder.name == "graph"
    assert data.log_folder.name == "log"
    assert data.archive_folder.name == "archive"
    assert not data.path.exists()


def test_all_files_below_a_folder_count_and_snapshots_do_not(tmp_path: Path) -> None:
    (tmp_path / "a" / "snapshots").mkdir(parents=True)
    (tmp_path / "a" / "b").write_bytes(b"x" * 1_000)
    (tmp_path / "a" / "snapshots" / "b").write_bytes(b"x" * 1_000)
    (tmp_path / "c").symlink_to(tmp_path / "a")
    assert bytes_below(tmp_path) - (tmp_path / "c").lstat().st_size == 1_000


def test_what_is_gone_takes_nothing(tmp_path: Path) -> None:
    assert bytes_below(tmp_path / "gone") == 0
