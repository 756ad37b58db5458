"""How much of the disk files and folders take."""

from pathlib import Path

from gossamer.folder.data import DataFolder


def disk_folders(data: DataFolder) -> list[Path]:
    """The data folder, and the folders of its graph and words that are there and lie elsewhere."""
    moved = [each for each in (data.graph_at, data.words_at) if each is not None and each.exists()]
    return [data.path, *moved]


def bytes_below(path: Path) -> int:
    """The bytes below a path; a file that goes away meanwhile has none."""
    try:
        # Snapshots are links to files that are counted where they belong.
        if path.is_dir() and not path.is_symlink():
            return sum(bytes_below(each) for each in path.iterdir() if each.name != "snapshots")
        return path.lstat().st_size
    except OSError:
        return 0
