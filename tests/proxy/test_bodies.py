import asyncio

import pytest

from gossamer.proxy.bodies import Body, BrokenBodyError
from gossamer.proxy.stream import Stream
from gossamer.proxy.wire.framing import CHUNKED, NOTHING, UNTIL_CLOSE, Framing, Sized


class Fed(Stream):
    """A stream that has ended, with these bytes."""

    def __init__(self, data: bytes, *, said_all: bool = True) -> None:
        super().__init__()
        self.buffer += data
        self.ended, self.said_all = True, said_all


def read(data: bytes, framing: Framing, *, said_all: bool = True) -> tuple[bytes, bytes, bool]:
    async def work() -> tuple[bytes, bytes, bool]:
        stream = Fed(data, said_all=said_all)
        body = Body(stream, framing)
        pieces = [piece async for piece in body.pieces()]
        return b"".join(pieces), bytes(stream.buffer), body.is_complete

    return asyncio.run(work())


@pytest.mark.parametrize(
    ("data", "framing", "body", "rest"),
    [
        (b"abcdef", Sized(4), b"abcd", b"ef"),
        (b"abc", NOTHING, b"", b"abc"),
        (b"abc", UNTIL_CLOSE, b"abc", b""),
        (b"3\r\nabc\r\n0\r\n\r\nnext", CHUNKED, b"abc", b"next"),
    ],
)
def test_a_body_ends_where_it_says(data: bytes, framing: Framing, body: bytes, rest: bytes) -> None:
    assert read(data, framing) == (body, rest, True)


@pytest.mark.parametrize(
    ("data", "framing", "why"),
    [
        (b"abc", Sized(4), "broke off"),
        (b"3\r\nab", CHUNKED, "broke off"),
        (b"x\r\n", CHUNKED, "size of a chunk"),
    ],
)
def test_a_body_that_ends_too_soon_is_broken(data: bytes, framing: Framing, why: str) -> None:
    with pytest.raises(BrokenBodyError, match=why):
        read(data, framing)


def test_a_body_that_ends_with_its_connection_is_broken_where_that_was_cut() -> None:
    with pytest.raises(BrokenBodyError, match="cut"):
        read(b"abc", UNTIL_CLOSE, said_all=False)
    assert read(b"abc", Sized(3), said_all=False) == (b"abc", b"", True)  # which says its length


def test_a_body_that_is_here_is_taken_at_once() -> None:
    stream = Fed(b"abcdef")
    body = Body(stream, Sized(4))
    assert body.at_hand() == b"abcd"
    assert body.at_hand() == b""
    assert (body.is_complete, bytes(stream.buffer)) == (True, b"ef")
    assert Body(stream, Sized(4)).at_hand() is None
    assert Body(stream, UNTIL_CLOSE).at_hand() is None
