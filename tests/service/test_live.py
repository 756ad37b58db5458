"""`/api/live` and `/api/history` over a socket."""

import asyncio
import http.client
import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from tests.cli.test_serve import running
from tests.owner.small_crawl import made
from tests.service.conftest import WORLD
from tests.service.running import PATIENCE, Client

from gossamer.demo.process import DemoServer
from gossamer.service.history import SERIES


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


def test_those_who_watch_see_a_crawl_begin_and_end(small: Path) -> None:
    with (
        DemoServer(WORLD) as demo,
        running(small, "serve", "127.0.0.1:0") as service,
        watching(service.address()) as answer,
    ):
        command = ("crawl", WORLD.front(0), "--delay", "2", "--connect-to", demo.connect_to)
        with running(small, *command):
            while event(answer)["state"] != "running":
                pass
        while event(answer)["state"] != "none":
            pass
