import asyncio

import pytest

from gossamer.events import Event, Proxied
from gossamer.http.stream import Stream
from gossamer.model import Url
from gossamer.proxy.access_log import OURSELVES, SERVER, Figures, Handled, Note, Stage, fault_of
from gossamer.proxy.reply import Reply


def test_an_answer_is_noted_with_who_gave_it() -> None:
    figures, told = Figures(), list[Event]()
    reply = Reply(Stream(), b"1.1 us")
    with Note(figures, told.append, reply, "anna", "GET") as note:
        note.entry = figures.enter("anna", "GET", Url("http://a.test/"))
        reply.status, reply.sent = 200, 12
        note.handled = Handled(SERVER)
    (event,) = told
    assert isinstance(event, Proxied)
    assert (event.client, event.url, event.status, event.bytes) == (
        "anna",
        "http://a.test/",
        200,
        12,
    )
    assert (figures.entries, figures.sent) == (set(), 12)


def test_one_who_left_is_noted_too() -> None:
    figures, told = Figures(), list[Event]()
    with (
        pytest.raises(asyncio.CancelledError),
        Note(figures, told.append, Reply(Stream(), b""), "anna"),
    ):
        raise asyncio.CancelledError
    (event,) = told
    assert isinstance(event, Proxied)
    assert (event.status, event.reason) == (0, "The client left.")


def test_a_defect_of_ours_is_no_client_that_left() -> None:
    told = list[Event]()
    with (
        pytest.raises(ZeroDivisionError) as raised,
        Note(Figures(), told.append, Reply(Stream(), b""), "anna"),
    ):
        1 / 0  # noqa: B018 (what is wrong with it is the point)
    (event,) = told
    assert isinstance(event, Proxied)
    assert (event.status, event.by) == (500, OURSELVES)
    fault = fault_of(raised.value)
    assert fault.message == "ZeroDivisionError: division by zero"
    assert fault.where.startswith(__file__)


def test_the_record_has_everybody_who_is_at_it() -> None:
    figures = Figures(connections=3)
    one = figures.enter("anna", "GET", Url("http://a.test/1"))
    two = figures.enter("anna", "GET", Url("http://b.test/2"))
    three = figures.enter("bert", "POST", Url("http://a.test/3"))
    one.waits()
    two.waits()
    two.goes(Stage.ASKING)
    figures.leave(three, 200, "server")
    figures.leave(None, 400, "ourselves")
    record = figures.record("127.0.0.1:1", {"hits": 2}, intercepts=False)
    assert record["clients"] == [{"client": "anna", "requests": 2, "waiting": 1}]
    assert record["hosts"] == [
        {"host": "a.test", "requests": 1, "waiting": 1},
        {"host": "b.test", "requests": 1, "waiting": 0},
    ]
    assert record["answers"] == {"server": 1, "ourselves": 1}
    assert record["statuses"] == {"200": 1, "400": 1}
    assert record["stages"] == {"waiting": 1, "asking": 1}
    assert [each["url"] for each in record["requests"]] == ["http://a.test/1", "http://b.test/2"]
    assert record["cache"] == {"hits": 2}


def test_a_wait_is_over_when_the_turn_comes() -> None:
    entry = Figures().enter("anna", "GET", Url("http://a.test/1"))
    assert entry.waited.total_seconds() == 0
    entry.waits()
    entry.goes(Stage.ASKING)
    assert entry.waited == entry.waited
