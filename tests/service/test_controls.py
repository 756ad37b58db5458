"""Controls over real sockets, of real crawls in processes of their own."""

import json
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.cli.commands.test_serve import running
from tests.crawl.door import Door
from tests.slowness import patience

from gossamer.demo.process import DemoServer
from gossamer.demo.truth import truth
from gossamer.demo.world import World

from .running import TOKEN, Answered, Client, until

WORLD = World(seed=3, pages=200, hosts=4)
USUAL = {
    "politeness.delay": 0.1,
    "scope.kind": "any",
    "sitemaps.use": False,
    "politeness.slowness": 0,
}
SLOW = {**USUAL, "politeness.delay": 1000}  # never over
BEARER = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture(scope="module")
def demo() -> Iterator[DemoServer]:
    with DemoServer(WORLD) as server:
        yield server


@pytest.fixture
def door(demo: DemoServer) -> Iterator[Door]:
    """What stands before the demo web."""
    with Door(demo.address) as door:
        yield door


@pytest.fixture
def service(door: Door, tmp_path: Path) -> Iterator[Client]:
    """A service over an empty folder, that reaches the demo web."""
    command = ("serve", "127.0.0.1:0", "--connect-to", door.connect_to)
    with running(tmp_path, *command, GOSSAMER_SERVICE_TOKEN=TOKEN) as process:
        yield process.address()


def post(ask: Client, what: str, told: Mapping[str, Any] | None = None) -> Answered:
    headers = dict(BEARER)
    if told is None:
        return ask(f"/api/crawl/{what}", "POST", headers=headers)
    headers["Content-Type"] = "application/json"
    return ask(f"/api/crawl/{what}", "POST", body=json.dumps(told), headers=headers)


def is_running(told: Any) -> bool:
    """Whether a crawl answers: on a busy machine it takes its time to begin."""
    return bool(told["state"] == "running")


def content(told: Any) -> int:
    count: int = told["ended"]["content"]
    return count


def test_a_crawl_is_begun_paused_resumed_stopped_and_taken_up_again(
    service: Client, door: Door
) -> None:
    ask = service
    door.close(after=20)  # so it cannot be over before it is paused
    begun = post(ask, "start", {"seeds": [WORLD.front(0)], "options": USUAL})
    assert begun.status == 201
    crawl = until(ask, "/api/crawl", is_running)
    assert crawl["begun_here"]["process"] == crawl["process"]
    until(ask, "/api/status", lambda told: content(told) > 2)

    assert post(ask, "pause").json["state"] == "paused"
    door.open()
    resting = until(ask, "/api/status", lambda told: told["run"] and not told["handed"])
    assert resting["run"]["state"] == "paused"
    time.sleep(1)  # longer than any delay: what is paused stays where it is
    assert content(ask("/api/status").json) == content(resting)

    door.close(after=20)
    assert post(ask, "resume").json["state"] == "running"
    until(ask, "/api/status", lambda told: content(told) > content(resting))

    assert post(ask, "stop").status == 200
    door.open()
    ended = until(ask, "/api/crawl", lambda told: told["state"] == "none")
    summary = ended["begun_here"]["summary"]
    assert summary["ended"] == "stopped"
    assert until(ask, "/api/status", lambda told: told["run"] is None)["left"] > 0
    assert ask.put("/api/config/politeness.delay", {"value": 0}).status == 200

    assert post(ask, "start").status == 201
    done = until(
        ask, "/api/crawl", lambda told: told["begun_here"]["summary"] and told["can_start"]
    )
    said = truth(WORLD, [WORLD.front(0)], scope="any")
    assert done["begun_here"]["summary"]["pages"] == len(said.visited)
    assert done["begun_here"]["summary"]["quads"] == said.quads()


