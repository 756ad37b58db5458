"""What lies in a data folder is its owner's alone."""

import stat
import subprocess
import sys
from pathlib import Path

import click
import pytest

from gossamer.cli import program
from gossamer.cli.folder import startup_warnings
from gossamer.demo.process import DemoServer
from gossamer.demo.world import World
from gossamer.folder.data import DataFolder, is_open

USUAL = 0o022  # the umask of most systems: others may read


def gossamer(*words: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "gossamer", *words],
        capture_output=True,
        text=True,
        check=False,
        umask=USUAL,
    )
    assert done.returncode == 0, done.stderr
    return done


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


def test_a_crawl_leaves_nothing_that_others_can_read(tmp_path: Path) -> None:
    data = DataFolder(tmp_path / "above" / "data")
    world = World(seed=5, pages=10, hosts=1, crawl_delay=0)
    with DemoServer(world) as server:
        gossamer(
            *("crawl", world.front(0), "--data", str(data.path), "--delay", "0"),
            *("--max-pages", "3", "--connect-to", server.connect_to),
        )
    assert mode_of(data.path) == 0o700
    loose = [each for each in data.path.rglob("*") if mode_of(each) & 0o077]
    assert loose == []
    assert {"archive", "frontier.db", "graph", "log", "words"} <= {
        each.name for each in data.path.iterdir()
    }
    exported = tmp_path / "out.nq"
    gossamer("export", "--data", str(data.path), "-o", str(exported))
    assert mode_of(exported) == 0o644  # a file that the user names is as the user's umask says


@pytest.mark.parametrize(
    ("folder", "above", "is_read"),
    [
        (0o755, 0o755, True),
        (0o750, 0o755, True),
        (0o701, 0o711, True),
        (0o700, 0o755, False),
        (0o755, 0o700, False),
    ],
)
def test_others_read_a_folder_where_its_mode_and_those_above_let_them(
    folder: int, above: int, is_read: bool
) -> None:
    assert is_open(folder, above, 0o755) is is_read


def test_a_folder_that_others_can_read_is_left_as_it_is_with_a_warning_that_mends_it(
    tmp_path: Path,
) -> None:
    data = tmp_path / "a folder"
    data.mkdir(mode=0o755)
    assert not DataFolder(tmp_path / "nothing").others_can_read()
    # Where tests run, the folders above may be private: then there is nothing to warn about.
    with click.Context(program):
        said = list(startup_warnings(_Open(data)))
    assert len(said) == 1
    assert f"chmod 700 '{data}'" in said[0]
    assert mode_of(data) == 0o755


class _Open(DataFolder):
    def others_can_read(self) -> bool:
        return True
