"""A client's connection: heads within bounds, a lingering close, and how many there may be."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from tests.proxy.proxied import run, until

from gossamer.http import connection
from gossamer.http.connection import (
    MOST_HEAD_BYTES,
    Bounds,
    Connections,
    LingeringStream,
    ServerConnection,
    address_name,
)
from gossamer.http.listening import is_loopback
from gossamer.http.wire.fields import Malformed
from gossamer.proxy.refusals import Refused


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


def test_there_is_room_for_so_many_and_for_three_in_four_of_one_address() -> None:
    bounds, all_of_them = Bounds(8, 1, 1, 1), Connections[int]()
    assert [all_of_them.enter(number, "192.0.2.1", bounds) for number in range(7)] == [True] * 6 + [
        False
    ]
    all_of_them.leave(6)
    assert all_of_them.enter(10, "192.0.2.2", bounds)
    assert all_of_them.enter(11, "192.0.2.3", bounds)
    assert not all_of_them.enter(12, "192.0.2.4", bounds)
    for number in (*range(6), 10, 11, 12, 99):
        all_of_them.leave(number)
    assert not all_of_them
    assert all_of_them.enter(1, "192.0.2.1", bounds)


def test_where_one_may_connect_one_address_may() -> None:
    assert [Bounds(most, 1, 1, 1).most_of_one for most in (1, 2, 3, 4, 100)] == [1, 2, 3, 3, 75]


BUSY = Refused(503, "Not now.", ((b"Retry-After", b"1"),))


def test_whoever_is_sent_away_while_it_speaks_hears_why() -> None:
    async def work() -> None:
        client = LingeringStream()
        server = await asyncio.get_running_loop().create_server(lambda: client, "127.0.0.1", 0)
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        await until(lambda: hasattr(client, "transport"))
        client.dismiss(BUSY)
        client.dismiss(BUSY)  # once is enough
        writer.write(b"x" * 1_000_000)  # closed at once, the connection would be reset by this
        heard = await reader.read()
        assert heard.startswith(b"HTTP/1.1 503 \r\n")
        assert heard.count(b"Retry-After: 1") == 1
        assert client.is_lingering
        assert not client.lost
        writer.close()
        await until(lambda: client.lost)
        client.linger()  # of whom nobody is left
        server.close()

    run(work())


@asynccontextmanager
async def told_much(client: LingeringStream) -> AsyncIterator[tuple[asyncio.StreamReader, int]]:
    """The other end, and how much there is to read: more than the system's buffers hold."""
    server = await asyncio.get_running_loop().create_server(lambda: client, "127.0.0.1", 0)
    reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
    await until(lambda: hasattr(client, "transport"))
    client.write(b"x" * 20_000_000)
    client.linger()
    assert client.unsent
    yield reader, 20_000_000
    writer.close()
    server.close()


def test_whoever_takes_its_time_hears_all_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "LINGER_SECONDS", 0.05)

    async def work() -> None:
        client = LingeringStream()
        async with told_much(client) as (reader, size):
            await asyncio.sleep(0.5)
            assert len(await reader.read()) == size
            await until(lambda: client.lost)  # although the other end is still open

    run(work())


def test_whoever_takes_nothing_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "LINGER_SECONDS", 0.05)

    async def work() -> None:
        client = LingeringStream(0.2)
        async with told_much(client):
            await until(lambda: client.lost)

    run(work())


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("2001:db8::1", "2001:db8::2:3", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("fe80::1%eth0", "fe80::2%eth0", True),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
        ("", "name", False),
    ],
)
def test_a_network_that_somebody_can_choose_from_is_one(one: str, other: str, same: bool) -> None:
    assert (address_name(one) == address_name(other)) is same


@pytest.mark.parametrize(
    ("address", "so"),
    [
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("::", False),
        ("192.168.0.1", False),
        ("example.org", False),
    ],
)
def test_loopback_is_told_from_the_rest(address: str, so: bool) -> None:
    assert is_loopback(address) is so
