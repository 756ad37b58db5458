import json

from gossamer.demo.process import DemoServer
from gossamer.demo.world import World

from .conftest import Gossamer


def test_group_line_delay_and_source_are_shown(gossamer: Gossamer) -> None:
    with DemoServer(World(pages=60, hosts=12, crawl_delay=2)) as demo_web:
        reach = ("--connect-to", demo_web.connect_to)
        done = gossamer("explain", "http://data.site2.test/private/1", *reach)
        as_json = gossamer("explain", "http://data.site2.test/private/1", "--json", *reach)
    assert done.returncode == 0
    lines = dict(line.split(maxsplit=1) for line in done.stdout.splitlines())
    assert lines["group"] == "User-agent: *, line 2"
    assert lines["line"] == "3: Disallow: /private/"
    assert lines["delay"] == "2 s (Crawl-delay, line 4)"
    assert lines["verdict"].startswith("forbidden")
    record = json.loads(as_json.stdout)
    assert record["robots"]["line"] == 3
    assert record["delay"]["source"] == "Crawl-delay, line 4"


def test_a_url_that_is_none_is_explained_too(gossamer: Gossamer) -> None:
    done = gossamer("explain", "mailto:somebody@example.org")
    assert done.returncode == 0
    assert "Only http and https" in done.stdout
