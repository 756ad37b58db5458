"""The configuration over REST."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.service.running import TOKEN, Client, service_on

from gossamer.config import Service
from gossamer.events import ConfigChanged
from gossamer.folder.data import DataFolder
from gossamer.settings.sources import RUNTIME


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Client]:
    with service_on(DataFolder(tmp_path), Service(token=TOKEN)) as client:
        yield client


def test_every_key_is_told_with_its_source(ask: Client) -> None:
    every = ask("/api/config").json
    assert every["politeness.delay"] == {
        "value": 1.0,
        "source": "default",
        "waiting": None,
        "default": 1.0,
        "doc": every["politeness.delay"]["doc"],
    }
    assert ask("/api/config/politeness.delay").json == every["politeness.delay"]


@pytest.mark.parametrize("path", ["/api/config", "/env", "/api/config/fetch.upstream_proxy"])
def test_secrets_are_masked(ask: Client, path: str) -> None:
    answer = ask(path)
    assert answer.status == 200
    assert b"hunter2" not in answer.body
    assert b"***" in answer.body


def test_the_environment_has_all_sections(ask: Client) -> None:
    told = ask("/env").json
    assert told["config"]["politeness"]["per_host"] == 1
    assert {"version", "python", "platform", "process", "data"} <= set(told)


def test_a_change_is_kept_told_and_taken_back(own: Client, tmp_path: Path) -> None:
    made = own.put("/api/config/politeness.delay", {"value": 2}).json
    assert made == {
        "key": "politeness.delay",
        "value": 2.0,
        "source": RUNTIME,
        "waits": [],
        "crawl": None,
    }
    assert own("/api/config/politeness.delay").json["value"] == 2.0
    assert json.loads((tmp_path / "runtime.json").read_text()) == {"politeness.delay": 2}
    assert own.events == [ConfigChanged(key="politeness.delay", value="2s")]
    back = own(
        "/api/config/politeness.delay", "DELETE", headers={"Authorization": f"Bearer {TOKEN}"}
    )
    assert (back.json["value"], back.json["source"]) == (1.0, "default")


def test_an_edit_of_the_file_waits_until_a_reload(own: Client, tmp_path: Path) -> None:
    file = tmp_path / "gossamer.toml"
    file.write_text("[politeness]\ndelay = 7\n[fetch]\ntotal_timeout = 5\n")
    told = own("/api/config/politeness.delay").json
    waiting = {"value": 7.0, "source": "gossamer.toml", "until": "reload"}
    assert (told["value"], told["source"], told["waiting"]) == (1.0, "default", waiting)
    env = own("/env").json
    assert env["config"]["politeness"]["delay"] == 1.0
    assert env["waiting"]["politeness.delay"] == waiting
    assert env["waiting"]["fetch.total_timeout"]["until"] == "restart"
    assert env["refused"] is None
    # A change of another key applies nothing of it.
    assert own.put("/api/config/crawl.depth", {"value": 3}).json["waits"] == []
    assert own("/api/config/politeness.delay").json["value"] == 1.0
    DataFolder(tmp_path).ask_for_reload()
    told = own("/api/config/politeness.delay").json
    assert (told["value"], told["source"], told["waiting"]) == (7.0, "gossamer.toml", None)
    assert own("/env").json["waiting"].keys() == {"fetch.total_timeout"}
    file.write_text("[politeness]\ndelay = 'soon'\n")
    env = own("/env").json
    assert env["config"]["politeness"]["delay"] == 7.0
    assert "politeness.delay: 'soon' is not a time" in env["refused"]
    assert "The values in force stay." in env["refused"]


@pytest.mark.parametrize(
    ("key", "body", "status", "code", "told"),
    [
        ("politeness.delay", {"value": "soon"}, 400, "bad-value", "is not a time"),
        ("politeness.delay", {"value": -1}, 400, "bad-value", "too small"),
        ("politeness.delay", {"value": None}, 400, "bad-body", "not None"),
        ("politeness.delay", {}, 400, "bad-body", "lacks `value`"),
        ("politeness.delay", {"value": 1, "more": 2}, 400, "bad-body", "more"),
        ("politeness.delay", [], 400, "bad-body", "an object"),
        ("scope.include", {"value": ["("]}, 400, "bad-value", "include"),
        ("politeness.dealy", {"value": 1}, 404, "not-found", "Did you mean politeness.delay?"),
        ("service.token", {"value": {}}, 400, "bad-value", "is not right"),
        ("archive.folders", {"value": ["/etc"]}, 400, "bad-value", "at the machine"),
        ("index.graph_folder", {"value": "/etc"}, 400, "bad-value", "at the machine"),
    ],
)
def test_a_change_that_is_wrong_changes_nothing(
    own: Client, tmp_path: Path, key: str, body: object, status: int, code: str, told: str
) -> None:
    answer = own.put(f"/api/config/{key}", body)
    assert (answer.status, answer.json["code"]) == (status, code)
    assert told in answer.json["detail"]
    assert not (tmp_path / "runtime.json").exists()


@pytest.mark.parametrize("token", [None, "", "wrong"])
def test_nothing_is_changed_without_the_token(
    own: Client, tmp_path: Path, token: str | None
) -> None:
    assert own.put("/api/config/politeness.delay", {"value": 2}, token).status == 401
    assert own("/api/config/politeness.delay", "DELETE").status == 401
    assert not (tmp_path / "runtime.json").exists()
