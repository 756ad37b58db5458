"""Alarms reach a real HTTP server, signed; nothing else is reached by way of them."""

import hashlib
import hmac
import json
import queue
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_network
from typing import Any

import pytest
from tests.frontier.worlds import World
from tests.slowness import patience

from gossamer.config import Alerts, Fetch
from gossamer.errors import ConfigError
from gossamer.events import NodeAlarmBegan
from gossamer.nodes.alarms import AlarmStore
from gossamer.nodes.report import NodeReport
from gossamer.nodes.store import NodeStore
from gossamer.nodes.webhook import MOST_WAITING, AlarmPosts, Webhook, WebhookError, checked_webhook

SKEWED = NodeReport(clock_ahead=90.0, clock_within=0.1).dump()


@dataclass
class Receiver:
    """A server on loopback, and what was posted to it."""

    url: str = ""
    status: int = 204
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    heard: "queue.Queue[tuple[dict[str, str], bytes]]" = field(default_factory=queue.Queue)

    def next(self) -> tuple[dict[str, str], Any]:
        headers, body = self.heard.get(timeout=patience(20))
        return headers, json.loads(body)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    made = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(made.status)
            for name, value in made.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(made.body)
            made.heard.put((dict(self.headers), body))

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made.url = f"http://127.0.0.1:{server.server_port}/hook/key"
    serving = threading.Thread(target=server.serve_forever)
    serving.start()
    yield made
    server.shutdown()
    serving.join()
    server.server_close()


def test_a_post_is_signed_with_its_moment(receiver: Receiver) -> None:
    Webhook(receiver.url, "a secret", clock=lambda: 1234.9).post(b'{"a":1}')
    headers, body = receiver.next()
    mac = hmac.new(b"a secret", b'1234.{"a":1}', hashlib.sha256).hexdigest()
    assert headers["Gossamer-Signature"] == f"t=1234,v1={mac}"
    assert headers["Content-Type"] == "application/json"
    assert body == {"a": 1}
    Webhook(receiver.url).post(b"{}")
    assert "Gossamer-Signature" not in receiver.next()[0]


def test_a_redirect_is_a_failure_and_is_not_followed(receiver: Receiver) -> None:
    receiver.status, receiver.headers = 307, {"Location": receiver.url}
    with pytest.raises(WebhookError, match="it answered 307"):
        Webhook(receiver.url).post(b"{}")
    receiver.next()
    assert receiver.heard.empty()


def test_an_answer_without_an_end_is_broken_off(receiver: Receiver) -> None:
    receiver.status, receiver.body = 200, b"x" * 1_000_000
    with pytest.raises(WebhookError, match="too long"):
        Webhook(receiver.url).post(b"{}")


def test_a_name_that_leads_into_a_network_is_refused_unless_that_is_allowed(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    def resolved(host: str, port: int, **_: object) -> list[Any]:
        return [(0, 0, 0, "", ("127.0.0.1", port))]

    monkeypatch.setattr(socket, "getaddrinfo", resolved)
    named = receiver.url.replace("127.0.0.1", "hooks.test")
    with pytest.raises(WebhookError, match="leads to an address of a network"):
        Webhook(named).post(b"{}")
    assert receiver.heard.empty()
    Webhook(named, allow=[ip_network("127.0.0.0/8")]).post(b"{}")
    Webhook(receiver.url.replace("127.0.0.1", "localhost")).post(b"{}")
    receiver.next()
    receiver.next()


def test_who_is_not_there_is_said_in_a_sentence_without_the_address() -> None:
    with pytest.raises(WebhookError, match=r"^nobody takes the connection$"):
        Webhook("http://127.0.0.1:9/secret-key").post(b"{}")


def test_an_address_is_checked_where_it_is_configured() -> None:
    for wrong in ("hooks.example", "ftp://a/", "http://", "http://a b/", "http://a:99999/"):
        with pytest.raises(ConfigError, match=r"alerts\.webhook: write an address"):
            checked_webhook(wrong)
    assert Webhook.of(Alerts(), Fetch()) is None
    made = Webhook.of(Alerts(webhook="https://a.test/x", secret="s"), Fetch())
    assert made is not None
    assert made.url == "https://a.test/x"


def test_an_alarm_is_posted_once_by_one_of_many_at_its_begin_and_at_its_end(
    receiver: Receiver, world: World
) -> None:
    store = world.store()
    nodes, alarms = NodeStore(store), AlarmStore(store)
    nodes.join("one", "1.0", SKEWED)
    alarms.look()
    posts = [AlarmPosts(name, Webhook(receiver.url)) for name in ("a", "b")]
    for each in posts:
        each.run(store)
    _, told = receiver.next()
    assert (told["event"], told["node"], told["kind"]) == ("node-alarm", "one", "clock")
    assert told["ended_at"] is None
    nodes.leave("one")
    world.later(10)
    alarms.look()
    _until(lambda: _is_noted(posts, store, world))
    _, told = receiver.next()
    assert (told["event"], told["kind"]) == ("node-alarm-ended", "clock")
    for each in posts:
        each.close()
        each.wait(patience(20))
    assert receiver.heard.empty()
    assert [each.dropped for each in posts] == [0, 0]


def _is_noted(posts: list[AlarmPosts], store: Any, world: World) -> bool:
    for each in posts:
        each.run(store)
    world.later(1)
    (alarm,) = AlarmStore(store).recent(1)
    return alarm.told == 3


def _until(is_so: Any) -> None:
    deadline = time.monotonic() + patience(30)
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_what_did_not_arrive_is_tried_again_and_given_up_after_an_hour(
    receiver: Receiver, world: World
) -> None:
    receiver.status = 503
    store = world.store()
    NodeStore(store).join("one", "1.0", SKEWED)
    AlarmStore(store).look()
    posts = AlarmPosts("a", Webhook(receiver.url))
    posts.run(store)
    receiver.next()
    world.later(150)
    told: list[Any] = []

    def is_told() -> bool:
        told.extend(posts.run(store))
        return bool(told)

    _until(is_told)
    assert told[0].why == "it answered 503"
    receiver.next()
    world.later(4000)
    posts.run(store)
    assert posts.dropped == 1
    posts.close()
    posts.wait(patience(20))
    assert receiver.heard.empty()


def test_what_finds_no_room_is_dropped_and_counted(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    going_on = threading.Event()
    monkeypatch.setattr(Webhook, "post", lambda *_: going_on.wait(patience(20)))
    posts = AlarmPosts("a", Webhook(receiver.url))
    away = NodeAlarmBegan(
        troubled="a", kind="database", subject="", message="It is away.", began_at=""
    )
    posts.hear([away] * (MOST_WAITING + 5))
    assert posts.dropped in (4, 5)  # one may be in hand
    going_on.set()
    posts.close()
    posts.wait(patience(20))
