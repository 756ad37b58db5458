"""What is counted, as Prometheus reads it."""

import asyncio
import http.client
import json
import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from tests.cli.commands.test_serve import running
from tests.deployed import metrics_asked_for
from tests.owner.small_crawl import made
from tests.service.conftest import WORLD
from tests.service.running import PATIENCE, Client

from gossamer.demo.process import DemoServer
from gossamer.processes.usage import Usage
from gossamer.service.history import SERIES
from gossamer.service.monitoring import families

SAMPLE = re.compile(r'gossamer_\w+(\{(\w+="(?:[^"\\\n]|\\.)*",?)+\})? -?[0-9.e+-]+')
RUN = {
    "seconds": 2.5,
    "ended": {"content": 7},
    "quads": 70,
    "problems": 1,
    "bytes": 700,
    "pages_per_second": 3.5,
    "quads_per_second": 35.0,
    "progress_seconds": 2.5,
    "phase_totals": {"fetch": {"seconds": 0.5, "pages": 7}},
    "queues": {"fetch": 1, "read": 2, "archive": 3, "graph": 4, "settle": 5},
    "state": "running",
}
COUNTS = ("known", "pending", "handed", "waiting", "aside", "beyond", "disk_free")
STATUS = {
    **dict.fromkeys(COUNTS, 1),
    "ended": {"content": 7},
    "failures": {'odd "\n\\': 1},
    "refusals": {},
    "hosts": {"ready": 4},
    "graph": None,
    "not_followed": {"nofollow": 41},
    "fresh": {"pages": 7, "due": 2, "overdue": 1, "expected": 0.9, "measured": None, "asked": 1.5},
    "words": {"documents": 9, "behind_files": 2, "behind_bytes": 300},
    "disk": {"graph": 10, "words": 20},
    "archive_folders": [{"folder": "/disk", "free": 5}],
    "run": RUN,
}


def test_every_line_is_one_that_prometheus_reads(ask: Client) -> None:
    answer = ask("/metrics")
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    lines = answer.body.decode().splitlines()
    samples = [line for line in lines if not line.startswith("#")]
    assert all(SAMPLE.fullmatch(line) for line in samples)
    assert "gossamer_crawl_running 0" in samples
    assert any(line.startswith('gossamer_pages{outcome="content"} ') for line in samples)
    assert any(line.startswith("gossamer_process_resident_bytes{") for line in samples)
    typed = [line.split()[2] for line in lines if line.startswith("# TYPE")]
    assert len(set(typed)) == len(typed)


def test_a_run_has_the_rate_time_and_queue_of_each_phase() -> None:
    text = "".join(families(STATUS, [Usage("owner", 1.25, 1000)]))
    for sample in (
        "gossamer_crawl_running 1",
        'gossamer_run_pages_total{outcome="content"} 7',
        'gossamer_run_rate{what="pages"} 3.5',
        'gossamer_phase_seconds_total{phase="fetch"} 0.5',
        'gossamer_phase_pages_total{phase="fetch"} 7',
        'gossamer_phase_queue{phase="archive"} 3',
        'gossamer_hosts{stage="ready"} 4',
        'gossamer_process_cpu_seconds_total{process="owner"} 1.25',
    ):
        assert f"\n{sample}\n" in text


def test_a_phase_has_the_same_name_in_every_family() -> None:
    text = "".join(families(STATUS, []))
    named = {
        family: re.findall(rf'^gossamer_phase_{family}{{phase="(\w+)"}}', text, re.MULTILINE)
        for family in ("seconds_total", "pages_total", "queue")
    }
    assert [*named.values()] == [["fetch", "read", "archive", "graph", "settle"]] * 3


