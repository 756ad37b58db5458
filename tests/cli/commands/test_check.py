import json
from collections.abc import Iterator

import pytest
from tests.cli.conftest import Gossamer

from gossamer.demo.accesslog import audit
from gossamer.demo.process import DemoServer
from gossamer.demo.world import World
from gossamer.folder.data import DataFolder


@pytest.fixture(scope="module")
def demo_web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DemoServer]:
    log = tmp_path_factory.mktemp("demo") / "access.jsonl"
    with DemoServer(World(pages=60, hosts=12), log) as server:
        yield server


def test_each_url_gets_an_answer_and_a_reason(gossamer: Gossamer, demo_web: DemoServer) -> None:
    urls = [
        "http://www.site0.test/",
        "www.site0.test/private/1",
        "http://www.site2.test/",
        "ftp://x/",
    ]
    done = gossamer(
        "check", *urls, "--connect-to", demo_web.connect_to, "--agent-contact", "a@b.test"
    )
    answers = [line.split()[0] for line in done.stdout.splitlines() if not line.startswith(" ")]
    assert done.returncode == 0
    assert answers == ["allowed", "forbidden", "wait", "forbidden"]
    assert "Line 3 of robots.txt, 'Disallow: /private/'" in done.stdout
    assert done.stderr == ""


def test_json_has_the_shape_of_the_politeness_service(
    gossamer: Gossamer, demo_web: DemoServer
) -> None:
    done = gossamer(
        "check", "http://www.site0.test/private/1", "--json", "--connect-to", demo_web.connect_to
    )
    (verdict,) = json.loads(done.stdout)
    assert list(verdict) == ["url", "allowed", "error", "retryAfter"]
    assert (verdict["allowed"], verdict["retryAfter"]) == (False, -1)
    assert "No contact is configured" in done.stderr


def test_runs_one_after_the_other_are_as_polite_as_one(
    gossamer: Gossamer, demo_web: DemoServer
) -> None:
    stale = ("--config", "politeness.robots_max_age=0", "--delay", "0.5")
    for _ in range(3):
        gossamer("check", "http://site2.test/", *stale, "--connect-to", demo_web.connect_to)
    host = audit(demo_web.accesses())["site2.test"]
    assert host.requests == 3
    assert host.smallest_gap is not None
    assert host.smallest_gap >= 0.5


def test_a_test_name_without_connect_to_is_never_looked_up(gossamer: Gossamer) -> None:
    done = gossamer("check", "nowhere.test")
    assert done.returncode == 0
    assert "--connect-to 'nowhere.test=ADDR:PORT'" in done.stdout


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("--connect-to", "*.test", "PATTERN=ADDR:PORT"),
        ("--allow-net", "10.0.0.0/99", "not a network"),
        ("--agent", "my bot", "letters, digits"),
        ("--agent-contact", "nobody", "https://example.org/bot"),
        ("--delay", "fast", "give seconds"),
        ("--ca", "missing.pem", "missing.pem"),
    ],
)
def test_a_bad_option_names_itself_and_what_would_be_right(
    gossamer: Gossamer, option: str, value: str, words: str
) -> None:
    done = gossamer("check", "http://a.test/", option, value)
    assert (done.returncode, done.stdout) == (2, "")
    assert option in done.stderr
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_a_check_adds_no_host_to_a_crawl(
    here: Gossamer, small_crawl: DataFolder, demo_web: DemoServer
) -> None:
    def hosts() -> object:
        listed = json.loads(here("hosts", "--json").stdout)
        counted = json.loads(here("status", "--json").stdout)["hosts"]
        return [host["host"] for host in listed], counted

    before = hosts()
    reach = ("--connect-to", demo_web.connect_to)
    done = here("check", "http://site4.test/", "http://127.0.0.1:1/", *reach)
    assert done.returncode == 0, done.stderr
    assert "site4.test" in {entry.host for entry in demo_web.accesses()}
    assert hosts() == before
