"""`/api/live` and `/api/history` over a socket."""

import http.client
import json
from typing import Any
from urllib.parse import urlsplit

from gossamer.service.history import SERIES

from .running import PATIENCE, Client


def first_event(ask: Client) -> tuple[http.client.HTTPResponse, Any]:
    connection = http.client.HTTPConnection(urlsplit(ask.url).netloc, timeout=PATIENCE)
    connection.request("GET", "/api/live", headers={"Accept-Encoding": "gzip"})
    answer = connection.getresponse()
    try:
        while not (line := answer.readline()).startswith(b"data: "):
            assert line
        return answer, json.loads(line.removeprefix(b"data: "))
    finally:
        connection.close()


def test_a_snapshot_comes_at_once_and_is_not_packed(ask: Client) -> None:
    answer, seen = first_event(ask)
    assert answer.getheader("content-type", "").startswith("text/event-stream")
    assert answer.getheader("content-encoding") is None
    assert answer.getheader("cache-control") == "no-store"
    assert seen["state"] == "none"
    assert seen["ended"] == ask("/api/status").json["ended"]
    assert seen["memory"] > 0


def test_a_hundred_can_watch_and_go_away(ask: Client) -> None:
    for _ in range(100):
        first_event(ask)
    assert ask("/health").status == 200


def test_the_history_of_a_folder_without_a_crawl_is_empty(ask: Client) -> None:
    told = ask("/api/history").json
    assert told["at"] == []
    assert set(told["series"]) == set(SERIES)


def test_a_watcher_may_ask_for_the_headers_alone(ask: Client) -> None:
    assert ask("/api/live", "HEAD").status == 200
