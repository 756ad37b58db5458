"""Alarms reach a real HTTP server, each once, and are tried again."""

import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from tests.frontier.worlds import World
from tests.receivers import Receiver, receiving
from tests.slowness import patience

from gossamer.events import NodeAlarmBegan
from gossamer.fetch.webhook import Webhook
from gossamer.nodes.alarm_posts import MOST_WAITING, AlarmPosts
from gossamer.nodes.alarms import AlarmStore
from gossamer.nodes.report import NodeReport
from gossamer.nodes.store import NodeStore

SKEWED = NodeReport(clock_ahead=90.0, clock_within=0.1).dump()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as made:
        yield made


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
