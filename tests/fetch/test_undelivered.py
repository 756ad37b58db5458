import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from gossamer.fetch.undelivered import is_delivered, reset_when_closed


@contextmanager
def connected() -> Iterator[tuple[socket.socket, socket.socket]]:
    """Two ends of a connection."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        ours = socket.create_connection(server.getsockname())
        theirs, _ = server.accept()
    with ours, theirs:
        yield ours, theirs


def test_a_connection_that_is_reset_delivers_nothing_more() -> None:
    with connected() as (ours, theirs):
        ours.sendall(b"GET / HTTP/1.1\r\n")
        assert theirs.recv(100)
        reset_when_closed(ours.fileno())
        ours.close()
        with pytest.raises(ConnectionResetError):
            theirs.recv(100)


def test_what_the_other_side_has_no_room_for_is_not_delivered() -> None:
    with connected() as (ours, theirs):
        assert is_delivered(ours.fileno())
        ours.setblocking(False)
        with suppress(BlockingIOError):
            while True:
                ours.send(bytes(1 << 16))
        assert not is_delivered(ours.fileno())
        theirs.close()


def test_what_is_no_connection_counts_as_not_delivered() -> None:
    with Path("/dev/null").open("rb") as file:
        assert not is_delivered(file.fileno())
