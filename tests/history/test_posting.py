"""What has changed reaches a real HTTP server, in order and signed, however often that fails and whoever is killed."""

import asyncio
import hashlib
import hmac
import json
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from tests.history.shop import crawl_on
from tests.history.test_store import CUP, DAY, NOW, TEA, visit
from tests.in_process import gossamer
from tests.receivers import Receiver, receiving
from tests.slowness import patience

from gossamer.config import MIB, KeptHistory, PostedChanges
from gossamer.events import ChangesNotPosted, Event
from gossamer.fetch.webhook import Webhook
from gossamer.history import undelivered
from gossamer.history.posting import (
    LONGEST_PAUSE,
    NO_TIME,
    ChangePosts,
    pause_after,
    posting_changes,
)
from gossamer.history.store import ChangeHistory
from gossamer.history.undelivered import UndeliveredChanges

SECRET = "a secret"


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as made:
        yield made


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "changes.db"


@pytest.fixture
def history(file: Path) -> Iterator[ChangeHistory]:
    """A history in which a page has changed before anybody wanted to be told."""
    with closing(ChangeHistory.open(file)) as opened:
        opened.note([visit(TEA, "0", NOW, was_known=True)])
        opened.note([visit(TEA, "1", NOW)])
        yield opened


@pytest.fixture
def waiting(history: ChangeHistory, file: Path) -> Iterator[UndeliveredChanges]:
    with closing(UndeliveredChanges.open(file)) as opened:
        yield opened


def change(
    history: ChangeHistory, prices: Sequence[int], at: datetime = NOW, url: str = TEA
) -> None:
    """Have a page change to these prices, one after the other."""
    for price in prices:
        assert history.note([visit(url, str(price), at)]) == 1


def posted(waiting: UndeliveredChanges, *, arrived: bool = True) -> dict[str, Any] | None:
    """What the next post says; noted as delivered, if it arrived."""
    if (post := waiting.next_post()) is None:
        return None
    if arrived:
        waiting.note_delivered(post)
    told: dict[str, Any] = json.loads(post.body)
    return told


def prices(told: Any) -> list[str]:
    return [each["added"][0]["value"] for each in told["changes"]]


def test_it_begins_when_somebody_first_wants_to_be_told(
    waiting: UndeliveredChanges, history: ChangeHistory, file: Path
) -> None:
    assert waiting.next_post() is None
    change(history, [2, 3])
    told = posted(waiting)
    assert told is not None
    assert (told["event"], told["lost"], prices(told)) == ("changes", 0, ["2", "3"])
    assert [each["sequence"] for each in told["changes"]] == [2, 3]
    assert told["sequence"] == 3
    assert {"id", "entity", "kind", "page", "at", "removed"} < {*told["changes"][0]}
    assert waiting.next_post() is None
    change(history, [4])
    with closing(UndeliveredChanges.open(file)) as again:  # the next run
        later = posted(again)
    assert prices(later) == ["4"]
    assert later is not None
    assert later["history"] == told["history"]
    assert len(told["history"]) == 16


def test_what_did_not_arrive_comes_again_with_what_has_changed_since(
    waiting: UndeliveredChanges, history: ChangeHistory
) -> None:
    change(history, [2])
    once = posted(waiting, arrived=False)
    change(history, [3])
    again = posted(waiting)
    assert once is not None
    assert again is not None
    assert once["changes"] == again["changes"][:1]
    assert prices(again) == ["2", "3"]


def test_posts_are_bounded_in_number_and_bytes(
    waiting: UndeliveredChanges, history: ChangeHistory, monkeypatch: pytest.MonkeyPatch
) -> None:
    change(history, [2, 3, 4, 5, 6])
    monkeypatch.setattr(undelivered, "MOST_CHANGES", 2)
    assert prices(posted(waiting)) == ["2", "3"]
    post = waiting.next_post()
    assert post is not None
    size = len(json.dumps(json.loads(post.body)["changes"][0], separators=(",", ":")))
    monkeypatch.setattr(undelivered, "MOST_BYTES", size)
    assert prices(posted(waiting)) == ["4"]
    monkeypatch.setattr(undelivered, "MOST_BYTES", size - 1)
    told = posted(waiting)
    assert told is not None
    (cut,) = told["changes"]
    assert (cut["cut"], cut["added"], cut["removed"], cut["page"]) == (True, [], [], TEA)


def test_what_goes_undelivered_is_counted_and_its_numbers_are_not_given_again(
    waiting: UndeliveredChanges, history: ChangeHistory
) -> None:
    change(history, [2])
    posted(waiting)
    change(history, [3, 4])
    kept = KeptHistory(keep=DAY, max_bytes=MIB)
    assert (
        history.prune(kept, NOW + 2 * DAY) == 4
    )  # of which two had been delivered or were before us
    assert waiting.next_post() is None
    change(history, [5], NOW + 2 * DAY)
    told = posted(waiting, arrived=False)
    assert told == posted(waiting)
    assert told is not None
    assert (told["lost"], told["sequence"], prices(told)) == (2, 5, ["5"])
    change(history, [6], NOW + 2 * DAY)
    told = posted(waiting)
    assert told is not None
    assert told["lost"] == 0


