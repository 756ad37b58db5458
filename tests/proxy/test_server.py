import asyncio
import errno
from datetime import timedelta
from ipaddress import ip_address
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from tests.proxy.proxied import Proxied, run, running, until

from gossamer.config import Config, Proxy
from gossamer.fetch.connect_to import Endpoint
from gossamer.proxy.access_log import Entry, Stage
from gossamer.proxy.server import clients_within, is_here, new_name, with_at_most


def test_we_know_where_we_listen() -> None:
    is_ours = is_here(8718)
    assert is_ours(Endpoint(ip_address("127.0.0.1"), 8718))
    assert is_ours(Endpoint(ip_address("127.8.9.1"), 8718))
    assert not is_ours(Endpoint(ip_address("127.0.0.1"), 80))
    assert not is_ours(Endpoint(ip_address("192.0.2.1"), 8718))


def test_nobody_else_has_our_name() -> None:
    assert new_name() != new_name()


def test_what_is_under_way_is_broken_off_when_the_proxy_ends(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied:
            client = await asyncio.open_connection("127.0.0.1", proxied.port)
            client[1].write(b"GET http://a.test/gate HTTP/1.1\r\nHost: a.test\r\n\r\n")
            await until(proxied.web.pages)
        assert await client[0].read() == b""
        client[1].close()
        assert not proxied.parts.connections

    run(work())


def test_a_proxy_that_ends_answers_what_is_under_way_and_tells_those_who_wait(
    tmp_path: Path,
) -> None:
    async def work() -> None:
        hour = timedelta(hours=1)
        found: list[Proxied] = []
        over = asyncio.Event()

        async def be_a_proxy() -> None:
            limits = Proxy(max_wait=hour, drain_time=hour)
            async with running(tmp_path, limits, drains=True) as proxied:
                found.append(proxied)
                await over.wait()

        running_one = asyncio.create_task(be_a_proxy())
        await until(lambda: found)
        (proxied,) = found
        async with (
            proxied.connected() as asking,
            proxied.connected() as waiting,
            proxied.connected() as idle,
        ):
            await asking.send(b"GET http://a.test/gate HTTP/1.1\r\nHost: a.test\r\n\r\n")
            await until(proxied.web.pages)
            await waiting.send(b"GET http://a.test/other HTTP/1.1\r\nHost: a.test\r\n\r\n")
            await until(lambda: any(each.stage is Stage.WAITING for each in entries(proxied)))
            await until(lambda: len(proxied.parts.connections) == 3)
            over.set()
            told = await waiting.reply()
            assert (told.status, told.headers["x-gossamer-cause"]) == (503, "ending")
            assert int(told.headers["retry-after"]) > 0
            assert await idle.is_closed()
            proxied.web.gate.set()
            answered = await asking.reply()
            assert (answered.status, answered.body) == (200, b"open")
            assert answered.headers["connection"] == "close"
        await running_one
        assert len(proxied.web.pages()) == 1
        assert "being stopped" in str(proxied.events)

    run(work())


def test_a_proxy_that_ends_begins_nothing_new(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied:
            proxied.parts.is_ending = True  # while somebody's password was looked at, say
            for ask in (
                b"GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\n\r\n",
                b"CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\n\r\n",
            ):
                told = await proxied.raw(ask)
                assert (told.status, told.headers["x-gossamer-cause"]) == (503, "ending")
            assert proxied.web.asked == []

    run(work())


def entries(proxied: Proxied) -> set[Entry]:
    return proxied.parts.figures.entries


def test_it_is_told_once_that_nobody_can_be_let_in(tmp_path: Path) -> None:
    async def work() -> list[object]:
        others: list[object] = []
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: others.append(context["message"]))
        async with running(tmp_path) as proxied:
            full = OSError(errno.EMFILE, "Too many open files")
            for _ in range(1000):
                loop.call_exception_handler({"message": "x", "exception": full, "socket": None})
            loop.call_exception_handler({"message": "a defect", "exception": ValueError()})
            assert [event.name for event in proxied.events] == ["proxy-full"]
        loop.call_exception_handler({"message": "x", "exception": full, "socket": None})
        return others

    assert run(work()) == ["a defect", "x"]


def test_who_gets_answers_in_order_is_as_configured_now(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path, Proxy(sequential=("anna",))) as proxied:
            parts = proxied.parts
            assert parts.is_in_order("anna")
            assert not parts.is_in_order("127.0.0.1")
            assert parts.proxy is parts.config.proxy

        async with running(tmp_path, Proxy(sequential=("*",))) as proxied:
            assert proxied.parts.is_in_order("127.0.0.1")

    run(work())


@given(st.integers(1, 10_000), st.integers(0, 500))
def test_each_client_may_have_a_server_and_others_have_files_too(files: int, taken: int) -> None:
    clients = clients_within(files, taken)
    others = min(192, files // 4)
    assert clients == 1 or taken + others + 2 * clients <= files


def test_the_usual_number_of_clients_needs_some_thousand_files() -> None:
    assert clients_within(1024, 30) == 401
    assert clients_within(65_536, 30) > Proxy().max_connections


def test_fewer_clients_than_wanted_and_never_more() -> None:
    config = Config(proxy=Proxy(max_connections=500))
    assert with_at_most(config, 400).proxy.max_connections == 400
    assert with_at_most(config, 600) == config
