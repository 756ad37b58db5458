"""A crawl that keeps its pages fresh goes on when nothing is left, through `kill -9`, until it is told otherwise."""

import subprocess
import sys
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from tests.crawl.commands import CLEAN, CrawlCommand, until

from gossamer.config import Freshness
from gossamer.crawl.freshness import look_rules
from gossamer.demo.process import DemoServer
from gossamer.demo.world import World
from gossamer.frontier.looks import LookRules
from gossamer.values import PerDay

ORDER = (
    *("--scope", "any", "--delay", "0", "--workers", "1", "--agent-contact", "me@a.test"),
    *("--config", "sitemaps.use=false", "--config", "politeness.slowness=0"),
)
OFTEN = (
    *("--keep-fresh", "--revisits", "20000/hour"),
    *("--config", "freshness.shortest=1s", "--config", "freshness.longest=2s"),
)


def test_rules_are_what_the_user_says() -> None:
    assert look_rules(Freshness()) is None
    given = Freshness(keep=True, revisits=PerDay(48), longest=timedelta(seconds=1))
    assert look_rules(given) == LookRules(
        per_day=48, shortest=timedelta(minutes=10), longest=timedelta(minutes=10)
    )


def is_asked(server: DemoServer, times: int, command: CrawlCommand) -> bool:
    return sum(1 for _ in server.accesses()) >= times or command.process.poll() is not None


@pytest.mark.timeout(300)
def test_a_crawl_goes_on_for_ever_until_it_is_told_otherwise(tmp_path: Path) -> None:
    world = World(seed=5, pages=10, hosts=1, crawl_delay=0, day=0)
    data = tmp_path / "data"
    with DemoServer(world, tmp_path / "access.log") as server:
        to = ("--connect-to", server.connect_to)
        with CrawlCommand(data, world.front(0), *ORDER, *OFTEN, *to) as command:
            until(partial(is_asked, server, 40, command))
            command.kill()
        before = sum(1 for _ in server.accesses())
        with CrawlCommand(data, *to) as command:  # it knows what it was asked
            until(partial(is_asked, server, before + 30, command))
            assert command.process.poll() is None, command.words
            stop = (sys.executable, "-m", "gossamer", "config", "set", "freshness.keep=false")
            subprocess.run([*stop, "--data", str(data)], env=CLEAN, check=True)
            summary = command.summary()
    assert summary["ended"] == "done"
    assert summary["changes"]["unchanged"] > 0
    assert summary["changes"]["changed"] == summary["changes"]["new"] == 0
