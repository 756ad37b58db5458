import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.cli.conftest import Gossamer
from tests.cli.test_folder import owner
from tests.crawl.commands import until
from tests.slowness import patience

from gossamer.demo.process import DemoServer
from gossamer.demo.world import World
from gossamer.folder.data import DataFolder


def says(here: Gossamer, is_so: Callable[[Any], object]) -> bool:
    """Whether the status says so."""
    done = here("status", "--json")
    return done.returncode == 0 and bool(is_so(json.loads(done.stdout)))


def test_a_crawl_pauses_and_goes_on(here: Gossamer, tmp_path: Path) -> None:
    data = DataFolder(tmp_path / "gossamer-data")
    with DemoServer(World(pages=60_000, hosts=6)) as server:
        command = ("crawl", "www.site0.test", "--delay", "0.2", "--connect-to", server.connect_to)
        with subprocess.Popen(
            [sys.executable, "-m", "gossamer", *command, "--data", str(data.path)],
            stderr=subprocess.PIPE,
            text=True,
        ) as crawling:
            until(lambda: says(here, lambda told: told["run"] and told["ended"]["content"]))
            done = here("pause")
            assert done.stderr.startswith(f"Process {crawling.pid} has paused")
            until(lambda: says(here, lambda told: not told["handed"]))
            assert ", paused" in here("status").stdout
            assert here("resume").stderr == f"Process {crawling.pid} goes on.\n"
            until(lambda: says(here, lambda told: told["handed"]))
            assert here("stop").returncode == 0
            crawling.communicate(timeout=patience(60))


def test_where_no_crawl_runs_that_is_a_sentence(here: Gossamer, small_crawl: DataFolder) -> None:
    said = f"gossamer: No crawl is running in {small_crawl.path.name}.\n"
    assert here("pause").stderr == said
    with owner(small_crawl):
        assert here("pause").stderr == said
