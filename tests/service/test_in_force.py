"""Changes of the service's own section, while it runs."""

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.service.running import TOKEN, Client, service_on

from gossamer.config import Service
from gossamer.folder.data import DataFolder

BEARER = {"Authorization": f"Bearer {TOKEN}"}
THREE = "SELECT ?n { VALUES ?n { 1 2 3 } }"
FRIEND = {"Origin": "https://friend.test"}


@pytest.fixture
def data(tmp_path: Path) -> DataFolder:
    return DataFolder(tmp_path)


@pytest.fixture
def ask(data: DataFolder) -> Iterator[Client]:
    with service_on(data, Service(token=TOKEN)) as client:
        yield client


def change(ask: Client, key: str, value: object, token: str = TOKEN) -> list[str]:
    """Change a key; what waits."""
    answer = ask.put(f"/api/config/{key}", {"value": value}, token)
    assert answer.status == 200, answer.body
    waits: list[str] = answer.json["waits"]
    return waits


def rows(ask: Client) -> int:
    return len(ask("/sparql", query=THREE).json["results"]["bindings"])


def test_limits_are_taken_up_by_the_very_next_request(ask: Client) -> None:
    assert rows(ask) == 3
    assert change(ask, "service.query_rows", 2) == []
    assert rows(ask) == 2
    assert ask("/api/config/service.query_rows", "DELETE", headers=BEARER).status == 200
    assert rows(ask) == 3
    assert change(ask, "service.max_body_bytes", 1024) == []
    assert ask("/politeness", "POST", body="x" * 2000).status == 413


def test_pictures_are_shown_at_once(ask: Client) -> None:
    def policy() -> str:
        return ask("/search", headers={"Accept": "text/html"}).headers["content-security-policy"]

    assert "img-src 'self' data:;" in policy()
    change(ask, "service.pictures", True)
    assert "img-src 'self' data: https: http:;" in policy()


def test_origins_and_names_count_at_once(ask: Client) -> None:
    assert "access-control-allow-origin" not in ask("/health", headers=FRIEND).headers
    change(ask, "service.origins", ["https://friend.test"])
    assert "access-control-allow-origin" in ask("/health", headers=FRIEND).headers
    assert ask("/health", headers={"Host": "crawler.example.org"}).status == 421
    change(ask, "service.hosts", ["crawler.example.org"])
    assert ask("/health", headers={"Host": "crawler.example.org"}).status == 200


def test_another_token_makes_the_old_one_and_its_sessions_void_at_once(ask: Client) -> None:
    form = {"Content-Type": "application/x-www-form-urlencoded", "Origin": ask.url}
    begun = ask("/login", "POST", body=f"token={TOKEN}", headers=form)
    cookie = {"Cookie": begun.headers["set-cookie"].partition(";")[0], "Origin": ask.url}
    body = json.dumps({"value": 2})
    sent = {**cookie, "Content-Type": "application/json"}
    assert ask("/api/config/politeness.delay", "PUT", body=body, headers=sent).status == 200
    change(ask, "service.token", "another-long-token")
    assert ask.put("/api/config/politeness.delay", {"value": 3}).status == 401
    assert ask("/api/config/politeness.delay", "PUT", body=body, headers=sent).status == 401
    assert ask.put("/api/config/politeness.delay", {"value": 3}, "another-long-token").status == 200


def test_what_was_changed_elsewhere_counts_as_well(ask: Client, data: DataFolder) -> None:
    with data.changing_runtime():
        data.keep_runtime_changes({"service.token": "another-long-token", "service.query_rows": 1})
    assert ask.put("/api/config/politeness.delay", {"value": 3}).status == 401
    assert rows(ask) == 1


def test_what_cannot_be_read_changes_nothing(ask: Client, data: DataFolder) -> None:
    data.runtime_file.write_text("{")
    assert rows(ask) == 3
    data.runtime_file.write_text(json.dumps({"service.query_rows": 0}))
    assert rows(ask) == 3
    data.runtime_file.write_text(json.dumps({"service.query_rows": 1}))
    os.utime(data.runtime_file, (time.time(), time.time() + 1))
    assert rows(ask) == 1


def test_another_address_waits_for_the_next_start(ask: Client) -> None:
    assert change(ask, "service.address", "127.0.0.1:9999") == ["service.address"]
    assert change(ask, "service.query_rows", 2) == []
    assert change(ask, "service.address", Service().address) == []


def test_how_many_may_be_connected_waits_too(ask: Client) -> None:
    assert change(ask, "service.max_connections", 7) == ["service.max_connections"]
    told = ask("/api/config/service.max_connections").json
    assert (told["value"], told["waiting"]["value"]) == (512, 7)
    assert told["waiting"]["until"] == "restart"


def test_where_others_get_to_us_the_token_cannot_be_taken_away(data: DataFolder) -> None:
    data.make()
    with service_on(data, Service(), is_loopback=False) as ask:
        with data.changing_runtime():
            data.keep_runtime_changes({"service.token": "first"})
        taken = ask(
            "/api/config/service.token", "DELETE", headers={"Authorization": "Bearer first"}
        )
        assert (taken.status, taken.json["code"]) == (400, "bad-value")
        assert change(ask, "service.token", "a-second-long-token", "first") == []
        data.runtime_file.unlink()  # by somebody who may: then nobody is let in
        answer = ask("/api/status", headers={"Authorization": "Bearer a-second-long-token"})
        assert (answer.status, answer.json["code"]) == (403, "no-token")
