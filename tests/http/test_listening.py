"""Listening: addresses as users write them, and a full system is complained of now and then."""

import asyncio
import errno
import socket
from typing import Any

import pytest

from gossamer.config import Service
from gossamer.errors import ConfigError
from gossamer.http.listening import (
    Address,
    ListenError,
    bind_socket,
    complain_rarely,
    own_name,
    url_of,
)


def test_a_full_system_is_told_once_and_other_errors_go_on() -> None:
    async def work() -> None:
        loop = asyncio.get_running_loop()
        told: list[str] = []
        others: list[dict[str, Any]] = []
        loop.set_exception_handler(lambda _, context: others.append(context))
        full = {"exception": OSError(errno.EMFILE, "Too many open files"), "socket": object()}
        with complain_rarely(told.append):
            for _ in range(1_000):
                loop.call_exception_handler(full)
            loop.call_exception_handler({"message": "something else"})
        assert told == ["Too many open files"]
        assert others == [{"message": "something else"}]

    asyncio.run(work())


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("127.0.0.1:80", "127.0.0.1", 80),
        ("8717", "127.0.0.1", 8717),
        (":0", "127.0.0.1", 0),
        ("[::1]:80", "::1", 80),
        ("localhost:1", "localhost", 1),
        ("0.0.0.0:65535", "0.0.0.0", 65535),
    ],
)
def test_a_place_to_listen_is_read(text: str, host: str, port: int) -> None:
    assert Address.read(text) == Address(host, port)


@pytest.mark.parametrize(
    "text", ["", "x", "::1:80", "a:b", "127.0.0.1:65536", "http://a:1", "a b:1"]
)
def test_what_is_no_place_is_refused_in_words(text: str) -> None:
    with pytest.raises(ConfigError, match="write ADDR:PORT"):
        Address.read(text)


def test_others_get_in_with_a_token_only() -> None:
    outside = Address("0.0.0.0", 0)
    with pytest.raises(ConfigError, match="GOSSAMER_SERVICE_TOKEN"):
        outside.checked(Service())
    assert outside.checked(Service(token="x")) == outside
    assert Address("127.0.0.1", 0).checked(Service()).is_loopback


def test_a_port_that_is_taken_is_a_sentence() -> None:
    with bind_socket(Address("127.0.0.1", 0)) as ours:
        port = ours.getsockname()[1]
        with (
            pytest.raises(ListenError, match=f"127.0.0.1:{port} cannot be listened on: Address"),
            bind_socket(Address("127.0.0.1", port)),
        ):
            pass


def test_a_name_that_leads_nowhere_is_a_sentence() -> None:
    with pytest.raises(ListenError, match="Choose another"), bind_socket(Address("256.0.0.1", 0)):
        pass


def test_the_address_is_one_for_browsers() -> None:
    with bind_socket(Address("127.0.0.1", 0)) as ours:
        assert url_of(ours) == f"http://127.0.0.1:{ours.getsockname()[1]}"
    with bind_socket(Address("::1", 0)) as ours:
        assert url_of(ours) == f"http://[::1]:{ours.getsockname()[1]}"


def test_no_answer_waits_for_more_to_send() -> None:
    """What asyncio looks at before it switches Nagle's delay off; it cost 40 ms an answer."""
    with bind_socket(Address("127.0.0.1", 0)) as ours:
        assert (ours.type, ours.proto) == (socket.SOCK_STREAM, socket.IPPROTO_TCP)


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("127.0.0.1:8718", "127.0.0.1"),
        ("[::1]:8718", "::1"),
        ("LocalHost.:8718", "localhost"),
        ("a.localhost", "a.localhost"),
        ("Proxy.lab:3128", "proxy.lab"),
        ("evil.test", None),
        ("evil.test:8718", None),
        ("127.0.0.1.evil.test", None),
        ("proxy.lab.evil.test", None),
        ("user@127.0.0.1", None),
        ("127.0.0.1/x", None),
        ("127.0.0.1:port", None),
        ("127.0.0.1, evil.test", None),
        ("", None),
    ],
)
def test_a_name_is_ours_where_no_other_site_can_go_by_it(host: str, name: str | None) -> None:
    assert own_name(host, ["proxy.lab"]) == name
