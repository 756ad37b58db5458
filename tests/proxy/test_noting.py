import asyncio

import pytest

from gossamer.events import Event, Proxied
from gossamer.model import Url
from gossamer.proxy.figures import Figures
from gossamer.proxy.handling import OURSELVES, SERVER, Handled
from gossamer.proxy.noting import Note, fault_of
from gossamer.proxy.reply import Reply
from gossamer.proxy.stream import Stream


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
