import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path

import pytest
from tests.proxy.origin import PAGE
from tests.proxy.proxied import NO_DELAY, run, running, until
from tests.proxy.proxied import Proxied as Running
from tests.proxy.test_access import basic

from gossamer.config import Politeness, Proxy
from gossamer.events import Proxied
from gossamer.model import Url
from gossamer.proxy.access import Cost, User
from gossamer.proxy.access_log import Stage
from gossamer.proxy.cache.cache import HttpCache, open_cache
from gossamer.proxy.cache.none import NoCache, Unkept
from gossamer.proxy.cache.protocol import (
    Cache,
    CacheAnswer,
    Counters,
    Flight,
    Forward,
    Landing,
    LostBodyError,
    Request,
)
from gossamer.proxy.permits import Denied, Permit, PermittingAtOnce, Wish
from gossamer.sending.rights import Destination

SECOND = Politeness(delay=timedelta(seconds=1), contact="me@example.org")
SHORT = Politeness(delay=timedelta(milliseconds=200), contact="me@example.org")


def test_what_robots_txt_forbids_is_refused_with_its_line(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied:
            reply = await proxied.get("http://a.test/private/x")
            assert reply.status == 403
            assert "Line 2 of robots.txt, 'Disallow: /private'" in reply.body.decode()
            assert "Line 2" in reply.headers["x-gossamer-reason"]
            assert "retry-after" not in reply.headers
            assert proxied.web.pages() == []

    run(work())


def test_a_host_without_readable_robots_txt_is_closed_for_a_while(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied:
            reply = await proxied.get("http://closed.test/")
            assert reply.status == 403
            assert int(reply.headers["retry-after"]) > 1
            assert "answered 503" in reply.body.decode()
            assert proxied.web.pages() == []

    run(work())


def test_a_request_waits_for_its_turn_or_is_told_when_to_come_again(tmp_path: Path) -> None:
    async def work() -> None:
        two_seconds = replace(SECOND, delay=timedelta(seconds=2))
        async with running(tmp_path, politeness=two_seconds) as proxied:
            refused = await proxied.get("http://a.test/", "X-Gossamer-Max-Wait: 0")
            assert refused.status == 429  # robots.txt was asked for just now
            assert refused.headers["retry-after"] == "2"
            assert (await proxied.get("http://a.test/")).status == 200
            assert proxied.web.smallest_gap("a.test") >= 2.0
            noted = proxied.events[-1]
            assert isinstance(noted, Proxied)
            assert noted.waited > timedelta(milliseconds=300)

    run(work())


def test_a_greedy_client_does_not_starve_another(tmp_path: Path) -> None:
    users = tuple(str(User.new(name, "x", Cost(10, 1, 1))) for name in ("greedy", "modest"))

    async def work() -> None:
        async with running(tmp_path, Proxy(users=users), politeness=SHORT) as proxied:
            for name in ("greedy", "modest"):  # whose passwords take a while to be looked at
                await proxied.get(f"http://a.test/{name}/first", basic(f"{name}:x"))

            async def ask(client: str, number: int) -> None:
                await proxied.get(f"http://a.test/{client}/{number}", basic(f"{client}:x"))

            busy = asyncio.create_task(proxied.get("http://a.test/gate", basic("greedy:x")))
            await until(lambda: proxied.web.busy["a.test"])
            waiting = [asyncio.create_task(ask("greedy", number)) for number in range(6)]
            await until(lambda: len(proxied.parts.figures.entries) == 7)
            waiting.append(asyncio.create_task(ask("modest", 1)))
            await until(lambda: len(proxied.parts.figures.entries) == 8)
            proxied.web.gate.set()
            await asyncio.gather(busy, *waiting)
            order = [each.target.split("/")[1] for each in proxied.web.pages()][2:]
            assert order.index("modest") <= 3
            assert proxied.web.smallest_gap("a.test") >= 0.2

    run(work())


def test_one_request_to_a_host_at_a_time(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied:
            await asyncio.gather(*(proxied.get("http://a.test/sleep/0.01") for _ in range(20)))
            assert proxied.web.most_busy == 1
            assert proxied.web.most_connections == 1  # that for robots.txt is closed at once
            assert len(proxied.web.pages()) == 20

    run(work())


def kept_in(folder: Path) -> Cache:
    """A cache of the usual kind."""
    return open_cache(folder / "proxy-cache.db", Proxy())


@dataclass(slots=True)
class Shelf:
    """A cache with one page on it, and one that is on its way."""

    counters: Counters = field(default_factory=Counters)
    flight: Flight | None = None
    refresh: Forward | None = None
    forwards: list[Request] = field(default_factory=list)
    elsewhere: int = 0  # how often a page of other proxies was asked for

    def clear(self, host: str | None = None) -> int:
        raise AssertionError(host)

    async def look_further(self, request: Request) -> bool:
        self.elsewhere += 1
        return request.url.endswith("/elsewhere")

    def ask(self, request: Request, *, waited: bool = False) -> CacheAnswer | Forward | Flight:
        if self.elsewhere and request.url.endswith("/elsewhere"):
            return CacheAnswer(200, b"Content-Length: 5\r\n", b"there")
        block = b"Cache-Status: gossamer; hit\r\nContent-Length: 6\r\n"
        if request.url.endswith("/at-hand"):
            return CacheAnswer(200, b"Content-Length: 7\r\n", b"at hand")
        if request.url.endswith("/stored"):
            return CacheAnswer(200, block, b"sto", [b"re", b"d"], refresh=self.refresh)
        if request.url.endswith("/lost"):
            return CacheAnswer(200, block, b"sto", lost())
        if request.url.endswith("/flying") and not waited and self.flight is not None:
            return self.flight
        self.forwards.append(request)
        return Backed(request.fields) if request.url.endswith("/backed") else Unkept(request.fields)

    async def close(self) -> None:
        pass


class Backed(Unkept):
    """A page of which an old copy is there."""

    def failed(self, why: str) -> CacheAnswer | None:
        return CacheAnswer(200, b"Content-Length: 3\r\n", b"old")


def test_what_another_proxy_has_is_sent_and_nobody_is_asked(tmp_path: Path) -> None:
    async def work() -> None:
        shelf = Shelf()
        async with running(tmp_path, cache=lambda: shelf) as proxied, proxied.connected() as client:
            assert (await client.get("http://a.test/elsewhere")).body == b"there"
            assert proxied.web.asked == []
            assert (await client.get("http://a.test/")).body == PAGE
            assert shelf.elsewhere == 2  # once for each

    run(work())


def test_what_the_cache_has_is_sent_and_nobody_is_asked(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path, cache=Shelf) as proxied, proxied.connected() as client:
            reply = await client.get("http://a.test/stored")
            assert (reply.body, reply.headers["cache-status"]) == (b"stored", "gossamer; hit")
            assert proxied.web.asked == []
            assert (await client.get("http://a.test/")).body == PAGE

    run(work())


def lost() -> Iterator[bytes]:
    yield b"re"
    raise LostBodyError("A part is missing.")


def test_a_stored_answer_of_which_bytes_are_missing_is_broken_off(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path, cache=Shelf) as proxied, proxied.connected() as client:
            await client.send(b"GET http://a.test/lost HTTP/1.1\r\nHost: a.test\r\n\r\n")
            with pytest.raises((asyncio.IncompleteReadError, ConnectionError)):
                await client.reply()
            await until(lambda: proxied.events)
            noted = proxied.events[-1]
            assert isinstance(noted, Proxied)
            assert (noted.by, noted.reason) == ("cache", "A part is missing.")

    run(work())


def test_what_is_in_memory_is_sent_at_once_in_its_turn(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path, cache=Shelf) as proxied, proxied.connected() as client:
            get = b"GET http://a.test/%b HTTP/1.1\r\nHost: a.test\r\n\r\n"
            await client.send(get % b"at-hand" + get % b"sleep/0.05" + get % b"at-hand" * 2)
            bodies = [(await client.reply()).body for _ in range(4)]
            assert bodies == [b"at hand", b"slept", b"at hand", b"at hand"]
            head = await client.get("http://a.test/at-hand", method="HEAD")
            assert head.headers["content-length"] == "7"
            await client.get("http://a.test/at-hand", "Connection: close")
            assert await client.is_closed()
            noted = [(each.url, each.by) for each in proxied.events if isinstance(each, Proxied)]
            assert noted[0] == ("http://a.test/at-hand", "cache")
            assert len(noted) == 6

    run(work())


def test_a_body_in_the_way_of_a_stored_answer_ends_the_connection(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path, cache=Shelf) as proxied, proxied.connected() as client:
            await client.send(
                b"GET http://a.test/stored HTTP/1.1\r\nHost: a.test\r\nContent-Length: 50\r\n\r\nGET "
            )
            reply = await client.reply()
            assert (reply.body, reply.headers["connection"]) == (b"stored", "close")
            assert await client.is_closed()

    run(work())


def test_a_body_makes_a_page_for_whoever_sends_it_alone(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path, cache=lambda: kept_in(tmp_path)) as proxied:
            get = b"GET http://a.test/etag HTTP/1.1\r\nHost: a.test\r\n%b\r\n\r\n"
            for framing in (b"Content-Length: 4", b"Transfer-Encoding: chunked"):
                body = b"evil" if b"Length" in framing else b"4\r\nevil\r\n0\r\n\r\n"
                reply = await proxied.raw(get % framing + body)
                assert "stored" not in reply.headers["cache-status"]
                assert proxied.web.pages()[-1].body == b"evil"
            empty = await proxied.raw(get % b"Content-Length: 0")
            assert "stored" in empty.headers["cache-status"]
            await proxied.parts.cache.close()

    run(work())


def test_nobody_waits_for_a_body_that_does_not_come(tmp_path: Path) -> None:
    async def work() -> None:
        async with (
            running(tmp_path, cache=lambda: kept_in(tmp_path)) as proxied,
            proxied.connected() as slow,
        ):
            await slow.send(
                b"GET http://a.test/etag HTTP/1.1\r\nHost: a.test\r\nContent-Length: 400\r\n\r\n"
            )
            await until(lambda: busy_with(proxied, "/etag"))
            others = [proxied.get("http://a.test/etag", "X-Gossamer-Max-Wait: 5") for _ in range(3)]
            assert [each.status for each in await asyncio.gather(*others)] == [200, 200, 200]
            assert asked_for(proxied, "/etag") == 1
            await proxied.parts.cache.close()

    run(work())


def test_those_who_want_the_same_page_wait_for_one_fetch(tmp_path: Path) -> None:
    async def work() -> None:
        shelf = Shelf(flight=Flight())
        async with running(tmp_path, cache=lambda: shelf) as proxied:
            waiting = asyncio.create_task(proxied.get("http://a.test/flying"))
            await until(
                lambda: any(e.stage is Stage.WAITING for e in proxied.parts.figures.entries)
            )
            assert shelf.flight is not None
            shelf.flight.land(Landing.SHARED)
            assert (await waiting).body == PAGE

    run(work())


def asked_for(proxied: Running, target: str) -> int:
    """How often the server was asked for a page."""
    return sum(each.target == target for each in proxied.web.pages())


def busy_with(proxied: Running, target: str) -> int:
    """How many wait for a page now."""
    return sum(entry.url.endswith(target) for entry in proxied.parts.figures.entries)


def test_where_the_first_is_refused_one_of_those_who_waited_fetches_for_all(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path, cache=lambda: kept_in(tmp_path)) as proxied:
            busy = asyncio.create_task(proxied.get("http://a.test/gate"))
            await until(proxied.web.pages)
            page = "http://a.test/etag"
            first = asyncio.create_task(proxied.get(page, "X-Gossamer-Max-Wait: 1.5"))
            await until(lambda: busy_with(proxied, "/etag"))
            others = [asyncio.create_task(proxied.get(page)) for _ in range(30)]
            assert (await first).status == 429
            await until(lambda: busy_with(proxied, "/etag") == 30)
            proxied.web.gate.set()
            got = await asyncio.gather(*others)
            assert {(each.status, each.body) for each in got} == {(200, b"ok")}
            assert asked_for(proxied, "/etag") == 1
            await busy
            await proxied.parts.cache.close()

    run(work())


def test_nobody_waits_for_a_fetch_that_stands_in_line_longer_than_for_a_turn(
    tmp_path: Path,
) -> None:
    async def work() -> None:
        async with running(tmp_path, cache=lambda: kept_in(tmp_path)) as proxied:
            busy = asyncio.create_task(proxied.get("http://a.test/gate"))
            await until(proxied.web.pages)
            page = "http://a.test/etag"
            first = asyncio.create_task(proxied.get(page))
            await until(lambda: busy_with(proxied, "/etag"))
            for patience in ("0", "0.05"):
                refused = await proxied.get(page, f"X-Gossamer-Max-Wait: {patience}")
                assert (refused.status, refused.headers["x-gossamer-cause"]) == (429, "busy")
                assert int(refused.headers["retry-after"]) >= 1
            assert not first.done()
            proxied.web.gate.set()
            assert (await first).body == b"ok"
            assert asked_for(proxied, "/etag") == 1
            await busy
            await proxied.parts.cache.close()

    run(work())


def test_a_fetch_that_was_sent_is_waited_for_with_whatever_patience(tmp_path: Path) -> None:
    async def work() -> None:
        shelf = Shelf(flight=Flight())
        assert shelf.flight is not None
        shelf.flight.is_sent = True
        async with running(tmp_path, cache=lambda: shelf) as proxied:
            waiting = asyncio.create_task(
                proxied.get("http://a.test/flying", "X-Gossamer-Max-Wait: 0")
            )
            await until(lambda: busy_with(proxied, "/flying"))
            await proxied.get("http://a.test/")  # in which time it would be refused
            assert not waiting.done()
            shelf.flight.land(Landing.SHARED)
            assert (await waiting).body == PAGE

    run(work())


@dataclass(slots=True)
class Hearing:
    """Whoever gives permission, and what was wished for."""

    own: PermittingAtOnce
    wishes: list[Wish] = field(default_factory=list)

    async def ask(self, wish: Wish) -> Permit | Denied:
        self.wishes.append(wish)
        return await self.own.ask(wish)

    def ask_at_once(self, wish: Wish, there: Destination) -> Permit | None:
        return self.own.ask_at_once(wish, there)


def test_a_request_has_one_patience_for_somebody_elses_turn_and_its_own(tmp_path: Path) -> None:
    async def work() -> None:
        shelf = Shelf(flight=Flight())
        async with running(tmp_path, cache=lambda: shelf) as proxied:
            own = proxied.parts.permits.own
            assert own is not None
            proxied.parts.permits.own = hearing = Hearing(own)
            waiting = asyncio.create_task(proxied.get("http://a.test/flying"))
            await until(lambda: busy_with(proxied, "/flying"))
            assert shelf.flight is not None
            shelf.flight.land(Landing.SHARED)
            await waiting
            (wish,) = hearing.wishes
            assert wish.patience < Proxy().max_wait

    run(work())


def test_a_stored_answer_stands_in_where_the_server_fails(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path, cache=Shelf) as proxied:
            await proxied.get("http://a.test/")
            idle = proxied.parts.upstreams.idle(Url("http://a.test/"))
            assert idle is not None
            idle.abort()
            proxied.lose_the_way()
            assert (await proxied.get("http://a.test/backed")).body == b"old"

    run(work())


AT_ONCE = "X-Gossamer-Max-Wait: 0"


@asynccontextmanager
async def with_a_stale_page(
    folder: Path, politeness: Politeness = NO_DELAY
) -> AsyncIterator[Running]:
    """A proxy that has /etag, which was good for a minute."""
    clock = [1_800_000_000.0]
    cache = HttpCache(folder / "proxy-cache.db", Proxy(), now=lambda: clock[0])
    async with running(folder, politeness=politeness, cache=lambda: cache) as proxied:
        await proxied.get("http://a.test/etag")
        clock[0] += 61
        yield proxied
        await cache.close()


def test_something_old_serves_while_a_host_is_left_alone_after_a_failure(tmp_path: Path) -> None:
    async def work() -> None:
        async with with_a_stale_page(tmp_path) as proxied:
            await proxied.get("http://a.test/status/503")
            for _ in range(2):
                stale = await proxied.get("http://a.test/etag", AT_ONCE)
                assert (stale.status, stale.body) == (200, b"ok")
                told = 'gossamer; fwd=stale; detail="stale: pause"'
                assert stale.headers["cache-status"] == told
            noted = proxied.events[-1]
            assert isinstance(noted, Proxied)
            assert (noted.by, "back-off after a failure" in noted.reason) == ("cache", True)
            for refused in (
                await proxied.get("http://a.test/other", AT_ONCE),
                await proxied.get("http://a.test/etag", AT_ONCE, "Cache-Control: no-cache"),
            ):
                assert (refused.status, refused.headers["x-gossamer-cause"]) == (429, "pause")
            assert asked_for(proxied, "/etag") == 1

    run(work())


def test_something_old_serves_while_nobody_can_say_whether_to_send(tmp_path: Path) -> None:
    async def work() -> None:
        async with with_a_stale_page(tmp_path) as proxied:
            proxied.parts.permits.own = None
            assert (await proxied.get("http://a.test/etag", AT_ONCE)).body == b"ok"
            assert (await proxied.get("http://a.test/other", AT_ONCE)).status == 503

    run(work())


def test_nothing_old_serves_whoever_could_wait_for_the_usual_rest(tmp_path: Path) -> None:
    async def work() -> None:
        async with with_a_stale_page(tmp_path, SECOND) as proxied:
            assert (await proxied.get("http://a.test/etag", AT_ONCE)).status == 429

    run(work())


def test_nothing_old_serves_where_robots_txt_forbids_it(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path, cache=Shelf) as proxied:
            assert (await proxied.get("http://a.test/private/backed")).status == 403

    run(work())


def test_a_page_is_fetched_anew_behind_the_clients_back(tmp_path: Path) -> None:
    async def work() -> None:
        shelf = Shelf(refresh=Unkept(((b"If-None-Match", b'"1"'),)))
        async with running(tmp_path, cache=lambda: shelf) as proxied:
            got = await proxied.get("http://a.test/stored", method="HEAD")
            assert got.headers["content-length"] == "6"
            await until(proxied.web.pages)
            (asked,) = proxied.web.pages()
            assert (asked.method, asked.headers["if-none-match"]) == ("GET", '"1"')
            await until(lambda: not proxied.parts.refreshing)

    run(work())


def test_cookies_and_passwords_for_us_do_not_reach_the_cache(tmp_path: Path) -> None:
    async def work() -> None:
        shelf = Shelf()
        async with running(tmp_path, Proxy(), cache=lambda: shelf) as proxied:
            await proxied.get("http://a.test/", "Proxy-Authorization: Basic eDp5", "Accept: a/b")
            assert shelf.forwards == [Request("GET", "http://a.test/", ((b"Accept", b"a/b"),))]

    run(work())


def test_no_cache_is_a_cache_too() -> None:
    assert isinstance(NoCache().ask(Request("GET", "http://a.test/", ())), Unkept)


def test_a_program_with_a_name_of_its_own_takes_turns_with_the_others_on_its_machine(
    tmp_path: Path,
) -> None:
    async def work() -> None:
        async with running(tmp_path, Proxy(max_wait=timedelta(hours=1))) as proxied:
            asking = [asyncio.create_task(proxied.get("http://a.test/gate"))]
            await until(proxied.web.pages)
            named = ("/named", "X-Gossamer-Client: b")
            for number, (path, *lines) in enumerate([("/1",), ("/2",), ("/3",), named], 1):
                asking.append(asyncio.create_task(proxied.get(f"http://a.test{path}", *lines)))
                line = proxied.client.rights.line
                await until(lambda: len(line._waiting["a.test"]) == number)  # noqa: B023
            proxied.web.gate.set()
            for each in asking:
                assert (await each).status == 200
            assert [each.target for each in proxied.web.pages()] == [
                "/gate",
                "/1",
                "/named",
                "/2",
                "/3",
            ]
            assert all("x-gossamer-client" not in each.headers for each in proxied.web.asked)

    run(work())
