"""Requests that need no task: the second one to a host, where its answer comes in one piece."""

import asyncio
from collections.abc import Callable, Coroutine
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.proxy.origin import CHUNK, PAGE
from tests.proxy.proxied import Client, Proxied, run, running, until

from gossamer.config import Fetch, Politeness, Proxy
from gossamer.events import Proxied as Told
from gossamer.events import ProxyFault
from gossamer.log import read_events
from gossamer.proxy.access_log import Stage
from gossamer.proxy.cache.cache import open_cache
from gossamer.proxy.connection import ClientConnection
from gossamer.proxy.exchange import STALE
from gossamer.proxy.fast_path import Passage
from gossamer.proxy.permits import OwnRights

Work = Callable[[Proxied, Client], Coroutine[Any, Any, None]]


def at_work(tmp_path: Path, work: Work, **more: Any) -> None:
    """Do something with a proxy that has a.test in its hands, and a connection to it."""

    async def all_of_it() -> None:
        async with running(tmp_path, **more) as proxied, proxied.connected() as client:
            assert (await client.get("http://a.test/first")).status == 200
            await work(proxied, client)
            assert (await proxied.get("http://a.test/last")).status == 200
            await until(lambda: not proxied.parts.figures.entries)

    run(all_of_it())


def serving(proxied: Proxied) -> ClientConnection:
    """The connection on which something is being answered."""
    (found,) = [each for each in proxied.parts.connections if each._passage or each._task]
    return found


async def asked(proxied: Proxied, client: Client, path: str = "/gate") -> ClientConnection:
    """Ask for something, and wait until the server has been asked."""
    before = len(proxied.web.pages())
    await client.send(f"GET http://a.test{path} HTTP/1.1\r\nHost: a.test\r\n\r\n".encode())
    await until(lambda: len(proxied.web.pages()) > before)
    return serving(proxied)


def test_a_request_that_waits_for_its_server_alone_has_no_task(tmp_path: Path) -> None:
    async def work(proxied: Proxied, client: Client) -> None:
        connection = await asked(proxied, client)
        assert (connection._passage is not None, connection._task) == (True, None)
        (entry,) = proxied.parts.figures.entries
        assert entry.stage is Stage.ASKING
        proxied.web.gate.set()
        assert (await client.reply()).body == b"open"
        assert (connection._passage, connection._task) == (None, None)
        assert proxied.client.ledger.wait("a.test", proxied.client.now()) is None

    at_work(tmp_path, work)
    told = [each["url"] for each in read_events(tmp_path / "log") if each.get("purpose") == "proxy"]
    assert told == [f"http://a.test/{path}" for path in ("first", "gate", "last")]


def test_answers_are_the_same_as_with_one(tmp_path: Path) -> None:
    async def work(proxied: Proxied, client: Client) -> None:
        second = await client.get("http://a.test/")
        async with proxied.connected() as other:
            # A body, if only an empty one, takes the longer way.
            longer = await other.get("http://a.test/", "Content-Length: 0")
        assert second == longer
        head = await client.get("http://a.test/", method="HEAD")
        assert (head.headers["content-length"], head.body) == (str(len(PAGE)), b"")
        assert (await client.get("http://a.test/status/204")).status == 204
        assert (await client.get("http://a.test/chunked/2")).body == CHUNK * 2
        assert (await client.get("http://a.test/large/500000")).body == (PAGE * 62)[:500000]
        assert (
            (await client.get("http://a.test/hop"))
            .headers["via"]
            .startswith("1.0 far, 1.1 gossamer-")
        )
        told = [each for each in proxied.events if isinstance(each, Told)]
        assert {each.by for each in told} == {"server"}
        assert [each.bytes for each in told[1:3]] == [len(PAGE)] * 2

    at_work(tmp_path, work)


def test_what_changes_something_says_that_it_has_no_body(tmp_path: Path) -> None:
    async def work(proxied: Proxied, client: Client) -> None:
        for method in ("PUT", "DELETE", "OPTIONS"):
            assert (await client.get("http://a.test/", method=method)).status == 200
        sent = [(each.method, each.headers.get("content-length")) for each in proxied.web.pages()]
        assert sent[1:] == [("PUT", "0"), ("DELETE", None), ("OPTIONS", None)]

    at_work(tmp_path, work)


