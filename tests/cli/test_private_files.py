import os
from pathlib import Path

from gossamer.cli.private_files import given_umask, tight_umask


def mode_of(path: Path) -> int:
    path.touch()
    return path.stat().st_mode & 0o777


def test_files_are_private_but_for_those_that_the_user_names(tmp_path: Path) -> None:
    before = os.umask(0o002)
    try:
        with tight_umask():
            assert mode_of(tmp_path / "ours") == 0o600
            with given_umask():
                assert mode_of(tmp_path / "theirs") == 0o664
            assert mode_of(tmp_path / "ours again") == 0o600
        assert mode_of(tmp_path / "afterwards") == 0o664
        with given_umask():
            assert mode_of(tmp_path / "without") == 0o664
    finally:
        os.umask(before)
