import os
import socket
import stat
from pathlib import Path

import pytest

from gossamer.owner.place import MOST_PATH_BYTES, listening, way_to


def heard(path: Path) -> bool:
    """Whether somebody listens where this path leads."""
    with socket.socket(socket.AF_UNIX) as asking:
        try:
            asking.connect(way_to(path))
        except OSError:
            return False
        return True


@pytest.fixture
def short(tmp_path: Path) -> Path:
    return tmp_path / "gossamer.sock"


@pytest.fixture
def long(tmp_path: Path) -> Path:
    folder = tmp_path / ("deep" * 40)
    folder.mkdir()
    return folder / "gossamer.sock"


@pytest.mark.parametrize("which", ["short", "long"])
def test_who_asks_is_heard_while_somebody_listens(
    which: str, request: pytest.FixtureRequest
) -> None:
    path: Path = request.getfixturevalue(which)
    assert not heard(path)
    with listening(path):
        assert heard(path)
        assert len(os.fsencode(way_to(path))) <= MOST_PATH_BYTES
    assert not heard(path)
    assert list(path.parent.iterdir()) == []


@pytest.mark.parametrize("which", ["short", "long"])
def test_nobody_else_may_connect(which: str, request: pytest.FixtureRequest) -> None:
    path: Path = request.getfixturevalue(which)
    with listening(path):
        assert stat.S_IMODE(Path(way_to(path)).stat().st_mode) == 0o600


def test_a_short_place_of_its_own_goes_with_its_owner(long: Path) -> None:
    with listening(long):
        elsewhere = Path(way_to(long)).parent
        assert stat.S_IMODE(elsewhere.stat().st_mode) == 0o700
    assert not elsewhere.exists()


@pytest.mark.parametrize("which", ["short", "long"])
def test_what_a_killed_owner_left_is_in_nobodys_way(
    which: str, request: pytest.FixtureRequest
) -> None:
    path: Path = request.getfixturevalue(which)
    first = listening(path)
    first.__enter__().close()  # as if killed: what it made is still there
    left = Path(way_to(path))
    assert left.exists()
    assert not heard(path)
    with listening(path):
        assert heard(path)
        assert which == "short" or not left.exists()


def test_a_link_that_is_not_ours_is_not_followed_to_be_cleared(short: Path, tmp_path: Path) -> None:
    theirs = tmp_path / "precious"
    theirs.mkdir()
    (theirs / "file").touch()
    short.symlink_to(theirs / "file")
    with listening(short):
        pass
    assert (theirs / "file").exists()
