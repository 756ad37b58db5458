import asyncio
import ssl
from contextlib import closing
from pathlib import Path

import pytest
from tests.fetch.servers import listening
from tests.proxy.origin import origin
from tests.proxy.proxied import run
from tests.slowness import patience

from gossamer.config import Fetch
from gossamer.errors import ConfigError
from gossamer.fetch.names import Unreachable
from gossamer.model import Cause, Url
from gossamer.proxy import upstream as module
from gossamer.proxy.upstream import Upstream, Upstreams

A, B = Url("http://a.test/"), Url("http://a.test:8080/")


def upstreams(fetch: Fetch) -> Upstreams:
    return Upstreams(fetch, lambda endpoint: endpoint.port == 9)


def test_one_connection_a_host_is_kept(tmp_path: Path) -> None:
    async def work() -> None:
        async with origin() as web:
            fetch = Fetch(connect_to=(f"*.test={web.address}",))
            with closing(upstreams(fetch)) as servers:
                first = await servers.connect(A, tls=False)
                assert isinstance(first, Upstream)
                assert servers.idle(A) is None
                servers.keep(first)
                assert servers.at_hand("a.test", "http://a.test:8080") is None
                assert servers.at_hand("a.test", "http://a.test") is first
                assert servers.idle(A) is first
                assert servers.at_hand("a.test", "http://a.test") is None
                servers.keep(first)
                servers.take(first)
                assert servers.at_hand("a.test", "http://a.test") is None
                servers.keep(first)
                assert servers.idle(B) is None  # another port of the host
                second = await servers.connect(B, tls=False)
                assert first.lost  # before the second is there
                assert isinstance(second, Upstream)
                servers.keep(second)
                third = await servers.connect(B, tls=False)
                assert second.lost  # so does one to the same
                assert isinstance(third, Upstream)
                third.abort()

    run(work())


def test_what_is_idle_for_long_or_speaks_unasked_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        async with origin() as web:
            fetch = Fetch(connect_to=(f"*.test={web.address}",))
            with closing(upstreams(fetch)) as servers:
                old = await servers.connect(A, tls=False)
                assert isinstance(old, Upstream)
                servers.keep(old)
                servers.sweep()
                assert servers.idle(A) is old
                old.idle_since -= 100
                servers._idle["a.test"] = old
                servers.sweep()
                assert servers.idle(A) is None
                loud = await servers.connect(A, tls=False)
                assert isinstance(loud, Upstream)
                loud.buffer += b"HTTP/1.1 200 OK"
                servers.keep(loud)
                assert servers.idle(A) is None

    run(work())


def test_what_is_given_up_before_it_is_delivered_never_is() -> None:
    """A closed connection would go on sending it, beside what is sent by another."""

    async def work() -> None:
        is_over, was_reset = asyncio.Event(), list[bool]()

        async def deaf(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.transport.pause_reading()  # type: ignore[attr-defined]  # it is a reading one too
            await is_over.wait()
            writer.transport.resume_reading()  # type: ignore[attr-defined]
            try:
                while await reader.read(1 << 16):
                    pass
                was_reset.append(False)
            except ConnectionResetError:
                was_reset.append(True)
            heard.set()

        heard = asyncio.Event()
        async with listening(deaf) as port:
            with closing(upstreams(Fetch(connect_to=(f"*.test=127.0.0.1:{port}",)))) as servers:
                server = await servers.connect(A, tls=False)
                assert isinstance(server, Upstream)
                while not server.unsent:  # then the system has as much as it takes
                    server.write(bytes(1 << 16))
                server.abort()
                await server.more()  # there is no more
                is_over.set()
                await asyncio.wait_for(heard.wait(), patience(60))
        assert was_reset == [True]

    run(work())


@pytest.mark.parametrize(
    ("url", "connect_to", "cause"),
    [
        ("http://a.test/", (), Cause.RESERVED_NAME),
        ("http://127.0.0.1/", (), Cause.REFUSED_ADDRESS),
        ("http://a.test/", ("*.test=127.0.0.1:9",), Cause.REFUSED_ADDRESS),  # where we listen
        ("http://a.test/", ("*.test=127.0.0.1:1",), Cause.CONNECT),
    ],
)
def test_why_there_is_no_connection(url: str, connect_to: tuple[str, ...], cause: Cause) -> None:
    async def work() -> Upstream | Unreachable:
        with closing(upstreams(Fetch(connect_to=connect_to))) as servers:
            return await servers.connect(Url(url), tls=False)

    answer = run(work())
    assert isinstance(answer, Unreachable)
    assert answer.cause == cause


def test_trouble_with_tls_is_told_apart() -> None:
    async def work() -> Upstream | Unreachable:
        async def plain(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            writer.close()

        server = await asyncio.start_server(plain, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        try:
            with closing(upstreams(Fetch(connect_to=(f"*.test=127.0.0.1:{port}",)))) as servers:
                return await servers.connect(Url("https://a.test/"), tls=True)
        finally:
            server.close()

    answer = run(work())
    assert isinstance(answer, Unreachable)
    assert answer.cause == Cause.TLS
    untrusted = ssl.SSLCertVerificationError(1, "x")
    untrusted.verify_message = "expired"
    assert module._trouble(untrusted, "a.test").cause == Cause.CERTIFICATE
    assert module._trouble(TimeoutError(), "a.test").cause == Cause.TIMEOUT_CONNECT


def test_another_proxy_behind_us_is_not_supported_and_says_so() -> None:
    with pytest.raises(ConfigError, match="upstream_proxy"):
        upstreams(Fetch(upstream_proxy="http://127.0.0.1:3128"))


def test_a_stream_that_ended_is_of_no_use() -> None:
    async def work() -> bool:
        server = Upstream("http://a.test")
        server.connection_made(asyncio.Transport())
        assert server.is_usable
        server.eof_received()
        return server.is_usable

    assert not asyncio.run(work())
