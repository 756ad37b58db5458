import asyncio
import ssl
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from socket import IPPROTO_TCP, SO_RCVBUF, SOL_SOCKET, TCP_MAXSEG, socket

import pytest
from tests.proxy.origin import CHUNK, PAGE
from tests.proxy.proxied import Client, Proxied, run, running, until

from gossamer.config import Fetch, Politeness, Proxy
from gossamer.fetch.connect_to import connect_to_rules
from gossamer.fetch.route import Router
from gossamer.http.wire.response import ResponseHead
from gossamer.moments import now_utc
from gossamer.politeness.outcome import Reported
from gossamer.politeness.prospects import TimeLeft
from gossamer.proxy import exchange
from gossamer.proxy.access_log import Stage
from gossamer.proxy.authority import Authority
from gossamer.proxy.cache.cache import open_cache
from gossamer.proxy.permits import Permits, Wish
from gossamer.proxy.request import MOST_GATHERED

IMPATIENT = Fetch(
    first_byte_timeout=timedelta(seconds=1.5),
    low_speed_time=timedelta(seconds=5),
    connect_timeout=timedelta(seconds=10),
)


def post(path: str, body: bytes, *lines: str) -> bytes:
    more = "".join(f"{line}\r\n" for line in lines)
    return f"POST http://a.test{path} HTTP/1.1\r\nHost: a.test\r\n{more}\r\n".encode() + body


