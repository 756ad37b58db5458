import os
import subprocess
import sys
from pathlib import Path

from tests.cli.conftest import Gossamer
from tests.cli.test_folder import owner
from tests.crawl.commands import has_begun, until
from tests.slowness import patience

from gossamer.demo.process import DemoServer
from gossamer.demo.world import World
from gossamer.folder.data import DataFolder


def test_a_crawl_is_stopped_from_elsewhere_and_can_go_on(here: Gossamer, tmp_path: Path) -> None:
    data = DataFolder(tmp_path / "gossamer-data")
    with DemoServer(World(pages=60_000, hosts=6)) as server:
        command = ("crawl", "www.site0.test", "--delay", "0.5", "--connect-to", server.connect_to)
        with subprocess.Popen(
            [sys.executable, "-m", "gossamer", *command, "--data", str(data.path)],
            stderr=subprocess.PIPE,
            text=True,
        ) as crawling:
            until(lambda: has_begun(data.path))
            done = here("stop")
            _, said = crawling.communicate(timeout=patience(60))
    assert (done.returncode, done.stderr) == (0, f"Process {crawling.pid} has stopped.\n")
    assert "It was stopped." in said
    assert "go on from here" in said
    assert "to fetch" in here("status").stdout


def test_where_nobody_is_at_work_that_is_a_sentence(here: Gossamer) -> None:
    done = here("stop")
    assert (done.returncode, done.stderr) == (
        1,
        "gossamer: No crawl is running in gossamer-data.\n",
    )


def test_a_command_that_ends_by_itself_is_let_be(here: Gossamer, small_crawl: DataFolder) -> None:
    with owner(small_crawl) as process:
        done = here("stop")
        assert (done.returncode, "ends by itself" in done.stderr) == (1, True)
        os.kill(process.pid, 0)
