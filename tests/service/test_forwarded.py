"""Whose word counts for where a request comes from."""

from typing import Any

import pytest

from gossamer.service.forwarded import seen_through

PROXIES = ("127.0.0.1", "10.0.0.0/8", "::1")


def seen(peer: str, trusted: tuple[str, ...], *told: str, proto: str = "") -> tuple[str, str]:
    headers = [(b"x-forwarded-for", each.encode("latin-1")) for each in told]
    headers += [(b"x-forwarded-proto", proto.encode())] if proto else []
    scope: dict[str, Any] = {
        "type": "http",
        "client": (peer, 1),
        "scheme": "http",
        "headers": headers,
    }
    found = seen_through(scope, trusted)
    return found["client"][0], found["scheme"]


@pytest.mark.parametrize("peer", ["127.0.0.1", "::1", "192.0.2.9"])
def test_by_default_nobody_is_believed(peer: str) -> None:
    assert seen(peer, (), "192.0.2.1", proto="https") == (peer, "http")


@pytest.mark.parametrize(
    ("peer", "told", "client"),
    [
        ("127.0.0.1", ("192.0.2.1",), "192.0.2.1"),
        ("::ffff:127.0.0.1", ("192.0.2.1",), "192.0.2.1"),
        ("127.0.0.1", ("9.9.9.9, 192.0.2.1",), "192.0.2.1"),  # the first is what a client wrote
        ("127.0.0.1", ("9.9.9.9", "192.0.2.1"), "192.0.2.1"),
        ("127.0.0.1", ("9.9.9.9, 192.0.2.1, 10.1.1.1",), "192.0.2.1"),
        ("127.0.0.1", ("10.1.1.1",), "10.1.1.1"),
        ("127.0.0.1", ("2001:db8::1",), "2001:db8::1"),
        ("127.0.0.1", (), "127.0.0.1"),
        ("127.0.0.1", ("",), "127.0.0.1"),
        ("127.0.0.1", ("192.0.2.1, nonsense",), "127.0.0.1"),
        ("127.0.0.1", ("192.0.2.1, nonsense, 10.1.1.1",), "10.1.1.1"),
        ("192.0.2.9", ("192.0.2.1",), "192.0.2.9"),
    ],
)
def test_those_who_are_named_tell_who_asks(peer: str, told: tuple[str, ...], client: str) -> None:
    assert seen(peer, PROXIES, *told)[0] == client


def test_the_scheme_is_one_of_two() -> None:
    assert seen("127.0.0.1", PROXIES, proto="HTTPS")[1] == "https"
    assert seen("127.0.0.1", PROXIES, proto="gopher")[1] == "http"
    assert seen("192.0.2.9", PROXIES, proto="https")[1] == "http"