def test_a_request_goes_on_without_what_was_for_us(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied:
            reply = await proxied.get(
                "http://a.test/x?y=1",
                "Accept: text/html",
                "Connection: keep-alive, X-Mine",
                "X-Mine: 1",
                "Proxy-Connection: keep-alive",
                "X-Gossamer-Max-Wait: 5",
                "Via: 1.0 before",
            )
            (asked,) = proxied.web.pages()
            name = proxied.parts.name.decode()
            assert asked.target == "/x?y=1"
            assert asked.headers == {
                "host": "a.test",
                "accept": "text/html",
                "user-agent": "gossamer/0",
                "via": f"1.0 before, 1.1 {name}",
            }
            assert reply.headers["via"] == f"1.1 {name}"

    run(work())


def test_what_must_not_be_sent_twice_has_a_new_connection_and_the_old_one_makes_way(
    tmp_path: Path,
) -> None:
    streamed = post("/echo", b"2\r\nok\r\n", "Transfer-Encoding: chunked")

    async def work() -> None:
        async with running(tmp_path) as proxied, proxied.connected() as client:
            for method in ("GET", "POST", "PATCH", "GET"):
                assert (await client.get("http://a.test/", method=method)).status == 200
            await client.send(streamed.replace(b"POST", b"PUT") + b"0\r\n\r\n")
            assert (await client.reply()).body == b"ok"
            assert proxied.web.most_connections == 1

    run(work())


def test_an_answer_comes_without_what_was_for_us(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied:
            reply = await proxied.get("http://a.test/hop")
            for name in ("x-secret", "keep-alive", "upgrade", "connection"):
                assert name not in reply.headers
            assert reply.headers["via"].startswith("1.0 far, 1.1 gossamer-")

    run(work())


def test_bodies_come_through_however_they_end(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied, proxied.connected() as client:
            assert (await client.get("http://a.test/chunked/3")).body == CHUNK * 3
            assert (await client.get("http://a.test/until-close")).body == PAGE
            assert (await client.get("http://a.test/large/300000")).body == b"x" * 300_000
            head = await client.get("http://a.test/", method="HEAD")
            assert (head.body, head.headers["content-length"]) == (b"", str(len(PAGE)))
            for status in (204, 304):
                reply = await client.get(f"http://a.test/status/{status}")
                assert (reply.status, "content-length" in reply.headers) == (status, False)
            assert (await client.get("http://a.test/")).body == PAGE

    run(work())


def test_an_old_client_gets_a_body_that_ends_with_the_connection(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied:
            reply = await proxied.raw(b"GET http://a.test/chunked/2 HTTP/1.0\r\n\r\n")
            assert reply.body == CHUNK * 2
            assert "transfer-encoding" not in reply.headers

    run(work())


@pytest.mark.parametrize("size", [0, 10, 100_000, 1_000_000])
def test_bodies_go_through(tmp_path: Path, size: int) -> None:
    body = b"b" * size

    async def work() -> None:
        async with running(tmp_path) as proxied, proxied.connected() as client:
            await client.send(post("/echo", body, f"Content-Length: {size}"))
            assert (await client.reply()).body == body
            chunks = b"".join(
                b"%x\r\n%b\r\n" % (len(piece), piece)
                for piece in (body[at : at + 70_000] for at in range(0, size, 70_000))
            )
            await client.send(post("/echo", chunks + b"0\r\n\r\n", "Transfer-Encoding: chunked"))
            assert (await client.reply()).body == body

    run(work())


def test_a_body_is_sent_when_the_server_wants_it(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied, proxied.connected() as client:
            await client.send(post("/echo", b"", "Content-Length: 4", "Expect: 100-continue"))
            assert (await client.reply()).status == 100
            await client.send(b"body")
            assert (await client.reply()).body == b"body"
            assert (await client.get("http://a.test/")).status == 200

    run(work())


def test_a_body_that_the_server_does_not_want_is_not_waited_for(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied, proxied.connected() as client:
            await client.send(
                post("/refuse-body", b"", "Content-Length: 4", "Expect: 100-continue")
            )
            reply = await client.reply()
            assert (reply.status, reply.body) == (413, b"no")
            assert reply.headers["connection"] == "close"
            assert await client.is_closed()

    run(work())


@asynccontextmanager
async def answering_early(proxied: Proxied) -> AsyncIterator[list[bytes]]:
    """Pages are elsewhere now: a server that takes little, and answers before it has read a body.

    It never reads one. The list has what it heard, connection by connection.
    """
    heard, over = list[bytes](), asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.append(b"connected")
        while line := await reader.readline():
            await reader.readuntil(b"\r\n\r\n")
            heard.append(line.split(b" ")[0])
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nno")
            if line.startswith(b"POST"):
                await over.wait()
                break
        writer.close()

    with socket() as place:
        place.setsockopt(SOL_SOCKET, SO_RCVBUF, 4096)
        place.setsockopt(IPPROTO_TCP, TCP_MAXSEG, 536)  # so that the sender's buffer is small, too
        place.bind(("127.0.0.1", 0))
        server = await asyncio.start_server(serve, sock=place, limit=4096)
        rule = f"*.test=127.0.0.1:{place.getsockname()[1]}"
        upstreams = proxied.parts.upstreams
        upstreams._router = Router(upstreams._resolver, connect_to_rules((rule,)), ())
        yield heard
        over.set()
        server.close()


def test_a_connection_in_the_middle_of_a_body_is_not_for_the_next_request(tmp_path: Path) -> None:
    first, last = b"b" * (MOST_GATHERED - 1000), b"b" * 2000

    async def work() -> None:
        async with (
            running(tmp_path) as proxied,
            answering_early(proxied) as heard,
            proxied.connected() as client,
        ):
            head = post("/", b"%x\r\n" % len(first), "Transfer-Encoding: chunked")
            await client.send(head + first + b"\r\n")
            (connection,) = proxied.parts.connections
            await until(lambda: connection.received > len(first) and not connection.buffer)
            # So all of it is here, and most of it is not at the server, when that answers.
            await client.send(b"%x\r\n%b\r\n0\r\n\r\n" % (len(last), last))
            assert (await client.reply()).status == 200
            assert (await client.get("http://a.test/")).status == 200
            assert heard == [b"connected", b"POST", b"connected", b"GET"]

    run(work())


def test_a_body_that_breaks_off_reaches_nobody(tmp_path: Path) -> None:
    async def work() -> None:
        slow = Proxy(client_timeout=timedelta(seconds=1))
        async with running(tmp_path, slow) as proxied, proxied.connected() as client:
            await client.send(post("/echo", b"half", "Content-Length: 8"))
            assert (await client.reply()).status == 400
            assert proxied.web.pages() == []

    run(work())


@pytest.mark.parametrize(
    ("kind", "cause", "reason"),
    [
        ("two-lengths", "bad-response", "how long it is in one way alone"),
        ("not-http", "bad-response", "not HTTP. It begins with: SSH-2.0-OpenSSH_9"),
        ("garbage", "bad-response", "not HTTP. It begins with: ????"),
        ("switch", "bad-response", "another protocol"),
        ("close", "reset", "without an answer"),
        ("half-a-head", "reset", "within the header of its answer"),
        ("bad-chunk", "bad-response", "The size of a chunk cannot be read"),
        ("no-body", "truncated", "broke off"),
    ],
)
def test_what_is_no_answer_is_told_as_such(
    tmp_path: Path, kind: str, cause: str, reason: str
) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied, proxied.connected() as client:
            reply = await client.get(f"http://a.test/raw?{kind}")
            assert reply.status == 502
            assert reply.headers["x-gossamer-cause"] == cause
            assert reason in reply.headers["x-gossamer-reason"]
            assert "transfer-encoding" not in reply.headers

    run(work())


def test_a_banner_is_told_as_such_while_its_server_waits_for_us(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied:
            reply = await proxied.get("http://a.test/banner")  # after which it says no more
            assert (reply.status, reply.headers["x-gossamer-cause"]) == (502, "bad-response")

    run(work())


@pytest.mark.parametrize("kind", ["both", "lf", "fold"])
def test_what_has_one_meaning_alone_is_passed_on(tmp_path: Path, kind: str) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied, proxied.connected() as client:
            assert (await client.get(f"http://a.test/raw?{kind}")).body == b"ok"
            assert (await client.get("http://b.test/")).status == 200

    run(work())


@pytest.mark.parametrize("is_cut", [False, True])
def test_a_body_that_trickles_does_not_hold_its_host_and_is_not_held_against_it(
    tmp_path: Path, is_cut: bool
) -> None:
    limits = Fetch(low_speed_time=timedelta(seconds=60 if is_cut else 1))
    patience = Proxy(client_timeout=timedelta(seconds=1 if is_cut else 60))

    async def work() -> None:
        async with (
            running(tmp_path, patience, fetch=limits) as proxied,
            proxied.connected() as client,
        ):
            await client.send(post("/echo", b"", "Content-Length: 9999", "Expect: 100-continue"))
            assert (await client.reply()).status == 100
            await client.send(b"x")
            answer = asyncio.create_task(client.reply())
            while not answer.done() and not is_cut:
                client.writer.write(b"x")
                await asyncio.wait([answer], timeout=0.05)
            reply = await answer
            assert reply.status == (502 if is_cut else 504)
            assert "too slowly" in reply.headers["x-gossamer-reason"]
            assert proxied.client.ledger.wait("a.test", proxied.client.now()) is None
            assert (await proxied.get("http://a.test/")).status == 200

    run(work())


def test_what_comes_before_an_answer_is_passed_on(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied, proxied.connected() as client:
            hints = await client.get("http://a.test/raw?early-hints")
            assert hints.status == 103
            assert hints.headers == {"link": "</x>", "via": f"1.1 {proxied.parts.name.decode()}"}
            assert (await client.reply()).body == b"ok"
            old = b"GET http://a.test/raw?early-hints HTTP/1.0\r\n\r\n"
            assert (await proxied.raw(old)).status == 200

    run(work())


@pytest.mark.parametrize("kind", ["hints-without-end", "empty-hints-without-end"])
def test_what_comes_before_an_answer_has_an_end(tmp_path: Path, kind: str) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied, proxied.connected() as client:
            reply = await client.get(f"http://a.test/raw?{kind}")
            while reply.status == 103:
                reply = await client.reply()
            assert (reply.status, reply.headers["x-gossamer-cause"]) == (502, "header-too-large")

    run(work())


@pytest.mark.parametrize("path", ["/raw?cut", "/bad-later"])
def test_an_answer_that_breaks_off_does_not_look_whole(tmp_path: Path, path: str) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied, proxied.connected() as client:
            await client.send(f"GET http://a.test{path} HTTP/1.1\r\nHost: a.test\r\n\r\n".encode())
            await client.reader.readuntil(b"\r\n\r\n")
            proxied.web.gate.set()
            with pytest.raises((asyncio.IncompleteReadError, ConnectionError)):
                await client.reader.readexactly(100)

    run(work())


@pytest.mark.parametrize(
    "url", ["http://a.test/cut/reset", "https://secure.test/cut/reset", "https://secure.test/cut/x"]
)
def test_a_body_whose_connection_is_cut_neither_looks_whole_nor_is_kept(
    tmp_path: Path, tls: ssl.SSLContext, test_authority: Authority, url: str
) -> None:
    fetch = Fetch(ca=str(test_authority.file))

    async def work() -> None:
        async with running(
            tmp_path, fetch=fetch, tls=tls, cache=lambda: open_cache(tmp_path / "c.db", Proxy())
        ) as proxied:
            for _ in range(2):  # the second from the cache, if there were something in it
                proxied.web.gate.clear()
                async with proxied.connected() as client:
                    answer = asyncio.create_task(client.get(url))
                    await until(lambda: proxied.parts.figures.entries)
                    await until(is_being_sent(proxied))
                    proxied.web.gate.set()
                    with pytest.raises((asyncio.IncompleteReadError, ConnectionError)):
                        await answer
            assert len(proxied.web.pages()) == 2
            await proxied.parts.cache.close()

    run(work())


def is_being_sent(proxied: Proxied) -> Callable[[], bool]:
    """Whether some answer has begun."""
    return lambda: any(e.stage is Stage.ANSWERING for e in proxied.parts.figures.entries)


@pytest.mark.parametrize("url", ["http://a.test/until-close", "https://secure.test/until-close"])
def test_a_body_that_properly_ends_with_its_connection_is_whole(
    tmp_path: Path, tls: ssl.SSLContext, test_authority: Authority, url: str
) -> None:
    fetch = Fetch(ca=str(test_authority.file))

    async def work() -> None:
        async with running(tmp_path, fetch=fetch, tls=tls) as proxied:
            assert (await proxied.get(url)).body == PAGE
            large = await proxied.get(f"{url}/900000")
            assert len(large.body) == 900_000

    run(work())


def test_a_server_that_says_nothing_is_given_up(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path, fetch=IMPATIENT) as proxied:
            reply = await proxied.get("http://a.test/never")
            assert reply.status == 504
            assert reply.headers["x-gossamer-cause"] == "timeout-first-byte"

    run(work())


def test_a_slow_server_does_not_hold_others(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied:
            slow = asyncio.create_task(proxied.get("http://slow.test/gate"))
            await until(lambda: proxied.web.pages("slow.test"))
            for number in range(5):
                assert (await proxied.get(f"http://h{number}.test/")).status == 200
            proxied.web.gate.set()
            assert (await slow).body == b"open"

    run(work())


def test_a_slow_client_does_not_hold_a_host(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied, proxied.connected() as slow:
            # It reads nothing of an answer that fits into the buffers before it.
            await slow.send(b"GET http://a.test/large/900000 HTTP/1.1\r\nHost: a.test\r\n\r\n")
            await until(lambda: proxied.web.pages())
            assert (await proxied.get("http://a.test/")).status == 200
            assert len((await slow.reply()).body) == 900_000

    run(work())


@dataclass(slots=True)
class Granted:
    """A permit that remembers how it went."""

    started_at: datetime
    ends_by: datetime
    reports: list[Reported]
    on_hurry: Callable[[datetime], None] | None = None
    is_wanted: bool = False

    def note_left(self, left: TimeLeft) -> None:
        pass

    def finish(self, report: Reported) -> None:
        self.reports.append(report)

    def abandon(self, why: str) -> None:
        pass


@dataclass(slots=True)
class Granting:
    """Somebody who permits everything."""

    reports: list[Reported] = field(default_factory=list)

    async def ask(self, wish: Wish) -> Granted:
        return Granted(now_utc(), now_utc() + wish.lasting, self.reports)


@dataclass(slots=True)
class Clock:
    """The time, which can be put forward."""

    ahead: float = 0.0

    def monotonic(self) -> float:
        return time.monotonic() + self.ahead


def take_little(client: Client) -> None:
    """Have the system keep little for a client: what it does not read stays with the proxy."""
    client.writer.get_extra_info("socket").setsockopt(SOL_SOCKET, SO_RCVBUF, 65_536)


def test_a_host_does_not_rest_for_the_slowness_of_a_client(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, granting = Clock(), Granting()

    async def work() -> None:
        async with (
            running(tmp_path, Proxy(buffer_bytes=64 * 1024)) as proxied,
            proxied.connected() as client,
        ):
            proxied.parts.permits = Permits(granting)
            take_little(client)
            await client.send(b"GET http://a.test/large/20000000 HTTP/1.1\r\nHost: a.test\r\n\r\n")
            (connection,) = proxied.parts.connections
            await until(lambda: connection.is_full)
            clock.ahead += 1000
            await client.reply()
            await client.send(post("/echo", b"", "Content-Length: 8", "Expect: 100-continue"))
            assert (await client.reply()).status == 100
            before = connection.received
            await client.send(b"half")
            await until(lambda: connection.received > before and not connection.buffer)
            clock.ahead += 1000
            await client.send(b"more")
            assert (await client.reply()).body == b"halfmore"

    monkeypatch.setattr(exchange, "time", clock)
    run(work())
    assert len(granting.reports) == 2
    assert all(each.took < timedelta(seconds=1000) for each in granting.reports if each.took)


def test_a_client_that_takes_nothing_is_left(tmp_path: Path) -> None:
    async def work() -> None:
        proxy = Proxy(buffer_bytes=64 * 1024, client_timeout=timedelta(seconds=1))
        async with running(tmp_path, proxy) as proxied, proxied.connected() as stuck:
            await stuck.send(b"GET http://a.test/large/90000000 HTTP/1.1\r\nHost: a.test\r\n\r\n")
            await until(lambda: not (not proxied.web.pages() or proxied.parts.figures.entries))
            assert (await proxied.get("http://a.test/")).status == 200

    run(work())


def test_a_client_that_pauses_gets_all_of_an_answer(tmp_path: Path) -> None:
    size, limits = 20_000_000, Fetch(low_speed_time=timedelta(seconds=1))

    async def work() -> None:
        async with (
            running(tmp_path, Proxy(buffer_bytes=64 * 1024), fetch=limits) as proxied,
            proxied.connected() as client,
        ):
            take_little(client)
            await client.send(b"GET http://a.test/large/%d HTTP/1.1\r\nHost: a.test\r\n\r\n" % size)
            (connection,) = proxied.parts.connections
            await until(lambda: connection.is_full)
            await asyncio.sleep(2.2)  # in which nothing can come from the server
            assert len((await client.reply()).body) == size

    run(work())


def test_memory_does_not_grow_with_an_answer(tmp_path: Path) -> None:
    async def work() -> None:
        small = Proxy(buffer_bytes=64 * 1024)
        async with running(tmp_path, small) as proxied, proxied.connected() as client:
            await client.send(b"GET http://a.test/large/9000000 HTTP/1.1\r\nHost: a.test\r\n\r\n")
            await client.reader.readuntil(b"\r\n\r\n")
            left, most = 9_000_000, 0
            while left:
                left -= len(await client.reader.read(60_000))
                held = [len(each.buffer) + each.unsent for each in proxied.parts.connections]
                most = max(most, *held)
            assert most < 1_000_000

    run(work())


def test_a_connection_to_a_server_is_used_again_and_a_stale_one_is_replaced(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied:
            for _ in range(3):
                assert (await proxied.get("http://a.test/")).status == 200
            upstream = proxied.parts.upstreams._idle["a.test"]
            assert upstream.requests == 3
            upstream.transport.abort()  # as a server does that closes what is idle
            upstream.ended = False  # and we have not noticed
            upstream.lost = False
            assert (await proxied.get("http://a.test/")).status == 200
            assert proxied.parts.upstreams._idle["a.test"].requests == 1

    run(work())


def test_what_is_lost_on_a_kept_connection_is_sent_again_in_its_turn(tmp_path: Path) -> None:
    delay = timedelta(milliseconds=300)

    async def work() -> None:
        politeness = Politeness(delay=delay, contact="x@example.org")
        async with running(tmp_path, politeness=politeness) as proxied:
            assert (await proxied.get("http://a.test/")).status == 200
            assert (await proxied.get("http://a.test/raw?close")).status == 502
            assert [each.target for each in proxied.web.pages()] == [
                "/",
                "/raw?close",
                "/raw?close",
            ]
            assert proxied.web.smallest_gap("a.test") >= delay.total_seconds()

    run(work())


def test_what_must_not_be_sent_twice_is_not(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied:
            assert (await proxied.get("http://a.test/")).status == 200
            lost = await proxied.get("http://a.test/raw?close", "Content-Length: 0", method="POST")
            assert lost.status == 502
            assert [each.method for each in proxied.web.pages()] == ["GET", "POST"]

    run(work())


def test_a_host_that_does_not_take_connections_is_left_alone_for_a_while(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied:
            assert (await proxied.get("http://a.test/")).status == 200
            proxied.parts.upstreams.drop("a.test")
            proxied.lose_the_way()
            # The name leads nowhere now: nothing was sent, and nothing is held against the host.
            assert (await proxied.get("http://a.test/")).status == 403
            assert proxied.client.ledger.wait("a.test", proxied.client.now()) is None

    run(work())


def test_a_report_has_the_wait_for_a_quota_that_is_used_up() -> None:
    fields = ((b"Server", b"x"), (b"RateLimit", b'"a";r=0'), (b"RateLimit-Policy", b'"a";w=60'))
    report = exchange.reported(ResponseHead.of(200, 1, fields), time.monotonic(), 0)
    assert report.quota_wait == timedelta(seconds=60)
    assert (
        exchange.reported(ResponseHead.of(200, 1, fields[:1]), time.monotonic(), 0).quota_wait
        is None
    )


def test_word_of_trouble_holds_for_everybody(tmp_path: Path) -> None:
    politeness = Politeness(delay=timedelta(0), contact="x@example.org", backoff_first=timedelta(0))

    async def work() -> None:
        async with running(tmp_path, politeness=politeness) as proxied:
            assert (await proxied.get("http://a.test/status/503")).status == 503
            reply = await proxied.get("http://a.test/", "X-Gossamer-Max-Wait: 3")
            assert reply.status == 429
            assert 4 <= int(reply.headers["retry-after"]) <= 7
            assert "Retry-After, status 503" in reply.headers["x-gossamer-reason"]

    run(work())


def test_who_waits_for_a_download_in_vain_is_told_at_once_with_its_likely_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    monkeypatch.setattr("gossamer.proxy.exchange.time", clock)

    async def work() -> None:
        async with running(tmp_path) as proxied, proxied.connected() as client:
            size = 1000 * len(PAGE)
            await client.send(b"GET http://a.test/drip/%d HTTP/1.1\r\nHost: a.test\r\n\r\n" % size)
            proxied.web.gate.set()
            await client.reader.readuntil(b"\r\n\r\n")
            await client.reader.readexactly(len(PAGE))
            soon = asyncio.create_task(proxied.get("http://a.test/a", "X-Gossamer-Max-Wait: 100"))
            late = asyncio.create_task(proxied.get("http://a.test/b", "X-Gossamer-Max-Wait: 9999"))
            await until(lambda: len(proxied.parts.figures.entries) == 3)
            for _ in range(3):
                clock.ahead += 1
                proxied.web.gate.set()
                await client.reader.readexactly(len(PAGE))
            told = await soon
            assert told.status == 429
            assert told.headers["x-gossamer-cause"] == "busy"
            assert int(told.headers["retry-after"]) > 500
            assert "Somebody downloads from the host: 0.0 of 8.2 MB" in told.body.decode()
            assert not late.done()  # it has the patience
            late.cancel()

    run(work())