@pytest.mark.parametrize(
    ("raw", "status"),
    [
        ("two-lengths", 502),
        ("both", 200),
        ("no-coding", 502),
        ("not-http", 502),
        ("switch", 502),
        ("lf", 200),
        ("fold", 200),
        ("bad-chunk", 502),
        ("cut", None),
        ("early-hints", 103),
        ("close", 502),
    ],
)
def test_odd_answers_are_what_they_are(tmp_path: Path, raw: str, status: int | None) -> None:
    async def work(proxied: Proxied, client: Client) -> None:
        if status is None:  # it begins well, and breaks off
            with pytest.raises((asyncio.IncompleteReadError, ConnectionError)):
                await client.get(f"http://a.test/raw?{raw}")
        else:
            assert (await client.get(f"http://a.test/raw?{raw}")).status == status

    quick = Politeness(delay=timedelta(0), contact="x@example.org", backoff_first=timedelta(0))
    at_work(tmp_path, work, politeness=quick)


def test_what_is_sent_meanwhile_waits_for_its_turn(tmp_path: Path) -> None:
    async def work(proxied: Proxied, client: Client) -> None:
        await asked(proxied, client)
        get = b"GET http://a.test%b HTTP/1.1\r\nHost: a.test\r\n\r\n"
        await client.send(get % b"/echo" + get % b"/" + get % b"/private" + get % b"/echo")
        await asyncio.sleep(0.01)
        proxied.web.gate.set()
        replies = [await client.reply() for _ in range(5)]
        assert [each.status for each in replies] == [200, 200, 200, 403, 200]
        assert [each.body for each in replies[:3]] == [b"open", b"", PAGE]
        assert proxied.web.most_busy == 1

    at_work(tmp_path, work)


@pytest.mark.parametrize("how", ["abort", "eof"])
def test_a_client_that_leaves_ends_its_request(tmp_path: Path, how: str) -> None:
    async def work(proxied: Proxied, client: Client) -> None:
        connection = await asked(proxied, client)
        transport = client.writer.transport
        transport.abort() if how == "abort" else transport.write_eof()
        await until(lambda: connection.lost)
        told = proxied.events[-1]
        assert isinstance(told, Told)
        assert (told.url, told.status, told.reason) == ("http://a.test/gate", 0, "The client left.")
        proxied.web.gate.set()

    at_work(tmp_path, work)
    failed = [each for each in read_events(tmp_path / "log") if each["event"] == "request-failed"]
    assert [(each["cause"], each["message"]) for each in failed] == [
        ("stopped", "The client left.")
    ]


