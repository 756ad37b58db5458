"""Who may ask."""

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from gossamer.config import Service
from gossamer.service.guard import Door, Guard, seen_through

HERE = Door(Service(), is_loopback=True)
LOCKED = Door(Service(token="t0ken"), is_loopback=True)
OUTSIDE = Door(Service(token="t0ken"), is_loopback=False)


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "localhost:8717",
        "LOCALHOST.",
        "127.0.0.1:1",
        "[::1]:8717",
        "10.0.0.3",
        "a.localhost",
    ],
)
def test_we_go_by_localhost_and_by_addresses(host: str) -> None:
    assert HERE.is_our_name(host)


@pytest.mark.parametrize(
    "host",
    ["", "evil.test", "evil.test:8717", "localhost.evil.test", "127.0.0.1.evil.test", "a b", "x@localhost",
     "localhost/x", "localhost:x", "[::1", "127.1.evil", ":80"],
)  # fmt: skip
def test_a_name_that_was_made_to_lead_here_is_refused(host: str) -> None:
    refusal = HERE.refusal("GET", Headers({"host": host}), is_open=True)
    assert refusal is not None
    assert (refusal.status, refusal.code) == (421, "unknown-host")


@given(st.text())
def test_no_host_header_breaks_the_check(host: str) -> None:
    HERE.is_our_name(host)


def test_names_can_be_added() -> None:
    door = Door(Service(hosts=("Crawler.example.org",)), is_loopback=True)
    assert door.is_our_name("crawler.example.org:80")
    assert not door.is_our_name("other.example.org")


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_pages_of_other_sites_change_nothing(method: str) -> None:
    headers = Headers({"host": "localhost:1", "origin": "https://evil.test"})
    refusal = HERE.refusal(method, headers, is_open=False)
    assert refusal is not None
    assert (refusal.status, refusal.code) == (403, "other-origin")


@pytest.mark.parametrize("origin", ["http://localhost:1", "https://friend.test"])
def test_our_own_pages_and_those_that_are_named_may_do_more(origin: str) -> None:
    door = Door(Service(origins=("https://friend.test",)), is_loopback=True)
    headers = Headers({"host": "localhost:1", "origin": origin})
    assert door.refusal("POST", headers, is_open=False) is None


def test_another_address_wants_the_token_for_everything_but_what_is_open() -> None:
    bare, right = Headers({"host": "10.0.0.1"}), {"authorization": "Bearer t0ken"}
    refusal = OUTSIDE.refusal("GET", bare, is_open=False)
    assert refusal is not None
    assert refusal.status == 401
    assert OUTSIDE.refusal("GET", bare, is_open=True) is None
    assert OUTSIDE.refusal("GET", Headers({"host": "10.0.0.1", **right}), is_open=False) is None


@pytest.mark.parametrize(
    ("given_", "right"),
    [
        ("Bearer t0ken", True),
        ("bearer  t0ken ", True),
        ("Bearer t0kenx", False),
        ("Bearer ", False),
        ("Basic t0ken", False),
        ("t0ken", False),
        ("Bearer tökén", False),
    ],
)
def test_a_token_is_right_or_not(given_: str, right: bool) -> None:
    assert LOCKED.has_token(Headers({"authorization": given_})) is right


def test_without_a_token_nobody_has_it() -> None:
    assert not HERE.has_token(Headers({"authorization": "Bearer "}))
    assert not HERE.has_token(Headers({"authorization": "Bearer None"}))
    assert HERE.token_wanted().status == 403
    assert LOCKED.token_wanted().status == 401


def test_only_so_many_are_served_at_once() -> None:
    async def run() -> None:
        inside, go_on = asyncio.Event(), asyncio.Event()
        answers: list[int] = []

        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            inside.set()
            await go_on.wait()
            await Response("fine")(scope, receive, send)

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                answers.append(message["status"])

        async def here() -> Door:
            return HERE

        async def receive() -> Message:
            return {"type": "http.request"}

        guard = Guard(app, here, lambda _: False, most_at_once=1)
        scope = {"type": "http", "method": "GET", "path": "/", "headers": [(b"host", b"localhost")]}
        first = asyncio.create_task(guard(scope, receive, send))
        await inside.wait()
        await guard(scope, receive, send)
        assert answers == [503]
        go_on.set()
        await first
        await guard(scope, receive, send)
        assert answers == [503, 200, 200]

    asyncio.run(run())


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
