from pathlib import Path

from gossamer.folder.data import DataFolder
from gossamer.processes.hidden import hidden_folders


def test_a_data_folder_in_use_is_hidden(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path / "data")
    assert str(folder.path) not in hidden_folders()
    with folder.owned():
        assert str(folder.path.resolve()) in hidden_folders()
