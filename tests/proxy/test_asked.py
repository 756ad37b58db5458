from datetime import timedelta

import pytest

from gossamer.proxy.asked import MOST_WAIT, Asked, read_asked, read_patience
from gossamer.proxy.refusals import Refused
from gossamer.proxy.wire.framing import NOTHING
from gossamer.proxy.wire.request import RequestHead

USUAL = timedelta(seconds=10)


def asked(
    method: str = "GET", *fields: tuple[bytes, bytes], origin: str | None = None
) -> Asked | Refused:
    target = b"/x" if origin else b"http://a.test/x"
    head = RequestHead.of(method, target, 1, b"a.test", *fields)
    return read_asked(head, origin, b"us", USUAL)


def test_what_is_asked_is_told_apart_from_what_goes_on() -> None:
    fields = (
        (b"Accept", b"*/*"),
        (b"X-Gossamer-Max-Wait", b"2.5"),
        (b"X-Gossamer-Sequential", b"1"),
    )
    found = asked("GET", *fields)
    assert isinstance(found, Asked)
    assert (found.method, found.url, found.patience) == (
        "GET",
        "http://a.test/x",
        timedelta(seconds=2.5),
    )
    assert found.fields == ((b"Accept", b"*/*"),)
    assert (found.said.via, found.said.expects, found.said.in_order) == (b"1.1 us", False, True)
    assert (found.said.keeps_alive, found.said.framing) == (True, NOTHING)


def test_inside_a_connection_the_origin_is_known() -> None:
    found = asked(origin="https://a.test")
    assert isinstance(found, Asked)
    assert found.url == "https://a.test/x"


@pytest.mark.parametrize("text", [b"soon", b"-1", b"nan", b"inf", b""])
def test_a_wait_is_a_number_of_seconds(text: bytes) -> None:
    assert isinstance(read_patience({b"x-gossamer-max-wait": [text]}, USUAL), Refused)


def test_a_wait_has_an_end() -> None:
    assert read_patience({b"x-gossamer-max-wait": [b"1e9"]}, USUAL) == timedelta(seconds=MOST_WAIT)
    assert read_patience({}, USUAL) == USUAL


@pytest.mark.parametrize(
    ("method", "target", "line"),
    [
        ("OPTIONS", b"http://a.test", b" * HTTP/1.1\r\nHost: a.test\r\n"),
        ("OPTIONS", b"http://a.test/", b" / HTTP/1.1\r\nHost: a.test\r\n"),
        ("GET", b"http://a.test", b" / HTTP/1.1\r\nHost: a.test\r\n"),
    ],
)
def test_options_may_ask_about_a_server(method: str, target: bytes, line: bytes) -> None:
    found = read_asked(RequestHead.of(method, target, 1, b"a.test"), None, b"us", USUAL)
    assert isinstance(found, Asked)
    assert (found.url, found.target.line) == ("http://a.test/", line)


def test_options_count_their_hops() -> None:
    found = asked("OPTIONS", (b"Max-Forwards", b"3"))
    assert isinstance(found, Asked)
    assert found.fields == ((b"Max-Forwards", b"2"),)
    last = asked("OPTIONS", (b"Max-Forwards", b"0"))
    assert isinstance(last, Refused)
    assert last.status == 200
    odd = asked("OPTIONS", (b"Max-Forwards", b"many"))
    assert isinstance(odd, Asked)


@pytest.mark.parametrize(
    ("method", "field", "status"),
    [
        ("TRACE", (b"A", b"1"), 405),
        ("GET", (b"Via", b"1.1 us"), 508),
        ("GET", (b"Expect", b"wonders"), 417),
        ("GET", (b"Host", b"b.test"), 400),
    ],
)
def test_some_things_are_not_passed_on(
    method: str, field: tuple[bytes, bytes], status: int
) -> None:
    found = asked(method, field)
    assert isinstance(found, Refused)
    assert found.status == status
