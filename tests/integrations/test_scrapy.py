"""The real Scrapy, with Gossamer's permission for each request and Gossamer's readers."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from tests.api.chains import Chain, served
from tests.cli.commands.test_serve import running
from tests.slowness import patience

pytest.importorskip("scrapy")
SPIDER = Path(__file__).with_name("spider.py")


class WithRules(Chain):
    """A chain of pages, and one that robots.txt closes."""

    def page(self, path: str) -> tuple[int, str]:
        """The status and text of a page."""
        if path == "/robots.txt":
            return 200, "User-agent: *\nDisallow: /private\n"
        return super().page(path)


def spider(service: str, site: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, str(SPIDER), service, site],
        capture_output=True,
        text=True,
        timeout=patience(100),
        check=False,
        env={**os.environ, "PYTHONWARNINGS": "ignore"},
    )


def test_a_spider_sends_with_leases_reports_and_loads_items(tmp_path: Path) -> None:
    config = ("--config", "politeness.delay=0.05", "--config", "politeness.slowness=0")
    own = ("--allow-net", "127.0.0.1/32", "--data", "data")
    with (
        served(3, kind=WithRules) as site,
        running(tmp_path, "serve", "127.0.0.1:0", *own, *config) as service,
    ):
        client = service.address()
        done = spider(client.url, f"http://{site.address}")
        asked = [path for path in site.asked if path != "/robots.txt"]
    items = [json.loads(line) for line in done.stdout.splitlines()]
    assert [item["name"] for item in items] == [["Ada 0"], ["Ada 1"], ["Ada 2"]], done.stderr
    assert asked == ["/0", "/1", "/2", "/3"]  # and not what is private
    assert "/private" in done.stderr
    events = Counter(
        event["event"]
        for file in (tmp_path / "data" / "log").glob("*.jsonl")
        for line in file.read_text().splitlines()
        if (event := json.loads(line)).get("purpose") == "lease"
    )
    assert events == {"requested": 4}


def test_without_a_service_nothing_is_sent(tmp_path: Path) -> None:
    with served(3) as site:
        done = spider("http://127.0.0.1:9", f"http://{site.address}")
        assert site.asked == []
    assert "start `gossamer serve`" in done.stderr
