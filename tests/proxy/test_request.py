import asyncio
from datetime import timedelta

import pytest
from tests.http.test_stream import Fed

from gossamer.http.stream import Body, BrokenBodyError, Stream
from gossamer.http.wire.framing import CHUNKED, NOTHING, Framing, Sized
from gossamer.http.wire.request import RequestHead
from gossamer.proxy.access_log import Entry
from gossamer.proxy.refusals import Refused
from gossamer.proxy.request import (
    MOST_GATHERED,
    MOST_WAIT,
    Incoming,
    ProxyRequest,
    read_patience,
    read_proxy_request,
)

USUAL = timedelta(seconds=10)


def asked(
    method: str = "GET", *fields: tuple[bytes, bytes], origin: str | None = None
) -> ProxyRequest | Refused:
    target = b"/x" if origin else b"http://a.test/x"
    head = RequestHead.of(method, target, 1, b"a.test", *fields)
    return read_proxy_request(head, origin, b"us", USUAL)


def test_what_is_asked_is_told_apart_from_what_goes_on() -> None:
    fields = (
        (b"Accept", b"*/*"),
        (b"X-Gossamer-Max-Wait", b"2.5"),
        (b"X-Gossamer-Sequential", b"1"),
    )
    found = asked("GET", *fields)
    assert isinstance(found, ProxyRequest)
    assert (found.method, found.url, found.patience) == (
        "GET",
        "http://a.test/x",
        timedelta(seconds=2.5),
    )
    assert found.fields == ((b"Accept", b"*/*"),)
    assert (found.options.via, found.options.expects, found.options.in_order) == (
        b"1.1 us",
        False,
        True,
    )
    assert (found.options.keeps_alive, found.options.framing) == (True, NOTHING)


def test_inside_a_connection_the_origin_is_known() -> None:
    found = asked(origin="https://a.test")
    assert isinstance(found, ProxyRequest)
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
    found = read_proxy_request(RequestHead.of(method, target, 1, b"a.test"), None, b"us", USUAL)
    assert isinstance(found, ProxyRequest)
    assert (found.url, found.target.line) == ("http://a.test/", line)


def test_options_count_their_hops() -> None:
    found = asked("OPTIONS", (b"Max-Forwards", b"3"))
    assert isinstance(found, ProxyRequest)
    assert found.fields == ((b"Max-Forwards", b"2"),)
    last = asked("OPTIONS", (b"Max-Forwards", b"0"))
    assert isinstance(last, Refused)
    assert last.status == 200
    odd = asked("OPTIONS", (b"Max-Forwards", b"many"))
    assert isinstance(odd, ProxyRequest)


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


def incoming(
    stream: Stream, framing: Framing, *, method: str = "POST", expects: bool = False
) -> Incoming:
    expected = ((b"Expect", b"100-continue"),) if expects else ()
    head = RequestHead.of(method, b"http://a.test/", 1, b"a.test", *expected)
    asked = read_proxy_request(head, None, b"us", timedelta(seconds=1))
    assert isinstance(asked, ProxyRequest)
    entry = Entry("anna", method, asked.url, 0.0)
    return Incoming(asked, "anna", Body(stream, framing), timedelta(seconds=0.05), entry)


def sent(request: Incoming) -> bytes:
    async def work() -> bytes:
        await request.gather()
        return b"".join([piece async for piece in request.pieces()])

    return asyncio.run(work())


def test_a_body_of_usual_size_is_waited_for_and_has_a_length() -> None:
    request = incoming(Fed(b"3\r\nabc\r\n0\r\n\r\n"), CHUNKED)
    assert sent(request) == b"abc"
    assert request.is_whole
    assert request.framing_line() == b"Content-Length: 3\r\n"


def test_a_large_body_goes_on_as_it_comes() -> None:
    data = b"x" * (2 * MOST_GATHERED)
    request = incoming(Fed(b"%x\r\n%b\r\n0\r\n\r\n" % (len(data), data)), CHUNKED)
    assert sent(request).endswith(b"\r\n0\r\n\r\n")


def test_a_body_that_is_only_sent_on_demand_is_not_waited_for() -> None:
    request = incoming(Fed(b"ab"), Sized(4), expects=True)
    asyncio.run(request.gather())
    assert not request.is_whole
    assert request.framing_line() == b"Content-Length: 4\r\nExpect: 100-continue\r\n"


def test_requests_without_a_body_say_nothing_about_it() -> None:
    assert incoming(Fed(b""), NOTHING, method="GET").framing_line() == b""
    assert incoming(Fed(b""), NOTHING).framing_line() == b"Content-Length: 0\r\n"


def test_a_body_that_does_not_come_is_not_waited_for_for_ever() -> None:
    async def work() -> None:
        await incoming(Stream(), Sized(4)).gather()

    with pytest.raises(BrokenBodyError, match="too long"):
        asyncio.run(work())


def test_a_program_may_say_its_name() -> None:
    found = asked("GET", (b"X-Gossamer-Client", b"index-1.x_y"))
    assert isinstance(found, ProxyRequest)
    assert (found.options.name, found.fields) == ("index-1.x_y", ())
    incoming = Incoming(found, "anna", Body(Stream(), NOTHING), USUAL, Entry("", "", found.url, 0))
    assert incoming.asker == "anna\tindex-1.x_y"
    for bad in (b"", b"two words", b"a\tb", 65 * b"x", b"\xe4"):
        refused = asked("GET", (b"X-Gossamer-Client", bad))
        assert isinstance(refused, Refused)
        assert refused.status == 400


@pytest.mark.parametrize("origin", [None, "https://a.test"])
def test_a_websocket_is_refused_with_what_to_do_instead(origin: str | None) -> None:
    upgrade = (b"Connection", b"keep-alive, Upgrade")
    refused = asked("GET", upgrade, (b"Upgrade", b"WebSocket"), origin=origin)
    assert isinstance(refused, Refused)
    assert (refused.status, refused.cause) == (501, "websocket")
    assert "CONNECT" in refused.why
    # Any other upgrade is an offer that a server need not take up.
    assert isinstance(asked("GET", upgrade, (b"Upgrade", b"h2c"), origin=origin), ProxyRequest)