def test_words_and_links_that_were_not_followed_are_counted() -> None:
    text = "".join(families(STATUS, []))
    for sample in (
        "gossamer_words_documents 9",
        "gossamer_words_behind_files 2",
        "gossamer_words_behind_bytes 300",
        'gossamer_disk_bytes{part="words"} 20',
        "gossamer_fresh_pages 7",
        'gossamer_fresh_looks_due{state="overdue"} 1',
        'gossamer_freshness{how="expected"} 0.9',
        'gossamer_archive_folder_free_bytes{folder="/disk"} 5',
        'gossamer_links_not_followed{rule="out-of-scope"} 1',
        'gossamer_links_not_followed{rule="nofollow"} 41',
    ):
        assert f"\n{sample}\n" in text
    assert "gossamer_words" not in "".join(families({**STATUS, "words": None}, []))


def test_whatever_a_cause_is_called_its_line_stays_whole() -> None:
    text = "".join(families(STATUS, []))
    assert 'gossamer_failures{cause="odd \\"\\n\\\\"} 1\n' in text
    assert all(line.startswith("#") or SAMPLE.fullmatch(line) for line in text.splitlines())


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """Where a small crawl is in the usual folder."""
    asyncio.run(made(tmp_path / "gossamer-data"))
    return tmp_path


@contextmanager
def watching(ask: Client) -> Iterator[http.client.HTTPResponse]:
    """Somebody who watches."""
    connection = http.client.HTTPConnection(urlsplit(ask.url).netloc, timeout=PATIENCE)
    connection.request("GET", "/api/live", headers={"Accept-Encoding": "gzip"})
    with closing(connection), closing(connection.getresponse()) as answer:
        yield answer


def event(answer: http.client.HTTPResponse) -> Any:
    """The next snapshot."""
    while not (line := answer.readline()).startswith(b"data: "):
        assert line
    return json.loads(line.removeprefix(b"data: "))


def test_a_snapshot_comes_at_once_and_is_not_packed(ask: Client) -> None:
    with watching(ask) as answer:
        seen = event(answer)
    assert answer.getheader("content-type", "").startswith("text/event-stream")
    assert answer.getheader("content-encoding") is None
    assert answer.getheader("cache-control") == "no-store"
    assert seen["state"] == "none"
    assert seen["ended"] == ask("/api/status").json["ended"]
    assert seen["memory"] > 0


def test_a_hundred_can_watch_and_go_away(ask: Client) -> None:
    for _ in range(100):
        with watching(ask) as answer:
            event(answer)
    assert ask("/health").status == 200


def test_the_history_of_a_folder_without_a_crawl_is_empty(ask: Client) -> None:
    told = ask("/api/history").json
    assert told["at"] == []
    assert set(told["series"]) == set(SERIES)


def test_a_watcher_may_ask_for_the_headers_alone(ask: Client) -> None:
    assert ask("/api/live", "HEAD").status == 200


def test_a_service_that_ends_lets_those_go_who_watch(small: Path) -> None:
    with (
        running(small, "serve", "127.0.0.1:0") as service,
        watching(service.address()) as answer,
    ):
        event(answer)
        service.process.terminate()
        while answer.readline():  # until its end, which comes in good order
            pass
        assert service.process.wait(PATIENCE) == 0


def test_those_who_watch_see_a_crawl_begin_and_end_and_our_board_has_its_numbers(
    small: Path,
) -> None:
    with (
        DemoServer(WORLD) as demo,
        running(small, "serve", "127.0.0.1:0") as service,
        watching(ask := service.address()) as answer,
    ):
        command = ("crawl", WORLD.front(0), "--delay", "1000", "--connect-to", demo.connect_to)
        with running(small, *command):
            while event(answer)["state"] != "running":
                pass
            of_crawls = {name for name in metrics_asked_for() if "_proxy_" not in name}
            while True:  # those of words come once they have begun
                counted = re.findall(r"(?m)^# TYPE (gossamer_\w+)", ask("/metrics").body.decode())
                if of_crawls <= set(counted):
                    break
                assert event(answer)["state"] == "running", of_crawls - set(counted)
        while event(answer)["state"] != "none":
            pass
