import json
from pathlib import Path

from tests.cli.conftest import Gossamer
from tests.crawl.commands import CrawlCommand
from tests.crawl.door import Door

from gossamer.demo.process import DemoServer
from gossamer.demo.world import World


def test_real_requests_are_audited_from_the_log(gossamer: Gossamer) -> None:
    with DemoServer(World(pages=60, hosts=12)) as demo_web:
        for _ in range(3):
            gossamer(
                *("check", "http://site2.test/", "http://www.site0.test/", "--delay", "0.4"),
                *("--config", "politeness.robots_max_age=0", "--connect-to", demo_web.connect_to),
            )
    done = gossamer("audit", "--json")
    assert done.returncode == 0
    hosts = {each["host"]: each for each in json.loads(done.stdout)}
    assert set(hosts) == {"site2.test", "www.site0.test"}
    for host in hosts.values():
        assert (host["requests"], host["violations"]) == (3, 0)
        assert host["smallest_gap"] >= 0.4
    assert "VIOLATIONS" in gossamer("audit").stdout


def test_a_violation_is_told_by_the_exit_status(gossamer: Gossamer, tmp_path: Path) -> None:
    moments = [("00.000000", "00.100000"), ("00.200000", "00.300000")]
    lines = [
        json.dumps(
            {
                "event": "requested",
                "host": "a.test",
                "started_at": f"2026-01-02T00:00:{started}+00:00",
                "ended_at": f"2026-01-02T00:00:{ended}+00:00",
                "delay": 1.0,
            }
        )
        for started, ended in moments
    ]
    (tmp_path / "gossamer-data" / "log").mkdir(parents=True)
    (tmp_path / "gossamer-data" / "log" / "000001.jsonl").write_text("\n".join(lines) + "\n")
    done = gossamer("audit")
    assert done.returncode == 1
    assert done.stdout.splitlines()[1].split() == ["a.test", "2", "0.100", "s", "1", "s", "1"]


def test_a_folder_without_requests_is_a_sentence(gossamer: Gossamer) -> None:
    done = gossamer("audit")
    assert (done.returncode, done.stdout) == (0, "")
    assert "holds no requests" in done.stderr


def test_a_crawl_that_was_allowed_several_requests_at_once_is_judged_by_that(
    here: Gossamer, tmp_path: Path
) -> None:
    order = (
        *("--per-host", "3", "--delay", "0", "--max-pages", "20", "--workers", "1"),
        *("--config", "politeness.slowness=0", "--config", "sitemaps.use=false"),
    )
    with DemoServer(World(pages=60, hosts=2, crawl_delay=0)) as web, Door(web.address) as door:
        first = ("http://www.site0.test/robots.txt", "http://www.site0.test/")
        door.close(holds=lambda url: url not in first)
        reach = ("--connect-to", door.connect_to, "--agent-contact", "me@a.test")
        data = tmp_path / "gossamer-data"
        with CrawlCommand(data, "http://www.site0.test/", *order, *reach) as crawl:
            door.wait(2)  # at once
            door.open()
            crawl.summary()
    assert here("audit").returncode == 0
    assert here("audit", GOSSAMER_POLITENESS_PER_HOST="1").returncode == 0  # what was said counts
    assert here("config", "set", "politeness.per_host=1").returncode == 0
    assert here("audit").returncode == 1
