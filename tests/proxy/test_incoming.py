import asyncio
from datetime import timedelta

import pytest
from tests.proxy.test_bodies import Fed

from gossamer.proxy.asked import Asked, read_asked
from gossamer.proxy.bodies import Body, BrokenBodyError
from gossamer.proxy.figures import Entry
from gossamer.proxy.incoming import MOST_GATHERED, Incoming
from gossamer.proxy.stream import Stream
from gossamer.proxy.wire.framing import CHUNKED, NOTHING, Framing, Sized
from gossamer.proxy.wire.request import RequestHead


def incoming(
    stream: Stream, framing: Framing, *, method: str = "POST", expects: bool = False
) -> Incoming:
    expected = ((b"Expect", b"100-continue"),) if expects else ()
    head = RequestHead.of(method, b"http://a.test/", 1, b"a.test", *expected)
    asked = read_asked(head, None, b"us", timedelta(seconds=1))
    assert isinstance(asked, Asked)
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