def test_what_is_forgotten_is_not_told(waiting: UndeliveredChanges, history: ChangeHistory) -> None:
    change(history, [7], url=CUP)
    change(history, [2])
    history.forget(page=CUP)
    told = posted(waiting)
    assert told is not None
    assert (told["lost"], prices(told)) == (0, ["2"])


def test_pauses_grow_and_end_somewhere() -> None:
    assert [pause_after(count) for count in (0, 1, 2, 3, 4)] == [2, 2, 4, 8, 16]
    assert pause_after(1_000_000) == LONGEST_PAUSE


def test_a_server_that_fails_twice_has_all_in_order_and_signed(
    receiver: Receiver,
    waiting: UndeliveredChanges,
    history: ChangeHistory,
    file: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(undelivered, "MOST_CHANGES", 2)
    for status in (503, 302):
        receiver.statuses.put(status)
    told: list[Event] = []
    webhook = Webhook(receiver.url, SECRET, clock=lambda: 1234.0, seconds=patience(20))
    posts = ChangePosts(UndeliveredChanges.open(file), webhook, told.append, every=0.01)
    running = threading.Thread(target=posts.run)
    running.start()
    change(history, [2, 3, 4])
    seen: list[str] = []
    sequence = 1
    answers = 0
    while "4" not in seen:
        headers, body = receiver.heard.get(timeout=patience(20))
        mac = hmac.new(SECRET.encode(), b"1234." + body, hashlib.sha256).hexdigest()
        assert headers["Gossamer-Signature"] == f"t=1234,v1={mac}"
        answers += 1
        post = json.loads(body)
        assert post["changes"][0]["sequence"] == sequence + 1
        if answers > 2:  # the first two did not arrive
            seen += prices(post)
            sequence = post["sequence"]
    posts.end(patience(20))
    running.join(patience(20))
    assert not running.is_alive()
    assert seen == ["2", "3", "4"]
    assert waiting.next_post() is None
    assert [each.why for each in told if isinstance(each, ChangesNotPosted)] == [
        "it answered 503",
        "it answered 302",
    ]


KILLED = """
import sys
from pathlib import Path
from gossamer.fetch.webhook import Webhook
from gossamer.history.posting import ChangePosts
from gossamer.history.undelivered import UndeliveredChanges
ChangePosts(UndeliveredChanges.open(Path(sys.argv[1])), Webhook(sys.argv[2], seconds=1000), print).run()
"""


def test_whoever_is_killed_before_the_answer_posts_it_again(
    receiver: Receiver, waiting: UndeliveredChanges, history: ChangeHistory, file: Path
) -> None:
    change(history, [2, 3])
    receiver.answering.clear()
    with subprocess.Popen([sys.executable, "-c", KILLED, str(file), receiver.url]) as process:
        try:
            _, first = receiver.next()
        finally:
            process.kill()
    receiver.answering.set()
    change(history, [4])
    posts = ChangePosts(UndeliveredChanges.open(file), Webhook(receiver.url), lambda _: None)
    posts.end(patience(20))
    posts.run()
    _, second = receiver.next()
    assert second["changes"][:2] == first["changes"]
    assert prices(second) == ["2", "3", "4"]
    assert waiting.next_post() is None


def test_where_time_is_up_the_rest_is_left_and_told(
    receiver: Receiver, waiting: UndeliveredChanges, history: ChangeHistory, file: Path
) -> None:
    change(history, [2])
    told: list[Event] = []
    posts = ChangePosts(UndeliveredChanges.open(file), Webhook(receiver.url), told.append)

    async def fail() -> None:
        async with posting_changes(posts):
            raise ValueError

    posts.end(0)
    posts.run()
    assert told == [ChangesNotPosted(why=NO_TIME)]
    posts.queue = UndeliveredChanges.open(file)
    with pytest.raises(ValueError, match=r"^$"):
        asyncio.run(fail())  # which waits for nobody
    assert receiver.heard.empty()
    assert prices(posted(waiting)) == ["2"]


def test_crawls_post_what_changed_and_the_next_goes_on_where_one_could_not(
    receiver: Receiver, tmp_path: Path
) -> None:
    changes = PostedChanges(webhook=receiver.url, secret=SECRET)
    crawl_on(0, tmp_path, changes=changes)
    assert receiver.heard.empty()
    receiver.status = 500
    crawl_on(1, tmp_path, changes=changes)
    failed = receiver.next()[1]
    while not receiver.heard.empty():
        receiver.next()
    receiver.status = 204
    crawl_on(1, tmp_path, changes=changes)
    _, told = receiver.next()
    assert receiver.heard.empty()
    assert failed["history"] == told["history"]
    found = json.loads(gossamer("changes", "--json", "--data", str(tmp_path)))
    plain = [{name: each[name] for name in each if name != "sequence"} for each in told["changes"]]
    assert sorted(plain, key=lambda each: each["id"]) == sorted(found, key=lambda each: each["id"])
    assert {each["label"] for each in plain} >= {"Tea", "Cup"}
