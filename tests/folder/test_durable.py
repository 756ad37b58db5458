from pathlib import Path

import pytest

from gossamer.folder.durable import sync


def test_files_and_folders_can_be_waited_for(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"x")
    sync(file)
    sync(tmp_path)
    with pytest.raises(FileNotFoundError):
        sync(tmp_path / "none")
