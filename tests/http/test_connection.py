"""What proxy and service share of a client's connection: heads within bounds."""

import pytest

from gossamer.http.connection import MOST_HEAD_BYTES, ServerConnection
from gossamer.http.connections import Bounds
from gossamer.proxy.wire.fields import Malformed


@pytest.mark.parametrize(
    ("buffer", "found"),
    [
        (b"", None),
        (b"\r\n\r\n\r\n", None),  # which some send after a body
        (b"GET / HTTP/1.1\r\nHo", None),
        (b"\r\nGET / HTTP/1.1\r\n\r\nmore", 18),
    ],
)
def test_a_head_is_found_when_it_is_here(buffer: bytes, found: int | None) -> None:
    connection = ServerConnection(Bounds(1, 1, 1, 1))
    connection.buffer += buffer
    assert connection.next_head() == found


@pytest.mark.parametrize("line", [b"X: y\r\n", b"y"])
def test_a_head_without_end_is_given_up(line: bytes) -> None:
    connection = ServerConnection(Bounds(1, 1, 1, 1))
    connection.buffer += b"GET / HTTP/1.1\r\n" + line * MOST_HEAD_BYTES
    assert isinstance(connection.next_head(), Malformed)