def test_one_that_leaves_just_when_its_answer_begins_leaves_nothing_behind(tmp_path: Path) -> None:
    async def work(proxied: Proxied, client: Client) -> None:
        connection = await asked(proxied, client)
        upstream = connection._passage._upstream  # type: ignore[union-attr]  # it was asked
        assert upstream is not None
        upstream.data_received(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")
        assert connection._task is not None
        connection.eof_received()  # before the task has begun
        await until(lambda: connection._task is None or connection._task.done())
        proxied.web.gate.set()

    at_work(tmp_path, work)


def test_the_end_of_the_proxy_ends_it(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied:
            async with proxied.connected() as client:
                await client.get("http://a.test/first")
                await (await asked(proxied, client)).end()
                assert await client.is_closed()
                proxied.web.gate.set()
            assert not proxied.parts.figures.entries

    run(work())


def test_a_server_that_takes_too_long_is_given_up(tmp_path: Path) -> None:
    async def work(proxied: Proxied, client: Client) -> None:
        assert (await client.get("http://a.test/never")).status == 504

    quick = Politeness(delay=timedelta(0), contact="x@example.org", backoff_first=timedelta(0))
    limits = Fetch(first_byte_timeout=timedelta(seconds=1))
    at_work(tmp_path, work, politeness=quick, fetch=limits)


def test_a_server_that_takes_its_time_is_waited_for_in_a_task(tmp_path: Path) -> None:
    async def work(proxied: Proxied, client: Client) -> None:
        connection = await asked(proxied, client)
        await until(lambda: connection._task is not None)
        assert connection._passage is None
        proxied.web.gate.set()
        assert (await client.reply()).body == b"open"

    at_work(tmp_path, work, fetch=Fetch(low_speed_time=timedelta(milliseconds=50)))


def test_one_that_is_to_hurry_is_done_in_time_or_given_up(tmp_path: Path) -> None:
    async def work(proxied: Proxied, client: Client) -> None:
        await asked(proxied, client)
        own = proxied.parts.permits.own
        assert isinstance(own, OwnRights)
        (permit,) = own.way.out
        permit.hand_over(proxied.client.now())
        assert (await client.reply()).status == 504
        proxied.web.gate.set()

    at_work(tmp_path, work)


def test_one_that_is_to_hurry_just_when_its_answer_begins_is_given_up(tmp_path: Path) -> None:
    async def work(proxied: Proxied, client: Client) -> None:
        connection = await asked(proxied, client)
        upstream = connection._passage._upstream  # type: ignore[union-attr]  # it was asked
        assert upstream is not None
        upstream.data_received(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")
        own = proxied.parts.permits.own
        assert isinstance(own, OwnRights)
        (permit,) = own.way.out
        permit.hand_over(proxied.client.now())  # before the task has begun
        with pytest.raises((asyncio.IncompleteReadError, ConnectionError)):
            await client.reply()
        proxied.web.gate.set()

    at_work(tmp_path, work)


def test_a_connection_that_the_server_has_closed_is_made_anew(tmp_path: Path) -> None:
    async def work(proxied: Proxied, client: Client) -> None:
        connection = await asked(proxied, client, "/gate")
        upstream = connection._passage._upstream  # type: ignore[union-attr]  # it was asked
        assert upstream is not None
        proxied.web.gate.set()
        upstream.transport.abort()
        assert (await client.reply()).body == b"open"
        assert [each.target for each in proxied.web.pages()] == ["/first", "/gate", "/gate"]

    at_work(tmp_path, work)
    failed = [each for each in read_events(tmp_path / "log") if each["event"] == "request-failed"]
    assert [(each["url"], each["message"]) for each in failed] == [("http://a.test/gate", STALE)]


def test_what_still_stands_is_sent_from_the_cache(tmp_path: Path) -> None:
    async def work(proxied: Proxied, client: Client) -> None:
        first = await client.get("http://a.test/etag")
        again = await client.get("http://a.test/etag", "Cache-Control: no-cache")
        assert first.body == again.body
        assert "fwd-status=304" in again.headers["cache-status"]
        counters = proxied.parts.cache.counters
        assert (counters.validations, counters.validated) == (1, 1)
        await proxied.parts.cache.close()

    at_work(tmp_path, work, cache=lambda: open_cache(tmp_path / "cache.db", Proxy()))


def test_a_defect_of_ours_ends_the_clients_connection_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(proxied: Proxied, client: Client) -> None:
        await asked(proxied, client)

        def fail(_: Passage, data: bytes) -> bool:
            raise ArithmeticError("a defect")

        with monkeypatch.context() as patched:
            patched.setattr(Passage, "hear", fail)
            proxied.web.gate.set()
            assert (await client.reply()).status == 500
        assert await client.is_closed()
        assert any(isinstance(each, ProxyFault) for each in proxied.events)

    at_work(tmp_path, work)


def test_a_host_that_rests_is_waited_for(tmp_path: Path) -> None:
    async def work(proxied: Proxied, client: Client) -> None:
        assert (await client.get("http://a.test/", "X-Gossamer-Max-Wait: 0")).status == 429
        assert (await client.get("http://a.test/")).status == 200
        assert proxied.web.smallest_gap("a.test") >= 1

    slow = Politeness(delay=timedelta(seconds=1), contact="x@example.org")
    at_work(tmp_path, work, politeness=slow)