def test_what_cannot_begin_says_why(service: Client) -> None:
    ask = service
    nothing = post(ask, "start")
    assert (nothing.status, nothing.json["code"]) == (422, "not-started")
    assert "Name a seed" in nothing.json["detail"]
    for told, code in (
        ({"seeds": ["@/etc/passwd"]}, "bad-seed"),
        ({"seeds": ["javascript:alert(1)"]}, "bad-seed"),
        ({"seeds": ["--help"], "options": {"log.level": "debug"}}, "bad-value"),
        ({"seeds": ["a.test"], "options": {"crawl.depth": "deep"}}, "bad-value"),
        ({"seeds": ["a.test"], "options": {"crawl.dephts": 1}}, "bad-value"),
        ({"seeds": "a.test"}, "bad-body"),
        ({"seeds": []}, "no-seed"),
        ({"seed": ["a.test"]}, "bad-body"),
    ):
        refused = post(ask, "start", told)
        assert (refused.status, refused.json["code"]) == (400, code), told
    for what in ("pause", "resume", "stop"):
        refused = post(ask, what)
        assert (refused.status, refused.json["code"]) == (409, "no-crawl")
    assert ask("/api/crawl").json["state"] == "none"


def test_a_crawl_that_runs_takes_on_seeds_and_nothing_is_done_without_the_token(
    service: Client,
) -> None:
    ask = service
    assert ask("/api/crawl/start", "POST").status == 401
    assert post(ask, "start", {"seeds": [WORLD.front(0)], "options": SLOW}).status == 201
    until(ask, "/api/crawl", is_running)
    assert post(ask, "start").json["code"] == "running"
    assert (
        post(ask, "start", {"seeds": [WORLD.front(1)], "options": SLOW}).json["code"] == "running"
    )
    more = post(ask, "start", {"seeds": [WORLD.front(1), WORLD.front(0)]})
    assert more.status == 200
    assert more.json["added"] + more.json["known"] == 2
    assert more.json["known"] >= 1
    assert post(ask, "start", {"seeds": []}).json["code"] == "no-seed"
    for what in ("pause", "resume", "stop"):
        assert ask(f"/api/crawl/{what}", "POST").status == 401
    assert ask("/api/crawl").json["state"] == "running"


def test_a_form_leads_back_to_where_it_came_from(service: Client) -> None:
    ask = service
    form = {**BEARER, "Content-Type": "application/x-www-form-urlencoded"}
    body = f"seeds={WORLD.front(0)}%0A&politeness.delay=1000&crawl.depth=&next=/crawl%23now"
    nothing = ask("/api/crawl/start", "POST", body="seeds=+%0A&next=/crawl", headers=form)
    assert (nothing.status, nothing.json["code"]) == (400, "no-seed")
    begun = ask("/api/crawl/start", "POST", body=body, headers=form)
    assert (begun.status, begun.headers["location"]) == (303, "/crawl#now")
    until(ask, "/api/crawl", is_running)
    stopped = ask("/api/crawl/stop", "POST", body="next=//evil.test", headers=form)
    assert (stopped.status, stopped.headers["location"]) == (303, "/crawl")


def test_a_service_that_ends_brings_its_crawl_to_an_end(demo: DemoServer, tmp_path: Path) -> None:
    command = ("serve", "127.0.0.1:0", "--connect-to", demo.connect_to)
    with running(tmp_path, *command, GOSSAMER_SERVICE_TOKEN=TOKEN) as service:
        ask = service.address()
        options = {**USUAL, "politeness.delay": 2}
        begun = post(ask, "start", {"seeds": [WORLD.front(0)], "options": options})
        process = begun.json["process"]
        until(ask, "/api/status", lambda told: content(told) > 0)
        service.end()
    assert f"(process {process}) is brought to its end" in "".join(service.said)
    words = (tmp_path / "gossamer-data" / "log" / "crawl.txt").read_text()
    assert "It was stopped." in words


def test_a_crawl_that_serves_itself_is_steered_too(demo: DemoServer, tmp_path: Path) -> None:
    command = ("crawl", WORLD.front(0), "--delay", "1000", "--serve", "127.0.0.1:0")
    with running(
        tmp_path, *command, "--connect-to", demo.connect_to, GOSSAMER_SERVICE_TOKEN=TOKEN
    ) as crawl:
        ask = crawl.address()
        assert post(ask, "pause").json["state"] == "paused"
        assert ask("/api/crawl").json["can_start"] is False
        assert post(ask, "start", {"seeds": [WORLD.front(1)]}).status == 200
        assert post(ask, "resume").json["state"] == "running"
        assert post(ask, "stop").json["state"] == "stopping"
        assert crawl.process.wait(patience(30)) == 130
