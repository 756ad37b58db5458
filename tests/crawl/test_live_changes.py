"""Changes to a crawl while it runs, by the commands that people use, through its socket."""

import json
import signal
import subprocess
import sys
from pathlib import Path

from tests.crawl.commands import CLEAN, CrawlCommand, crawl, has_begun, until
from tests.slowness import patience

from gossamer.demo.process import DemoServer
from gossamer.demo.world import World

WORLD = World(seed=3, pages=40, hosts=2, crawl_delay=0)


def gossamer(data: Path, *arguments: str) -> tuple[str, str]:
    """What a command says, on standard output and to people."""
    command = [sys.executable, "-m", "gossamer", *arguments, "--data", str(data)]
    done = subprocess.run(
        command, env=CLEAN, capture_output=True, text=True, timeout=patience(60), check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


def delay_of(data: Path, host: str) -> float:
    hosts = json.loads(gossamer(data, "hosts", "--json")[0])
    return float(next(each["delay"] for each in hosts if each["host"] == host))


def test_a_crawl_is_changed_while_it_runs(tmp_path: Path) -> None:
    data, host = tmp_path / "data", WORLD.page(0).host_name
    with DemoServer(WORLD, tmp_path / "access.jsonl") as server:
        reach = ("--connect-to", server.connect_to)
        with CrawlCommand(data, WORLD.front(0), *reach, "--delay", "100") as running:
            until(lambda: has_begun(data))
            process = f"The crawl that is running (process {running.process.pid})"

            said, told = gossamer(data, "config", "add", "scope.exclude=/[a-z]+/[0-9]*3$")
            assert said == "scope.exclude: /[a-z]+/[0-9]*3$ is added\n"
            assert told == f"{process} has taken it up.\n"

            gossamer(data, "config", "set", "politeness.delay=90")
            assert delay_of(data, host) == 90

            _, told = gossamer(data, "config", "set", "politeness.agent=other")
            assert told == f"{process} takes this up with its next run: politeness.agent.\n"
            gossamer(data, "config", "unset", "politeness.agent")

            # An edit of the file waits, whatever else is changed, until a reload.
            (data / "gossamer.toml").write_text("[crawl]\nmax_pages = 39\nworkers = 3\n")
            gossamer(data, "config", "set", "crawl.depth=8")
            told = json.loads(gossamer(data, "config", "--json")[0])
            assert told["crawl.max_pages"]["value"] is None
            assert told["crawl.max_pages"]["waiting"]["until"] == "reload"
            assert told["crawl.workers"]["waiting"]["until"] == "restart"
            assert told["crawl.depth"]["value"] == 8
            said, _ = gossamer(data, "config", "reload")
            assert said == (
                "crawl.max_pages = 39  (gossamer.toml)\n"
                f"{process} takes this up when it starts again: crawl.workers.\n"
            )
            (data / "gossamer.toml").write_text("[crawl]\nworkers = 3\n")
            running.process.send_signal(signal.SIGHUP)
            running.says("crawl.max_pages = none  ")

            changes = ("politeness.delay=0", "crawl.concurrency=3", "budget.pages=5")
            _, told = gossamer(data, "config", "set", *changes)
            assert told == f"{process} has taken it up.\n"
            kept_out = running.summary()
        assert not any(each.path.endswith("3") for each in server.accesses())
        logged = [
            json.loads(line)
            for file in (data / "log").iterdir()
            for line in file.read_text().splitlines()
        ]
        keys = [each["key"] for each in logged if each["event"] == "config-changed"]
        assert keys.count("politeness.delay") == 2  # by the crawl, and by nobody besides
        assert {"crawl.concurrency", "budget.pages", "scope.exclude"} <= set(keys)

        gossamer(data, "config", "remove", "scope.exclude=/[a-z]+/[0-9]*3$")
        summary = crawl(data, *reach)
    assert any(each.path.endswith("3") for each in server.accesses())
    assert summary["pages"] > kept_out["pages"]
